"""Dues: what people owe, fees, and payments."""
