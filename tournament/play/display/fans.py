"""Fans by name in a sentence, each a link to its own page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from scoring.book.links import fan_link
from scoring.engine import Fan, find_fan
from scoring.texts import fan_name, joined

COMPONENT = "components/fan.html"
Fact = Mapping[str, Any]


def fans_counted(lines: Iterable[Fact]) -> SafeString:
    """Each with all it is worth: "Quadruple Chow 48, Half Flush 6"."""
    return _joined((find_fan(line["key"]), {"worth": line["points"] * line["count"]}) for line in lines)


def fans_made(times: Iterable[tuple[str, int]]) -> SafeString:
    """Each with how often it was made, by keys: "All Chows ×3, Half Flush"."""
    return _joined((find_fan(key), {"times": n}) for key, n in times)


def fans_named(fans: Iterable[Fan]) -> SafeString:
    """ "All Chows, Half Flush"."""
    return _joined((fan, {}) for fan in fans)


def _joined(fans: Iterable[tuple[Fan, dict[str, Any]]]) -> SafeString:
    return SafeString(joined(_inline(fan, about) for fan, about in fans))


def _inline(fan: Fan, about: dict[str, Any]) -> str:
    """Nothing may stand between a name and the comma after it."""
    context = {"name": fan_name(fan), "url": fan_link(fan), "inline": True} | about
    return render_to_string(COMPONENT, context).strip()
