"""Files of other people: found, read, checked, compiled."""
