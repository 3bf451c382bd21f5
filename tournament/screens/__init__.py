"""The screens in the hall: slides, overlays, ceremonies, puzzles."""
