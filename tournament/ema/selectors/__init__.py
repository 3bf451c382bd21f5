"""Results for the European Mahjong Association, and the certification of an event."""
