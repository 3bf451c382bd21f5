"""Codes → sentences about checking people in."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

CHECK_IN: dict[str, str | Promise] = {
    "withdrawn_not_checked_in": _("{name} has withdrawn. An organiser lets them play again first."),
    "nobody_to_check_in": _("Nobody with number {player} is expected."),
    "check_in_at_the_desk": _("People are checked in at the desk here."),
    "door_code_wrong": _("This is not the code at the door. It changes every few minutes: look again."),
    "door_code_guessed": _("Too many wrong codes came from this address. Ask at the desk."),
    "check_in_not_yours": _("It is too late to take this back here. Ask at the desk."),
    "no_player_chosen": _("Choose at least one player."),
    "missing_while_playing": _(
        "A session is being played: who is not at the table is for its umpire to note, or withdraws alone."
    ),
    "came_meanwhile": _("{name} has come or withdrawn meanwhile. Look at the list again."),
    "nobody_to_readmit": _("There is nobody to take back."),
}
