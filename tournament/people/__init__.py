"""People across tournaments."""
