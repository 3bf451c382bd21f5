"""Log actions of roles, invitations, passes and the umpires' tables."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, pgettext_lazy

from scoring.texts import joined
from tournament.base.access import Right
from tournament.base.log_actions import Data, LogAction
from tournament.web.sections import register_section
from tournament.web.texts.log import LogWords, log_placeholder, where_text
from tournament.web.texts.words import role_name


@log_placeholder("passes")
def _passes(words: LogWords, data: Data) -> str:
    return joined(words.user(desk_pass["user"]) for desk_pass in data["passes"])


@log_placeholder("role")
def _role(words: LogWords, data: Data) -> str:
    return role_name(data["role"])


@log_placeholder("reach")
def _reach(words: LogWords, data: Data) -> str:
    return where_text(
        data["sessions"], data["tables"], every_session=data["every_session"], role=data["role"]
    )


def _role_changed(words: LogWords, data: Data) -> str:
    if data["before"] == data["role"]:
        return words.fill(_("{user}, {role}: {reach}."), data)
    return words.fill(_("{user}: {role}, {reach}; before: {before}."), data, before=role_name(data["before"]))


def _staff_plays(words: LogWords, data: Data) -> str:
    if data["plays_as"] is None:
        return words.fill(_("{user} no longer also plays."), data)
    return words.fill(_("{user} also plays, as {player}."), data, player=words.player(data["plays_as"]))


def _rota_set(words: LogWords, data: Data) -> str:
    n = len(data["rota"])
    if not n:
        return str(_("Umpires’ tables deleted."))
    text = ngettext("Umpires’ tables saved: {n} table.", "Umpires’ tables saved: {n} tables.", n)
    return text.format(n=n)


ROLE_ASSIGNED = LogAction("role_given", _("{user} is now {role}, {reach}."))
ROLE_ENDED = LogAction("role_ended", _("{user} is no longer {role}."), revokes_access=True)
OWNERSHIP_TRANSFERRED = LogAction(
    "tournament_handed_over", _("The tournament belongs to {user} now."), revokes_access=True
)
INVITATION_CREATED = LogAction("staff_invited", _("Invitation {invitation} created: {role}."))
INVITATION_REVOKED = LogAction("invitation_revoked", _("Invitation {invitation} revoked: {role}."))
INVITATION_ACCEPTED = LogAction(
    "invitation_accepted", _("Invitation {invitation} accepted by {user}: {role}, {reach}.")
)
PASSES_CREATED = LogAction("passes_made", _("Access links created: {passes}."))
PASS_RENEWED = LogAction("pass_renewed", _("Access link replaced: {user}."), revokes_access=True)
PASSES_REVOKED = LogAction("passes_revoked", _("Access links revoked: {passes}."), revokes_access=True)
ROLE_CHANGED = LogAction("role_changed", _role_changed, revokes_access=True)
STAFF_PLAYER_SET = LogAction("staff_plays", _staff_plays)
ROTA_SET = LogAction("rota_set", _rota_set)

register_section(
    "staff",
    "before",
    60,
    pgettext_lazy("staff", "Team"),
    "organiser_staff",
    Right.READ,
    help="organisers/team/",
)
