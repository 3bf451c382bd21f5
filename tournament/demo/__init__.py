"""Tournaments to look at and to try things on: a real evening, and believable ones of any size from a seed."""
