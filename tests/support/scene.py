"""An event in progress with somebody in every role, in which every service is tried by everybody."""

from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from tests.support.factories import (
    SYSTEM,
    make_card,
    make_member,
    make_organiser,
    make_tournament,
    make_umpire,
    make_user,
    wash_out,
)
from tournament.base.access import Actor
from tournament.base.models.people import Player
from tournament.base.models.play import Appeal, Hand, Session, Table
from tournament.base.models.tournament import Membership, Role, Tournament
from tournament.fouls.services.appeals import open_appeal
from tournament.fouls.services.penalties import give_penalty
from tournament.play.engine.statements import Accusation
from tournament.play.models import Call
from tournament.play.services.hands import record_hand
from tournament.play.services.sessions import raise_call


@dataclass(frozen=True)
class Scene:
    """Three tournaments with the same people in the same roles.

    In `tournament` session 1 is closed, session 2 is running, with a hand at every table but the first, and session 3
    is drawn.
    """

    tournament: Tournament
    drawn: Tournament
    """No session has begun."""
    between: Tournament
    """Session 1 is closed, session 2 has not begun."""

    def session(self, number: int) -> Session:
        return Session.objects.select_related("tournament").get(tournament=self.tournament, number=number)

    @property
    def table(self) -> Table:
        """Table 1 of the running session."""
        tables = Table.objects.select_related("session__tournament")
        return tables.get(session__tournament=self.tournament, session__number=2, number=1)

    @property
    def seated(self) -> list[int]:
        """The numbers of the players at `table`, from East to North."""
        return list(self.table.seats.order_by("id").values_list("player__number", flat=True))

    def player(self, number: int) -> Player:
        return self.tournament.players.get(number=number)

    def member(self, name: str) -> Any:
        return self.tournament.memberships.get(user__username=name).user

    def hand(self, by: Actor = SYSTEM) -> Hand:
        table = self.table
        return record_hand(table, by, wash_out(), number=table.hands_played + 1, uuid=uuid4())

    def penalty(self, by: Actor = SYSTEM) -> Any:
        return give_penalty(self.table, by, Accusation(self.seated[0], "false_hu", 1), uuid=uuid4())

    def appeal(self) -> Appeal:
        return open_appeal(self.table, SYSTEM, self.seated[0], "Hand 1 was not won.", uuid=uuid4())

    def call(self) -> Call:
        return raise_call(self.table, SYSTEM, "tiles")


def make_scene() -> Scene:
    return Scene(
        make_tournament(sessions=3, played=1, running=(0, 1, 1, 1), hands=1),
        make_tournament(name="Drawn"),
        make_tournament(name="Between", played=1),
    )


def make_people(scene: Scene) -> dict[str, Actor]:
    """Return an actor for each role. "here" is table 1 of the running session."""
    elsewhere = make_tournament(name="Elsewhere", running=0)
    event, tables = scene.tournament, scene.session(2).tables
    people = {
        "player": make_user("pia"),
        "organiser elsewhere": make_organiser(elsewhere, "otto"),
        "umpire elsewhere": make_umpire(elsewhere, "ueli"),
        "card elsewhere": make_card(elsewhere, 1, "card-elsewhere"),
        "card of another table": make_card(event, 2, "card-2"),
        "umpire of another table": make_umpire(event, "ugo", tables=[tables.get(number=2)]),
        "umpire of another session": make_umpire(event, "ursa", sessions=[scene.session(1)]),
        "card here": make_card(event, 1, "card-1"),
        "umpire here": make_umpire(event, "uma", tables=[tables.get(number=1)]),
        "umpire of the session": make_umpire(event, "udo", sessions=[scene.session(2)]),
        "umpire everywhere": make_umpire(event, "ute"),
        "scorer": make_member(event, Role.SCORER, "sam"),
        "desk": make_member(event, Role.DESK, "dora"),
        "treasurer": make_member(event, Role.TREASURER, "theo"),
        "screens": make_member(event, Role.SCREENS, "sofia"),
        "observer": make_member(event, Role.OBSERVER, "oscar"),
        "chief umpire": make_member(event, Role.CHIEF, "chiara"),
        "organiser": make_organiser(event, "olga"),
        "owner": make_member(event, Role.OWNER, "odile"),
    }
    for other in (scene.drawn, scene.between):
        for membership in event.memberships.all():
            _copy_membership(membership, other)
    return {"visitor": Actor.of(None)} | {role: Actor.of(user) for role, user in people.items()}


def _copy_membership(membership: Membership, other: Tournament) -> None:
    """Copy a membership to another event, with the sessions and tables of the same numbers."""
    sessions = other.sessions.filter(number__in=membership.sessions.values("number"))
    numbers = [(table.session.number, table.number) for table in membership.tables.select_related("session")]
    tables = [Table.objects.get(session__tournament=other, session__number=s, number=n) for s, n in numbers]
    membership.pk, membership.tournament = None, other
    membership.save()
    membership.sessions.set(sessions)
    membership.tables.set(tables)
