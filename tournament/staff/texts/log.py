"""Who works at the tournament: named, invited, gone, and at which table."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from scoring.texts import joined
from tournament.web.texts.log import Data, LogWords, also, rows, says, word
from tournament.web.texts.places import where_text
from tournament.web.texts.roles import role_name, scope_name

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
def _role(told: LogWords, data: Data) -> str:
    return role_name(data["role"])


@word("scope")
def _scope(told: LogWords, data: Data) -> str:
    return scope_name(data["scope"])


@word("reach")
def _reach(told: LogWords, data: Data) -> str:
    return where_text(data["sessions"], data["tables"], every_session=data["every_session"])


@says("role_changed")
def _role_changed(told: LogWords, data: Data) -> str:
    if data["before"] == data["role"]:
        return told.fill(_("{user}, {role}: {reach}."), data)
    return told.fill(_("{user}: {role}, {reach}; before: {before}."), data, before=role_name(data["before"]))


@says("staff_plays")
def _staff_plays(told: LogWords, data: Data) -> str:
    if data["plays_as"] is None:
        return told.fill(_("{user} plays no more beside working here."), data)
    return told.fill(_("{user} plays too, as {player}."), data, player=told.player(data["plays_as"]))


@says("committee_named")
def _committee_named(told: LogWords, data: Data) -> str:
    names = joined(map(told.user, data["committee"]))
    text = _("Committee for the appeal of {appellant}, {at}: {names}.")
    if not names:
        text = _("No committee for the appeal of {appellant}, {at}.")
    return told.fill(text, data, names=names)


@says("rota_set")
def _rota_set(told: LogWords, data: Data) -> str:
    n = len(data["rota"])
    if not n:
        return str(_("Rota of the umpires taken away."))
    text = ngettext("Rota of the umpires set: {n} table.", "Rota of the umpires set: {n} tables.", n)
    return text.format(n=n)


@also
def _ruled_together(told: LogWords, data: Data) -> str:
    """Said after a ruling: who else ruled."""
    if "granted" not in data or not data.get("committee"):
        return ""
    return _("Ruled by a committee: {names}.").format(names=joined(map(told.user, data["committee"])))
