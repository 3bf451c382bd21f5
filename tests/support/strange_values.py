"""What no program of ours sends in the place of a field: too large, too long, too deep, or of another kind."""

from typing import Any

VALUES: tuple[Any, ...] = (
    *(10**30, -(10**30), 2**63, 1e308, "9" * 6_000, "\ud800", "nul\0nul", "x" * 200_000, "NaN", "Infinity"),
    *(True, None, {}, [[[]]], [{}] * 3, "9999-12-31T23:59:59Z", "0001-01-01T00:00:00+14:00"),
)
"""In the place of any one field of a request."""
