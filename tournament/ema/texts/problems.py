"""EMA numbers; what the association would ask about results, and what is wrong with their file's columns."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

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
