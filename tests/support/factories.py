"""Small tournaments for tests, created through the services.

    make_tournament()                                16 players drawn into 2 sessions, nothing played
    make_tournament(played=1)                        session 1 closed, 2 hands at each table
    make_tournament(played=1, running=(4, 2, 1, 0))  and session 2 running, with so many hands at its tables
    make_tournament(players=8, drawn=False)          players entered, no draw yet
    evening()                                        tests/data/evening.json to its end (about 300 hands)

The same arguments give the same tournament: nothing is random.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from uuid import NAMESPACE_URL, uuid5

from django.contrib.auth.models import User
from django.db.models import F, Model

from tests.support.data import read_csv, read_json
from tests.support.snapshots import restore_or_build
from tournament.base import log
from tournament.base.access import Actor
from tournament.base.engine.entries import DRAW, WIN, HandEntry
from tournament.base.engine.notices import Audience
from tournament.base.log_actions import CHANGED
from tournament.base.models.people import ApiToken
from tournament.base.models.play import Hand, Session, Table
from tournament.base.models.tournament import Membership, Role, Tournament
from tournament.events.services import create_tournament
from tournament.exchange.transcripts.transcript import Stop, load, play
from tournament.play.services.hands import record_hand
from tournament.play.services.sessions import close_session, start_session
from tournament.play.services.tables import hand_in
from tournament.players.selectors.players import Entrant
from tournament.players.services.players import add_players
from tournament.seating.services.seatings import seat_players
from tournament.staff.services import give_role
from tournament.web.exports.lists import ListTable, Reader

SYSTEM = Actor.system("tests")
PASSWORD = "pung-chow-kong"
WINDS = "ESWN"

PEOPLE = [(row["first_name"], row["last_name"], row["country"]) for row in read_csv("people.csv")]
"""(first name, last name, country), in several scripts; later players repeat them with a number."""


TILES: Mapping[str, dict[str, Any]] = read_json("hands.json")
"""Hands by name, as an umpire enters them, without winds and circumstances.

No tile is a wind, so a score is the same in every seat. `too_cheap` is below the minimum of eight points.
"""


# --- People -------------------------------------------------------------------------------------------------
def make_user(name: str = "olga", *, staff: bool = False) -> User:
    """Create an account with the password PASSWORD. `staff`: it may create tournaments."""
    return User.objects.create_user(name, password=PASSWORD, is_staff=staff)


def make_api_token(user: User, expiry: datetime | None = None, **fields: Any) -> tuple[ApiToken, str]:
    """Create a token; return it and its text. Without `expiry` it does not expire."""
    token = ApiToken(user=user, expiry=expiry, **fields)
    text = token.make_letters()
    token.save(force_insert=True)
    return token, text


def make_card(tournament: Tournament, table: int, name: str = "card") -> User:
    """Create the account of a table's pass, which its players use."""
    user = make_user(name)
    Membership.objects.create(
        tournament=tournament, user=user, role=Role.UMPIRE, everywhere=False, table_number=table
    )
    return user


def make_organiser(tournament: Tournament, name: str = "olga") -> User:
    """Create an organiser of the tournament."""
    user = make_user(name, staff=True)
    Membership.objects.create(tournament=tournament, user=user, role=Role.ORGANISER)
    return user


def make_member(tournament: Tournament, role: Role, name: str) -> User:
    """Create an account with this role in the whole tournament."""
    user = make_user(name)
    give_role(tournament, SYSTEM, user, role)
    return user


def make_umpire(
    tournament: Tournament,
    name: str = "uma",
    *,
    sessions: Sequence[Session] = (),
    tables: Sequence[Table] = (),
) -> User:
    """Create an umpire of these sessions and tables, or of the whole tournament."""
    user = make_user(name)
    give_role(tournament, SYSTEM, user, Role.UMPIRE, sessions=sessions, tables=tables)
    return user


M = TypeVar("M", bound=Model)


def entrant(number: int) -> Entrant:
    """Return the person with a player number, who is the same in every tournament."""
    first, last, country = PEOPLE[(number - 1) % len(PEOPLE)]
    repeat = (number - 1) // len(PEOPLE)
    last = f"{last} {'I' * (repeat + 1)}" if repeat else last
    return Entrant(last, first, country, team=f"Team {(number - 1) // 4 + 1}", number=number)


def edited(stored: M, **fields: Any) -> M:
    """Return the stored object with other values in these fields, unsaved."""
    row = type(stored)._default_manager.get(pk=stored.pk)
    for name, value in fields.items():
        setattr(row, name, value)
    return row


# --- Tournaments --------------------------------------------------------------------------------------------
WEEKEND = (date(2026, 11, 14), date(2026, 11, 15))
"""A Saturday and a Sunday, for tests in which the days matter."""


def write_something(tournament: Tournament) -> None:
    """Write a log entry, which invalidates cached pages, after a test has changed the database directly."""
    with log.write(tournament, SYSTEM, CHANGED, None):
        pass


def make_tournament(
    *,
    players: int = 16,
    sessions: int = 2,
    played: int = 0,
    running: int | Sequence[int] | None = None,
    hands: int = 2,
    drawn: bool = True,
    public: bool = True,
    name: str = "Spring Open",
    rulebook: str = "mcr",
    days: tuple[date, date] | None = None,
    actor: Actor = SYSTEM,
) -> Tournament:
    """Create a tournament with the player numbers 1, 2, 3 …, by default today and tomorrow.

    `played`: the number of closed sessions, with `hands` hands at each table. `running`: the next session is running,
    with so many hands at every table, or at each table in order.
    """
    starts, ends = days or (date.today(), date.today() + timedelta(days=1))
    fields = {"name": name, "venue": "Salle des fêtes", "starts_on": starts, "ends_on": ends}
    fields |= {"rulebook": rulebook, "sessions_planned": sessions, "is_public": public}
    under_way = running if running is None or isinstance(running, int) else tuple(running)
    params = TournamentParams(tuple(fields.items()), players, drawn, played, under_way, hands)
    return restore_or_build(params, partial(make, params, actor)) if actor == SYSTEM else make(params, actor)


@dataclass(frozen=True)
class TournamentParams:
    """The parameters of `make_tournament` as a key of the snapshots."""

    fields: tuple[tuple[str, Any], ...]
    players: int
    drawn: bool
    played: int
    running: int | tuple[int, ...] | None
    hands: int


def make(params: TournamentParams, actor: Actor) -> Tournament:
    tournament = create_tournament(actor, Tournament(**dict(params.fields)))
    if params.players:
        add_players(tournament, actor, [entrant(number) for number in range(1, params.players + 1)])
    if params.drawn and params.players:
        seat_players(tournament, actor, seats_for(params.players, tournament.sessions_planned))
    for number in range(1, params.played + 1):
        play_session(tournament.sessions.get(number=number), params.hands, actor)
    if params.running is not None:
        _start_and_play(tournament.sessions.get(number=params.played + 1), params.running, actor)
    tournament.refresh_from_db()
    return tournament


def evening(stop: Stop | None = None, actor: Actor = SYSTEM) -> Tournament:
    """Play the evening of 16 players to its end or up to `stop`; tests/data has its standings."""
    text = (Path(__file__).parents[1] / "data" / "evening.json").read_text()
    if actor != SYSTEM:
        return play(load(text), actor, stop)
    return restore_or_build(("evening", stop), lambda: play(load(text), actor, stop))


def seats_for(players: int, sessions: int) -> list[list[dict[str, int]]]:
    """Return a regular draw: each session, group g of the players moves by g tables and one wind."""
    tables = players // 4
    return [
        [
            {
                WINDS[(group + session) % 4]: group * tables + (table - group * session) % tables + 1
                for group in range(4)
            }
            for table in range(tables)
        ]
        for session in range(sessions)
    ]


# --- Play ---------------------------------------------------------------------------------------------------
def play_session(session: Session, hands: int = 4, actor: Actor = SYSTEM) -> None:
    """Start the session, play `hands` hands at every table, hand the sheets in and close it."""
    start_session(session, actor)
    for table in session.tables.all():
        play_hands(table, hands, actor)
        hand_in(table, actor)
    close_session(session, actor)
    session.refresh_from_db()


def end_appeals(tournament: Tournament) -> None:
    """Move the end of every closed session back by an hour, so that the time for appeals is over."""
    tournament.sessions.update(closed_at=F("closed_at") - timedelta(hours=1))


def play_hands(table: Table, hands: int = 1, actor: Actor = SYSTEM) -> None:
    """Record the table's next hands."""
    table.refresh_from_db()
    for number in range(table.hands_played + 1, table.hands_played + hands + 1):
        record_hand(table, actor, hand_entry(table, number), number=number, uuid=hand_uuid(table, number))
    table.refresh_from_db()


def hand_entry(table: Table, number: int) -> HandEntry:
    """Return the entry of a hand: TILES in turn, every fifth one a wash-out, every third one self-drawn."""
    index = number + table.number + table.session.number
    if index % 5 == 0:
        return wash_out()
    players = list(table.seats.order_by("id").values_list("player__number", flat=True))
    winner, discarder = players[index * 3 // 2 % 4], players[(index * 3 // 2 + 1 + index % 3) % 4]
    names = [name for name in TILES if name != "too_cheap"]
    return win(winner, None if index % 3 == 0 else discarder, names[index % len(names)])


def win(winner: int, discarder: int | None = None, tiles: str = "seven_pairs") -> HandEntry:
    """Return the entry of a won hand, self-drawn without a discarder. `tiles`: a name in TILES."""
    return HandEntry(WIN, winner, discarder, TILES[tiles])


def wash_out() -> HandEntry:
    return HandEntry(DRAW)


def record(table: Table, entry: HandEntry, actor: Actor = SYSTEM) -> Hand:
    """Record `entry` as the table's next hand."""
    table.refresh_from_db()
    number = table.hands_played + 1
    hand = record_hand(table, actor, entry, number=number, uuid=hand_uuid(table, number))
    table.refresh_from_db()
    return hand


def list_file(
    listed: ListTable, event: Tournament, form: str = "xlsx", audience: Audience = Audience.STAFF
) -> bytes:
    """Return a list as a file."""
    return listed.render(Reader(event, audience, SYSTEM), form)


def hand_uuid(table: Table, number: int) -> Any:
    """Return the UUID that tests use for this hand."""
    return uuid5(NAMESPACE_URL, f"hule-tests/{table.pk}/{number}")


def _start_and_play(session: Session, hands: int | Sequence[int], actor: Actor) -> None:
    start_session(session, actor)
    tables = list(session.tables.all())
    counts = [hands] * len(tables) if isinstance(hands, int) else list(hands)
    for table, count in zip(tables, counts, strict=True):
        play_hands(table, count, actor)
