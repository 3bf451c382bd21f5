"""Seating: the draw of an event, and the certificate of what it achieves. Pure and reproducible from a seed."""
