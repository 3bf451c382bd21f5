"""The tournament's arithmetic: seat rotation, table points, standings, seating. Pure Python."""
