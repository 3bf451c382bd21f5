"""Sentences about who is missing, who stands in, and what an empty seat forbids."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

ABSENCES: dict[str, str | Promise] = {
    "already_absent": _("{name} is noted as absent already."),
    "absent_has_played": _("{name} has played hand {hand} here, and so is not missing."),
    "seat_empty": _(
        "The seat of player {player} is empty: nobody wins, discards or claims there. Name a stand-in, or note that "
        "the player is here."
    ),
    "seat_empty_too_early": _(
        "{name} is missing, and the others wait until minute {minutes}. Let them begin, and say why; or note that "
        "{name} is here."
    ),
    "begun_reason_missing": _("Say why the others do not wait."),
    "foul_in_empty_seat": _(
        "The seat of player {player} is empty in this hand: nobody fouls or suffers there. Who is missing can be late."
    ),
    "stand_in_too_early": _(
        "The others start without the player after {minutes} minutes, or when the umpire lets them begin before."
    ),
    "stand_in_seated": _("Somebody is playing for {name} already."),
    "not_missing": _("Player {player} is not noted as missing."),
    "still_missing": _("{name} is noted as missing: note the arrival, and the seat is free again."),
    "no_stand_in": _("Nobody is playing for {name}."),
}
