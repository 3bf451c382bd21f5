"""Queries for log sentences, player search and the context of public pages."""

from typing import Any

from django.contrib.auth.models import User
from django.db.models import Q

from tournament.base import hooks
from tournament.base.engine.names import is_match, search_words
from tournament.base.engine.notices import Audience
from tournament.base.models.log import name_of
from tournament.base.models.people import Player
from tournament.base.models.play import Session, Table
from tournament.base.models.registration import RegistrationPlan
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import hidden_sessions
from tournament.web.texts.log import LogWords


def log_words(tournament: Tournament) -> LogWords:
    """Return the formatter of an event's log, with the names of players, registrants and staff."""
    names = {player.number: player.name for player in tournament.players.all()}
    registrants = {registration.number: registration.name for registration in tournament.registrations.all()}
    former = tournament.former_accounts.select_related("user")
    former_staff = {(account.until, account.account): name_of(account.user) for account in former}
    return LogWords(names, tournament.rules.fouls, registrants, _staff_names(tournament), former_staff)


def _staff_names(tournament: Tournament) -> dict[int, str]:
    """Return the names by key of accounts with a role, or in the log."""
    logged = set(tournament.log.filter(data__has_key="user").values_list("data__user", flat=True))
    accounts = User.objects.filter(Q(memberships__tournament=tournament) | Q(pk__in=logged)).distinct()
    return {user.pk: name_of(user) for user in accounts}


def matches_search(player: Player, query: str) -> bool:
    """Return whether a player matches a search: spelling, case and order of words are ignored.

    A single number is the player's number; else every word must be in name, team, club or country. An empty search
    matches all.
    """
    words = search_words(query)
    if len(words) == 1 and words[0].isdecimal():
        return player.number == int(words[0])
    return is_match(query, player.name, player.second_name, player.team, player.club, player.country)


def page_context(
    tournament: Tournament, audience: Audience, *, table: Table | None = None, player: Player | None = None
) -> dict[str, Any]:
    """Return the context of a public page besides its content; with a table or a player, also what is for them.

    {"session": the session of interest, or None; "hidden": for staff, the hidden sessions; "is_registering":
    whether there is a registration plan and play has not begun; and what packages add (`hooks.page_sections`)}
    """
    session = _session_of_interest(tournament)
    has_begun = session is not None and session.state != Session.State.PLANNED
    context = {
        "session": session,
        "hidden": sorted(hidden_sessions(tournament)) if audience is Audience.STAFF else (),
        "is_registering": not has_begun and RegistrationPlan.objects.filter(tournament=tournament).exists(),
    }
    return context | hooks.merged(hooks.page_sections(tournament, audience, table, player))


def _session_of_interest(tournament: Tournament) -> Session | None:
    """Return the running session, else the last closed one, else the first."""
    sessions = list(tournament.sessions.all())
    for state in (Session.State.RUNNING, Session.State.CLOSED):
        if matching := [session for session in sessions if session.state == state]:
            return matching[-1]
    return sessions[0] if sessions else None
