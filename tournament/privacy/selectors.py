"""What is kept of people: contact data, one person's data, and what erasing somebody comes to."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Any, Final, TypedDict
from zoneinfo import ZoneInfo

from django.apps import apps
from django.db.models import Max, Model, Q, QuerySet

from penalties.models import Penalty
from tournament.base.access import Actor, Right, may, visible_tournaments
from tournament.base.models.events import TimetableItem
from tournament.base.models.log import LogEntry
from tournament.base.models.people import Person, Player
from tournament.base.models.play import Absence, Appeal, Hand, Seat
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament
from tournament.messages.announcements.models import Announcement
from tournament.messages.mail.models import Mail
from tournament.play.models import Totals
from tournament.privacy.engine import mentions
from tournament.privacy.kept import KEPT, Whose
from tournament.privacy.models import PrivacyPlan

# --- Contact data ---


HAS_CONTACT = ~Q(email="") | ~Q(message="") | ~Q(answers={})
HAS_TEXT = ~Q(to="") | ~Q(subject="") | ~Q(text="") | ~Q(error="")


def privacy_of(tournament: Tournament) -> PrivacyPlan:
    """What the organiser said, or what is usual."""
    return PrivacyPlan.objects.filter(tournament=tournament).first() or PrivacyPlan(tournament=tournament)


def last_day(ends_on: date, closed: datetime | None, zone: ZoneInfo) -> date:
    """The last day that is played: an event that went on longer than planned ended when it did."""
    return ends_on if closed is None else max(ends_on, closed.astimezone(zone).date())


def goes_at(day: date, days: int, zone: ZoneInfo) -> datetime:
    """When contact data goes, `days` after the last `day`: at the midnight that ends them, by the hall's clock."""
    return datetime.combine(day + timedelta(days=days + 1), time.min, zone)


def contact_goes_at(tournament: Tournament) -> datetime:
    """From when on no contact data is kept."""
    closed = tournament.sessions.aggregate(last=Max("closed_at"))["last"]
    day = last_day(tournament.ends_on, closed, tournament.zone)
    return goes_at(day, privacy_of(tournament).contact_days, tournament.zone)


def reachable(tournament: Tournament) -> QuerySet[Registration]:
    """Registrations that hold contact data."""
    return tournament.registrations.filter(HAS_CONTACT)


def letters(tournament: Tournament) -> QuerySet[Mail]:
    """Mails that still say something, or to whom."""
    return Mail.objects.filter(Q(tournament=tournament) | Q(registration__tournament=tournament)).filter(
        HAS_TEXT
    )


def holding_contacts() -> QuerySet[Tournament]:
    """Tournaments that hold contact data."""
    by_registration = Registration.objects.filter(HAS_CONTACT).values("tournament")
    by_mail = Mail.objects.filter(HAS_TEXT).values("tournament")
    return Tournament.objects.filter(Q(pk__in=by_registration) | Q(pk__in=by_mail)).order_by("pk")


# --- Erasing somebody ---


RowsOfEvent = Callable[[Tournament], QuerySet[Any]]
AT_A_TABLE = "table__session__tournament"


def _at_tables(model: type[Model]) -> RowsOfEvent:
    return lambda tournament: model._default_manager.filter(**{AT_A_TABLE: tournament})


def _of_tournament(model: type[Model]) -> RowsOfEvent:
    return lambda tournament: model._default_manager.filter(tournament=tournament)


TYPED: Final[dict[type[Model], tuple[RowsOfEvent, tuple[str, ...], tuple[str, ...]]]] = {
    Appeal: (
        _at_tables(Appeal),
        ("text", "ruling", "alone_because", "settled_because"),
        ("player_id", "penalty__player_id"),
    ),
    Penalty: (_of_tournament(Penalty), ("because", "note", "cancelled_because"), ("player_id", "victim_id")),
    Absence: (_at_tables(Absence), ("begun_because",), ("player_id",)),
    Hand: (_at_tables(Hand), ("reason", "overridden_because"), ()),
    Totals: (_at_tables(Totals), ("reason",), ()),
    Seat: (_at_tables(Seat), ("stand_in",), ()),
    Announcement: (_of_tournament(Announcement), ("text", "translations"), ()),
    TimetableItem: (_of_tournament(TimetableItem), ("title",), ()),
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
        names: set[str] = set()
        known: list[Player | Registration | None] = [self.player, self.registration]
        for who in known:
            if who is None:
                continue
            first, last = who.first_name, who.last_name
            names |= {who.name, f"{first} {last}", f"{last} {first}", f"{last}, {first}", last}
            names |= {who.email} if isinstance(who, Registration) else set()
        if self.player is not None and self.player.person is not None:
            names |= {self.player.person.name, *self.player.person.names.values_list("name", flat=True)}
        return tuple(sorted(name.strip(" ,") for name in names if name.strip(" ,")))


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
        values = (getattr(row, name) for row, names in self.typed for name in names)
        return list(dict.fromkeys(text for text in values if isinstance(text, str)))


@dataclass(frozen=True)
class Theirs:
    """A person's tournaments, by who may erase them there: `mine`, and `others`, of which the actor may know."""

    mine: list[Player]
    others: list[Player]


def theirs_to_erase(person: Person, actor: Actor) -> Theirs:
    """In the order in which tournaments were made, so that two who erase wait for each other in one order."""
    visible = person.players.filter(tournament__in=visible_tournaments(actor))
    players = list(visible.select_related("tournament").order_by("tournament_id"))
    mine = [player for player in players if may(actor, player.tournament, Right.OWN)]
    return Theirs(mine, [player for player in players if player not in mine])


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
        list(_typed_texts(subject)),
        list(_entries_to_erase(subject)),
        documents=tournament.documents.exclude(file="").count(),
        phones=0 if player is None else player.phones.count(),
        letters=0 if subject.registration is None else subject.registration.mails.count(),
    )


def _typed_texts(subject: Subject) -> Iterator[tuple[Model, list[str]]]:
    names = subject.names
    for _model, (rows, fields, about) in TYPED.items():
        for row in rows(subject.tournament):
            is_about = subject.player is not None and subject.player.pk in _people_named(row, about)
            values = {name: getattr(row, name) for name in fields}
            if hit := [name for name, text in values.items() if text and (is_about or mentions(text, names))]:
                yield row, hit


def _people_named(row: Model, about: tuple[str, ...]) -> set[Any]:
    people = set()
    for path in about:
        value: Any = row
        for part in path.split("__"):
            value = getattr(value, part, None)
        people.add(value)
    return people - {None}


def _entries_to_erase(subject: Subject) -> Iterator[tuple[LogEntry, list[str]]]:
    names = subject.names
    number = None if subject.player is None else subject.player.number
    for entry in subject.tournament.log.exclude(texts={}).order_by("seq"):
        accused = entry.data.get("about_penalty") or {}
        named = (*(entry.data.get(key) for key in ABOUT), accused.get("player"))
        is_about = number is not None and number in named
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


# --- One person's data ---


RowsOfPerson = Callable[[Any, Subject], "QuerySet[Any]"]


def _of_player(*paths: str) -> RowsOfPerson:
    """Rows that one of these names them in."""

    def rows(model: type[Model], subject: Subject) -> QuerySet[Any]:
        if subject.player is None:
            return model._default_manager.none()
        condition = Q(pk__in=[])
        for path in paths:
            condition |= Q(**{path: subject.player.pk})
        return model._default_manager.filter(condition).distinct()

    return rows


def _of_registration(path: str) -> RowsOfPerson:
    def rows(model: type[Model], subject: Subject) -> QuerySet[Any]:
        if subject.registration is None:
            return model._default_manager.none()
        return model._default_manager.filter(**{path: subject.registration.pk})

    return rows


def _either(first: RowsOfPerson, second: RowsOfPerson) -> RowsOfPerson:
    def rows(model: type[Model], subject: Subject) -> QuerySet[Any]:
        keys = [
            *first(model, subject).values_list("pk", flat=True),
            *second(model, subject).values_list("pk", flat=True),
        ]
        return model._default_manager.filter(pk__in=keys)

    return rows


WHERE: Final[dict[str, RowsOfPerson]] = {
    "tournament.Player": _of_player("pk"),
    "tournament.Person": _of_player("players"),
    "tournament.PersonName": _of_player("person__players"),
    "tournament.Registration": _of_registration("pk"),
    "tournament.Mail": _of_registration("registration"),
    "tournament.Due": _either(_of_registration("registration"), _of_player("player")),
    "tournament.Payment": _either(_of_registration("due__registration"), _of_player("due__player")),
    "tournament.Seat": _of_player("player"),
    "tournament.Hand": _of_player("winner", "discarder"),
    "tournament.Totals": _of_player("table__seats__player"),
    "penalties.Penalty": _of_player("player", "victim"),
    "tournament.Absence": _of_player("player"),
    "tournament.Appeal": _of_player("player"),
    "tournament.Signature": _of_player("player"),
    "tournament.Phone": _of_player("player"),
}
"""Model → its rows that are somebody's."""
OF_EVERYBODY: Final = {
    "tournament.LogEntry": "below, as sentences are made of it: what names them",
    "tournament.Announcement": "said to the hall, and kept of nobody in particular",
    "tournament.Ceremony": "the standings as they were read out",
    "tournament.Publication": "the standings as they were published",
    "tournament.DocumentJob": "the standings as a file",
    "tournament.Final": "who plays in it, by number",
    "tournament.Delivery": "what the public pages said, to programs and chats that the organiser chose",
}
"""Declared as people's, and no one person's: why nobody is handed it row by row."""
SECRET: Final = frozenset({"endpoint", "key", "secret"})
"""Whoever has these may write to a phone: that they are kept is said, and not which they are."""


class EventNamed(TypedDict):
    name: str
    address: str
    starts_on: str


class Reason(TypedDict):
    """What is kept, why, and until when."""

    what: str
    why: str
    until: str


class DataKept(TypedDict):
    """Rows of one kind, by the names of their fields."""

    kept: str
    why: list[Reason]
    rows: list[dict[str, Any]]


class EntryAbout(TypedDict):
    """An entry of the log, without who wrote it: that is another person's."""

    number: int
    at: str
    action: str
    data: dict[str, Any]


class PersonalData(TypedDict):
    tournament: EventNamed
    data: list[DataKept]
    log: list[EntryAbout]


def personal_data(subject: Subject) -> PersonalData:
    """All that is kept of one person in an event, as `privacy.kept` declares it, for them to be handed.

    Plain values, to be written as JSON: what it is, why and until when, and the rows.
    """
    return {
        "tournament": _event_data(subject.tournament),
        "data": [_data_of_model(label, rows, subject) for label, rows in WHERE.items()],
        "log": [
            {"number": entry.seq, "at": entry.at.isoformat(), "action": entry.action, "data": entry.said}
            for entry in _log_entries(subject)
        ],
    }


def _event_data(tournament: Tournament) -> EventNamed:
    return {
        "name": tournament.name,
        "address": tournament.slug,
        "starts_on": tournament.starts_on.isoformat(),
    }


def _data_of_model(label: str, rows: RowsOfPerson, subject: Subject) -> DataKept:
    declared = [kept for kept in KEPT[label] if kept.whose is Whose.PLAYER]
    model = apps.get_model(label)
    names = [name for kept in declared for name in kept.fields]
    return {
        "kept": label.partition(".")[2].lower(),
        "why": [
            {
                "what": str(kept.what),
                "why": str(kept.why),
                "until": str(kept.until.value if kept.until else ""),
            }
            for kept in declared
        ],
        "rows": [
            {name: "…" if name in SECRET else _plain(getattr(row, name)) for name in names}
            for row in rows(model, subject).order_by("pk")
        ],
    }


def _plain(value: Any) -> Any:
    """As JSON has it; who or where somebody else's row is, by what it is called by number."""
    match value:
        case Model():
            return getattr(value, "number", None) or str(value)
        case None | bool() | int() | float() | str() | list() | dict():
            return value
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _log_entries(subject: Subject) -> QuerySet[LogEntry]:
    condition = Q(pk__in=[])
    if subject.player is not None:
        for key in (*ABOUT, "winner", "discarder", "one", "other"):
            condition |= Q(**{f"data__{key}": subject.player.number})
    if subject.registration is not None:
        condition |= Q(data__registration=subject.registration.number)
    return subject.tournament.log.filter(condition).order_by("seq")
