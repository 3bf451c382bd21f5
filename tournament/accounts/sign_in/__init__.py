"""The door: who signs in, how often that may be tried, from which devices, what is asked besides a password."""
