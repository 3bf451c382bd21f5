"""Where one part of the book leads to another."""

from __future__ import annotations

from django.urls import NoReverseMatch, reverse

from scoring.engine.fans import Fan


def fan_link(fan: Fan | None) -> str:
    """The address of a fan's own page; empty while there are none, and for no fan."""
    if fan is None:
        return ""
    try:
        return reverse("book-fan", args=[fan.key])
    except NoReverseMatch:
        return ""
