"""Sentences about totals typed from paper, and a sheet read twice."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

TOTALS: dict[str, str | Promise] = {
    "total_missing": _("This total is missing: three are needed, the fourth follows."),
    "totals_not_zero": _("The four totals come to {sum}; they have to come to 0."),
    "totals_sum": _(
        "The four totals come to {sum}; with the penalties at this table they have to come to {right}."
    ),
    "total_too_large": _("Sixteen hands cannot bring {points}: {most} is the most there can be."),
    "total_unlikely": _("{points} is unlikely. If the sheet has it, confirm it; else type it anew."),
    "total_not_whole": _("“{text}” is not a whole number, such as 12 or -34."),
    "count_missing": _("Type this one too, 0 for none; or leave all four empty."),
    "count_out_of_range": _("This is 0 to {hands}."),
    "hands_out_of_range": _("A sheet has 1 to {hands} hands."),
    "wins_too_many": _("{wins} wins in {hands} hands cannot be: a hand has one winner."),
    "deal_ins_too_many": _("{deal_ins} deal-ins cannot be with {wins} wins."),
    "best_without_win": _("Who has the best hand has won one."),
    "best_incomplete": _("The best hand has a winner and points: give both, or neither."),
    "best_out_of_range": _("A hand has 1 to {most} points."),
    "totals_there_already": _("Table {table} has totals already. Correct them, with a reason."),
    "table_has_hands": _(
        "At table {table} hands are recorded ({hands}): its totals follow from them. Nothing was changed."
    ),
    "no_totals": _("Table {table} has no totals yet."),
    "set_aside_reason_missing": _("Say why: the table’s score changes."),
    "totals_needed": _(
        "Session {session} is closed and no hand is written down: correct the totals instead."
    ),
    "second_is_first": _("You typed table {table} yourself. Somebody else reads the sheet a second time."),
    "second_there_already": _("The second reading of table {table} waits to be settled."),
    "nothing_to_settle": _("Nothing is left to settle at table {table}."),
    "choice_missing": _("Which is right? Choose a reading, or type the totals."),
    "totals_columns_missing": _("A column with player numbers and one with points are needed."),
    "totals_line_without_player": _("“{text}” is no player number."),
    "totals_player_not_seated": _("Player {player} has no seat at a table of yours in this session."),
    "totals_player_twice": _("Player {player} stands in row {row} too: nobody plays at two tables."),
    "totals_player_elsewhere": _("Player {player} sits at table {table}, not at {given}."),
    "totals_differ": _("Session {session}, table {table}: two readings of the sheet differ."),
}
"""Code → sentence; a part of `tournament.web.texts.problems.SENTENCES`."""
