"""What the screens in the hall show now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from tournament.base.access import Audience
from tournament.base.models.people import Player
from tournament.base.models.play import Seat, Session
from tournament.base.models.tournament import Tournament
from tournament.base.selectors.by_version import by_version
from tournament.events.selectors.timetable import timetable
from tournament.messages.announcements.selectors import standing
from tournament.play.selectors.public import Overview, overview
from tournament.players.models import CheckIn
from tournament.players.selectors.check_in import has_check_in, missing_players
from tournament.players.selectors.participants import players_of
from tournament.ranking.selectors.best_hand import best_hand
from tournament.ranking.selectors.standings import has_results
from tournament.screens.engine.screens import (
    AUTOMATIC,
    Kind,
    Phase,
    Programme,
    Shown,
    Slide,
    Steering,
    interruption,
    shown,
)
from tournament.screens.models.screens import MAIN, Screen, as_ms
from tournament.screens.selectors.ceremony import current_ceremony

NAMES_A_PAGE = 36
MISSING_A_PAGE = 24
"""Of who has not come: the code at the door stands beside them."""
TABLES_A_PAGE = 6


def rows_a_page(rows: int) -> int:
    """Lines of a ranking on one page, in two columns: a small field sees itself whole."""
    return 16 if rows <= 16 else 20


@dataclass(frozen=True)
class OnScreen:
    """A screen at a moment. `now` and `until`: milliseconds since 1970; `until` None while nothing turns by itself."""

    screen: Screen
    programme: Programme
    steering: Steering
    now: int
    slide: Slide
    until: int | None
    is_interrupted: bool
    """Whether a fresh announcement has taken it."""


def screens_of(tournament: Tournament) -> list[Screen]:
    """All of them, the main one first."""
    found = {screen.name: screen for screen in tournament.screens.all()}
    main = found.pop(MAIN, None) or unarranged(tournament, MAIN)
    return [main, *found.values()]


def find_screen(tournament: Tournament, name: str) -> Screen | None:
    """The screen of this name; the main one is there without being made."""
    found = tournament.screens.filter(name=name).first()
    return unarranged(tournament, MAIN) if found is None and name == MAIN else found


def unarranged(tournament: Tournament, name: str) -> Screen:
    """A screen as it is before anybody has touched it; not saved."""
    made = tournament.created_at
    return Screen(tournament=tournament, name=name, turns=[], since=made, steered_at=made)


def on_screen(screen: Screen, at: datetime | None = None) -> OnScreen:
    """What the screen shows; the welcome where there is nothing else to show."""
    at = at or timezone.now()
    tournament, now = screen.tournament, as_ms(at)
    programme, steering = programme_of(screen, at), steering_of(screen)
    said = standing(tournament)
    taken = interruption([as_ms(one.made_at) for one in said], now)
    if taken is not None:
        slide = Slide(Kind.ANNOUNCEMENTS, taken[0] + 1, len(said), 0)
        return OnScreen(screen, programme, steering, now, slide, taken[1], True)
    found = shown(programme, steering, now) or Shown(Slide(Kind.WELCOME, 1, 1, 0), None)
    return OnScreen(screen, programme, steering, now, found.slide, found.until, False)


def programme_of(screen: Screen, at: datetime) -> Programme:
    """The rotation with the pages there are: as arranged, or what fits how far the event is."""
    facts = _facts_of(screen.tournament)
    counts = facts.phase is Phase.PLAYING or (facts.begins is not None and at < facts.begins)
    pages = {
        **facts.pages,
        Kind.CLOCK: int(counts),
        Kind.ANNOUNCEMENTS: len(standing(screen.tournament)),
    }
    return Programme(AUTOMATIC[facts.phase] if screen.is_automatic else screen.rotation, pages)


def steering_of(screen: Screen) -> Steering:
    """As the organiser steered it; what chooses by itself begins anew when a session begins or ends."""
    facts, steering = _facts_of(screen.tournament), screen.steering
    if screen.is_automatic and steering.only is None and facts.began and facts.began > screen.steered_at:
        return Steering(as_ms(facts.began))
    return steering


@dataclass(frozen=True)
class _Facts:
    phase: Phase
    began: datetime | None
    """When this phase began; None before the first session."""
    begins: datetime | None
    """When the next session is planned to begin."""
    pages: Mapping[Kind, int]


@by_version(32)
def _facts_of(tournament: Tournament) -> _Facts:
    now, ceremony = overview(tournament), current_ceremony(tournament)
    moments = [at for one in now.sessions for at in (one.started_at, one.closed_at) if at is not None]
    pages = _pages(tournament, now)
    if ceremony is not None:
        began, pages = ceremony.started_at, pages | {Kind.CEREMONY: 1}
        return _Facts(Phase.CEREMONY, began, None, pages)
    return _Facts(_phase(now), max(moments, default=None), begins_at(tournament, now), pages)


def _phase(now: Overview) -> Phase:
    if now.running:
        return Phase.PLAYING
    if now.is_over:
        return Phase.OVER
    if now.last_closed:
        return Phase.BETWEEN
    return Phase.SEATED if now.is_drawn else Phase.PREPARING


def session_seated(now: Overview) -> Session | None:
    """Whose seats a screen shows: those of the session being played, else of the next."""
    return now.running or now.next


def begins_at(tournament: Tournament, now: Overview) -> datetime | None:
    """When the session that comes next is planned to begin; None while one is being played."""
    if now.running or now.next is None:
        return None
    entry = timetable(tournament).of(now.next.number)
    return entry.starts_at if entry else None


def _pages(tournament: Tournament, now: Overview) -> dict[Kind, int]:
    """As everybody may know it: a screen hangs in the hall."""
    session, people = session_seated(now), list(players_of(tournament))
    rows = len(people) if has_results(tournament, Audience.PUBLIC) else 0
    teams = len({player.team for player in people} - {""}) if rows else 0
    nations = len({player.country for player in people} - {""}) if rows else 0
    return {
        Kind.NAMES: _paged(Seat.objects.filter(table__session=session).count(), NAMES_A_PAGE)
        if session
        else 0,
        Kind.TABLES: _paged(session.tables.count(), TABLES_A_PAGE) if session else 0,
        Kind.PROGRESS: 1 if now.running else 0,
        Kind.RANKING: _paged(rows, rows_a_page(rows)),
        Kind.TEAMS: _paged(teams, rows_a_page(teams)),
        Kind.NATIONS: _paged(nations, rows_a_page(nations)) if nations > 1 else 0,
        Kind.BEST: 1 if best_hand(tournament, Audience.PUBLIC) else 0,
        Kind.PUZZLE: 2,
        Kind.WELCOME: 1,
        Kind.MISSING: _paged(len(missing_on_screen(tournament, now)), MISSING_A_PAGE),
    }


def missing_on_screen(tournament: Tournament, now: Overview) -> list[Player]:
    """Who is missing, while people are coming: from the first who is checked in until the first session begins."""
    if now.running or now.last_closed or not (has_check_in(tournament) or asks_to_check_in(tournament)):
        return []
    return list(missing_players(tournament))


def asks_to_check_in(tournament: Tournament) -> bool:
    """Whether people check themselves in."""
    return CheckIn.objects.filter(tournament=tournament, by_themselves=True).exists()


def _paged(count: int, a_page: int) -> int:
    return -(-count // a_page)
