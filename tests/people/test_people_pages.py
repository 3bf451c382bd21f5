"""People across tournaments as everybody sees them, and as those see them who say who is who."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.support.factories import SYSTEM, make_organiser, make_tournament
from tests.support.pages import missing, organised
from tests.support.registrations import confirmed, make_plan
from tournament.base.models.people import Person, Player
from tournament.base.models.play import Hand
from tournament.base.models.tournament import Tournament
from tournament.people.selectors import find_people, head_to_head, person_page
from tournament.people.services import link_several, merge_people, show_person
from tournament.ranking.services import publish_standings

pytestmark = pytest.mark.stored

Two = tuple[Tournament, Tournament]


@pytest.fixture(scope="module")
def slugs(module_transaction: Callable[..., AbstractContextManager[None]]) -> Iterator[tuple[str, str]]:
    """The same sixteen at two tournaments, both played to the end."""
    with module_transaction():
        first, second = make_tournament(played=2), make_tournament(name="Second", played=2)
        link_several(first, SYSTEM, dict.fromkeys(range(1, 17)))
        link_several(second, SYSTEM, {player.number: player.person_id for player in first.players.all()})
        yield first.slug, second.slug


@pytest.fixture
def two(slugs: tuple[str, str]) -> Two:
    first, second = (Tournament.objects.get(slug=slug) for slug in slugs)
    return first, second


@pytest.fixture
def third(two: Two) -> Tournament:
    """Where nobody is known yet."""
    return make_tournament(players=8, drawn=False, name="Third")


def person(event: Tournament, number: int) -> Person:
    person = event.players.select_related("person").get(number=number).person
    assert person is not None
    return person


def address(somebody: Person) -> str:
    return Client().get(reverse("person", args=[somebody.pk]))["Location"]


@pytest.mark.thorough
def test_figures_are_of_both_tournaments_and_ranks_as_published(two: Two) -> None:
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


def test_the_page_has_every_tournament_and_who_was_met(client: Client, two: Two) -> None:
    answer = client.get(address(person(two[0], 3)))
    assert missing(answer.text, "Björn Lindqvist", "Second") == []
    assert answer.text.count('class="made"') == len(person_page(person(two[0], 3)).fans)
    assert sum(len(fans) for _points, fans in answer.context["collection"]) == 81
    someone = person(two[0], 3)
    other, times = person_page(someone).met[0]
    there, back = head_to_head(someone, other), head_to_head(other, someone)
    assert len(there.tables) == len(back.tables) == times
    assert (there.ahead, there.won_off) == (back.ahead[::-1], back.won_off[::-1])
    assert there.points == back.points[::-1]


def test_what_is_hidden_or_private_counts_for_nothing(two: Two) -> None:
    someone = person(two[0], 3)
    whole = person_page(someone).statistics.hands
    Tournament.objects.filter(pk=two[1].pk).update(is_public=False)
    assert person_page(someone).statistics.hands == whole / 2
    two[0].sessions.filter(number=2).update(hidden=True)
    assert person_page(someone).statistics.hands == whole / 4
    Tournament.objects.filter(pk=two[0].pk).update(is_public=False)
    assert Client().get(reverse("person", args=[someone.pk])).status_code == 404
    assert find_people("lindqvist") == []


def test_who_has_asked_not_to_be_shown_is_initials(client: Client, two: Two) -> None:
    someone = person(two[0], 3)
    other = person_page(someone).met[0][0]
    show_person(someone, SYSTEM, shown=False)
    answer = client.get(reverse("person", args=[someone.pk]))
    assert ("B. L." in answer.text, "Lindqvist" in answer.text) == (True, False)
    assert (answer["X-Robots-Tag"], 'content="noindex"' in answer.text) == ("noindex", True)
    assert "Lindqvist" not in client.get(address(other)).text
    assert find_people("lindqvist") == []
    assert client.get(reverse("head_to_head", args=[someone.pk, other.pk])).status_code == 404
    resource = client.get(f"/api/v1/people/{someone.pk}/").json()
    assert resource["person"] == {"id": someone.pk, "name": "B. L."}
    assert resource["tournaments"] == []


def test_somebody_is_found_in_any_script_and_no_strange_address(client: Client, two: Two) -> None:
    slugs = ["0", "x", "99999", "9" * 30, "-1", "３", "1é"]
    assert [s for s in slugs if client.get(reverse("person", args=[s])).status_code != 404] == []
    Person.objects.filter(pk=person(two[0], 3).pk).update(ema_number="01234567")
    searches = ["bjorn", "LINDQVIST björn", "lind", "张", "01234567"]
    assert all(client.get(reverse("people"), {"q": words}).context["people"] for words in searches)


def test_who_was_merged_is_found_by_either_name(client: Client, two: Two, third: Tournament) -> None:
    third.players.filter(number=3).update(last_name="Lindkvist", ema_number="")
    link_several(third, SYSTEM, {3: None})
    known, again = person(two[0], 3), person(third, 3)
    Person.objects.filter(pk=again.pk).update(ema_number="04990001")
    again.refresh_from_db()
    merge_people(again, SYSTEM, known)
    assert find_people("lindkvist") == find_people("04990001") == [known]
    assert client.get(reverse("person", args=[again.pk]))["Location"] == address(known)
    client.force_login(make_organiser(third))
    for words in ("lindkvist", "04990001"):
        assert client.get(reverse("persons"), {"q": words}).context["people"] == [known]


def test_nobody_is_looked_for_before_the_name_is(two: Two) -> None:
    """Whether somebody has played in public costs the most for each person, so it is asked of those alone who are
    called so."""
    with CaptureQueriesContext(connection) as queries:
        find_people("lindqvist")
    (query,) = queries.captured_queries
    assert query["sql"].index("LIKE") < query["sql"].index("EXISTS")
    assert query["sql"].count("EXISTS") == 1


def test_an_organiser_says_yes_no_and_new_on_one_page(client: Client, two: Two, third: Tournament) -> None:
    client.force_login(make_organiser(third))
    there = reverse("organiser_people", args=[third.slug])
    assert "same name, same country" in client.get(there).text
    known = person(two[0], 3)
    client.post(there, {"player-3": str(known.pk), "player-4": "new", "player-5": ""})
    assert person(third, 3) == known
    assert person(third, 4) != person(two[0], 4)
    assert third.players.get(number=5).person is None
    not_them = reverse("organiser_not_them", args=[third.slug, 5])
    client.post(not_them, {"person": str(person(two[0], 5).pk)})
    assert 5 not in [player.number for player, _proposals in client.get(there).context["proposed"]]
    client.post(reverse("organiser_people_undo", args=[third.slug]))
    assert not third.players.exclude(person=None).exists()


def test_known_people_are_proposed_when_entered(client: Client, two: Two) -> None:
    event = organised(client, name="Empty", players=0, drawn=False)
    known = person(two[0], 3)
    new = reverse("organiser_player_new", args=[event.slug])
    entered = {"last_name": known.last_name, "first_name": known.first_name, "country": known.country}
    page = client.post(new, entered, follow=True)
    assert page.context["proposed"] == [(known, "same name, same country")]
    stranger = {"last_name": "Nobody", "first_name": "Knows", "country": "DNK"}
    assert client.post(new, stranger, follow=True).context["may_be_known"] == 1
    client.post(reverse("organiser_people", args=[event.slug]), {"player-1": str(known.pk)})
    assert client.get(reverse("organiser_players", args=[event.slug])).context["may_be_known"] == 0
    make_plan(event)
    registration = confirmed(event, 3)
    page = client.get(reverse("organiser_registration", args=[event.slug, registration.number]))
    assert [why for _person, why in page.context["proposed"]] == ["same name, same country"]


def test_two_are_made_one_and_two_again(client: Client, two: Two, third: Tournament) -> None:
    link_several(third, SYSTEM, {3: None})
    again, known = person(third, 3), person(two[0], 3)
    client.force_login(make_organiser(third))
    pairs = client.get(reverse("persons")).context["pairs"]
    assert [(first, other) for first, other, _why in pairs] == [(again, known)]
    both = {"one": again.pk, "into": known.pk}
    assert "Are these the same person?" in client.get(reverse("persons"), both).text
    client.post(reverse("persons_merge"), both)
    assert person(third, 3) == known
    client.post(reverse("persons_undo", args=[again.changes.get(what="merged").pk]))
    assert person(third, 3) == again


def test_somebody_is_erased_at_all_of_ones_tournaments_from_one_page(client: Client, two: Two) -> None:
    someone, owner = person(two[0], 3), make_organiser(two[0])
    two[0].memberships.update(role="owner")
    client.force_login(owner)
    there = reverse("persons_erase", args=[someone.pk])
    erasable = client.get(there).context["erasable"]
    assert [player.tournament for player in erasable.own] == [two[0]]
    assert [player.tournament for player in erasable.others] == [two[1]]
    assert there in client.get(reverse("persons"), {"q": "lindqvist"}).text
    assert client.post(there, {"name": "Somebody Else"}).status_code == 422
    client.post(there, {"name": someone.name})
    assert two[0].players.get(number=3).name == "Player 3"
    assert two[1].players.get(number=3).person == someone


def test_programs_read_people_and_say_who_is_who(client: Client, two: Two, third: Tournament) -> None:
    json = "application/json"
    client.force_login(make_organiser(third))
    there = f"/api/v1/tournaments/{third.slug}/people/"
    proposed = client.get(there).json()[2]["proposals"][0]
    assert proposed["reasons"] == ["same_name", "same_country"]
    key = proposed["person"]["id"]
    assert client.post(there, [{"player": 3, "person": key}], content_type=json).json()[2]["person"] == key
    assert client.delete(there).json()[2]["person"] is None
    own = f"/api/v1/tournaments/{third.slug}/players/3/person/"
    assert client.put(own, {"person": key}, content_type=json).status_code == 204
    assert client.delete(own).status_code == 204
    assert client.get(f"/api/v1/people/{key}/").json()["won"] == person_page(person(two[0], 3)).statistics.won
    assert client.get("/api/v1/people/?q=lindqvist").json()[0]["id"] == key


def test_nobody_of_a_private_tournament_is_linked_by_a_form_or_a_program(
    client: Client, third: Tournament
) -> None:
    secret = make_tournament(players=4, drawn=False, name="Secret", public=False)
    link_several(secret, SYSTEM, {3: None})
    key = str(person(secret, 3).pk)
    client.force_login(make_organiser(third))
    page = client.post(reverse("organiser_people", args=[third.slug]), {"player-1": key})
    assert page.status_code == 422
    json, there = "application/json", f"/api/v1/tournaments/{third.slug}/"
    refused = client.post(f"{there}people/", [{"player": 1, "person": int(key)}], content_type=json)
    assert (refused.status_code, refused.json()["problems"][0]["code"]) == (422, "nobody_to_link")
    assert client.put(f"{there}players/1/person/", {"person": int(key)}, content_type=json).status_code == 404
    assert client.delete(f"{there}players/1/person/?person={key}").status_code == 404
    assert not third.players.exclude(person=None).exists()


def test_private_tournaments_of_somebody_known_are_not_listed(
    client: Client, two: Two, third: Tournament
) -> None:
    someone, other = person(two[0], 3), person(two[0], 4)
    Tournament.objects.filter(pk=two[1].pk).update(is_public=False)
    client.force_login(make_organiser(third))
    page = client.get(reverse("persons"), {"one": someone.pk, "into": other.pk})
    assert [player.tournament for player in page.context["moving"]] == [two[0]]
    (listed,) = client.get(reverse("persons"), {"q": "lindqvist"}).context["people"]
    assert listed.played == 1


@pytest.mark.thorough
def test_four_tournaments_take_as_many_queries_as_two(client: Client, two: Two) -> None:
    here = address(person(two[0], 3))

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert client.get(here).status_code == 200
        return len(captured)

    few = queries()
    for number in range(2):
        event = make_tournament(players=8, sessions=1, played=1, name=f"Event {number}")
        event.players.filter(number=3).update(person=person(two[0], 3))
    assert queries() == few
