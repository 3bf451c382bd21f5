"""Fans, their types, rulebooks and groups of tiles by name."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from scoring.classical import CLASSICAL
from scoring.engine.fans import Fan, FanType
from scoring.engine.reading import Form
from scoring.engine.rulebooks import Rulebook, find_rulebook

RULEBOOKS: Final[dict[str, str | Promise]] = {
    "mcr": _("MCR"),
    "mwt": _("MCR to the letter"),
    "botzone": _("Botzone"),
    "guide": _("Guide to Mahjong"),
}
"""Key → what a rulebook is called on every page, on paper and as a book of fouls."""

GAME: Final = _("Classical game")
"""What the classical game is called beside the rulebooks."""

FORMS: Final[dict[Form, str | Promise]] = {
    Form.CHOW: _("chow"),
    Form.PUNG: _("pung"),
    Form.KONG: _("kong"),
    Form.PAIR: _("pair"),
    Form.KNITTED: _("knitted"),
    Form.SINGLES: _("single tiles"),
}
"""What a group of tiles is called."""

FAN_TYPES: Final[dict[FanType, str | Promise]] = {
    FanType.HONOURS: _("Honors"),
    FanType.CHOWS: _("Chows"),
    FanType.PUNGS: _("Pungs and kongs"),
    FanType.SEVEN_PAIRS: _("Seven pairs"),
    FanType.SUITS: _("Suits"),
    FanType.TERMINALS: _("Terminals and numbers"),
    FanType.KNITTED: _("Knitted tiles"),
    FanType.WAITS: _("Waits and ways to win"),
    FanType.SPECIAL: _("Special"),
}
"""What a type of fans is called."""


def fan_name(fan: Fan) -> str:
    """The name of a fan in the reader's language; names are rule data, not translations."""
    return {"zh-hans": fan.zh_hans, "zh-hant": fan.zh_hant}.get(get_language() or "", fan.en)


def rulebook_name(rulebook: Rulebook) -> str:
    """The name of a rulebook in the reader's language; a house rulebook's as it calls itself."""
    return str(RULEBOOKS.get(rulebook.key, rulebook.name))


def rulebook_called(key: str) -> str:
    """The name of whatever a hand was scored by, one of the rulebooks or the classical game."""
    return str(GAME) if key == CLASSICAL.key else rulebook_name(find_rulebook(key))


def form_name(form: Form) -> str:
    """What a group of tiles is called: "chow"."""
    return str(FORMS[form])
