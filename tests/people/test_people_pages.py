"""Pages and API of people across tournaments, public and for organisers."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.support.factories import SYSTEM, entrant, make_organiser, make_tournament, make_user
from tests.support.pages import missing, organised
from tests.support.registrations import confirmed, make_plan
from tournament.base.models.people import Person, Player
from tournament.base.models.play import Hand
from tournament.base.models.tournament import Membership, Tournament
from tournament.people.selectors import find_people, head_to_head, person_page
from tournament.people.services import link_players, merge_people, set_person_shown
from tournament.players.services.players import add_players
from tournament.ranking.services import publish_standings

Two = tuple[Tournament, Tournament]


@pytest.fixture(scope="module")
def slugs(module_transaction: Callable[..., AbstractContextManager[None]]) -> Iterator[tuple[str, str]]:
    """Two finished tournaments with the same sixteen players."""
    with module_transaction():
        first, second = make_tournament(played=2), make_tournament(name="Second", played=2)
        link_players(first, SYSTEM, dict.fromkeys(range(1, 17)))
        link_players(second, SYSTEM, {player.number: player.person_id for player in first.players.all()})
        yield first.slug, second.slug


@pytest.fixture
def two(slugs: tuple[str, str]) -> Two:
    first, second = (Tournament.objects.get(slug=slug) for slug in slugs)
    return first, second


@pytest.fixture
def third(two: Two) -> Tournament:
    """A tournament without links to people."""
    return make_tournament(players=8, drawn=False, name="Third")


def person(event: Tournament, number: int) -> Person:
    person = event.players.select_related("person").get(number=number).person
    assert person is not None
    return person


def address(known: Person) -> str:
    return Client().get(reverse("person", args=[known.pk]))["Location"]


@pytest.mark.thorough
def test_a_persons_statistics_cover_both_tournaments(two: Two) -> None:
    for number in (1, 8):
        players = Player.objects.filter(person=person(two[0], number))
        won = Hand.objects.filter(winner__in=players, is_current=True)
        page = person_page(person(two[0], number))
        assert page.statistics.won == won.count()
        assert page.statistics.dealt_in == Hand.objects.filter(discarder__in=players, is_current=True).count()
        assert page.fans == Counter(fan["key"] for hand in won for fan in hand.fans)
    publish_standings(two[0], SYSTEM, reason="It is time")
    ranks = {entry.tournament: entry.rank for entry in person_page(person(two[0], 3)).entries}
    row = next(row for row in two[0].publications.get().rows if row["number"] == 3)
    assert ranks == {two[0]: row["rank"], two[1]: None}


def test_the_page_lists_tournaments_and_people_met(client: Client, two: Two) -> None:
    answer = client.get(address(person(two[0], 3)))
    assert missing(answer.text, "Björn Lindqvist", "Second") == []
    assert answer.text.count('class="achieved"') == len(person_page(person(two[0], 3)).fans)
    assert sum(len(fans) for _points, fans in answer.context["collection"]) == 81
    somebody = person(two[0], 3)
    other, times = person_page(somebody).met[0]
    comparison, reverse_comparison = head_to_head(somebody, other), head_to_head(other, somebody)
    assert len(comparison.tables) == len(reverse_comparison.tables) == times
    for name in ("tables_ahead", "wins_by_discard", "points"):
        assert getattr(comparison, name) == getattr(reverse_comparison, name)[::-1]


def test_hidden_sessions_and_private_tournaments_are_left_out(two: Two) -> None:
    somebody = person(two[0], 3)
    all_hands = person_page(somebody).statistics.hands
    Tournament.objects.filter(pk=two[1].pk).update(is_public=False)
    assert person_page(somebody).statistics.hands == all_hands / 2
    two[0].sessions.filter(number=2).update(hidden=True)
    assert person_page(somebody).statistics.hands == all_hands / 4
    Tournament.objects.filter(pk=two[0].pk).update(is_public=False)
    assert Client().get(reverse("person", args=[somebody.pk])).status_code == 404
    assert find_people("lindqvist") == []


def test_a_hidden_person_is_shown_as_initials(client: Client, two: Two) -> None:
    somebody = person(two[0], 3)
    other = person_page(somebody).met[0][0]
    set_person_shown(somebody, SYSTEM, shown=False)
    answer = client.get(reverse("person", args=[somebody.pk]))
    assert ("B. L." in answer.text, "Lindqvist" in answer.text) == (True, False)
    assert (answer["X-Robots-Tag"], 'content="noindex"' in answer.text) == ("noindex", True)
    assert "Lindqvist" not in client.get(address(other)).text
    assert find_people("lindqvist") == []
    assert client.get(reverse("head_to_head", args=[somebody.pk, other.pk])).status_code == 404
    data = client.get(f"/api/v1/people/{somebody.pk}/").json()
    assert data["person"] == {"id": somebody.pk, "name": "B. L."}
    assert data["tournaments"] == []


def test_people_are_found_in_any_script_and_invalid_slugs_are_404(client: Client, two: Two) -> None:
    slugs = ["0", "x", "99999", "9" * 30, "-1", "３", "1é"]
    assert [s for s in slugs if client.get(reverse("person", args=[s])).status_code != 404] == []
    Person.objects.filter(pk=person(two[0], 3).pk).update(ema_number="01234567")
    searches = ["bjorn", "LINDQVIST björn", "lind", "张", "01234567"]
    assert all(client.get(reverse("people"), {"q": words}).context["people"] for words in searches)


def test_a_merged_person_is_found_by_either_name(client: Client, two: Two, third: Tournament) -> None:
    third.players.filter(number=3).update(last_name="Lindkvist", ema_number="")
    link_players(third, SYSTEM, {3: None})
    known, duplicate = person(two[0], 3), person(third, 3)
    Person.objects.filter(pk=duplicate.pk).update(ema_number="04990001")
    duplicate.refresh_from_db()
    merge_people(duplicate, SYSTEM, known)
    assert find_people("lindkvist") == find_people("04990001") == [known]
    assert client.get(reverse("person", args=[duplicate.pk]))["Location"] == address(known)
    client.force_login(make_organiser(two[0]))
    for words in ("lindkvist", "04990001"):
        assert client.get(reverse("persons"), {"q": words}).context["people"] == [known]


def test_the_search_filters_by_name_before_the_subquery(two: Two) -> None:
    """The subquery for public tournaments is the most expensive condition."""
    with CaptureQueriesContext(connection) as queries:
        find_people("lindqvist")
    (query,) = queries.captured_queries
    assert query["sql"].index("LIKE") < query["sql"].index("EXISTS")
    assert query["sql"].count("EXISTS") == 1


def test_an_organiser_links_rejects_and_creates_people_on_one_page(
    client: Client, two: Two, third: Tournament
) -> None:
    client.force_login(make_organiser(third))
    url = reverse("organiser_known_people", args=[third.slug])
    assert "same name, same country" in client.get(url).text
    known = person(two[0], 3)
    client.post(url, {"player-3": str(known.pk), "player-4": "new", "player-5": ""})
    assert person(third, 3) == known
    assert person(third, 4) != person(two[0], 4)
    assert third.players.get(number=5).person is None
    not_them = reverse("organiser_person_reject", args=[third.slug, 5])
    client.post(not_them, {"person": str(person(two[0], 5).pk)})
    assert 5 not in [player.number for player, _proposals, _likeliest in client.get(url).context["proposed"]]
    client.post(reverse("organiser_people_undo", args=[third.slug]))
    assert not third.players.exclude(person=None).exists()


def test_a_person_is_chosen_for_one_of_two_namesakes(client: Client, two: Two, third: Tournament) -> None:
    add_players(third, SYSTEM, [replace(entrant(3), number=9)])
    client.force_login(make_organiser(third))
    url, known = reverse("organiser_known_people", args=[third.slug]), person(two[0], 3)

    def likeliest() -> dict[int, Person | None]:
        return {player.number: likeliest for player, _, likeliest in client.get(url).context["proposed"]}

    assert (likeliest()[3], likeliest()[9]) == (known, None)
    link_players(third, SYSTEM, {3: known.pk})
    assert 9 not in likeliest(), "whoever plays already is nobody else here"


def test_people_are_proposed_for_new_players_and_registrations(client: Client, two: Two) -> None:
    event = organised(client, name="Empty", players=0, drawn=False)
    known = person(two[0], 3)
    new = reverse("organiser_person_new", args=[event.slug])
    everybody = reverse("organiser_people", args=[event.slug])
    entered = {"last_name": known.last_name, "first_name": known.first_name, "country": known.country}
    page = client.post(new, entered, follow=True)
    assert page.context["proposed"] == [(known, "same name, same country")]
    stranger = {"last_name": "Nobody", "first_name": "Knows", "country": "DNK"}
    client.post(new, stranger)
    assert client.get(everybody).context["may_be_known"] == 1
    client.post(reverse("organiser_known_people", args=[event.slug]), {"player-1": str(known.pk)})
    assert client.get(everybody).context["may_be_known"] == 0
    make_plan(event)
    registration = confirmed(event, 3)
    page = client.get(reverse("organiser_person", args=[event.slug, registration.roster_key]))
    assert [reasons for _person, reasons in page.context["proposed"]] == ["same name, same country"]


def test_two_people_are_merged_and_the_merge_is_undone(client: Client, two: Two, third: Tournament) -> None:
    link_players(third, SYSTEM, {3: None})
    duplicate, known = person(third, 3), person(two[0], 3)
    client.force_login(olga := make_organiser(third))
    Membership.objects.create(tournament=two[0], user=olga, role="organiser")
    pairs = client.get(reverse("persons")).context["pairs"]
    assert [(first, other) for first, other, _reasons in pairs] == [(duplicate, known)]
    both = {"person": duplicate.pk, "into": known.pk}
    assert "Are these the same person?" in client.get(reverse("persons"), both).text
    client.post(reverse("persons_merge"), both)
    assert person(third, 3) == known
    client.post(reverse("persons_undo", args=[duplicate.changes.get(what="merged").pk]))
    assert person(third, 3) == duplicate


def test_a_person_is_erased_at_all_own_tournaments(client: Client, two: Two) -> None:
    somebody, owner = person(two[0], 3), make_organiser(two[0])
    two[0].memberships.update(role="owner")
    client.force_login(owner)
    url = reverse("persons_erase", args=[somebody.pk])
    erasable = client.get(url).context["erasable"]
    assert [player.tournament for player in erasable.own] == [two[0]]
    assert [player.tournament for player in erasable.others] == [two[1]]
    assert url in client.get(reverse("persons"), {"q": "lindqvist"}).text
    assert client.post(url, {"name": "Somebody Else"}).status_code == 422
    client.post(url, {"name": somebody.name})
    assert two[0].players.get(number=3).name == "Player 3"
    assert two[1].players.get(number=3).person == somebody


def test_the_api_reads_people_and_links_players(client: Client, two: Two, third: Tournament) -> None:
    json = "application/json"
    client.force_login(make_organiser(third))
    url = f"/api/v1/tournaments/{third.slug}/people/"
    proposed = client.get(url).json()[2]["proposals"][0]
    assert proposed["reasons"] == ["same_name", "same_country"]
    key = proposed["person"]["id"]
    assert client.post(url, [{"player": 3, "person": key}], content_type=json).json()[2]["person"] == key
    assert client.delete(url).json()[2]["person"] is None
    own = f"/api/v1/tournaments/{third.slug}/players/3/person/"
    assert client.put(own, {"person": key}, content_type=json).status_code == 204
    assert client.delete(own).status_code == 204
    assert client.get(f"/api/v1/people/{key}/").json()["won"] == person_page(person(two[0], 3)).statistics.won
    assert client.get("/api/v1/people/?q=lindqvist").json()[0]["id"] == key


def test_people_of_a_private_tournament_cannot_be_linked_elsewhere(client: Client, third: Tournament) -> None:
    secret = make_tournament(players=4, drawn=False, name="Secret", public=False)
    link_players(secret, SYSTEM, {3: None})
    key = str(person(secret, 3).pk)
    client.force_login(make_organiser(third))
    page = client.post(reverse("organiser_known_people", args=[third.slug]), {"player-1": key})
    assert page.status_code == 422
    json, url = "application/json", f"/api/v1/tournaments/{third.slug}/"
    refused = client.post(f"{url}people/", [{"player": 1, "person": int(key)}], content_type=json)
    assert (refused.status_code, refused.json()["problems"][0]["code"]) == (422, "nobody_to_link")
    assert client.put(f"{url}players/1/person/", {"person": int(key)}, content_type=json).status_code == 404
    assert client.delete(f"{url}players/1/person/?person={key}").status_code == 404
    assert not third.players.exclude(person=None).exists()


def test_people_of_other_organisers_tournaments_are_not_listed_and_cannot_be_changed(
    client: Client, two: Two, third: Tournament
) -> None:
    """Neither on the page nor by a program."""
    link_players(third, SYSTEM, {3: None})
    own, known, json = person(third, 3), person(two[0], 3), "application/json"
    client.force_login(make_organiser(third))
    page = client.get(reverse("persons"), {"q": "lindqvist"})
    assert page.context["people"] == [own]
    both = {"person": own.pk, "into": known.pk}
    assert client.get(reverse("persons"), both).status_code == 404
    assert client.post(reverse("persons_merge"), both).status_code == 403
    assert client.post(reverse("persons_visibility", args=[known.pk]), {"shown": "no"}).status_code == 403
    api = f"/api/v1/people/{known.pk}/"
    assert client.patch(api, {"shown": False}, content_type=json).status_code == 403
    assert client.post(f"{api}merging/", {"into": own.pk}, content_type=json).status_code == 403
    assert client.patch(f"/api/v1/people/{own.pk}/", {"shown": False}, content_type=json).status_code == 200
    client.force_login(make_user("nina", staff=True))
    assert client.get(reverse("persons")).status_code == 403, (
        "nobody is hers before she organises a tournament"
    )


def test_private_tournaments_are_not_listed_to_others(client: Client, two: Two) -> None:
    somebody, other = person(two[0], 3), person(two[0], 4)
    Tournament.objects.filter(pk=two[1].pk).update(is_public=False)
    client.force_login(make_organiser(two[0]))
    page = client.get(reverse("persons"), {"person": somebody.pk, "into": other.pk})
    assert [player.tournament for player in page.context["players"]] == [two[0]]
    (listed,) = client.get(reverse("persons"), {"q": "lindqvist"}).context["people"]
    assert listed.played == 1


@pytest.mark.thorough
def test_the_number_of_queries_does_not_grow_with_tournaments(client: Client, two: Two) -> None:
    url = address(person(two[0], 3))

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert client.get(url).status_code == 200
        return len(captured)

    few = queries()
    for number in range(2):
        event = make_tournament(players=8, sessions=1, played=1, name=f"Event {number}")
        event.players.filter(number=3).update(person=person(two[0], 3))
    assert queries() == few
