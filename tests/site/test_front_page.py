"""The front page of a site with many tournaments: found, turned over, and never slower for it."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from icalendar import Calendar

from tests.support.factories import SYSTEM, make_organiser, make_tournament, make_umpire, make_user
from tests.support.html import attribute, element, elements, read, words
from tests.support.pages import LANGUAGES, html_of
from tests.support.registrations import confirmed, make_plan
from tournament.base.engine.notices import Audience
from tournament.base.models.events import EventPage
from tournament.base.models.registration import RegistrationPlan
from tournament.base.models.tournament import Membership, Role, Tournament
from tournament.events.services import update_tournament
from tournament.players.selectors.players import Entrant
from tournament.players.services.players import add_players
from tournament.ranking.selectors.ranking import ranking
from tournament.ranking.services import hide_results


@pytest.fixture(autouse=True)
def somebody() -> User:
    return make_user()


def make_many(count: int, first_day: int = 1) -> list[Tournament]:
    """Rows alone: what the front page reads of them."""
    rules = make_tournament(name="Club", players=0, public=False).rules_snapshot
    today = timezone.localdate()
    days = [today + timedelta(days=first_day + n) for n in range(count)]
    return Tournament.objects.bulk_create(
        Tournament(
            slug=f"t{first_day}-{n}", name=f"Open {n}", starts_on=day, ends_on=day, rules_snapshot=rules
        )
        for n, day in enumerate(days)
    )


def listed(client: Client, query: str = "") -> list[str]:
    return [words(link) for link in elements(read(client.get(f"/{query}")), "a", class_="cover")]


def test_a_visitor_sees_what_hule_is(client: Client, somebody: User) -> None:
    page = read(client.get("/"))
    assert "Everybody sees the ranking live." in words(element(page, "h1"))
    assert attribute(element(page, "svg", class_="table-picture"), "role") == "img"
    assert "No tournament yet" in words(page)
    for language in LANGUAGES:
        html = html_of(client, "/", language)
        names = re.findall(r'name="language" value="[\w-]+"[^>]*>\s*([^<]+?)\s*<', html)
        assert names == ["English", "简体中文", "繁體中文"], "each language is called by its own name"
    client.force_login(somebody)
    assert words(element(read(client.get("/")), "h1")) == "Tournaments"


def test_a_visitor_sees_the_leaders_of_the_event_being_played(client: Client, somebody: User) -> None:
    event = make_tournament(players=8, sessions=3, played=1, running=1)
    leaders = [row.player.name for row in ranking(event, Audience.PUBLIC).rows[:3]]
    card = element(read(client.get("/")), "section", class_="current-event")
    names = [words(element(line, "a")) for line in elements(card, "li")]
    assert names == leaders
    assert "In progress: session 2 of 3" in words(card)
    client.force_login(somebody)
    assert not list(elements(read(client.get("/")), "section", class_="current-event"))


def test_the_front_page_reveals_no_hidden_results(client: Client) -> None:
    event = make_tournament(players=8, sessions=2, running=2)
    hide_results(event.sessions.get(number=1), SYSTEM)
    card = element(read(client.get("/")), "section", class_="current-event")
    assert not list(elements(card, "li")), "no session is public yet"


def test_twelve_tournaments_are_shown_and_the_others_on_further_pages(client: Client) -> None:
    make_many(30)
    page = read(client.get("/"))
    assert len(list(elements(page, "a", class_="cover"))) == 12
    assert element(page, "a", href="?when=coming")
    first, second = (listed(client, f"?when=coming&page={n}") for n in (1, 2))
    assert (len(first), len(second)) == (24, 6)
    assert set(first).isdisjoint(second)


def test_queries_do_not_grow_with_the_tournaments(client: Client, django_assert_max_num_queries: Any) -> None:
    make_many(100)
    make_many(100, first_day=-200)
    with django_assert_max_num_queries(11):
        client.get("/")


class TestFinding:
    @pytest.fixture(autouse=True)
    def events(self) -> None:
        lyon, tokyo, beijing = make_many(3)
        Tournament.objects.filter(pk=lyon.pk).update(name="Été de Lyon", venue="Salle Molière")
        Tournament.objects.filter(pk=tokyo.pk).update(name="東京オープン", rulebook="mcr-wmo")
        EventPage.objects.create(tournament=tokyo, country="JPN", address="Shinjuku 1")
        EventPage.objects.create(tournament=beijing, country="CHN")

    @pytest.mark.thorough
    def test_tournaments_are_found_by_words_but_not_private_ones(self, client: Client) -> None:
        for query, names in (
            ("?q=ete+moliere", ["Été de Lyon"]),
            ("?q=LYON", ["Été de Lyon"]),
            ("?q=東京", ["東京オープン"]),
            ("?q=shinjuku", ["東京オープン"]),
            ("?q=japan", ["東京オープン"]),
            ("?country=CHN", ["Open 2"]),
            ("?q=nowhere", []),
            ("?q=%25", []),
            ("?year=1999", []),
        ):
            assert listed(client, query) == names, query
        page = read(client.get("/?q=nowhere"))
        assert "No tournament matches" in words(page)
        assert element(element(page, "main"), "a", href="/")
        EventPage.objects.create(tournament=Tournament.objects.get(name="Club"), country="DNK")
        assert "Denmark" not in client.get("/").text
        assert listed(client, "?q=denmark") == listed(client, "?country=DNK") == []

    def test_invalid_queries_are_ignored(self, client: Client) -> None:
        queries = [
            *("page=x", "page=99999999999999", "year=99999999", "year=²", "when=never"),
            *("country=%00&rulebook=none", "q=%00", "when=past&page=9999"),
        ]
        assert [query for query in queries if client.get(f"/?{query}").status_code != 200] == []


def test_the_calendar_holds_what_is_coming_and_public(client: Client) -> None:
    """For an organiser of a private one, too."""
    make_many(2)
    make_many(2, first_day=-9)
    entries = Calendar.from_ical(client.get("/tournaments.ics").content).walk("VEVENT")
    assert [str(entry["summary"]) for entry in entries] == ["Open 0", "Open 1"]
    assert entries[0].decoded("dtend") - entries[0].decoded("dtstart") == timedelta(days=1)
    assert listed(client)[-2:] == ["Open 1", "Open 0"], "what is past begins with the latest"
    club = Tournament.objects.filter(name="Club")[0]
    Tournament.objects.update(starts_on=timezone.localdate(), ends_on=timezone.localdate())
    client.force_login(make_organiser(club, "oskar"))
    assert b"Club" not in client.get("/tournaments.ics").content


def test_a_calendar_of_nothing_is_valid(client: Client) -> None:
    make_many(1, first_day=-9)
    calendar = Calendar.from_ical(client.get("/tournaments.ics").content)
    assert [part.name for part in calendar.subcomponents] == ["VTIMEZONE"]


@pytest.mark.thorough
def test_an_organisers_list_has_pages_and_a_search(
    client: Client, somebody: User, django_assert_max_num_queries: Any
) -> None:
    Membership.objects.bulk_create(
        Membership(tournament=tournament, user=somebody, role=Role.ORGANISER) for tournament in make_many(30)
    )
    client.force_login(somebody)
    client.get("/organiser/")
    with django_assert_max_num_queries(9):
        page = client.get("/organiser/")
    assert len(page.context["tournaments"]) == 20
    assert [tournament.name for tournament, _bar in page.context["tournaments"]][:2] == ["Open 0", "Open 1"]
    page = client.get("/organiser/?q=open+29")
    assert [tournament.name for tournament, _bar in page.context["tournaments"]] == ["Open 29"]
    assert "No tournament matches" in client.get("/organiser/?q=nowhere").text


def card(client: Client) -> str:
    return words(element(read(client.get("/")), "li", class_="linked"))


def test_a_card_says_whether_registration_is_open_and_how_many_are_coming(client: Client) -> None:
    event, day = make_tournament(players=0, drawn=False), timedelta(days=1)
    plan = make_plan(event)
    confirmed(event, 1)
    assert "1 person is coming" in card(client)
    add_players(event, SYSTEM, [Entrant("Imported")])
    RegistrationPlan.objects.update(places=3)
    assert "registration open Places taken: 2 of 3 2 sessions" in card(client)
    RegistrationPlan.objects.update(places=2, waiting_places=None)
    assert "full, waiting list open Places taken: 2 of 2 2 sessions" in card(client)
    RegistrationPlan.objects.update(waiting_places=0)
    assert "waiting list open" not in card(client)
    RegistrationPlan.objects.update(places=3, waiting_places=None)
    opened = {"is_open": True, "opens_at": plan.opens_at, "closes_at": plan.closes_at}
    now = timezone.now()
    for closed in ({"is_open": False}, {"opens_at": now + day}, {"closes_at": now - day}):
        RegistrationPlan.objects.update(**opened | closed)
        assert "registration open" not in card(client), closed


def test_leads_to_the_first_account_when_there_is_none(client: Client, somebody: User) -> None:
    somebody.delete()
    response = client.get("/")
    assert response.status_code == 302
    assert response["Location"].endswith("/setup/")


def test_groups_tournaments_by_what_they_are_doing(client: Client) -> None:
    today = timezone.localdate()
    for name, first in (("Over", -9), ("Today", 0), ("Soon", 3), ("Later", 9)):
        day = today + timedelta(days=first)
        make_tournament(name=name, players=4, drawn=False, days=(day, day))
    make_tournament(name="Hidden", players=0, public=False)
    tree = read(client.get("/"))
    listed = {
        attribute(section, "aria-labelledby"): [words(link) for link in elements(section, "a")]
        for section in elements(tree, "section")
    }
    assert listed == {"coming": ["Today", "Soon", "Later"], "past": ["Over"]}


@pytest.mark.parametrize(("arranged", "ago"), [({"running": 0}, 30), ({"sessions": 2, "played": 1}, 0)])
def test_an_event_is_on_in_and_between_sessions(client: Client, arranged: dict[str, int], ago: int) -> None:
    tournament = make_tournament(players=4, **arranged)  # type: ignore[arg-type]
    day = timezone.localdate() - timedelta(days=ago)
    tournament.starts_on = tournament.ends_on = day
    update_tournament(tournament, SYSTEM)
    shelf = element(read(client.get("/")), "section", class_="shelf")
    assert attribute(shelf, "aria-labelledby") == "now"


def test_offers_a_new_tournament_to_those_who_may_make_one(client: Client) -> None:
    uma = make_user("uma")
    assert "New event" not in words(read(client.get("/")))
    client.force_login(uma)
    assert "New event" not in words(read(client.get("/")))
    client.force_login(make_user("otto", staff=True))
    assert element(element(read(client.get("/")), "main"), "a", href="/organiser/new/")


def test_shows_a_private_tournament_to_its_umpires_only(client: Client) -> None:
    umpire = make_umpire(make_tournament(name="Club", players=4, public=False))
    assert "Club" not in words(read(client.get("/")))
    client.force_login(umpire)
    assert "Club" in words(read(client.get("/")))
