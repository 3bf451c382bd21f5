"""What the European Mahjong Association asks for: its ranking, its results file, its certification."""
