"""Demonstration tournaments: believable ones of any size from a seed, and one to come."""
