"""Prizes of an event: what is given for what, and who gets it."""
