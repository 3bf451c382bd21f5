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
    "stand_in_now": _("{minutes} minutes are over"),
    "stand_in_why": _(
        "The other three may start. A stand-in's hands pay and are paid; the stand-in takes no place."
    ),
    "stand_in_name": _("Who stands in?"),
    "start_with_stand_in": _("Start with a stand-in"),
    "stand_in": _("stand-in plays"),
    "stand_in_is": _("stand-in: {name}"),
    "seated_again": _("{name} plays again"),
    "to_stand_in": _("Stand-in"),
    "stand_in_hint": _("A stand-in's hands pay and are paid; the stand-in takes no place."),
}
