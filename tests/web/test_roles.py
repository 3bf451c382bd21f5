"""Each role sees what it can do: where it lands, which links and buttons its pages have."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.house.event import House
from tests.support.factories import PASSWORD, make_member, make_tournament
from tests.support.html import attribute, elements, read
from tournament.models import Role, Tournament
from tournament.selectors.rota import rota_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Tournament:
    return make_tournament(running=1)


def signed_in(event: Tournament, role: Role) -> Client:
    client = Client()
    client.force_login(make_member(event, role, "nina"))
    return client


@pytest.mark.parametrize(
    ("role", "page"),
    [
        (Role.CHIEF, "umpire_tables"),
        (Role.UMPIRE, "umpire_tables"),
        (Role.SCORER, "umpire_tables"),
        (Role.SCREENS, "organiser_screens"),
        (Role.OBSERVER, "organiser_board"),
    ],
)
def test_a_role_lands_where_its_work_is(client: Client, event: Tournament, role: Role, page: str) -> None:
    make_member(event, role, "nina")
    answer = client.post(reverse("login"), {"username": "nina", "password": PASSWORD}, follow=True)
    assert answer.redirect_chain[-1][0] == reverse(page, args=[event.slug])
    assert answer.status_code == 200


@pytest.mark.parametrize("role", [Role.DESK, Role.TREASURER])
def test_the_desk_and_the_treasurer_land_on_a_page_of_their_own(event: Tournament, role: Role) -> None:
    answer = signed_in(event, role).get(reverse("umpire_home"), follow=True)
    assert answer.status_code == 200
    assert answer.redirect_chain[-1][0].startswith(f"/organiser/{event.slug}/")


@pytest.mark.parametrize(
    "page", ["board", "players", "penalties", "rota", "announcements", "screens", "staff", "log"]
)
def test_an_observer_s_pages_have_nothing_to_press(event: Tournament, page: str) -> None:
    answer = signed_in(event, Role.OBSERVER).get(reverse(f"organiser_{page}", args=[event.slug]))
    main = next(iter(elements(read(answer), "main")))
    assert answer.status_code == 200
    assert list(elements(main, "form", method="post")) == []


def test_an_observer_s_board_leads_nowhere_that_is_closed(event: Tournament) -> None:
    observer = signed_in(event, Role.OBSERVER)
    page = read(observer.get(reverse("organiser_board", args=[event.slug])))
    urls = {attribute(link, "href").partition("#")[0] for link in elements(page, "a")}
    assert [url for url in urls if url.startswith("/") and observer.get(url).status_code == 403] == []


def test_the_links_of_a_page_open_for_whoever_sees_them(event: Tournament) -> None:
    for role in Role:
        client = Client()
        client.force_login(make_member(event, role, f"nina-{role.value}"))
        way = client.get(reverse("umpire_home"), follow=True)
        ways = {attribute(link, "href") for nav in elements(read(way), "nav") for link in elements(nav, "a")}
        refused = [
            url for url in ways if url.startswith("/organiser/") and client.get(url).status_code != 200
        ]
        assert refused == [], role


def test_the_rota_is_proposed_saved_and_on_the_umpire_s_page(event: Tournament) -> None:
    umpire = signed_in(event, Role.UMPIRE)
    chief = Client()
    chief.force_login(make_member(event, Role.CHIEF, "chiara"))
    edit = reverse("organiser_rota_edit", args=[event.slug])
    form = chief.get(f"{edit}?propose").context["form"]
    assert not rota_of(event).is_set
    chief.post(edit, {name: field.initial for name, field in form.fields.items()})
    assert "Your tables" in umpire.get(reverse("umpire_tables", args=[event.slug])).text


def test_what_is_wrong_with_a_rota_is_said_at_its_place(event: Tournament) -> None:
    make_member(event, Role.UMPIRE, "udo")
    chief = signed_in(event, Role.CHIEF)
    edit = reverse("organiser_rota_edit", args=[event.slug])
    first, second, *_ = chief.get(edit).context["form"].fields
    answer = chief.post(edit, {first: "all", second: "1"})
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == [first]
    assert 'value="all"' in answer.text


def test_a_chief_umpire_names_a_committee_on_the_page_of_appeals(event: Tournament) -> None:
    house = House()
    chief, appeal = house.client("chief umpire"), house.appeals[house.public.slug]
    members = [house.people[role].pk for role in ("chief umpire", "umpire", "organiser")]
    url = reverse("appeal_committee", args=[house.public.slug, appeal.uuid])
    answer = chief.post(url, {f"c-{appeal.uuid}-members": members})
    assert answer.status_code == 302
    assert sorted(user.pk for user in appeal.committee.all()) == sorted(members)
