"""How many lanes a warp has: the same on every device so far."""

WARP = 32
