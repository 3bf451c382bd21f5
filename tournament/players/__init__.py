"""Who plays: entered, imported, checked in, withdrawn, stood in for."""
