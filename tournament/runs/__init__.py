"""What is to be done, done: workers on this machine or a cluster, duels, checks."""
