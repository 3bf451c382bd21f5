"""Puzzles about hands: five by a player, and unlimited ones from a seed, judged by the engine.

Pure Python: a puzzle is determined by its kind, level and seed, a daily set by its date.
"""
