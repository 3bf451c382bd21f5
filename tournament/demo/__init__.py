"""Demonstration tournaments: a real evening, and believable ones of any size from a seed."""
