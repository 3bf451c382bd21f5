"""Addresses of the package."""
