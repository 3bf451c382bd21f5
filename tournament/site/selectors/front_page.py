"""Which tournaments there are, for everybody and for an organiser, and how much there is of one."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Final

from django.db.models import Count, Exists, F, Max, Min, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from scoring.texts import folded
from tournament.base.access import Actor, Right, memberships_of, roles_with, visible_tournaments
from tournament.base.countries import country_name
from tournament.base.models.events import EventPage
from tournament.base.models.play import Hand, Session
from tournament.base.models.tournament import DONE_WITHIN, Pass, Tournament, TrialJob
from tournament.messages.push.models import Phone
from tournament.play.selectors.timetable import how_many_take_part
from tournament.registration.selectors.plan import accepted_count, is_registration_open

# --- The front page ---


NOW, COMING, PAST = "now", "coming", "past"
SHELVES: Final = (NOW, COMING, PAST)
SOME: Final = 12
"""So many of each are on the first page; the others are a page further."""
A_PAGE: Final = 24


@dataclass(frozen=True)
class Wanted:
    """What somebody looks for; each empty where it does not matter. `when`: one of SHELVES alone."""

    text: str = ""
    country: str = ""
    rulebook: str = ""
    year: int | None = None
    when: str = ""
    page: int = 1

    @property
    def is_filter(self) -> bool:
        return bool(self.text or self.country or self.rulebook or self.year)


@dataclass(frozen=True)
class Shelf:
    """Tournaments that are doing the same, and how many of them there are in all."""

    name: str
    tournaments: tuple[Tournament, ...]
    count: int

    @property
    def registering(self) -> frozenset[int]:
        """Keys of those that take registrations by their plan; one that has begun takes none."""
        return frozenset(event.pk for event in self.tournaments if is_registration_open(event))

    @property
    def has_more(self) -> bool:
        return self.count > len(self.tournaments)


@dataclass(frozen=True)
class Choices:
    """What there is to choose from: countries as (alpha-3, name), the first and the last year."""

    countries: tuple[tuple[str, str], ...]
    years: tuple[int, ...]


def shelves(actor: Actor, today: date, wanted: Wanted) -> tuple[Shelf, ...]:
    """Give the shelves with something on them; with `when` that one alone, its page.

    The front page costs the same however many tournaments a site has: what is shown is cut off by the database, and
    only that much is read.
    """
    visible = _filtered(visible_tournaments(actor), wanted)
    names = [wanted.when] if wanted.when else SHELVES
    keys = {name: _keys(visible, name, today, wanted) for name in names}
    read = _for_cards([pk for pks, _count in keys.values() for pk in pks], actor)
    filled = (
        Shelf(name, tuple(read[pk] for pk in pks if pk in read), count) for name, (pks, count) in keys.items()
    )
    return tuple(shelf for shelf in filled if shelf.count)


def _filtered(visible: QuerySet[Tournament], wanted: Wanted) -> QuerySet[Tournament]:
    if wanted.country:
        visible = visible.filter(event_page__country=wanted.country)
    if wanted.rulebook:
        visible = visible.filter(rulebook=wanted.rulebook)
    if wanted.year:
        visible = visible.filter(
            starts_on__lte=date(wanted.year, 12, 31), ends_on__gte=date(wanted.year, 1, 1)
        )
    if words := folded(wanted.text).split():
        visible = visible.filter(pk__in=_with_words(visible, words))
    return visible


def _with_words(visible: QuerySet[Tournament], words: Sequence[str]) -> list[int]:
    """Give those with every word in name, venue, address or country, without accents and in any case.

    No database folds letters as people do, so names alone are read, and each is folded once.
    """
    rows = visible.order_by().values_list("pk", "name", "venue", "event_page__address", "event_page__country")
    return [
        pk
        for pk, name, venue, address, country in rows
        if all(word in about(name, venue, address or "", country or "") for word in words)
    ]


def about(name: str, venue: str, address: str, country: str) -> str:
    """What a tournament is found by; its country in the language of the moment."""
    return _folded(f"{name} {venue} {address} {country} {country_name(country) if country else ''}")


@lru_cache(maxsize=4096)
def _folded(text: str) -> str:
    return folded(text)


def _keys(visible: QuerySet[Tournament], name: str, today: date, wanted: Wanted) -> tuple[list[int], int]:
    """The keys of those shown, and how many there are."""
    shelf = _SHELF[name](visible, today)
    most = A_PAGE if wanted.when else SOME
    first = (wanted.page - 1) * A_PAGE if wanted.when else 0
    pks = list(shelf.values_list("pk", flat=True)[first : first + most])
    is_all = len(pks) < most and (pks or not first)
    return pks, first + len(pks) if is_all else shelf.order_by().count()


def _playing() -> QuerySet[Session, int]:
    return (
        Session.objects.filter(state=Session.State.RUNNING).order_by().values_list("tournament_id", flat=True)
    )


def _begun() -> Exists:
    return Exists(Session.objects.filter(tournament=OuterRef("pk")).exclude(state=Session.State.PLANNED))


def _unfinished() -> Exists:
    return Exists(Session.objects.filter(tournament=OuterRef("pk")).exclude(state=Session.State.CLOSED))


def _now(visible: QuerySet[Tournament], today: date) -> QuerySet[Tournament]:
    """Give those that are on.

    One with a session being played is, whatever its dates say; on its own days one that has begun is, between its
    sessions too.
    """
    between = Q(_begun(), _unfinished(), ends_on__gte=today)
    return visible.filter(Q(pk__in=_playing()) | between).order_by("-starts_on", "name")


def _coming(visible: QuerySet[Tournament], today: date) -> QuerySet[Tournament]:
    return visible.filter(~_begun(), ends_on__gte=today).order_by("starts_on", "name")


def _past(visible: QuerySet[Tournament], today: date) -> QuerySet[Tournament]:
    """Over by its days, or by its sessions before they are."""
    over = Q(ends_on__lt=today) | (Q(_begun()) & ~Q(_unfinished()))
    return visible.exclude(pk__in=_playing()).filter(over).order_by("-ends_on", "name")


_SHELF: Final = {NOW: _now, COMING: _coming, PAST: _past}


def _for_cards(pks: Iterable[int], actor: Actor) -> Mapping[int, Tournament]:
    """The tournaments to be shown, with what their cards say."""
    sessions = Session.objects.filter(tournament=OuterRef("pk"))
    tournaments = (
        Tournament.objects.filter(pk__in=list(pks))
        .order_by()
        .defer("rules_snapshot")
        .annotate(
            is_running=Exists(sessions.filter(state=Session.State.RUNNING)),
            is_over=Exists(sessions) & ~Exists(sessions.exclude(state=Session.State.CLOSED)),
            is_coming=~_begun(),
            entered=how_many_take_part(),
            have_a_place=accepted_count(),
            country=F("event_page__country"),
        )
        .select_related("registration_plan")
    )
    return {tournament.pk: tournament for tournament in tournaments}


def choices(actor: Actor) -> Choices:
    """Of what the actor may see, so that no filter tells of what is hidden."""
    visible = visible_tournaments(actor).order_by()
    countries = EventPage.objects.filter(tournament__in=visible).exclude(country="").values_list("country")
    span = visible.aggregate(first=Min("ends_on"), last=Max("ends_on"))
    years = range(span["last"].year, span["first"].year - 1, -1) if span["first"] else ()
    named = ((code, country_name(code)) for (code,) in countries.distinct())
    return Choices(tuple(sorted(named, key=lambda pair: pair[1])), tuple(years))


def coming_soon(actor: Actor, today: date, most: int = 100) -> Sequence[Tournament]:
    """What is being played or still to come, for calendars; the soonest first."""
    visible = visible_tournaments(actor).filter(ends_on__gte=today).defer("rules_snapshot")
    return list(visible.select_related("event_page").order_by("starts_on", "name")[:most])


# --- An organiser’s tournaments, and trials ---


UNFINISHED = (TrialJob.State.QUEUED, TrialJob.State.RUNNING)


def being_made() -> Q:
    """Select the jobs that the worker has not finished, and may still."""
    return Q(state__in=UNFINISHED, requested_at__gt=timezone.now() - DONE_WITHIN)


def under_way(actor: Actor) -> TrialJob | None:
    """The trial that is being made for the actor."""
    return TrialJob.objects.filter(being_made(), requested_by=actor.user).first()


def newest_trial(actor: Actor) -> TrialJob | None:
    """The last one the actor asked for, unless it is there: a page tells how far it is, or what went wrong."""
    job = TrialJob.objects.filter(requested_by=actor.user).first()
    return None if job is None or job.state == TrialJob.State.DONE else job


def my_keys(actor: Actor, today: date, text: str = "") -> list[int]:
    """Give the keys of those with every word of `text` in name, venue or country, in the order of what wants attention.

    First those being played, then the next ones, then the past ones.
    """
    rows = (
        _mine(actor)
        .annotate(
            is_running=Exists(Session.objects.filter(tournament=OuterRef("pk"), state=Session.State.RUNNING))
        )
        .order_by()
        .values_list("pk", "name", "venue", "event_page__address", "event_page__country", *_ORDER_COLUMNS)
    )
    words = folded(text).split()
    placed = [
        (*_place(today, starts_on, ends_on, is_running=is_running), name, pk)
        for pk, name, venue, address, country, starts_on, ends_on, is_running in rows
        if all(word in about(name, venue, address or "", country or "") for word in words)
    ]
    return [pk for *_where, pk in sorted(placed)]


_ORDER_COLUMNS: Final = ("starts_on", "ends_on", "is_running")


def _place(today: date, starts_on: date, ends_on: date, *, is_running: bool) -> tuple[int, int]:
    """Where it stands in the list: what is being played, then the soonest, then the latest past."""
    if is_running:
        return 0, starts_on.toordinal()
    if ends_on >= today:
        return 1, starts_on.toordinal()
    return 2, -ends_on.toordinal()


def in_order(tournaments: QuerySet[Tournament], pks: Sequence[int]) -> list[Tournament]:
    """Those with these keys, in their order."""
    read = {tournament.pk: tournament for tournament in tournaments.filter(pk__in=list(pks))}
    return [read[pk] for pk in pks if pk in read]


def my_tournaments(actor: Actor) -> QuerySet[Tournament]:
    """The tournaments the actor organises, with counts of players and sessions and the one `running`."""
    sessions = Session.objects.filter(tournament=OuterRef("pk")).order_by()
    return _mine(actor).annotate(
        player_count=how_many_take_part(),
        session_count=_how_many(sessions),
        closed_count=_how_many(sessions.filter(state=Session.State.CLOSED)),
        running=Subquery(sessions.filter(state=Session.State.RUNNING).values("number")[:1]),
    )


def _mine(actor: Actor) -> QuerySet[Tournament]:
    """A trial is among them once it is made."""
    mine = memberships_of(actor).filter(role__in=roles_with(Right.ORGANISE)).values("tournament")
    visible = Tournament.objects.filter(pk__in=mine).defer("rules_snapshot")
    return visible.exclude(trial_jobs__in=TrialJob.objects.filter(being_made()))


def _how_many(sessions: QuerySet[Session]) -> Coalesce:
    return Coalesce(Subquery(sessions.values("tournament").annotate(n=Count("pk")).values("n")), 0)


# --- What a tournament holds ---


@dataclass(frozen=True)
class Contents:
    """Each a number of things that are gone with it."""

    players: int
    sessions: int
    """Those begun."""
    hands: int
    penalties: int
    documents: int
    passes: int
    phones: int
    entries: int
    """Of the log."""
    is_running: bool
    """Whether a session is being played."""


def contents_of(tournament: Tournament) -> Contents:
    """Count what a tournament holds, for whoever is about to delete it."""
    sessions = tournament.sessions.exclude(state=Session.State.PLANNED)
    return Contents(
        players=tournament.players.count(),
        sessions=sessions.count(),
        hands=Hand.objects.filter(table__session__tournament=tournament, is_current=True).count(),
        penalties=tournament.penalties.filter(cancelled_at=None).count(),
        documents=tournament.documents.exclude(file="").count(),
        passes=Pass.objects.filter(membership__tournament=tournament, revoked_at=None).count(),
        phones=Phone.objects.filter(player__tournament=tournament).count(),
        entries=tournament.log.count(),
        is_running=sessions.filter(state=Session.State.RUNNING).exists(),
    )
