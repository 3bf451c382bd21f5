"""The people of an event: who has registered, who plays, and what each owes, as one list."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from math import inf
from typing import Final

from django.db.models import Q

from scoring.texts import folded
from tournament.base.access import Actor, Right, may
from tournament.base.engine.money import Standing
from tournament.base.engine.names import is_match, search_words
from tournament.base.models.log import LogEntry
from tournament.base.models.people import Player
from tournament.base.models.play import Seat
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import tell_apart
from tournament.dues.selectors import Ledger, list_ledgers
from tournament.players.texts import (
    MISSING_PLAYERS_REINSTATED,
    MISSING_PLAYERS_WITHDRAWN,
    PLAYER_LIST_IMPORTED,
    PLAYERS_ADDED,
    PLAYERS_CHECKED_IN,
)
from tournament.registration.selectors.plan import plan_of
from tournament.registration.selectors.registrations import TARGET_STATES, UNDOABLE_ACTIONS, Step
from tournament.registration.texts import REGISTRATIONS_UNDONE
from tournament.roster.engine import EnterAs, Part

State = Registration.State
PART_OF_STATE: Final[Mapping[str, Part]] = {
    State.UNCONFIRMED: Part.UNCONFIRMED,
    State.PENDING: Part.TO_REVIEW,
    State.WAITING: Part.WAITING,
    State.ACCEPTED: Part.COMING,
    State.DECLINED: Part.LEFT,
    State.CANCELLED: Part.LEFT,
}
PART_OF_STANDING: Final[Mapping[Standing, Part]] = {
    Standing.OWES: Part.OWING,
    Standing.OVERPAID: Part.TO_REFUND,
}


@dataclass(frozen=True)
class RosterEntry:
    """Somebody of an event: a registration, a player, or a registration with the player they became."""

    registration: Registration | None
    player: Player | None
    ledger: Ledger | None = None
    lacks_fee: bool = False
    """Whether the event has fees, and they have a place and none."""

    @property
    def record(self) -> Player | Registration:
        """What the list shows: the player, if they are one."""
        record = self.player or self.registration
        assert record is not None, "an entry is somebody's"
        return record

    @property
    def key(self) -> str:
        return self.record.roster_key

    @property
    def keys(self) -> frozenset[str]:
        """The key, and that of the registration before they became a player."""
        return frozenset({self.key} | ({f"r{self.registration.number}"} if self.registration else set()))

    @property
    def name(self) -> str:
        return self.record.name

    @property
    def second_name(self) -> str:
        return self.record.second_name

    @property
    def namesake_detail(self) -> str:
        return self.record.namesake_detail

    @property
    def email(self) -> str:
        return self.registration.email if self.registration else ""

    @property
    def part(self) -> Part:
        """Where they stand."""
        if self.player is not None and not self.player.has_left:
            return Part.PLAYING
        if self.registration is None or (self.player and self.registration.state == State.ACCEPTED):
            return Part.LEFT
        return PART_OF_STATE[self.registration.state]

    @cached_property
    def parts(self) -> frozenset[Part]:
        """Every part of the list that shows them."""
        parts = {self.part}
        if self.ledger is not None and (money := PART_OF_STANDING.get(self.ledger.standing)):
            parts.add(money)
        elif self.lacks_fee:
            parts.add(Part.WITHOUT_FEE)
        return frozenset(parts)

    @property
    def steps(self) -> frozenset[Step]:
        """What can be decided about them."""
        if self.registration is None:
            return frozenset()
        state = self.registration.state
        steps = {step for step, to in TARGET_STATES.items() if to != state and step is not Step.UP}
        if state == State.UNCONFIRMED:
            steps.add(Step.CONFIRM)
        if state == State.ACCEPTED and self.player is None:
            steps.add(Step.ENTER)
        return frozenset(steps)


def usual_target(tournament: Tournament, actor: Actor) -> EnterAs:
    """Return what new people become unless somebody chooses: registrations until seats are drawn, if there are any."""
    is_registering = plan_of(tournament) is not None and not tournament.sessions.exists()
    is_for_players = may(actor, tournament, Right.ORGANISE) and not is_registering
    return EnterAs.PLAYERS if is_for_players else EnterAs.REGISTRATIONS


def list_people(tournament: Tournament, actor: Actor) -> list[RosterEntry]:
    """Return the people whom an actor may see, by name.

    Registrations are for those who admit people. Treasurers see everybody who plays or has to pay, and nobody else
    sees what is owed.
    """
    admits, reads_dues = may(actor, tournament, Right.ADMIT), sees_dues(actor, tournament)
    registrations = tournament.registrations.select_related("player")
    players = tournament.players.filter(registration=None)
    ledgers = {ledger.debtor: ledger for ledger in list_ledgers(tournament)} if reads_dues else {}
    has_fees = reads_dues and tournament.fees.exists()
    records: list[tuple[Registration | None, Player | None]] = [
        *((registration, registration.player) for registration in registrations),
        *((None, player) for player in players),
    ]
    everybody = []
    for registration, player in records:
        ledger = ledgers.get(registration) if registration else ledgers.get(player) if player else None
        lacks_fee = has_fees and ledger is None and _pays(registration, player)
        everybody.append(RosterEntry(registration, player, ledger, lacks_fee))
    visible = [entry for entry in everybody if admits or entry.player or entry.ledger or entry.lacks_fee]
    tell_apart([entry.record for entry in visible])
    return sorted(visible, key=lambda entry: (folded(entry.name), entry.key))


def sees_dues(actor: Actor, tournament: Tournament) -> bool:
    """Return whether an actor sees what people owe: at the desk, and who handles payments."""
    return may(actor, tournament, Right.ADMIT) or may(actor, tournament, Right.CASH)


def _pays(registration: Registration | None, player: Player | None) -> bool:
    """Whether somebody has to pay, if there are fees (`dues.selectors.debtors_without_due`)."""
    if registration is not None:
        return registration.state == State.ACCEPTED
    return player is not None and not (player.is_substitute or player.is_withdrawn)


def find_entry(tournament: Tournament, key: str, actor: Actor) -> RosterEntry | None:
    """Return the person of a key, if the actor may see them. A registration's key is valid when they play, too."""
    return next((entry for entry in list_people(tournament, actor) if key in entry.keys), None)


@dataclass(frozen=True)
class PeopleFilter:
    """What somebody looks for in the list. `part`: "" for everybody."""

    part: str = ""
    query: str = ""

    def apply(self, people: Iterable[RosterEntry], *, admits: bool) -> list[RosterEntry]:
        """Return the matching people. `admits`: whether the reader may search addresses.

        The waiting list is in its order.
        """
        matching = [
            entry
            for entry in people
            if (not self.part or self.part in entry.parts) and self._matches(entry, admits=admits)
        ]
        if self.part == Part.WAITING:
            matching.sort(key=lambda entry: _turn(entry.registration))
        return matching

    def _matches(self, entry: RosterEntry, *, admits: bool) -> bool:
        words = search_words(self.query)
        if len(words) == 1 and words[0].isdecimal() and len(words[0]) < 8:
            return entry.record.number == int(words[0])
        record, due = entry.record, entry.ledger.due if entry.ledger else None
        texts = [
            getattr(record, name) for name in ("name", "second_name", "country", "club", "team", "ema_number")
        ]
        texts += [entry.email] if admits else []
        texts += [due.reference or "", due.fee.name if due.fee else ""] if due else []
        return is_match(self.query, *texts)


def _turn(registration: Registration | None) -> tuple[float, int]:
    """Return a registration's place in the order in which people get places: who waits first, then by number."""
    assert registration is not None, "only registrations wait"
    since = registration.waits_since
    return (since.timestamp() if since else inf, registration.number)


def count_parts(people: Iterable[RosterEntry]) -> Counter[Part]:
    """Return how many people each part has."""
    return Counter(chain.from_iterable(entry.parts for entry in people))


def possible_steps(people: Iterable[RosterEntry]) -> list[Step]:
    """Return what can be decided about some of these people, in the order of the buttons."""
    possible = set(chain.from_iterable(entry.steps for entry in people))
    order = (Step.CONFIRM, Step.ACCEPT, Step.ENTER, Step.WAIT, Step.DECLINE, Step.CANCEL)
    return [step for step in order if step in possible]


def registrations_in(people: Iterable[RosterEntry]) -> list[int]:
    """Return the numbers of the registrations among people, in the order in which they get places."""
    registrations = [entry.registration for entry in people if entry.registration is not None]
    return [registration.number for registration in sorted(registrations, key=_turn)]


# --- One person ---


BULK_ACTIONS: Final = (
    *(PLAYERS_ADDED, PLAYER_LIST_IMPORTED, PLAYERS_CHECKED_IN, MISSING_PLAYERS_WITHDRAWN),
    *(MISSING_PLAYERS_REINSTATED, *UNDOABLE_ACTIONS, REGISTRATIONS_UNDONE),
)
"""Actions about several people, whose entries list their numbers."""


def log_of(entry: RosterEntry) -> list[LogEntry]:
    """Return the log entries about somebody, newest first, without those of hands."""
    log, condition = entry.record.tournament.log, Q(pk__in=[])
    if entry.player is not None:
        condition |= Q(data__player=entry.player.number)
    if entry.registration is not None:
        condition |= Q(data__registration=entry.registration.number)
    lines = list(log.filter(condition).select_related("actor"))
    lines += [line for line in log.of(*BULK_ACTIONS).select_related("actor") if _is_about(line, entry)]
    return sorted(lines, key=lambda line: -line.seq)


def _is_about(line: LogEntry, entry: RosterEntry) -> bool:
    records = {"players": entry.player, "registrations": entry.registration}
    return any(record and record.number in line.data.get(key, ()) for key, record in records.items())


def seats_of(player: Player) -> list[Seat]:
    """Return a player's seats, in the order of the sessions."""
    return list(player.seats.select_related("table__session").order_by("table__session__number"))
