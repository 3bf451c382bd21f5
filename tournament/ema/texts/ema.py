"""What can stand in a column of the results file, as its organiser chooses it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

FIELDS: Final[Mapping[str, str | Promise]] = {
    "event_name": _("Event: name"),
    "short_name": _("Event: short name, as in its address"),
    "participants": _("Event: number of players with a place"),
    "first_day": _("Event: first day"),
    "last_day": _("Event: last day"),
    "period": _("Event: its days, in English"),
    "days": _("Event: number of days"),
    "venue": _("Event: venue"),
    "event_country": _("Event: country (three letters)"),
    "rules": _("Event: “Chinese official”"),
    "mers_weight": _("Event: weight"),
    "place": _("Place"),
    "number": _("Player number"),
    "first_name": _("First name"),
    "last_name": _("Last name"),
    "last_name_capitals": _("Last name in capitals"),
    "ema_number": _("EMA number"),
    "table_points": _("Table points"),
    "game_points": _("Game points"),
    "ema_member": _("EMA member: YES or NO"),
    "country": _("Country (three letters)"),
    "country_name": _("Country by name, in English"),
    "team": _("Team"),
    "club": _("Club"),
    "mers_base": _("Base of the place"),
    "remark": _("Remark: withdrawn"),
    "text": _("Always the same words:"),
}
"""Field → its name; in the order in which they are offered."""
