"""All numba policy: what is compiled, how, and where the machine code is kept."""
