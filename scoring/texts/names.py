"""Fans by name."""

from __future__ import annotations

from django.utils.translation import get_language

from scoring.engine.fans import Fan


def fan_name(fan: Fan) -> str:
    """The name of a fan in the reader's language; names are rule data, not translations."""
    return {"zh-hans": fan.zh_hans, "zh-hant": fan.zh_hant}.get(get_language() or "", fan.en)
