"""Letters: what is written to whom, and how it gets there."""
