"""Web push notifications to players' phones."""
