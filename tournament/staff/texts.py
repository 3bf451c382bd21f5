"""Staff in words: the log, and what is wrong with roles, invitations, committees, the rota and tokens."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from scoring.texts import joined
from tournament.web.texts.log import Data, LogWords, also, rows, says, where_text, word
from tournament.web.texts.words import role_name, scope_name

rows(
    {
        "role_given": _("{user}, from now on: {role}, {reach}."),
        "role_ended": _("{user}, no longer: {role}."),
        "tournament_handed_over": _("The tournament belongs to {user} now."),
        "staff_invited": _("Invitation {invitation} made: {role}."),
        "invitation_revoked": _("Invitation {invitation} taken back: {role}."),
        "token_made": _("Token made for a program: {program}, {scope}."),
        "token_ended": _("Token of a program ended: {program}, {scope}."),
        "invitation_accepted": _("Invitation {invitation} accepted by {user}: {role}, {reach}."),
    }
)


@word("role")
def _role(words: LogWords, data: Data) -> str:
    return role_name(data["role"])


@word("scope")
def _scope(words: LogWords, data: Data) -> str:
    return scope_name(data["scope"])


@word("reach")
def _reach(words: LogWords, data: Data) -> str:
    return where_text(data["sessions"], data["tables"], every_session=data["every_session"])


@says("role_changed")
def _role_changed(words: LogWords, data: Data) -> str:
    if data["before"] == data["role"]:
        return words.fill(_("{user}, {role}: {reach}."), data)
    return words.fill(_("{user}: {role}, {reach}; before: {before}."), data, before=role_name(data["before"]))


@says("staff_plays")
def _staff_plays(words: LogWords, data: Data) -> str:
    if data["plays_as"] is None:
        return words.fill(_("{user} plays no more beside working here."), data)
    return words.fill(_("{user} plays too, as {player}."), data, player=words.player(data["plays_as"]))


@says("committee_named")
def _committee_named(words: LogWords, data: Data) -> str:
    names = joined(map(words.user, data["committee"]))
    text = _("Committee for the appeal of {appellant}, {at}: {names}.")
    if not names:
        text = _("No committee for the appeal of {appellant}, {at}.")
    return words.fill(text, data, names=names)


@says("rota_set")
def _rota_set(words: LogWords, data: Data) -> str:
    n = len(data["rota"])
    if not n:
        return str(_("Rota of the umpires taken away."))
    text = ngettext("Rota of the umpires set: {n} table.", "Rota of the umpires set: {n} tables.", n)
    return text.format(n=n)


@also
def _ruled_together(words: LogWords, data: Data) -> str:
    """Add to a ruling who else ruled."""
    if "granted" not in data or not data.get("committee"):
        return ""
    return _("Ruled by a committee: {names}.").format(names=joined(map(words.user, data["committee"])))


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
