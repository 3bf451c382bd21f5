"""Penalties, appeals and rulings."""
