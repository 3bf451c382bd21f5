"""Screens in the hall, overlays for streams, ceremonies, and an event's own puzzles."""
