"""Standings, statistics and the pages of players."""
