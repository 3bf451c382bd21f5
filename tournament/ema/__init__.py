"""Results for the European Mahjong Association."""
