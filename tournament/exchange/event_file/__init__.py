"""Export a whole tournament to one file, `hule-tournament`, and import it (docs/api/tournament-file.md)."""
