"""Lists of tournaments, for everybody and for an organiser."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any, Final

from django.db.models import Count, Exists, F, Max, Min, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from scoring.texts import folded
from tournament.base.access import Actor, organised_tournaments, visible_tournaments
from tournament.base.countries import country_name
from tournament.base.models.events import EventPage
from tournament.base.models.play import Session
from tournament.base.models.tournament import DONE_WITHIN, Tournament, TrialJob
from tournament.play.selectors.timetable import participant_count
from tournament.registration.selectors.plan import is_registration_open, taken_count, waiting_count

# --- The front page ---


NOW, COMING, PAST = "now", "coming", "past"
PERIODS: Final = (NOW, COMING, PAST)
FIRST_PAGE_SIZE: Final = 12
"""Maximum of each group on the first page."""
PAGE_SIZE: Final = 24


@dataclass(frozen=True)
class TournamentSearch:
    """A search of the front page; empty values do not matter. `when`: one of PERIODS only."""

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
class TournamentGroup:
    """Tournaments of one period, and their total number."""

    name: str
    tournaments: tuple[Tournament, ...]
    count: int

    @property
    def registering(self) -> frozenset[int]:
        """Keys of those whose registration is open, with free places."""
        return frozenset(
            event.pk for event in self.tournaments if is_registration_open(event) and not is_full(event)
        )

    @property
    def waiting_only(self) -> frozenset[int]:
        """Keys of those whose places are taken and whose waiting list is open."""
        full = (event for event in self.tournaments if is_registration_open(event) and is_full(event))
        return frozenset(event.pk for event in full if has_waiting_places(event))

    @property
    def has_more(self) -> bool:
        return self.count > len(self.tournaments)


@dataclass(frozen=True)
class Choices:
    """Values to filter by: countries as (alpha-3, name), and years."""

    countries: tuple[tuple[str, str], ...]
    years: tuple[int, ...]


def is_full(event: Any) -> bool:
    """Whether all places of a tournament with the annotations of a card are taken."""
    places = event.registration_plan.places
    return places is not None and event.taken >= places


def has_waiting_places(event: Any) -> bool:
    """Whether the waiting list of a tournament with the annotations of a card has places."""
    places = event.registration_plan.waiting_places
    return places is None or event.waiting < places


def tournament_groups(actor: Actor, today: date, search: TournamentSearch) -> tuple[TournamentGroup, ...]:
    """Return the groups that are not empty; with `when`, a page of that one.

    The database cuts off what is not shown, so the cost does not grow with the number of tournaments.
    """
    visible = _filtered(visible_tournaments(actor), search)
    names = [search.when] if search.when else PERIODS
    keys = {name: _page_keys(visible, name, today, search) for name in names}
    by_pk = _tournaments_for_cards([pk for pks, _count in keys.values() for pk in pks], actor)
    groups = (
        TournamentGroup(name, tuple(by_pk[pk] for pk in pks if pk in by_pk), count)
        for name, (pks, count) in keys.items()
    )
    return tuple(rows for rows in groups if rows.count)


def _filtered(visible: QuerySet[Tournament], search: TournamentSearch) -> QuerySet[Tournament]:
    if search.country:
        visible = visible.filter(event_page__country=search.country)
    if search.rulebook:
        visible = visible.filter(rulebook=search.rulebook)
    if search.year:
        visible = visible.filter(
            starts_on__lte=date(search.year, 12, 31), ends_on__gte=date(search.year, 1, 1)
        )
    if words := folded(search.text).split():
        visible = visible.filter(pk__in=_with_words(visible, words))
    return visible


def _with_words(visible: QuerySet[Tournament], words: Sequence[str]) -> list[int]:
    """Return the keys of those with every word in name, venue, address or country, ignoring accents and case.

    Databases cannot ignore accents, so only names are read and folded here, each once.
    """
    rows = visible.order_by().values_list("pk", "name", "venue", "event_page__address", "event_page__country")
    return [
        pk
        for pk, name, venue, address, country in rows
        if all(word in search_text(name, venue, address or "", country or "") for word in words)
    ]


def search_text(name: str, venue: str, address: str, country: str) -> str:
    """Return the folded text by which a tournament is found, with its country in the active language."""
    return _folded(f"{name} {venue} {address} {country} {country_name(country) if country else ''}")


@lru_cache(maxsize=4096)
def _folded(text: str) -> str:
    return folded(text)


def _page_keys(
    visible: QuerySet[Tournament], name: str, today: date, search: TournamentSearch
) -> tuple[list[int], int]:
    """Return the keys on the page, and the total number."""
    rows = _FILTERS[name](visible, today)
    maximum = PAGE_SIZE if search.when else FIRST_PAGE_SIZE
    first = (search.page - 1) * PAGE_SIZE if search.when else 0
    pks = list(rows.values_list("pk", flat=True)[first : first + maximum])
    is_all = len(pks) < maximum and (pks or not first)
    return pks, first + len(pks) if is_all else rows.order_by().count()


def _running() -> QuerySet[Session, int]:
    return (
        Session.objects.filter(state=Session.State.RUNNING).order_by().values_list("tournament_id", flat=True)
    )


def _begun() -> Exists:
    return Exists(Session.objects.filter(tournament=OuterRef("pk")).exclude(state=Session.State.PLANNED))


def _unfinished() -> Exists:
    return Exists(Session.objects.filter(tournament=OuterRef("pk")).exclude(state=Session.State.CLOSED))


def _now(visible: QuerySet[Tournament], today: date) -> QuerySet[Tournament]:
    """Filter tournaments in progress: with a running session, or begun and not finished on their days."""
    between = Q(_begun(), _unfinished(), ends_on__gte=today)
    return visible.filter(Q(pk__in=_running()) | between).order_by("-starts_on", "name")


def _coming(visible: QuerySet[Tournament], today: date) -> QuerySet[Tournament]:
    return visible.filter(~_begun(), ends_on__gte=today).order_by("starts_on", "name")


def _past(visible: QuerySet[Tournament], today: date) -> QuerySet[Tournament]:
    """Filter tournaments whose days or sessions are over."""
    over = Q(ends_on__lt=today) | (Q(_begun()) & ~Q(_unfinished()))
    return visible.exclude(pk__in=_running()).filter(over).order_by("-ends_on", "name")


_FILTERS: Final = {NOW: _now, COMING: _coming, PAST: _past}


def _tournaments_for_cards(pks: Iterable[int], actor: Actor) -> Mapping[int, Tournament]:
    """Return the tournaments by key, with the annotations of their cards."""
    sessions = Session.objects.filter(tournament=OuterRef("pk"))
    tournaments = (
        Tournament.objects.filter(pk__in=list(pks))
        .order_by()
        .defer("rules_snapshot")
        .annotate(
            is_running=Exists(sessions.filter(state=Session.State.RUNNING)),
            is_over=Exists(sessions) & ~Exists(sessions.exclude(state=Session.State.CLOSED)),
            is_coming=~_begun(),
            entered=participant_count(),
            taken=taken_count(),
            waiting=waiting_count(),
            country=F("event_page__country"),
        )
        .select_related("registration_plan")
    )
    return {tournament.pk: tournament for tournament in tournaments}


def choices(actor: Actor) -> Choices:
    """Return the filter values of visible tournaments, so that no filter reveals a hidden one."""
    visible = visible_tournaments(actor).order_by()
    countries = EventPage.objects.filter(tournament__in=visible).exclude(country="").values_list("country")
    span = visible.aggregate(first=Min("ends_on"), last=Max("ends_on"))
    years = range(span["last"].year, span["first"].year - 1, -1) if span["first"] else ()
    names = ((code, country_name(code)) for (code,) in countries.distinct())
    return Choices(tuple(sorted(names, key=lambda pair: pair[1])), tuple(years))


def coming_soon(actor: Actor, today: date, maximum: int = 100) -> Sequence[Tournament]:
    """List current and future tournaments for calendars, soonest first."""
    visible = visible_tournaments(actor).filter(ends_on__gte=today).defer("rules_snapshot")
    return list(visible.select_related("event_page").order_by("starts_on", "name")[:maximum])


# --- An organiser’s tournaments, and trials ---


UNFINISHED = (TrialJob.State.QUEUED, TrialJob.State.RUNNING)


def unfinished_jobs() -> Q:
    """Filter jobs that the worker has not finished, and still may."""
    return Q(state__in=UNFINISHED, requested_at__gt=timezone.now() - DONE_WITHIN)


def unfinished_trial(actor: Actor) -> TrialJob | None:
    """Return the demonstration event that is being created for the actor."""
    return TrialJob.objects.filter(unfinished_jobs(), requested_by=actor.user).first()


def newest_trial(actor: Actor) -> TrialJob | None:
    """Return the actor's last job for a demonstration event, unless it is done."""
    job = TrialJob.objects.filter(requested_by=actor.user).first()
    return None if job is None or job.state == TrialJob.State.DONE else job


def my_keys(actor: Actor, today: date, text: str = "") -> list[int]:
    """Return the keys of the actor's tournaments with every word of `text`, sorted: running, future, past."""
    rows = (
        _mine(actor)
        .annotate(
            is_running=Exists(Session.objects.filter(tournament=OuterRef("pk"), state=Session.State.RUNNING))
        )
        .order_by()
        .values_list("pk", "name", "venue", "event_page__address", "event_page__country", *_ORDER_COLUMNS)
    )
    words = folded(text).split()
    sortable = [
        (*_sort_key(today, starts_on, ends_on, is_running=is_running), name, pk)
        for pk, name, venue, address, country, starts_on, ends_on, is_running in rows
        if all(word in search_text(name, venue, address or "", country or "") for word in words)
    ]
    return [pk for *_key, pk in sorted(sortable)]


_ORDER_COLUMNS: Final = ("starts_on", "ends_on", "is_running")


def _sort_key(today: date, starts_on: date, ends_on: date, *, is_running: bool) -> tuple[int, int]:
    """Return the position: running, then the soonest, then the latest past."""
    if is_running:
        return 0, starts_on.toordinal()
    if ends_on >= today:
        return 1, starts_on.toordinal()
    return 2, -ends_on.toordinal()


def in_order(tournaments: QuerySet[Tournament], pks: Sequence[int]) -> list[Tournament]:
    """Return the tournaments with these keys, in their order."""
    by_pk = {tournament.pk: tournament for tournament in tournaments.filter(pk__in=list(pks))}
    return [by_pk[pk] for pk in pks if pk in by_pk]


def my_tournaments(actor: Actor) -> QuerySet[Tournament]:
    """Return the tournaments the actor organises, with counts of players and sessions and the `running` one."""
    sessions = Session.objects.filter(tournament=OuterRef("pk")).order_by()
    return _mine(actor).annotate(
        player_count=participant_count(),
        session_count=_how_many(sessions),
        closed_count=_how_many(sessions.filter(state=Session.State.CLOSED)),
        running=Subquery(sessions.filter(state=Session.State.RUNNING).values("number")[:1]),
    )


def _mine(actor: Actor) -> QuerySet[Tournament]:
    """Return the tournaments the actor organises, without unfinished demonstration events."""
    organised = organised_tournaments(actor).defer("rules_snapshot")
    return organised.exclude(trial_jobs__in=TrialJob.objects.filter(unfinished_jobs()))


def _how_many(sessions: QuerySet[Session]) -> Coalesce:
    return Coalesce(Subquery(sessions.values("tournament").annotate(n=Count("pk")).values("n")), 0)
