"""Codes → sentences about who works at a tournament: roles, invitations, committees, the rota, programs."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

SENTENCES: dict[str, str | Promise] = {
    "last_owner": _("Nobody else owns this tournament. Hand it over first."),
    "last_organiser": _("Nobody else organises this tournament. Name another organiser first."),
    "player_is_somebody_else": _("{name} is somebody else on the staff."),
    "invitation_needs_account": _("An invitation is for a person with an account. Sign in, or make one."),
    "invitation_used": _("Somebody has used this invitation already: it is good once. Ask for another."),
    "invitation_used_by_you": _("You have accepted this invitation already."),
    "invitation_revoked": _("This invitation was taken back. Ask whoever sent it for a new one."),
    "invitation_expired": _("The time of this invitation is over. Ask whoever sent it for a new one."),
    "invitation_unknown": _("There is no such invitation. Look whether the whole link was copied."),
    "invitation_for_somebody_else": _(
        "This invitation was sent to another address than your account’s. Ask for one of your own."
    ),
    "invitation_reach_gone": _(
        "The sessions or tables it is for are no longer drawn. Ask whoever sent it for a new one."
    ),
    "committee_of_three": _("A committee has {size} members: the chief umpire and two."),
    "committee_stranger": _("{name} umpires nothing here."),
    "committee_concerned": _("{name} took the decision, or plays at that table, and does not rule on it."),
    "committee_without_chief": _("The chief umpire, or an organiser instead, has to be among them."),
    "umpire_plays": _("{name} plays in session {session}, and umpires in others."),
    "umpire_not_there": _("{name} is not an umpire of table {table} in session {session}."),
    "requests_too_many": _("Too many requests came in this minute. Wait {seconds} seconds, then go on."),
    "token_falls_short": _("You may, but this token may not: it is for less, or for another tournament."),
    "token_nameless": _("Say which program it is for."),
    "token_already_over": _("This day is over already."),
    "token_for_nothing": _("Choose tournaments that you work at."),
    "tokens_too_many": _("You have {most} tokens. End one first."),
}
