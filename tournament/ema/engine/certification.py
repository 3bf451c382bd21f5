"""What the European Mahjong Association asks of an event that its ranking counts, clause by clause.

Source: "Requirements and guidelines for MERS tournaments", 18 December 2018. Days are those of `date.toordinal()`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import ceil
from typing import Any, Final

MIN_MEMBERS: Final = 16
"""Players of member countries (2.1)."""
MIN_MEMBERS_OF_CHAMPIONSHIP: Final = 80
APART: Final = 36
"""Hours between two events that do not coincide (1.2)."""
MAX_COINCIDING: Final = 2
"""Events that may coincide without anybody's consent (1.2.2 b)."""
MIN_DAYS_OF_NATIONAL: Final = 2
PROTEST_DAYS: Final = 14
"""Days after the application in which a member of the board may protest (1.3)."""
SESSIONS: Final[Mapping[int, tuple[int, int]]] = {1: (4, 90), 2: (6, 120), 3: (9, 120)}
"""Days → the least number of sessions, and of minutes for each (3.6)."""
MAX_SESSIONS_A_DAY: Final = 4
MIN_BREAK: Final = 15
MIN_LUNCH: Final = 30
SESSIONS_WITH_LUNCH: Final = 3
"""From so many sessions on, the longest break of a day is taken to be lunch."""
PLAYERS_PER_UMPIRE: Final = 32
OBSERVER_DAYS: Final = 14
"""Days before the event by which the observer is named (3.11)."""
PAGE_PARTS: Final = (
    *("place", "registration", "fee", "timetable", "prizes", "umpires", "observer"),
    *("participants", "catering"),
)
"""What the event's page says in English (3.3), with registration and fee apart. Accommodation and transport, the last
item of the list, are "convenient": a recommendation."""
RULEBOOK: Final = "mcr"
FOUL_BOOK: Final = "mers"
"""The rulebook of the event, amended by the association's regulations and its manual for referees (3.5)."""


class Status(StrEnum):
    MET = "met"
    NOT_MET = "not_met"
    NOT_CHECKABLE = "not_checkable"
    """Only people can tell."""
    LATER = "later"
    """It is not too late, and not known yet."""


@dataclass(frozen=True)
class Clause:
    """A requirement. `key`: that of its text in `ema.texts`; `fact`: that of what is known, with `params`."""

    number: str
    key: str
    status: Status
    fact: str
    params: Mapping[str, Any] = field(default_factory=dict)
    is_required: bool = False
    """The document says "must"; everything else is a recommendation."""


@dataclass(frozen=True)
class OtherEvent:
    """Another event that the ranking counts. `hours`: from the end of the earlier one to the start of the later."""

    name: str
    hours: float
    is_national: bool = False
    applied_on: int | None = None


@dataclass(frozen=True)
class PlannedDay:
    """A day of the timetable. `breaks`: the minutes between its sessions."""

    sessions: int
    breaks: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class EventFacts:
    """What is known of an event."""

    today: int
    first_day: int
    last_day: int
    applies_from: int
    """A year before the first day."""
    applies_until: int
    """Three months before the first day."""
    applied_on: int | None = None
    others: tuple[OtherEvent, ...] = ()
    is_championship: bool = False
    """A European championship, with qualification."""
    is_national: bool = False
    nationals: tuple[str, ...] = ()
    """Other national championships of the same country and year."""
    is_public: bool = True
    players: int = 0
    members: int = 0
    """Players of member countries."""
    home: int | None = None
    """Players of the event's country; None if that is not known."""
    rulebook: str = RULEBOOK
    foul_book: str = FOUL_BOOK
    substitutes: int = 0
    sessions: int = 0
    minutes: int = 0
    timetable: tuple[PlannedDay, ...] = ()
    page: frozenset[str] = frozenset()
    """Those of `PAGE_PARTS`, and "travel", that the event's page has."""
    umpires: int = 0
    playing_umpires: int = 0
    observer: str = ""
    observer_named_on: int | None = None
    observer_is_foreign: bool | None = None
    """None: the observer's country or the event's is not known."""
    has_prizes: bool = False
    """Whether each of the first three gets a prize."""
    has_money_prizes: bool = False
    gaps: int | None = None
    """What is missing in the results; None until every session is closed."""

    @property
    def days(self) -> int:
        return self.last_day - self.first_day + 1

    @property
    def has_begun(self) -> bool:
        return self.today >= self.first_day

    @property
    def is_over(self) -> bool:
        return self.gaps is not None


def certification(event: EventFacts) -> tuple[Clause, ...]:
    """Return every clause with its status, in the order of the document."""
    return (
        *_application(event),
        *_players(event),
        *_venue(),
        *_information(event),
        *_sessions(event),
        *_people(event),
        *_results(event),
    )


def _check(is_met: bool, otherwise: Status = Status.NOT_MET) -> Status:
    return Status.MET if is_met else otherwise


def _until(event: EventFacts, day: int) -> Status:
    """Return the status of what is missing and was due on a day."""
    return Status.LATER if event.today <= day else Status.NOT_MET


def _application(event: EventFacts) -> Iterator[Clause]:
    window = {"from_day": event.applies_from, "until_day": event.applies_until}
    if event.applied_on is None:
        yield Clause("1.1", "application", _until(event, event.applies_until), "apply", window)
    else:
        is_in_time = event.applies_from <= event.applied_on <= event.applies_until
        applied = window | {"applied_day": event.applied_on}
        yield Clause("1.1", "application", _check(is_in_time), "applied", applied)
    if event.is_national:
        is_met = event.days >= MIN_DAYS_OF_NATIONAL and not event.nationals
        fact = "nationals" if event.nationals else "national"
        params = {"n": event.days, "names": event.nationals}
        yield Clause("1.2.1", "national", _check(is_met), fact, params, is_required=True)
    else:
        yield Clause("1.2.1", "national", Status.MET, "not_national", is_required=True)
    yield _coincidence(event)
    yield _protest(event)


def _coincidence(event: EventFacts) -> Clause:
    """Check other events nearby. Who applied first is decisive, and only the association knows it for certain."""
    coinciding = [other for other in event.others if other.hours < APART]
    rivals = [other for other in coinciding if event.is_national or other.is_national]
    if rivals:
        is_first = event.applied_on is not None and all(
            other.applied_on is None or event.applied_on < other.applied_on for other in rivals
        )
        status = Status.NOT_CHECKABLE if is_first else Status.NOT_MET
        fact = "coincides_with_national"
    elif len(coinciding) < MAX_COINCIDING:
        status, fact = Status.MET, "coincides" if coinciding else "no_coincidence"
    else:
        status, fact = Status.NOT_CHECKABLE, "needs_consent"
    names = tuple(other.name for other in rivals or coinciding)
    return Clause("1.2.2", "coincidence", status, fact, {"names": names}, is_required=True)


def _protest(event: EventFacts) -> Clause:
    if event.applied_on is None:
        return Clause("1.3", "protest", Status.LATER, "not_applied")
    end = event.applied_on + PROTEST_DAYS
    status = Status.LATER if event.today < end else Status.NOT_CHECKABLE
    return Clause("1.3", "protest", status, "protest_until", {"day": end})


def _players(event: EventFacts) -> Iterator[Clause]:
    need = MIN_MEMBERS_OF_CHAMPIONSHIP if event.is_championship else MIN_MEMBERS
    status = _check(event.members >= need, Status.NOT_MET if event.has_begun else Status.LATER)
    yield Clause("2.1", "members", status, "members", {"n": event.members, "need": need}, is_required=True)
    if event.is_championship:
        yield Clause("2.2", "quotas", Status.NOT_CHECKABLE, "quotas")
    else:
        yield _local_seats(event)
    status = Status.NOT_CHECKABLE if event.is_public else Status.NOT_MET
    yield Clause("2.3", "open", status, "open" if event.is_public else "private", is_required=True)


def _local_seats(event: EventFacts) -> Clause:
    if not event.players:
        return Clause("2.2", "local", Status.LATER, "no_players")
    if event.home is None:
        return Clause("2.2", "local", Status.NOT_CHECKABLE, "no_country")
    status = _check(2 * event.home <= event.players, Status.NOT_CHECKABLE)
    return Clause("2.2", "local", status, "home", {"n": event.home, "of": event.players})


def _venue() -> Iterator[Clause]:
    for number, key in (("3.1", "location"), ("3.2", "room"), ("3.2", "comfort")):
        yield Clause(number, key, Status.NOT_CHECKABLE, key)


def _information(event: EventFacts) -> Iterator[Clause]:
    yield Clause("3.3", "calendar", Status.NOT_CHECKABLE, "calendar", is_required=True)
    for part in PAGE_PARTS:
        otherwise = Status.LATER if part == "observer" and not event.observer else Status.NOT_MET
        is_met = part in event.page
        fact = "on_page" if is_met else f"page_{part}"
        yield Clause("3.3", f"page_{part}", _check(is_met, otherwise), fact, is_required=True)
    is_met = "travel" in event.page
    yield Clause("3.3", "page_travel", _check(is_met), "on_page" if is_met else "page_travel")
    yield Clause("3.4", "costs", Status.NOT_CHECKABLE, "costs")
    is_met = (event.rulebook, event.foul_book) == (RULEBOOK, FOUL_BOOK)
    fact = "rule_set" if is_met else "other_rule_set"
    yield Clause("3.5", "rule_set", _check(is_met), fact, is_required=True)


def least_sessions(days: int) -> tuple[int, int]:
    """Return the least number of sessions of an event, and of minutes for each (3.6).

    >>> [least_sessions(days) for days in (1, 2, 5)]
    [(4, 90), (6, 120), (9, 120)]
    """
    return SESSIONS[min(days, max(SESSIONS))]


def _sessions(event: EventFacts) -> Iterator[Clause]:
    sessions, minutes = least_sessions(event.days)
    is_met = event.sessions >= sessions and event.minutes >= minutes
    params = {"n": event.sessions, "minutes": event.minutes, "need": sessions, "need_minutes": minutes}
    yield Clause("3.6", "sessions", _check(is_met), "sessions", params, is_required=True)
    breaks = [minutes for day in event.timetable for minutes in day.breaks]
    lunches = [max(day.breaks) for day in event.timetable if day.sessions >= SESSIONS_WITH_LUNCH]
    if event.timetable:
        most = max(day.sessions for day in event.timetable)
        status = _check(most <= MAX_SESSIONS_A_DAY)
        yield Clause("3.6", "a_day", status, "a_day", {"n": most}, is_required=True)
        yield _shortest("breaks", breaks, MIN_BREAK)
        yield _shortest("lunch", lunches, MIN_LUNCH)
    else:
        for key in ("a_day", "breaks", "lunch"):
            yield Clause("3.6", key, Status.LATER, "no_timetable", is_required=key == "a_day")
    for key in ("results_shown", "countdown"):
        yield Clause("3.6", key, Status.NOT_CHECKABLE, key, is_required=True)
    yield Clause("3.7", "draw", Status.NOT_CHECKABLE, "draw", is_required=True)
    yield Clause("3.8", "tiles", Status.NOT_CHECKABLE, "tiles")
    yield Clause("3.8", "equipment", Status.NOT_CHECKABLE, "equipment")


def _shortest(key: str, breaks: Sequence[int], minimum: int) -> Clause:
    if not breaks:
        return Clause("3.6", key, Status.MET, "no_breaks")
    return Clause("3.6", key, _check(min(breaks) >= minimum), "shortest", {"n": min(breaks)})


def _people(event: EventFacts) -> Iterator[Clause]:
    params = {"n": event.substitutes}
    yield Clause("3.9", "substitutes", Status.NOT_CHECKABLE, "substitutes", params, is_required=True)
    yield _announcement("3.10", "umpires", event)
    need = ceil(event.players / PLAYERS_PER_UMPIRE)
    params = {"n": event.umpires, "need": need}
    if need:
        status = _check(event.umpires >= need, Status.NOT_MET if event.has_begun else Status.LATER)
        yield Clause("3.10", "umpires", status, "umpires", params)
    else:
        yield Clause("3.10", "umpires", Status.LATER, "no_players")
    status = Status.NOT_MET if event.playing_umpires else Status.NOT_CHECKABLE
    fact = "playing_umpires" if event.playing_umpires else "certified_umpires"
    is_required = event.is_national or event.is_championship
    yield Clause("3.10", "neutral", status, fact, {"n": event.playing_umpires}, is_required=is_required)
    yield Clause("3.10", "benefits", Status.NOT_CHECKABLE, "benefits")
    yield from _observer(event)


def _announcement(number: str, part: str, event: EventFacts) -> Clause:
    """Return the clause that players learn names before the first session: from the event's page."""
    is_met = part in event.page
    status = _check(is_met, _until(event, event.first_day))
    fact = "on_page" if is_met else f"page_{part}"
    return Clause(number, f"{part}_announced", status, fact, is_required=True)


def _observer(event: EventFacts) -> Iterator[Clause]:
    due = event.first_day - OBSERVER_DAYS
    if event.observer and event.observer_named_on is not None:
        params = {"name": event.observer, "day": event.observer_named_on, "until_day": due}
        yield Clause("3.11", "observer", _check(event.observer_named_on <= due), "observer", params)
    else:
        yield Clause("3.11", "observer", _until(event, due), "name_observer", {"until_day": due})
    if not event.observer:
        yield Clause("3.11", "foreign_observer", _until(event, due), "no_observer")
    elif event.observer_is_foreign is None:
        yield Clause("3.11", "foreign_observer", Status.NOT_CHECKABLE, "observer_country")
    else:
        fact = "foreign_observer" if event.observer_is_foreign else "home_observer"
        yield Clause("3.11", "foreign_observer", _check(event.observer_is_foreign), fact)
    yield _announcement("3.11", "observer", event)
    status = Status.NOT_CHECKABLE if event.is_over else Status.LATER
    yield Clause("3.11", "report", status, "report")


def _results(event: EventFacts) -> Iterator[Clause]:
    otherwise = Status.NOT_MET if event.is_over else Status.LATER
    if event.has_money_prizes:
        yield Clause("3.12", "prizes", Status.NOT_MET, "money_prizes", is_required=True)
    else:
        fact = "prizes" if event.has_prizes else "no_prizes"
        yield Clause("3.12", "prizes", _check(event.has_prizes, otherwise), fact, is_required=True)
    if event.gaps is None:
        yield Clause("3.13", "results", Status.LATER, "results_later", is_required=True)
    else:
        fact = "results_missing" if event.gaps else "results"
        yield Clause("3.13", "results", _check(not event.gaps), fact, {"n": event.gaps}, is_required=True)
