"""Writing to addresses that came from strangers: where a name leads, and a line to that very place."""
