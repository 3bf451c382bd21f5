"""The desk's sentences of who is missing. {braces} are filled in by the script."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

WORDS: dict[str, str | Promise] = {
    "empty_seat": _("A seat is empty"),
    "seats_empty": _("Table {table} · a seat is empty"),
    "whose_seat": _("Whose seat is empty?"),
    "whose_seat_why": _("The clock runs from the gong. What it costs follows the foul book."),
    "who_leaves": _("Who leaves the seat to a stand-in?"),
    "absent_name": _("{name} · absent"),
    "late_line": _("{clock} · {amount} so far"),
    "so_far": _("{amount} so far"),
    "by_minute": _("Amount due by minute"),
    "next_amount": _("{amount} at {clock}, in {left}"),
    "is_here": _("{name} is here · {amount}"),
    "not_missing": _("{name} is not missing after all"),
    "clock": _("Clock"),
    "came_late": _("{name} came late, in minute {minutes}"),
    "came_late_why": _("The penalty is still to be given."),
    "to_penalty": _("To the penalty"),
    "others_wait": _("The others wait until minute {minutes}, unless you let them begin."),
    "begin_why": _("Why do they begin?"),
    "begin_without": _("Begin without {name}"),
    "begun_without": _("They begin without waiting: {reason}"),
    "does_not_come": _("{name} does not come · {amount}"),
    "no_show_fined": _("The penalty for the whole session is given."),
    "seat_is_empty": _("empty seat"),
    "seat_was_empty": _("{name}'s seat was empty"),
    "stand_in_now": _("{minutes} minutes are over"),
    "stand_in_why": _(
        "The others may start. In an empty seat nobody wins, discards or claims: name a stand-in, or play on without."
    ),
    "stand_in_name": _("Who stands in?"),
    "start_with_stand_in": _("Start with a stand-in"),
    "withdrawn": _("withdrawn"),
    "stand_in": _("stand-in plays"),
    "stand_in_is": _("stand-in: {name}"),
    "seated_again": _("{name} plays again"),
    "to_stand_in": _("Stand-in"),
    "stand_in_nobodys": _("A stand-in’s hands pay and are paid; the stand-in takes no place."),
    "stand_in_players": _("A stand-in’s hands pay and are paid; the result is the absent player’s."),
}
