"""Puzzles about hands: five by a player, and as many as wanted from a seed, judged by the engine.

Pure Python: a puzzle follows from its kind, its level and its seed, a daily set from its date.
"""
