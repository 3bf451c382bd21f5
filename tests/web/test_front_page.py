"""The front page of a site with many tournaments: found, turned over, and never slower for it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from icalendar import Calendar

from tests.support.factories import make_organiser, make_tournament, make_user
from tests.support.html import attribute, element, elements, read, words
from tests.support.registrations import confirmed, make_plan
from tournament.models import EventPage, Membership, RegistrationPlan, Role, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def somebody() -> User:
    return make_user()


def make_many(count: int, first_day: int = 1, **more: Any) -> list[Tournament]:
    """Rows alone: what the front page reads of them."""
    rules = make_tournament(name="Club", players=0, public=False).rules_snapshot
    today = timezone.localdate()
    days = [today + timedelta(days=first_day + n) for n in range(count)]
    return Tournament.objects.bulk_create(
        Tournament(
            slug=f"t{first_day}-{n}",
            name=f"Open {n}",
            starts_on=day,
            ends_on=day,
            rules_snapshot=rules,
            **more,
        )
        for n, day in enumerate(days)
    )


def listed(client: Client, query: str = "") -> list[str]:
    return [words(link) for link in elements(read(client.get(f"/{query}")), "a", class_="cover")]


class TestAStranger:
    def test_is_told_what_this_is(self, client: Client) -> None:
        page = read(client.get("/"))
        assert "from the first name to the last hand" in words(element(page, "h1"))
        assert attribute(element(page, "svg", class_="table-picture"), "role") == "img"

    @pytest.mark.parametrize("language", ["zh-hans", "zh-hant"])
    def test_is_told_so_in_their_language(self, language: str, client: Client) -> None:
        assert client.get("/", headers={"Accept-Language": language}).status_code == 200

    def test_who_is_signed_in_sees_tournaments_at_once(self, client: Client, somebody: User) -> None:
        client.force_login(somebody)
        assert words(element(read(client.get("/")), "h1")) == "Tournaments"


class TestMany:
    def test_twelve_of_each_are_shown_and_the_way_to_all(self, client: Client) -> None:
        make_many(30)
        page = read(client.get("/"))
        assert len(list(elements(page, "a", class_="cover"))) == 12
        assert element(page, "a", href="?when=coming")

    def test_the_others_are_a_page_further(self, client: Client) -> None:
        make_many(30)
        pages = [listed(client, f"?when=coming&page={n}") for n in (1, 2)]
        assert [len(page) for page in pages] == [24, 6]
        assert set(pages[0]).isdisjoint(pages[1])

    def test_cost_no_statement_more(self, client: Client, django_assert_max_num_queries: Any) -> None:
        make_many(100)
        make_many(100, first_day=-200)
        with django_assert_max_num_queries(11):
            client.get("/")

    def test_what_is_past_begins_with_the_latest(self, client: Client) -> None:
        make_many(3, first_day=-9)
        assert listed(client) == ["Open 2", "Open 1", "Open 0"]

    def test_none_at_all_has_its_sentence(self, client: Client) -> None:
        assert "No tournament yet" in words(read(client.get("/")))


class TestFinding:
    @pytest.fixture(autouse=True)
    def events(self) -> None:
        lyon, tokyo, beijing = make_many(3)
        Tournament.objects.filter(pk=lyon.pk).update(name="Été de Lyon", venue="Salle Molière")
        Tournament.objects.filter(pk=tokyo.pk).update(name="東京オープン", rulebook="mcr-wmo")
        EventPage.objects.create(tournament=tokyo, country="JPN", address="Shinjuku 1")
        EventPage.objects.create(tournament=beijing, country="CHN")

    @pytest.mark.parametrize(
        ("query", "found"),
        [
            ("?q=ete+moliere", ["Été de Lyon"]),
            ("?q=LYON", ["Été de Lyon"]),
            ("?q=東京", ["東京オープン"]),
            ("?q=shinjuku", ["東京オープン"]),
            ("?q=japan", ["東京オープン"]),
            ("?country=CHN", ["Open 2"]),
            ("?q=nowhere", []),
            ("?q=%25", []),
            ("?year=1999", []),
        ],
    )
    def test_by_what_somebody_types(self, query: str, found: list[str], client: Client) -> None:
        assert listed(client, query) == found

    def test_nothing_found_has_a_way_back(self, client: Client) -> None:
        page = read(client.get("/?q=nowhere"))
        assert "No tournament fits" in words(page)
        assert element(element(page, "main"), "a", href="/")

    @pytest.mark.parametrize(
        "query",
        ["?page=0", "?page=x", "?page=99999999999999", "?year=99999999", "?year=0", "?when=never", "?country=%00",
         "?rulebook=none", "?q=%00", "?q=" + "x" * 5000, "?when=past&page=9999", "?year=²"],
    )  # fmt: skip
    def test_what_makes_no_sense_does_no_harm(self, query: str, client: Client) -> None:
        assert client.get(f"/{query}").status_code == 200

    def test_a_filter_tells_nothing_of_what_is_private(self, client: Client) -> None:
        EventPage.objects.create(tournament=Tournament.objects.get(name="Club"), country="DNK")
        assert "Denmark" not in client.get("/").text
        assert listed(client, "?q=denmark") == listed(client, "?country=DNK") == []


class TestCalendar:
    def test_holds_what_is_coming_and_public(self, client: Client) -> None:
        make_many(2)
        make_many(2, first_day=-9)
        answer = client.get("/tournaments.ics")
        entries = Calendar.from_ical(answer.content).walk("VEVENT")
        assert [str(entry["summary"]) for entry in entries] == ["Open 0", "Open 1"]
        assert entries[0].decoded("dtend") - entries[0].decoded("dtstart") == timedelta(days=1)

    def test_is_the_same_for_an_organiser_of_a_private_one(self, client: Client) -> None:
        club = make_tournament(name="Club", players=0, public=False)
        Tournament.objects.update(starts_on=timezone.localdate(), ends_on=timezone.localdate())
        client.force_login(make_organiser(club, "oskar"))
        assert b"Club" not in client.get("/tournaments.ics").content


class TestOrganisersHome:
    def test_a_hundred_cost_as_much_as_one_page(
        self, client: Client, somebody: User, django_assert_max_num_queries: Any
    ) -> None:
        made = make_many(100)
        Membership.objects.bulk_create(
            Membership(tournament=each, user=somebody, role=Role.ORGANISER) for each in made
        )
        client.force_login(somebody)
        client.get("/organiser/")
        with django_assert_max_num_queries(9):
            page = client.get("/organiser/")
        assert len(page.context["tournaments"]) == 20
        assert [each.name for each, _bar in page.context["tournaments"]][:2] == ["Open 0", "Open 1"]

    def test_finds_one_of_them(self, client: Client, somebody: User) -> None:
        made = make_many(30)
        Membership.objects.bulk_create(
            Membership(tournament=each, user=somebody, role=Role.ORGANISER) for each in made
        )
        client.force_login(somebody)
        page = client.get("/organiser/?q=open+29")
        assert [each.name for each, _bar in page.context["tournaments"]] == ["Open 29"]
        assert "No tournament fits" in client.get("/organiser/?q=nowhere").text


class TestWhatIsComing:
    def test_says_whether_it_takes_registrations_and_how_many_places_are_taken(self, client: Client) -> None:
        event = make_tournament(players=0, drawn=False)
        plan = make_plan(event, places=2)
        confirmed(event, 1)
        assert "registration open 1 of 2 places taken 2 sessions" in card(client)
        RegistrationPlan.objects.filter(pk=plan.pk).update(is_open=False)
        assert "registration open" not in card(client)

    @pytest.mark.parametrize(("field", "days"), [("opens_at", 1), ("closes_at", -1)])
    def test_takes_none_before_and_after_its_times(self, client: Client, field: str, days: int) -> None:
        plan = make_plan(make_tournament(players=0, drawn=False))
        assert "registration open" in card(client)
        RegistrationPlan.objects.filter(pk=plan.pk).update(**{field: timezone.now() + timedelta(days=days)})
        assert "registration open" not in card(client)

    def test_without_a_limit_says_how_many_are_coming(self, client: Client) -> None:
        event = make_tournament(players=0, drawn=False)
        make_plan(event)
        confirmed(event, 1)
        assert "1 person is coming" in card(client)


def card(client: Client) -> str:
    return words(element(read(client.get("/")), "li", class_="linked"))
