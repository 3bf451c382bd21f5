"""The door: who signs in, how often that may be tried, from which devices, and what has to be shown besides a password."""
