"""Small tournaments for tests, made through the services, as an organiser would have made them.

    make_tournament()                                16 players drawn into 2 sessions, nothing played
    make_tournament(played=1)                        session 1 closed, 2 hands at each table
    make_tournament(played=1, running=(4, 2, 1, 0))  and session 2 being played, so many hands a table
    make_tournament(players=8, drawn=False)          players entered, no draw yet
    evening()                                        tests/data/evening.json to its end (about 300 hands)

The same arguments give the same tournament, to the point: nothing here is random.
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
from tournament.base.access import Actor, Audience
from tournament.base.engine.entries import DRAW, WIN, HandEntry
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
"""(first name, last name, country), in several scripts; from the 17th player on they come round, numbered."""


TILES: Mapping[str, dict[str, Any]] = read_json("hands.json")
"""Hands by name, as an umpire enters them: winds and the way of winning are left to be worked out.

No tile is a wind, so a score is the same in every seat. `too_cheap` wins with fewer than eight points.
"""


# --- people -------------------------------------------------------------------------------------------------
def make_user(name: str = "olga", *, staff: bool = False) -> User:
    """An account with the password PASSWORD. `staff` may make tournaments."""
    return User.objects.create_user(name, password=PASSWORD, is_staff=staff)


def make_api_token(user: User, expiry: datetime | None = None, **fields: Any) -> tuple[ApiToken, str]:
    """A program's token, and its letters. Without `expiry` it is good for ever."""
    token = ApiToken(user=user, expiry=expiry, **fields)
    text = token.make_letters()
    token.save(force_insert=True)
    return token, text


def make_card(tournament: Tournament, table: int, name: str = "card") -> User:
    """Whoever holds the card that lies on a table, in the hands of its players."""
    user = make_user(name)
    Membership.objects.create(
        tournament=tournament, user=user, role=Role.UMPIRE, everywhere=False, table_number=table
    )
    return user


def make_organiser(tournament: Tournament, name: str = "olga") -> User:
    """An account that organises this tournament."""
    user = make_user(name, staff=True)
    Membership.objects.create(tournament=tournament, user=user, role=Role.ORGANISER)
    return user


def make_member(tournament: Tournament, role: Role, name: str) -> User:
    """An account with this role in the whole tournament."""
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
    """An account that umpires the named sessions and tables, or the whole tournament."""
    user = make_user(name)
    give_role(tournament, SYSTEM, user, Role.UMPIRE, sessions=sessions, tables=tables)
    return user


M = TypeVar("M", bound=Model)


def entrant(number: int) -> Entrant:
    """The person behind a player number: the same one in every tournament."""
    first, last, country = PEOPLE[(number - 1) % len(PEOPLE)]
    again = (number - 1) // len(PEOPLE)
    last = f"{last} {'I' * (again + 1)}" if again else last
    return Entrant(last, first, country, team=f"Team {(number - 1) // 4 + 1}", number=number)


def edited(stored: M, **fields: Any) -> M:
    """The object with other values in these fields, for a service to store."""
    row = type(stored)._default_manager.get(pk=stored.pk)
    for name, value in fields.items():
        setattr(row, name, value)
    return row


# --- tournaments --------------------------------------------------------------------------------------------
WEEKEND = (date(2026, 11, 14), date(2026, 11, 15))
"""The days of a tournament whose test says or plans them: a Saturday and a Sunday."""


def write_something(tournament: Tournament) -> None:
    """Write an entry of the log, after which pages are drawn anew: a test has changed the database by itself."""
    with log.write(tournament, SYSTEM, CHANGED):
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
    """A tournament whose players have the numbers 1, 2, 3 …; of today and tomorrow, unless its days matter (`WEEKEND`).

    `played` sessions are closed, with `hands` hands at each table; `running` leaves the next one in play,
    with so many hands at every table, or at each in their order.
    """
    starts, ends = days or (date.today(), date.today() + timedelta(days=1))
    fields = {"name": name, "venue": "Salle des fêtes", "starts_on": starts, "ends_on": ends}
    fields |= {"rulebook": rulebook, "sessions_planned": sessions, "is_public": public}
    under_way = running if running is None or isinstance(running, int) else tuple(running)
    params = TournamentParams(tuple(fields.items()), players, drawn, played, under_way, hands)
    return restore_or_build(params, partial(make, params, actor)) if actor == SYSTEM else make(params, actor)


@dataclass(frozen=True)
class TournamentParams:
    """All that `make_tournament` makes of a tournament."""

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
    """The evening of 16 players, to its end or as far as `stop`; tests/data has the true standings."""
    text = (Path(__file__).parents[1] / "data" / "evening.json").read_text()
    if actor != SYSTEM:
        return play(load(text), actor, stop)
    return restore_or_build(("evening", stop), lambda: play(load(text), actor, stop))


def seats_for(players: int, sessions: int) -> list[list[dict[str, int]]]:
    """A draw by shifting: group g of the players moves on g tables each session, and a wind."""
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


# --- play ---------------------------------------------------------------------------------------------------
def play_session(session: Session, hands: int = 4, actor: Actor = SYSTEM) -> None:
    """Start the session, play `hands` hands at every table, hand the sheets in and close it."""
    start_session(session, actor)
    for table in session.tables.all():
        play_hands(table, hands, actor)
        hand_in(table, actor)
    close_session(session, actor)
    session.refresh_from_db()


def end_appeals(tournament: Tournament) -> None:
    """Let the time for appeals of every closed session be over, as an hour later."""
    tournament.sessions.update(closed_at=F("closed_at") - timedelta(hours=1))


def play_hands(table: Table, hands: int = 1, actor: Actor = SYSTEM) -> None:
    """Record the table's next hands."""
    table.refresh_from_db()
    for number in range(table.hands_played + 1, table.hands_played + hands + 1):
        record_hand(table, actor, hand_entry(table, number), number=number, uuid=hand_uuid(table, number))
    table.refresh_from_db()


def hand_entry(table: Table, number: int) -> HandEntry:
    """What happens in a hand: TILES by turns, each fifth one a wash-out, each third one self-drawn."""
    turn = number + table.number + table.session.number
    if turn % 5 == 0:
        return wash_out()
    seated = list(table.seats.order_by("id").values_list("player__number", flat=True))
    winner, discarder = seated[turn * 3 // 2 % 4], seated[(turn * 3 // 2 + 1 + turn % 3) % 4]
    names = [name for name in TILES if name != "too_cheap"]
    return win(winner, None if turn % 3 == 0 else discarder, names[turn % len(names)])


def win(winner: int, discarder: int | None = None, tiles: str = "seven_pairs") -> HandEntry:
    """A won hand, players by number; self-drawn without a discarder. `tiles` is a name in TILES."""
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
    """A list as a file."""
    return listed.render(Reader(event, audience, SYSTEM), form)


def hand_uuid(table: Table, number: int) -> Any:
    """The UUID a test's client gives this hand."""
    return uuid5(NAMESPACE_URL, f"hule-tests/{table.pk}/{number}")


def _start_and_play(session: Session, hands: int | Sequence[int], actor: Actor) -> None:
    start_session(session, actor)
    tables = list(session.tables.all())
    each = [hands] * len(tables) if isinstance(hands, int) else list(hands)
    for table, count in zip(tables, each, strict=True):
        play_hands(table, count, actor)
