"""What erasing somebody comes to: their names, and every text that names them or is about them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from django.db.models import Model, QuerySet

from penalties.models import Penalty
from tournament.base.access import Actor, Right, may, visible_tournaments
from tournament.base.models.appeals import Appeal
from tournament.base.models.hands import Hand
from tournament.base.models.log_entry import LogEntry
from tournament.base.models.people import Person, Player
from tournament.base.models.play import Absence, Seat
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament
from tournament.events.models.timetable import TimetableItem
from tournament.messages.announcements.models import Announcement
from tournament.people.engine.mentions import mentions
from tournament.play.models.totals import Totals

Rows = Callable[[Tournament], QuerySet[Any]]
AT_A_TABLE = "table__session__tournament"


def _at_tables(model: type[Model]) -> Rows:
    return lambda tournament: model._default_manager.filter(**{AT_A_TABLE: tournament})


def _of(model: type[Model]) -> Rows:
    return lambda tournament: model._default_manager.filter(tournament=tournament)


TYPED: Final[dict[type[Model], tuple[Rows, tuple[str, ...], tuple[str, ...]]]] = {
    Appeal: (
        _at_tables(Appeal),
        ("text", "ruling", "alone_because", "settled_because"),
        ("player_id", "penalty__player_id"),
    ),
    Penalty: (_of(Penalty), ("because", "note", "cancelled_because"), ("player_id", "victim_id")),
    Absence: (_at_tables(Absence), ("begun_because",), ("player_id",)),
    Hand: (_at_tables(Hand), ("reason", "overridden_because"), ()),
    Totals: (_at_tables(Totals), ("reason",), ()),
    Seat: (_at_tables(Seat), ("stand_in",), ()),
    Announcement: (_of(Announcement), ("text", "translations"), ()),
    TimetableItem: (_of(TimetableItem), ("title",), ()),
}
"""Where something was typed: the rows, its fields, and whom a row is about; what is about nobody goes where it names
them."""
ABOUT: Final = ("player", "appellant")
"""Whom an entry of the log is about, by number."""
NAMED_BESIDE: Final = frozenset({"stand_in"})
"""What an entry about one person says of another."""


@dataclass(frozen=True)
class Subject:
    """Somebody in one tournament, before they are erased. None: they never played, or never registered."""

    tournament: Tournament
    player: Player | None
    registration: Registration | None

    @property
    def names(self) -> tuple[str, ...]:
        """What they are called, each as it may stand in a text."""
        found: set[str] = set()
        known: list[Player | Registration | None] = [self.player, self.registration]
        for one in known:
            if one is None:
                continue
            first, last = one.first_name, one.last_name
            found |= {one.name, f"{first} {last}", f"{last} {first}", f"{last}, {first}", last}
            found |= {one.email} if isinstance(one, Registration) else set()
        if self.player is not None and self.player.person is not None:
            found |= {self.player.person.name, *self.player.person.names.values_list("name", flat=True)}
        return tuple(sorted(name.strip(" ,") for name in found if name.strip(" ,")))


@dataclass(frozen=True)
class Erasure:
    """What there is to erase. `typed`: rows and those of their fields; `entries`: of the log, and the texts' keys."""

    typed: list[tuple[Model, list[str]]] = field(default_factory=list)
    entries: list[tuple[LogEntry, list[str]]] = field(default_factory=list)
    documents: int = 0
    phones: int = 0
    letters: int = 0

    @property
    def texts(self) -> list[str]:
        """What was typed and will be gone, each once."""
        said = (getattr(row, name) for row, names in self.typed for name in names)
        return list(dict.fromkeys(text for text in said if isinstance(text, str)))


@dataclass(frozen=True)
class Theirs:
    """A person's tournaments, by who may erase them there: `mine`, and `others`, of which the actor may know."""

    mine: list[Player]
    others: list[Player]


def theirs_to_erase(person: Person, actor: Actor) -> Theirs:
    """In the order in which tournaments were made, so that two who erase wait for each other in one order."""
    seen = person.players.filter(tournament__in=visible_tournaments(actor))
    players = list(seen.select_related("tournament").order_by("tournament_id"))
    mine = [one for one in players if may(actor, one.tournament, Right.OWN)]
    return Theirs(mine, [one for one in players if one not in mine])


def called(player: Player) -> str:
    """What a player is called once they are erased, in every language."""
    return f"Player {player.number}"


def subject_of(tournament: Tournament, player: Player | None, registration: Registration | None) -> Subject:
    """The registration of a player and the player of a registration are the same person."""
    if player is None and registration is not None:
        player = registration.player
    if registration is None and player is not None:
        registration = Registration.objects.filter(player=player).first()
    return Subject(tournament, player, registration)


def erasure_of(subject: Subject) -> Erasure:
    """Without writing anything: for the page that says it first, and for the write."""
    tournament, player = subject.tournament, subject.player
    return Erasure(
        list(_typed(subject)),
        list(_entries(subject)),
        documents=tournament.documents.exclude(file="").count(),
        phones=0 if player is None else player.phones.count(),
        letters=0 if subject.registration is None else subject.registration.mails.count(),
    )


def _typed(subject: Subject) -> Iterator[tuple[Model, list[str]]]:
    names = subject.names
    for _model, (rows, fields, about) in TYPED.items():
        for row in rows(subject.tournament):
            is_about = subject.player is not None and subject.player.pk in _people(row, about)
            values = {name: getattr(row, name) for name in fields}
            if hit := [name for name, text in values.items() if text and (is_about or mentions(text, names))]:
                yield row, hit


def _people(row: Model, about: tuple[str, ...]) -> set[Any]:
    found = set()
    for path in about:
        value: Any = row
        for part in path.split("__"):
            value = getattr(value, part, None)
        found.add(value)
    return found - {None}


def _entries(subject: Subject) -> Iterator[tuple[LogEntry, list[str]]]:
    names = subject.names
    number = None if subject.player is None else subject.player.number
    for entry in subject.tournament.log.exclude(texts={}).order_by("seq"):
        is_about = number is not None and _is_about(entry, number)
        hit = [
            key
            for key, text in entry.texts.items()
            if key not in entry.erased and _is_theirs(key, text["value"], names, number, is_about=is_about)
        ]
        if hit:
            yield entry, hit


def _is_theirs(key: str, value: Any, names: tuple[str, ...], number: int | None, *, is_about: bool) -> bool:
    if key == "inputs":  # what seats were drawn from: clubs and teams by number
        return number is not None and str(number) in value.get("clubs", {})
    return (is_about and key not in NAMED_BESIDE) or mentions(value, names)


def _is_about(entry: LogEntry, number: int) -> bool:
    accused = entry.data.get("about_penalty") or {}
    return number in (*(entry.data.get(key) for key in ABOUT), accused.get("player"))
