"""Contact data and its deletion, what erasing somebody affects, and the export of one person's data."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Any, Final, TypedDict
from zoneinfo import ZoneInfo

from django.apps import apps
from django.db.models import Max, Model, Q, QuerySet

from penalties.models import Penalty
from tournament.base.access import Actor, Right, may, visible_tournaments
from tournament.base.engine.notices import Audience
from tournament.base.log_actions import action_of
from tournament.base.models.events import TimetableItem
from tournament.base.models.log import LogEntry
from tournament.base.models.people import Person, Player
from tournament.base.models.play import Absence, Appeal, Hand, Seat
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import hidden_from
from tournament.messages.announcements.models import Announcement
from tournament.messages.mail.models import Mail
from tournament.play.models import HandPhoto, Totals
from tournament.privacy.engine import mentions
from tournament.privacy.models import PrivacyPlan
from tournament.privacy.retention import RETENTION_RULES, DataSubject

# --- Contact data ---


HAS_CONTACTS = ~Q(email="") | ~Q(message="") | ~Q(answers={})
HAS_TEXT = ~Q(to="") | ~Q(subject="") | ~Q(text="") | ~Q(error="")


def privacy_of(tournament: Tournament) -> PrivacyPlan:
    """Return the tournament's plan, else an unsaved default."""
    return PrivacyPlan.objects.filter(tournament=tournament).first() or PrivacyPlan(tournament=tournament)


def last_day(ends_on: date, closed: datetime | None, zone: ZoneInfo) -> date:
    """Return the last day of play: the planned one, or a later one on which a session was closed."""
    return ends_on if closed is None else max(ends_on, closed.astimezone(zone).date())


def deletion_time(day: date, days: int, zone: ZoneInfo) -> datetime:
    """Return when contact data is deleted: at the midnight after `days` full days after the last `day`."""
    return datetime.combine(day + timedelta(days=days + 1), time.min, zone)


def contact_deletion_time(tournament: Tournament) -> datetime:
    """Return when the tournament's contact data is deleted."""
    closed = tournament.sessions.aggregate(last=Max("closed_at"))["last"]
    day = last_day(tournament.ends_on, closed, tournament.zone)
    return deletion_time(day, privacy_of(tournament).contact_days, tournament.zone)


def registrations_with_contacts(tournament: Tournament) -> QuerySet[Registration]:
    return tournament.registrations.filter(HAS_CONTACTS)


def mails_with_text(tournament: Tournament) -> QuerySet[Mail]:
    """Return the mails whose text or address is not deleted."""
    return Mail.objects.filter(Q(tournament=tournament) | Q(registration__tournament=tournament)).filter(
        HAS_TEXT
    )


def tournaments_with_contacts() -> QuerySet[Tournament]:
    by_registration = Registration.objects.filter(HAS_CONTACTS).values("tournament")
    by_mail = Mail.objects.filter(HAS_TEXT).values("tournament")
    with_photos = HandPhoto.objects.values("table__session__tournament")
    return Tournament.objects.filter(
        Q(pk__in=by_registration) | Q(pk__in=by_mail) | Q(pk__in=with_photos)
    ).order_by("pk")


def photos_of(tournament: Tournament) -> QuerySet[HandPhoto]:
    """Return the photographs of disputed hands."""
    return HandPhoto.objects.filter(table__session__tournament=tournament)


# --- Erasure ---


EventQuery = Callable[[Tournament], QuerySet[Any]]
AT_A_TABLE = "table__session__tournament"


def _at_tables(model: type[Model]) -> EventQuery:
    return lambda tournament: model._default_manager.filter(**{AT_A_TABLE: tournament})


def _of_tournament(model: type[Model]) -> EventQuery:
    return lambda tournament: model._default_manager.filter(tournament=tournament)


FREE_TEXT_FIELDS: Final[dict[type[Model], tuple[EventQuery, tuple[str, ...], tuple[str, ...]]]] = {
    Appeal: (
        _at_tables(Appeal),
        ("text", "ruling", "alone_because", "settled_because"),
        ("player_id", "penalty__player_id"),
    ),
    Penalty: (_of_tournament(Penalty), ("because", "note", "cancelled_because"), ("player_id", "victim_id")),
    Absence: (_at_tables(Absence), ("begun_because",), ("player_id",)),
    Hand: (_at_tables(Hand), ("reason", "overridden_because", "dispute"), ()),
    Totals: (_at_tables(Totals), ("reason",), ()),
    Seat: (_at_tables(Seat), ("stand_in",), ()),
    Announcement: (_of_tournament(Announcement), ("text", "translations"), ()),
    TimetableItem: (_of_tournament(TimetableItem), ("title",), ()),
}
"""Model with free texts → its rows, the text fields, and the paths to the players whom a row is about.

All texts of a row about somebody are erased; texts of other rows if they name them.
"""
SUBJECT_KEYS: Final = ("player", "appellant")
"""Keys of a log entry's data with the number of the player whom it is about."""
OTHER_PERSON_KEYS: Final = frozenset({"stand_in"})
"""Keys of a log entry's texts that are about another person than the entry."""


@dataclass(frozen=True)
class Subject:
    """A person in one tournament: player, registration or both."""

    tournament: Tournament
    player: Player | None
    registration: Registration | None

    @property
    def names(self) -> tuple[str, ...]:
        """All forms of their name, and their address, as they may occur in texts."""
        names: set[str] = set()
        records: list[Player | Registration | None] = [self.player, self.registration]
        for record in records:
            if record is None:
                continue
            first, last = record.first_name, record.last_name
            names |= {record.full_name, f"{first} {last}", f"{last} {first}", f"{last}, {first}", last}
            names |= {record.second_name}
            names |= {record.email} if isinstance(record, Registration) else set()
        if self.player is not None and self.player.person is not None:
            names |= {self.player.person.name, *self.player.person.names.values_list("name", flat=True)}
        return tuple(sorted(name.strip(" ,") for name in names if name.strip(" ,")))


@dataclass(frozen=True)
class Erasure:
    """What is to be erased. `typed`: rows with text fields; `entries`: log entries with keys of their texts."""

    typed: list[tuple[Model, list[str]]] = field(default_factory=list)
    entries: list[tuple[LogEntry, list[str]]] = field(default_factory=list)
    documents: int = 0
    phones: int = 0
    letters: int = 0

    @property
    def texts(self) -> list[str]:
        """The free texts that will be erased, each once."""
        values = (getattr(row, name) for row, names in self.typed for name in names)
        return list(dict.fromkeys(text for text in values if isinstance(text, str)))


@dataclass(frozen=True)
class ErasablePlayers:
    """A person's players whom the actor may erase (`own`), and visible `others`."""

    own: list[Player]
    others: list[Player]


def erasable_players(person: Person, actor: Actor) -> ErasablePlayers:
    """Return a person's visible players, in a fixed order of tournaments to avoid deadlocks."""
    visible = person.players.filter(tournament__in=visible_tournaments(actor))
    players = list(visible.select_related("tournament").order_by("tournament_id"))
    own = [player for player in players if may(actor, player.tournament, Right.OWN)]
    return ErasablePlayers(own, [player for player in players if player not in own])


def erased_name(player: Player) -> str:
    return f"Player {player.number}"


def subject_of(tournament: Tournament, player: Player | None, registration: Registration | None) -> Subject:
    """Return the subject of a player or a registration, with the other one of the two if there is one."""
    if player is None and registration is not None:
        player = registration.player
    if registration is None and player is not None:
        registration = Registration.objects.filter(player=player).first()
    return Subject(tournament, player, registration)


def erasure_of(subject: Subject) -> Erasure:
    """Return what erasing somebody would affect, for the confirmation page and the service."""
    tournament, player = subject.tournament, subject.player
    return Erasure(
        list(_free_texts(subject)),
        list(_log_texts(subject)),
        documents=tournament.documents.exclude(file="").count(),
        phones=0 if player is None else player.phones.count(),
        letters=0 if subject.registration is None else subject.registration.mails.count(),
    )


def _free_texts(subject: Subject) -> Iterator[tuple[Model, list[str]]]:
    names = subject.names
    for _model, (rows, fields, about) in FREE_TEXT_FIELDS.items():
        for row in rows(subject.tournament):
            is_subject = subject.player is not None and subject.player.pk in _subjects_of(row, about)
            values = {name: getattr(row, name) for name in fields}
            if keys := [
                name for name, text in values.items() if text and (is_subject or mentions(text, names))
            ]:
                yield row, keys


def _subjects_of(row: Model, about: tuple[str, ...]) -> set[Any]:
    people = set()
    for path in about:
        value: Any = row
        for part in path.split("__"):
            value = getattr(value, part, None)
        people.add(value)
    return people - {None}


def _log_texts(subject: Subject) -> Iterator[tuple[LogEntry, list[str]]]:
    names = subject.names
    number = None if subject.player is None else subject.player.number
    for entry in subject.tournament.log.exclude(texts={}).order_by("seq"):
        accused = entry.data.get("about_penalty") or {}
        numbers = (*(entry.data.get(key) for key in SUBJECT_KEYS), accused.get("player"))
        is_subject = number is not None and number in numbers
        keys = [
            key
            for key, text in entry.texts.items()
            if key not in entry.erased and _concerns(key, text["value"], names, number, is_subject=is_subject)
        ]
        if keys:
            yield entry, keys


def _concerns(key: str, value: Any, names: tuple[str, ...], number: int | None, *, is_subject: bool) -> bool:
    if key == "inputs":  # what seats were drawn from: clubs and teams by number
        return number is not None and str(number) in value.get("clubs", {})
    return (is_subject and key not in OTHER_PERSON_KEYS) or mentions(value, names)


# --- Personal data ---


PersonQuery = Callable[[Any, Subject], "QuerySet[Any]"]


def _of_player(*paths: str) -> PersonQuery:
    """Return the query of rows in which one of these paths is the player."""

    def rows(model: type[Model], subject: Subject) -> QuerySet[Any]:
        if subject.player is None:
            return model._default_manager.none()
        condition = Q(pk__in=[])
        for path in paths:
            condition |= Q(**{path: subject.player.pk})
        return model._default_manager.filter(condition).distinct()

    return rows


def _of_registration(path: str) -> PersonQuery:
    def rows(model: type[Model], subject: Subject) -> QuerySet[Any]:
        if subject.registration is None:
            return model._default_manager.none()
        return model._default_manager.filter(**{path: subject.registration.pk})

    return rows


def _either(first: PersonQuery, second: PersonQuery) -> PersonQuery:
    def rows(model: type[Model], subject: Subject) -> QuerySet[Any]:
        keys = [
            *first(model, subject).values_list("pk", flat=True),
            *second(model, subject).values_list("pk", flat=True),
        ]
        return model._default_manager.filter(pk__in=keys)

    return rows


ROWS_OF_PERSON: Final[dict[str, PersonQuery]] = {
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
    "tournament.Prize": _of_player("players"),
}
"""Model → the query of one person's rows."""
SHARED_MODELS: Final = {
    "tournament.HandPhoto": "a picture of a table, which may show others too",
    "tournament.LogEntry": "below, as sentences are made of it: what names them",
    "tournament.Announcement": "said to the hall, and kept of nobody in particular",
    "tournament.Ceremony": "the standings as they were read out",
    "tournament.Publication": "the standings as they were published",
    "tournament.DocumentJob": "the standings as a file",
    "tournament.Final": "who plays in it, by number",
    "tournament.Delivery": "what the public pages said, to programs and chats that the organiser chose",
}
"""Models with players' data that are not exported by person, with the reason."""
SECRET: Final = frozenset({"endpoint", "key", "secret"})
"""Fields whose values are not exported, since they let others write to a phone."""


class EventSummary(TypedDict):
    name: str
    address: str
    starts_on: str


class Reason(TypedDict):
    """Descriptions of stored data by reason and time of deletion."""

    what: str
    why: str
    until: str


class ModelData(TypedDict):
    """Rows of one kind, by the names of their fields."""

    kind: str
    why: list[Reason]
    rows: list[dict[str, Any]]


class LogEntryData(TypedDict):
    """An entry of the log, without who wrote it: that is another person's."""

    number: int
    at: str
    action: str
    data: dict[str, Any]


class PersonalData(TypedDict):
    """`hidden_sessions`: sessions of whose tables nothing is in it, because their results are hidden."""

    tournament: EventSummary
    hidden_sessions: list[int]
    data: list[ModelData]
    log: list[LogEntryData]


def personal_data(subject: Subject, audience: Audience) -> PersonalData:
    """Return everything that is stored of a person in an event, by `privacy.retention`, as JSON values.

    Nothing of the tables of sessions that are hidden from the audience.
    """
    hidden = hidden_from(audience, subject.tournament)
    return {
        "tournament": _event_data(subject.tournament),
        "hidden_sessions": sorted(hidden),
        "data": [_data_of_model(label, rows, subject, hidden) for label, rows in ROWS_OF_PERSON.items()],
        "log": [
            {"number": entry.seq, "at": entry.at.isoformat(), "action": entry.action, "data": entry.full_data}
            for entry in _log_entries(subject)
            if not (entry.data.get("session") in hidden and action_of(entry.action).reveals_play(entry.data))
        ],
    }


def _event_data(tournament: Tournament) -> EventSummary:
    return {
        "name": tournament.name,
        "address": tournament.slug,
        "starts_on": tournament.starts_on.isoformat(),
    }


def _data_of_model(label: str, query: PersonQuery, subject: Subject, hidden: Collection[int]) -> ModelData:
    declared = [rule for rule in RETENTION_RULES[label] if rule.subject is DataSubject.PLAYER]
    model = apps.get_model(label)
    # Whom else a row lists is not this person's.
    names = [
        name for rule in declared for name in rule.fields if not model._meta.get_field(name).many_to_many
    ]
    rows = query(model, subject).order_by("pk")
    if "table" in names:
        rows = rows.exclude(table__session__number__in=hidden)
    return {
        "kind": label.partition(".")[2].lower(),
        "why": [
            {
                "what": str(rule.description),
                "why": str(rule.reason),
                "until": str(rule.until.value if rule.until else ""),
            }
            for rule in declared
        ],
        "rows": [
            {name: "…" if name in SECRET else _to_json(getattr(row, name)) for name in names} for row in rows
        ],
    }


def _to_json(value: Any) -> Any:
    """Return a JSON value; for another row its number or name."""
    match value:
        case Model():
            return getattr(value, "number", None) or str(value)
        case None | bool() | int() | float() | str() | list() | dict():
            return value
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _log_entries(subject: Subject) -> QuerySet[LogEntry]:
    condition = Q(pk__in=[])
    if subject.player is not None:
        for key in (*SUBJECT_KEYS, "winner", "discarder", "one", "other"):
            condition |= Q(**{f"data__{key}": subject.player.number})
    if subject.registration is not None:
        condition |= Q(data__registration=subject.registration.number)
    return subject.tournament.log.filter(condition).order_by("seq")
