"""The certification of an event: each clause of "Requirements and guidelines for MERS tournaments" (2018)."""

import re
from collections.abc import Mapping
from datetime import date, time, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.checks import newest_sentence
from tests.support.factories import SYSTEM, make_member, make_tournament, write_something
from tests.support.html import element, read, words
from tests.support.pages import address_of as at
from tests.support.pages import missing
from tournament.base.engine.rules import rules_named
from tournament.base.models.documents import DocumentJob
from tournament.base.models.events import EventPage, TimetableItem
from tournament.base.models.tournament import Role, Tournament
from tournament.documents.exports.jobs import DRAFT_BUILDERS
from tournament.ema.engine.certification import (
    PAGE_PARTS,
    Clause,
    EventFacts,
    OtherEvent,
    PlannedDay,
    Status,
    certification,
)
from tournament.ema.models import EmaCertification
from tournament.ema.selectors.certification import (
    certification_of,
    clauses_of,
    event_facts,
    months_before,
)
from tournament.ema.services import set_certification
from tournament.ema.texts import FACTS, REQUIREMENTS, fact_text
from tournament.events.services import set_event_page, set_timetable
from tournament.prizes.models import Prize, PrizePlan
from tournament.prizes.services import set_prizes

MET, NOT_MET, LATER, NOT_CHECKABLE = Status.MET, Status.NOT_MET, Status.LATER, Status.NOT_CHECKABLE
FIRST = date(2027, 5, 8).toordinal()
BEFORE, DURING = FIRST - 30, FIRST
EVENT = {
    "today": FIRST - 200,
    "first_day": FIRST,
    "last_day": FIRST + 1,
    "applies_from": FIRST - 365,
    "applies_until": FIRST - 89,
}
"""An event of two days, 200 days before it."""


def clauses(**changes: Any) -> Mapping[str, Clause]:
    return {clause.key: clause for clause in certification(EventFacts(**EVENT | changes))}


def statuses(key: str, *changes: Mapping[str, Any]) -> list[Status]:
    return [clauses(**change)[key].status for change in changes]


class TestApplication:
    """Clauses 1.1 to 1.3."""

    def test_1_1_is_made_three_months_to_a_year_before(self) -> None:
        assert statuses("application", {}, {"today": FIRST - 80}) == [LATER, NOT_MET]
        days = (FIRST - 366, FIRST - 365, FIRST - 89, FIRST - 88)
        applied = [{"applied_on": day} for day in days]
        assert statuses("application", *applied) == [NOT_MET, MET, MET, NOT_MET]

    def test_1_2_2_is_36_hours_from_others_or_coincides_with_one(self) -> None:
        """A third event needs the consent of the first two, which only people know."""
        near, far = OtherEvent("Near", 35.5), OtherEvent("Far", 36)
        others: list[tuple[OtherEvent, ...]] = [(), (far,), (near, far), (near, near)]
        expected = [MET, MET, MET, NOT_CHECKABLE]
        assert statuses("coincidence", *({"others": other} for other in others)) == expected

    @pytest.mark.parametrize("is_national", [True, False], ids=["national", "other"])
    def test_1_2_2_of_a_national_championship_and_another_event_the_first_to_apply_counts(
        self, is_national: bool
    ) -> None:
        """Either way: only the association knows of all applications, so that the first one is "check yourself"."""
        own, applied_on = {"is_national": is_national}, FIRST - 120
        days: list[tuple[int | None, int | None]] = [
            *((None, None), (None, applied_on), (applied_on, applied_on)),
            *((applied_on, None), (applied_on, applied_on + 1)),
        ]
        changes = [
            own | {"applied_on": mine, "others": (OtherEvent("Near", -5, not is_national, theirs),)}
            for mine, theirs in days
        ]
        expected = [NOT_MET, NOT_MET, NOT_MET, NOT_CHECKABLE, NOT_CHECKABLE]
        assert statuses("coincidence", *changes) == expected

    def test_1_2_1_has_two_days_and_is_the_only_one_as_a_national_championship(self) -> None:
        own = {"is_national": True}
        changes: list[dict[str, Any]] = [{}, own, own | {"last_day": FIRST}, own | {"nationals": ("Other",)}]
        assert statuses("national", *changes) == [MET, MET, NOT_MET, NOT_MET]

    def test_1_3_is_certified_after_two_weeks(self) -> None:
        today = EVENT["today"]
        changes: list[dict[str, Any]] = [{}, {"applied_on": today - 13}, {"applied_on": today - 14}]
        assert statuses("protest", *changes) == [LATER, LATER, NOT_CHECKABLE]


class TestPlayers:
    """Clauses 2.1 to 2.3."""

    def test_2_1_are_16_of_member_countries_and_80_at_a_championship(self) -> None:
        few, enough = {"members": 15}, {"members": 16}
        assert statuses("members", few, few | {"today": DURING}, enough) == [LATER, NOT_MET, MET]
        championship = {"is_championship": True, "today": DURING}
        changes = [championship | {"members": n} for n in (79, 80)]
        assert statuses("members", *changes) == [NOT_MET, MET]

    def test_2_2_have_at_most_half_of_the_seats_if_of_the_country(self) -> None:
        players: dict[str, Any] = {"players": 32}
        changes: list[dict[str, Any]] = [
            {},
            *(players | {"home": n} for n in (16, 17, None)),
        ]
        expected = [LATER, MET, NOT_CHECKABLE, NOT_CHECKABLE]
        assert statuses("local", *changes) == expected

    def test_2_2_have_quotas_at_a_championship_alone(self) -> None:
        assert "quotas" not in clauses()
        assert statuses("quotas", {"is_championship": True}) == [NOT_CHECKABLE]
        assert "local" not in clauses(is_championship=True)

    def test_2_3_may_be_of_the_whole_world(self) -> None:
        assert statuses("open", {}, {"is_public": False}) == [NOT_CHECKABLE, NOT_MET]


class TestInformation:
    """Clauses 3.1 to 3.5."""

    @pytest.mark.parametrize("key", ["location", "room", "comfort"])
    def test_3_1_and_3_2_venue_and_hall_are_for_people_to_check(self, key: str) -> None:
        clause = clauses()[key]
        assert (clause.status, clause.is_required) == (NOT_CHECKABLE, False)

    def test_3_3_the_calendar_has_a_link(self) -> None:
        clause = clauses()["calendar"]
        assert (clause.status, clause.is_required) == (NOT_CHECKABLE, True)

    @pytest.mark.parametrize("part", PAGE_PARTS)
    def test_3_3_the_page_has_each_part(self, part: str) -> None:
        """Nine, because the document lists registration and fee together."""
        assert len(PAGE_PARTS) == 9
        absent, present = clauses(observer="Ola")[f"page_{part}"], clauses(page=frozenset({part}))
        assert (absent.status, present[f"page_{part}"].status) == (NOT_MET, MET)
        assert absent.is_required

    def test_3_3_names_the_observer_once_known_and_recommends_travel(self) -> None:
        assert statuses("page_observer", {}) == [LATER]
        travel = clauses()["page_travel"]
        assert (travel.status, travel.is_required) == (NOT_MET, False)

    def test_3_4_costs_are_for_people_to_check(self) -> None:
        assert statuses("costs", {}) == [NOT_CHECKABLE]

    def test_3_5_the_rules_are_mcr_as_amended_by_the_association(self) -> None:
        assert statuses("rule_set", {}, {"foul_book": "mcr"}, {"rulebook": "botzone"}) == [
            MET,
            NOT_MET,
            NOT_MET,
        ]
        assert clauses()["rule_set"].is_required


class TestSessions:
    """Clauses 3.6 to 3.8."""

    @pytest.mark.parametrize(
        ("days", "sessions", "minutes"), [(1, 4, 90), (2, 6, 120), (3, 9, 120), (4, 9, 120)]
    )
    def test_3_6_are_enough_and_long_enough(self, days: int, sessions: int, minutes: int) -> None:
        event = {"last_day": FIRST + days - 1, "sessions": sessions, "minutes": minutes}
        changes = [event, event | {"sessions": sessions - 1}, event | {"minutes": minutes - 1}]
        assert statuses("sessions", *changes) == [MET, NOT_MET, NOT_MET]

    def test_3_6_are_at_most_four_a_day(self) -> None:
        planned = [{"timetable": (PlannedDay(2, (15,)), PlannedDay(n, (15,) * (n - 1)))} for n in (4, 5)]
        assert statuses("a_day", {}, *planned) == [LATER, MET, NOT_MET]
        assert all(clauses(**change)["a_day"].is_required for change in ({}, *planned))

    def test_3_6_have_breaks_of_15_minutes_and_a_lunch_of_30(self) -> None:
        days = [PlannedDay(3, breaks) for breaks in ((15, 30), (14, 60), (15, 29))]
        planned = [{"timetable": (PlannedDay(1), day)} for day in days]
        assert statuses("breaks", {}, *planned) == [LATER, MET, NOT_MET, MET]
        assert statuses("lunch", {}, *planned) == [LATER, MET, MET, NOT_MET]
        assert statuses("lunch", {"timetable": (PlannedDay(2, (15,)),)}) == [MET], "a day without lunch"
        assert not clauses()["breaks"].is_required

    @pytest.mark.parametrize("key", ["results_shown", "countdown", "draw", "tiles", "equipment"])
    def test_3_6_to_3_8_name_what_only_people_can_check(self, key: str) -> None:
        assert statuses(key, {}) == [NOT_CHECKABLE]


class TestPeople:
    """Clauses 3.9 to 3.11."""

    def test_3_9_substitutes_are_asked_by_people(self) -> None:
        clause = clauses(substitutes=2)["substitutes"]
        assert (clause.status, clause.params["n"], clause.is_required) == (NOT_CHECKABLE, 2, True)

    @pytest.mark.parametrize("part", ["umpires", "observer"])
    def test_3_10_and_3_11_names_are_announced_before_the_first_session(self, part: str) -> None:
        """From the event's page; what was said in the hall on the first day is not known."""
        key = f"{part}_announced"
        changes: list[dict[str, Any]] = [
            {},
            {"today": FIRST},
            {"today": FIRST + 1},
            {"page": frozenset({part})},
        ]
        assert statuses(key, *changes) == [LATER, LATER, NOT_MET, MET]
        assert clauses()[key].is_required

    def test_3_10_there_is_an_umpire_for_each_32_players(self) -> None:
        changes: list[dict[str, Any]] = [
            {},
            {"players": 32, "umpires": 1},
            {"players": 33, "umpires": 1},
            {"players": 33, "umpires": 1, "today": DURING},
            {"players": 33, "umpires": 2},
        ]
        assert statuses("umpires", *changes) == [LATER, MET, LATER, NOT_MET, MET]

    def test_3_10_umpires_of_national_and_european_championships_do_not_play(self) -> None:
        """A must with MERS 2 and MERS 5, else encouraged."""
        events: list[dict[str, Any]] = [{}, {"is_national": True}, {"is_championship": True}]
        assert [clauses(**event)["neutral"].is_required for event in events] == [False, True, True]
        assert statuses("neutral", {}, {"playing_umpires": 1}) == [NOT_CHECKABLE, NOT_MET]

    def test_3_10_benefits_of_umpires_are_recommended(self) -> None:
        clause = clauses()["benefits"]
        assert (clause.status, clause.is_required) == (NOT_CHECKABLE, False)

    def test_3_11_the_observer_is_named_two_weeks_before(self) -> None:
        changes: list[dict[str, Any]] = [
            {"today": FIRST - 14},
            {"today": FIRST - 13},
            *({"observer": "Ola", "observer_named_on": FIRST - days} for days in (14, 13)),
        ]
        assert statuses("observer", *changes) == [LATER, NOT_MET, MET, NOT_MET]

    def test_3_11_the_observer_is_best_from_another_country(self) -> None:
        named = {"observer": "Ola"}
        changes: list[dict[str, Any]] = [
            {},
            *(named | {"observer_is_foreign": is_foreign} for is_foreign in (True, False, None)),
        ]
        assert statuses("foreign_observer", *changes) == [LATER, MET, NOT_MET, NOT_CHECKABLE]

    def test_3_11_the_report_follows_the_event(self) -> None:
        assert statuses("report", {}, {"gaps": 0}) == [LATER, NOT_CHECKABLE]


class TestResults:
    """Clauses 3.12 and 3.13."""

    def test_3_12_the_first_three_get_prizes(self) -> None:
        prizes = {"has_prizes": True}
        changes: list[dict[str, Any]] = [{}, {"gaps": 0}, prizes, prizes | {"has_money_prizes": True}]
        assert statuses("prizes", *changes) == [LATER, NOT_MET, MET, NOT_MET]

    def test_3_13_the_results_are_complete(self) -> None:
        changes: list[dict[str, Any]] = [{}, {"gaps": 3}, {"gaps": 0}]
        assert statuses("results", *changes) == [LATER, NOT_MET, MET]
        assert all(clauses(**change)["results"].is_required for change in changes)


CASES: list[dict[str, Any]] = [
    {},
    {
        "applied_on": FIRST - 100,
        "others": (OtherEvent("A", 0), OtherEvent("B", 0)),
        "players": 8,
        "is_championship": True,
        "playing_umpires": 1,
        "observer": "Ola",
        "observer_named_on": FIRST - 20,
        "timetable": (PlannedDay(3, (15, 60)),),
        "page": frozenset(PAGE_PARTS),
        "has_prizes": True,
        "gaps": 2,
        "is_national": True,
        "is_public": False,
        "foul_book": "mcr",
        "observer_is_foreign": True,
    },
    {"others": (OtherEvent("A", 0),), "players": 8, "home": 5, "observer": "Ola", "gaps": 0},
    {"others": (OtherEvent("A", 0), OtherEvent("B", 0)), "is_championship": True},
    {"is_national": True, "nationals": ("C",), "observer": "Ola", "observer_is_foreign": False},
    {"timetable": (PlannedDay(1),), "players": 8, "has_money_prizes": True},
]


def test_every_clause_and_fact_has_a_sentence_and_every_sentence_a_use() -> None:
    all_clauses = [clause for case in CASES for clause in clauses(**case).values()]
    assert {clause.key for clause in all_clauses} == REQUIREMENTS.keys()
    assert {clause.fact for clause in all_clauses} == FACTS.keys()
    assert all("{" not in fact_text(clause) for clause in all_clauses)


def test_months_before_a_day_that_a_month_lacks() -> None:
    assert months_before(date(2028, 5, 31), 3) == date(2028, 2, 29)


# --- What is known of an event ---


@pytest.fixture
def event() -> Tournament:
    event = make_tournament(players=8, drawn=False)
    set_event_page(EventPage(tournament=event, country="FRA", mers="ranked"), SYSTEM)
    return event


def facts_of(event: Tournament) -> EventFacts:
    return event_facts(Tournament.objects.get(pk=event.pk), event.starts_on - timedelta(days=100))


class TestFacts:
    def test_count_members_by_country_without_guests(self, event: Tournament) -> None:
        event.players.update(country="CHN", ema_number="")
        event.players.filter(number__lte=3).update(country="CZE")
        event.players.filter(number=4).update(country="FRA", ema_number="24000001")
        facts = facts_of(event)
        assert (facts.players, facts.members, facts.home) == (8, 3, 1)

    def test_read_rulebook_and_foul_book(self, event: Tournament) -> None:
        facts = facts_of(event)
        assert (facts.rulebook, facts.foul_book) == ("mcr", "mcr")
        event.rules_snapshot = rules_named("mcr", "mers").to_json()
        event.save()
        assert facts_of(event).foul_book == "mers"

    def test_read_the_timetable(self, event: Tournament) -> None:
        day = event.starts_on
        lines = [TimetableItem(session=n, day=day, starts=time(hour)) for n, hour in ((1, 9), (2, 12))]
        lines.append(TimetableItem(title="Lunch", day=day, starts=time(11)))
        set_timetable(event, SYSTEM, lines)
        assert facts_of(event).timetable == (PlannedDay(2, (180 - event.minutes,)),)

    def test_read_the_event_page(self, event: Tournament) -> None:
        assert facts_of(event).page == {"participants"}
        texts = {"en": "Lunch and prizes are included; the hotel is near.", "zh-hans": "交通"}
        page = EventPage(
            tournament=event, mers="ranked", description=texts, address="Street 1", referees="Uma"
        )
        set_event_page(page, SYSTEM)
        set_certification(EmaCertification(tournament=event, observer="Ola"), SYSTEM)
        expected = {"place", "umpires", "observer", "participants", "prizes", "catering", "travel"}
        assert facts_of(event).page == expected - ({"place"} if not event.venue else set())

    def test_find_the_prizes_on_the_event_page(self, event: Tournament) -> None:
        set_prizes(PrizePlan(tournament=event), SYSTEM, [Prize(rank=1, text="A jade bowl")])
        assert "prizes" in facts_of(event).page
        assert "Overall, place 1: A jade bowl" in Client().get(at(event, "tournament")).text

    def test_count_umpires_and_those_who_play(self, event: Tournament) -> None:
        make_member(event, Role.UMPIRE, "uma")
        member = event.memberships.get(user__username="uma")
        member.player = event.players.get(number=1)
        member.save()
        make_member(event, Role.CHIEF, "carla")
        facts = facts_of(event)
        assert (facts.umpires, facts.playing_umpires) == (2, 1)

    def test_know_other_events_of_the_ranking_nearby(self, event: Tournament) -> None:
        for name, days, mers in (("Near", 1, "ranked"), ("Far", 9, "ranked"), ("Club", 1, "")):
            other = make_tournament(players=4, drawn=False, name=name)
            other.starts_on = event.ends_on + timedelta(days=days)
            other.ends_on = other.starts_on
            other.save()
            set_event_page(EventPage(tournament=other, country="FRA", mers=mers), SYSTEM)
        assert facts_of(event).others == (OtherEvent("Near", 0, is_national=False),)
        near = Tournament.objects.get(name="Near")
        applied_on = date(2026, 1, 31)
        set_certification(EmaCertification(tournament=near, is_national=True, applied_on=applied_on), SYSTEM)
        expected = OtherEvent("Near", 0, is_national=True, applied_on=applied_on.toordinal())
        assert facts_of(event).others == (expected,)
        set_certification(EmaCertification(tournament=event, is_national=True), SYSTEM)
        assert facts_of(event).nationals == ("Near",)

    def test_know_what_is_missing_after_the_last_session(self) -> None:
        played = make_tournament(players=8, sessions=1, played=1)
        assert (facts_of(played).gaps or 0) > 0


# --- Page, API, documents ---


@pytest.fixture
def organised(olga: Client) -> Tournament:
    event = make_tournament(players=8, drawn=False, name="Open")
    set_event_page(EventPage(tournament=event, country="FRA", mers="ranked"), SYSTEM)
    event.memberships.create(user_id=int(olga.session["_auth_user_id"]), role=Role.OWNER)
    return event


class TestPage:
    def test_lists_every_clause_and_stores_what_the_organiser_knows(
        self, olga: Client, organised: Tournament
    ) -> None:
        url = reverse("organiser_certification", args=[organised.slug])
        page = olga.get(url)
        texts = [str(REQUIREMENTS[clause.key]) for clause in clauses_of(organised)]
        assert missing(words(element(read(page), "main")), "3.12", "must", "Apply from", *texts) == []
        fields = {"observer": "Ola Nord", "observer_country": "NOR"}
        assert olga.post(url, fields).status_code == 302
        assert certification_of(organised).observer == "Ola Nord"
        assert "observer, country of the observer" in newest_sentence(organised)
        assert "Ola Nord" in Client().get(reverse("tournament", args=[organised.slug])).text
        response = olga.post(url, fields | {"observer_country": "XXX"})
        assert response.status_code == 422

    def test_is_a_place_before_the_event_if_the_ranking_counts_it(
        self, olga: Client, organised: Tournament
    ) -> None:
        before = reverse("organiser_before", args=[organised.slug])
        url = reverse("organiser_certification", args=[organised.slug])
        assert url in olga.get(before).text
        set_event_page(EventPage(tournament=organised, mers=""), SYSTEM)
        assert url not in olga.get(before).text

    def test_stores_nothing_twice(self, organised: Tournament) -> None:
        set_certification(EmaCertification(tournament=organised, observer="Ola"), SYSTEM)
        before = organised.log.count()
        again = certification_of(organised)
        assert set_certification(again, SYSTEM) == again
        assert organised.log.count() == before
        write_something(organised)


def test_the_api_reads_clauses_and_writes_what_the_organiser_knows(
    olga: Client, organised: Tournament
) -> None:
    url = f"/api/v1/tournaments/{organised.slug}/ema/certification/"
    answer = olga.put(url, {"observer": "Ola"}, content_type="application/json").json()
    assert (answer["observer"], answer["is_national"]) == ("Ola", False)
    assert {"number": "2.1", "key": "members", "is_required": True}.items() <= answer["clauses"][4].items()
    assert olga.get(url).json() == answer
    assert Client().get(url).status_code in (401, 403)


@pytest.mark.parametrize(
    ("kind", "label"),
    [(DocumentJob.Kind.APPLICATION, "National championship"), (DocumentJob.Kind.OBSERVER, "Irregularities")],
)
def test_documents_have_the_facts_of_the_event(organised: Tournament, kind: str, label: str) -> None:
    """Clauses 1.1 and 3.11."""
    stored = EmaCertification(tournament=organised, observer="Ola", observer_country="NOR")
    set_certification(stored, SYSTEM)
    make_member(organised, Role.UMPIRE, "uma")
    job = DocumentJob(tournament=organised, kind=kind, language="en", paper="a4")
    text = DRAFT_BUILDERS[kind](job).text
    assert missing(text, label, "Ola, Norway", "uma (does not play)", "Weight in the European ranking") == []


def test_the_observers_report_has_every_subject(organised: Tournament) -> None:
    """Clause 3.11: twelve subjects, the third to the fifth of which have numbers."""
    organised.players.update(country="FRA")
    organised.players.filter(number=1).update(country="ITA")
    set_event_page(EventPage(tournament=organised, mers="ranked", referees="Uma Berg"), SYSTEM)
    job = DocumentJob(tournament=organised, kind=DocumentJob.Kind.OBSERVER, language="en", paper="a4")
    fields = dict(re.findall(r"<span>(.*?)</span> <b>(.*?)</b>", DRAFT_BUILDERS[job.kind](job).text))
    assert fields.keys() >= {
        *("Observer", "Event", "Venue", "Date", "Rulebook", "Weight in the European ranking (MERS)"),
        *("Playing schedule", "Sessions", "Umpires", "Number of prizes", "Prizes, and for what"),
        *("Location", "Equipment", "Catering", "Information and communication", "Clock"),
        *("Results between the sessions", "Irregularities", "Complaints and questions", "Conclusion"),
    }
    known = {"Participants": "8", "Number of countries": "2", "Umpires": "Uma Berg"}
    assert {name: fields[name] for name in known} == known
