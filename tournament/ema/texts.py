"""Results for the European Mahjong Association in words."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from tournament.web.texts.log import Data, LogWords, says

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


@says("ema_columns_set")
def _columns_set(words: LogWords, data: Data) -> str:
    text = ngettext(
        "The results file for the EMA has {n} column.",
        "The results file for the EMA has {n} columns.",
        data["columns"],
    )
    return text.format(n=data["columns"])


EMA: dict[str, str | Promise] = {
    # the event
    "ema_not_final": _("The final standings are not published."),
    "ema_may_change": _("The final standings may still change: an appeal is open, or can still be made."),
    "ema_sessions_missing": _("{played} of {planned} sessions have results."),
    "ema_too_few_players": _(
        "With {players} players in the ranking no place is worth anything: two are needed."
    ),
    "ema_not_counted": _("The event’s page does not say that the European ranking counts it."),
    "ema_event_country_missing": _("The event’s page does not say in which country it is."),
    "ema_referee_missing": _("No umpire is named on the event’s page, and nobody here is chief umpire."),
    "ema_other_rulebook": _(
        "It was played by the rulebook “{rulebook}” and not by “mcr”. The file calls both “Chinese official”."
    ),
    "ema_other_scale": _("The places of a table are not worth 4, 2, 1 and 0 table points here."),
    "ema_many_substitutes": _("There are {substitutes} substitutes; {most} count as players in the weight."),
    # tables
    "ema_table_empty": _("Session {session}, table {table}: nothing is recorded."),
    "ema_game_points_sum": _(
        "Session {session}, table {table}: without penalties the game points come to {points} and not to 0."
    ),
    "ema_table_points_sum": _(
        "Session {session}, table {table}: the table points come to {points} and not to 7."
    ),
    # players
    "ema_number_not_digits": _("“{ema_number}” is not an EMA number: it has eight digits and nothing else."),
    "ema_number_length": _("An EMA number has eight digits; this one has {digits}."),
    "ema_number_taken": _("EMA number {ema_number} belongs to another player."),
    "ema_number_missing": _("{name} has no EMA number, and is of a country with a federation."),
    "ema_number_malformed": _("{name}: “{ema_number}” is no EMA number, which has eight digits."),
    "ema_number_twice": _("EMA number {ema_number} belongs to {names}: one of them has another."),
    "ema_number_elsewhere": _(
        "{name}: EMA number {ema_number} was given in {federation}, and the player is of {country}. People move."
    ),
    "ema_country_missing": _("{name} has no country."),
    "ema_name_missing": _("{name}: first name or last name is missing."),
    "ema_without_place": _("{name} has no place, and so no base."),
    "ema_never_played": _("{name} has not played and has not withdrawn, and so counts in the weight."),
    # columns
    "ema_column_empty": _("Nothing stands below “{heading}”: say what."),
    "ema_column_missing": _("There is no column like “{heading}”."),
    "ema_columns_missing": _("A file has at least one column."),
    "ema_columns_too_many": _("A file has at most {most} columns."),
    "ema_heading_missing": _("A column needs a heading."),
    "ema_heading_twice": _("There are two columns “{heading}”."),
    "ema_field_unknown": _("“{field}” is nothing that can stand in a column."),
}
"""Code → sentence; a part of `tournament.web.texts.problems.SENTENCES`."""


def weight_text(weight: Fraction) -> str:
    """A weight as it is written: 2.5, 3."""
    return number_format(float(weight), 0 if weight.denominator == 1 else 1)
