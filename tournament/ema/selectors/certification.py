"""What is known of an event for its certification by the European Mahjong Association."""

import re
from calendar import monthrange
from collections.abc import Collection, Iterator
from datetime import date, datetime, time, timedelta
from itertools import groupby, pairwise
from typing import Final

from django.db.models import QuerySet
from django.utils import timezone

from tournament.base.models.events import EventPage
from tournament.base.models.tournament import Role, Tournament
from tournament.base.selectors import event_page_of
from tournament.dues.selectors import prices_of
from tournament.ema.engine.certification import (
    APART,
    Clause,
    EventFacts,
    OtherEvent,
    PlannedDay,
    certification,
)
from tournament.ema.models import EmaCertification
from tournament.ema.selectors.results import ema_results
from tournament.play.selectors.timetable import Entry, players_of, timetable
from tournament.players.engine import MEMBER_COUNTRIES, is_guest
from tournament.prizes.models import Prize
from tournament.ranking.selectors.progress import progress_of
from tournament.registration.selectors.plan import accepted_without_player, plan_of

WORDS_OF_PARTS: Final = {
    "prizes": {"prize", "prizes", "trophy", "trophies", "cup", "cups"},
    "catering": {"catering", "lunch", "meal", "meals", "food", "drinks", "coffee", "dinner", "restaurant"},
    "travel": {
        "hotel",
        "hotels",
        "hostel",
        "accommodation",
        "train",
        "airport",
        "bus",
        "parking",
        "transport",
    },
}
"""Part of the event's page that has no field of its own → words of an English description that has it."""


def certification_of(tournament: Tournament) -> EmaCertification:
    """Return what is stored for the certification; an empty, unsaved row if there is none."""
    stored = EmaCertification.objects.filter(tournament=tournament).first()
    return stored or EmaCertification(tournament=tournament)


def clauses_of(tournament: Tournament, today: date | None = None) -> tuple[Clause, ...]:
    """Return every clause of the requirements with its status today."""
    return certification(event_facts(tournament, today or timezone.localdate(timezone=tournament.zone)))


def event_facts(tournament: Tournament, today: date) -> EventFacts:
    stored, page = certification_of(tournament), event_page_of(tournament)
    people = [
        *players_of(tournament).values_list("country", "ema_number"),
        *accepted_without_player().filter(tournament=tournament).values_list("country", "ema_number"),
    ]
    prizes = list(tournament.prizes.all())
    places_with_prize = {prize.rank for prize in prizes if prize.kind == Prize.Kind.OVERALL and prize.text}
    umpires = tournament.memberships.filter(role__in=(Role.CHIEF, Role.UMPIRE), table_number=None)
    applied, named = stored.applied_on, stored.observer_named_on
    countries = page.country and stored.observer_country
    return EventFacts(
        today=today.toordinal(),
        first_day=tournament.starts_on.toordinal(),
        last_day=tournament.ends_on.toordinal(),
        applies_from=months_before(tournament.starts_on, 12).toordinal(),
        applies_until=months_before(tournament.starts_on, 3).toordinal(),
        applied_on=applied.toordinal() if applied else None,
        others=tuple(_other_events(tournament)),
        is_championship=page.mers == EventPage.Mers.CHAMPIONSHIP,
        is_national=stored.is_national,
        nationals=tuple(_nationals(tournament, page)) if stored.is_national and page.country else (),
        is_public=tournament.is_public,
        players=len(people),
        members=sum(country in MEMBER_COUNTRIES and not is_guest(number) for country, number in people),
        home=sum(country == page.country for country, _number in people) if page.country else None,
        rulebook=tournament.rules.name,
        foul_book=tournament.rules.fouls.key,
        substitutes=tournament.players.filter(is_substitute=True, withdrawn_at=None).count(),
        sessions=tournament.sessions_planned,
        minutes=tournament.minutes,
        timetable=tuple(_planned_days(tournament)),
        page=frozenset(_parts_of_page(tournament, page, stored, prizes)),
        umpires=umpires.values("user").distinct().count(),
        playing_umpires=umpires.exclude(player=None).values("user").distinct().count(),
        observer=stored.observer,
        observer_named_on=named.toordinal() if named else None,
        observer_is_foreign=stored.observer_country != page.country if countries else None,
        has_prizes={1, 2, 3} <= places_with_prize,
        has_money_prizes=any(prize.amount for prize in prizes),
        gaps=_gaps(tournament),
    )


def months_before(day: date, months: int) -> date:
    """Return the same day so many months earlier; the last day of a month that is too short.

    >>> months_before(date(2027, 5, 31), 3), months_before(date(2027, 5, 31), 12)
    (datetime.date(2027, 2, 28), datetime.date(2026, 5, 31))
    """
    year, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def _gaps(tournament: Tournament) -> int | None:
    """Return how many things are missing in the results; None until every session is closed."""
    if not progress_of(tournament).is_over:
        return None
    return sum(not gap.is_note for gap in ema_results(tournament).gaps)


def _planned_days(tournament: Tournament) -> Iterator[PlannedDay]:
    sessions = [entry for entry in timetable(tournament).entries if entry.number is not None]
    for _day, entries in groupby(sessions, key=_day_of):
        times = [_times_of(entry) for entry in entries]
        breaks = (int((after[0] - before[1]).total_seconds() // 60) for before, after in pairwise(times))
        yield PlannedDay(len(times), tuple(breaks))


def _day_of(entry: Entry) -> date:
    assert entry.item is not None
    return entry.item.day


def _times_of(entry: Entry) -> tuple[datetime, datetime]:
    assert entry.starts_at is not None, "every planned entry has a time"
    assert entry.ends_at is not None, "every session has an end"
    return entry.starts_at, entry.ends_at


def _parts_of_page(
    tournament: Tournament, page: EventPage, stored: EmaCertification, prizes: Collection[Prize]
) -> Iterator[str]:
    """Yield the parts of the event's page that are there. Words of a description can stand for some of them."""
    parts = {
        "place": tournament.venue and page.address,
        "registration": plan_of(tournament) is not None,
        "fee": prices_of(tournament),
        "timetable": tournament.timetable.exclude(session=None).exists(),
        "prizes": prizes,
        "umpires": page.referees,
        "observer": stored.observer,
        "participants": tournament.is_public,
    }
    yield from (part for part, content in parts.items() if content)
    words = set(re.findall(r"[a-z]+", page.description.get("en", "").casefold()))
    yield from (part for part, names in WORDS_OF_PARTS.items() if names & words)


# --- Other events ---


def _counted() -> QuerySet[Tournament]:
    """Select the public events that the European ranking counts."""
    return (
        Tournament.objects.filter(is_public=True, is_trial=False)
        .exclude(event_page__mers="")
        .exclude(event_page=None)
    )


def _other_events(tournament: Tournament) -> Iterator[OtherEvent]:
    """Yield the events of this server that may coincide, with the hours in between."""
    near = timedelta(days=APART // 24 + 2)
    others = _counted().filter(
        starts_on__lte=tournament.ends_on + near, ends_on__gte=tournament.starts_on - near
    )
    first, last = _span(tournament)
    for other in others.exclude(pk=tournament.pk).order_by("starts_on", "name"):
        other_first, other_last = _span(other)
        gap = max(other_first - last, first - other_last)
        stored = certification_of(other)
        applied_on = stored.applied_on.toordinal() if stored.applied_on else None
        yield OtherEvent(other.name, gap.total_seconds() / 3600, stored.is_national, applied_on)


def _span(tournament: Tournament) -> tuple[datetime, datetime]:
    """Return when the first session begins and the last one ends; without a timetable, whole days."""
    times = [_times_of(entry) for entry in timetable(tournament).entries if entry.number is not None]
    if times:
        return min(start for start, _end in times), max(end for _start, end in times)
    midnight = time(tzinfo=tournament.zone)
    return (
        datetime.combine(tournament.starts_on, midnight),
        datetime.combine(tournament.ends_on + timedelta(days=1), midnight),
    )


def _nationals(tournament: Tournament, page: EventPage) -> Iterator[str]:
    """Yield the names of other national championships of the same country and year."""
    others = _counted().filter(
        ema_certification__is_national=True,
        event_page__country=page.country,
        starts_on__year=tournament.starts_on.year,
    )
    yield from others.exclude(pk=tournament.pk).values_list("name", flat=True)
