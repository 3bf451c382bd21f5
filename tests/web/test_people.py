"""People across tournaments as everybody sees them, and as those see them who say who is who."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.support.factories import SYSTEM, make_organiser, make_tournament
from tests.support.registrations import confirmed, make_plan
from tournament.models import Hand, Person, Player, Tournament
from tournament.selectors.head_to_head import head_to_head
from tournament.selectors.known_people import name_key
from tournament.selectors.persons import find_people, person_page
from tournament.services.people import link_several
from tournament.services.persons import merge_people, show_person
from tournament.services.tournaments import publish_standings

pytestmark = pytest.mark.django_db


@pytest.fixture
def two() -> tuple[Tournament, Tournament]:
    """The same sixteen at two tournaments, both played to the end."""
    first, second = make_tournament(played=2), make_tournament(name="Second", played=2)
    link_several(first, SYSTEM, dict.fromkeys(range(1, 17)))
    link_several(second, SYSTEM, {one.number: one.person_id for one in first.players.all()})
    return first, second


def person(event: Tournament, number: int) -> Person:
    found = event.players.select_related("person").get(number=number).person
    assert found is not None
    return found


def address(one: Person) -> str:
    return Client().get(reverse("person", args=[one.pk]))["Location"]


def test_the_figures_are_those_of_both_tournaments(two: tuple[Tournament, Tournament]) -> None:
    for number in range(1, 17):
        mine = Player.objects.filter(person=person(two[0], number))
        won = Hand.objects.filter(winner__in=mine, is_current=True)
        stats = person_page(person(two[0], number)).statistics
        assert stats.won == won.count()
        assert stats.dealt_in == Hand.objects.filter(discarder__in=mine, is_current=True).count()
        fans = Counter(fan["key"] for hand in won for fan in hand.fans)
        assert person_page(person(two[0], number)).fans == fans


def test_rank_and_points_are_those_that_were_published(two: tuple[Tournament, Tournament]) -> None:
    publish_standings(two[0], SYSTEM, reason="It is time")
    told = {entry.tournament: entry.rank for entry in person_page(person(two[0], 3)).entries}
    row = next(row for row in two[0].publications.get().rows if row["number"] == 3)
    assert told == {two[0]: row["rank"], two[1]: None}


def test_the_page_says_it_all(client: Client, two: tuple[Tournament, Tournament]) -> None:
    text = client.get(address(person(two[0], 3))).text
    assert "Björn Lindqvist" in text
    assert "Second" in text
    assert text.count('class="made"') == len(person_page(person(two[0], 3)).fans)


def test_the_collection_has_81_fans(client: Client, two: tuple[Tournament, Tournament]) -> None:
    answer = client.get(address(person(two[0], 3)))
    assert sum(len(fans) for _points, fans in answer.context["collection"]) == 81


def test_what_is_hidden_or_private_counts_for_nothing(two: tuple[Tournament, Tournament]) -> None:
    someone = person(two[0], 3)
    whole = person_page(someone).statistics.hands
    Tournament.objects.filter(pk=two[1].pk).update(is_public=False)
    assert person_page(someone).statistics.hands == whole / 2
    two[0].sessions.filter(number=2).update(hidden=True)
    assert person_page(someone).statistics.hands == whole / 4
    Tournament.objects.filter(pk=two[0].pk).update(is_public=False)
    assert Client().get(reverse("person", args=[someone.pk])).status_code == 404
    assert find_people("lindqvist") == []


def test_head_to_head_is_the_same_from_both_sides(two: tuple[Tournament, Tournament]) -> None:
    one = person(two[0], 3)
    other = person_page(one).met[0][0]
    there, back = head_to_head(one, other), head_to_head(other, one)
    assert len(there.tables) == len(back.tables) == person_page(one).met[0][1]
    assert there.ahead == back.ahead[::-1]
    assert there.won_off == back.won_off[::-1]
    assert there.points == back.points[::-1]


def test_who_has_asked_not_to_be_shown_is_initials(
    client: Client, two: tuple[Tournament, Tournament]
) -> None:
    someone = person(two[0], 3)
    other = person_page(someone).met[0][0]
    show_person(someone, SYSTEM, shown=False)
    answer = client.get(reverse("person", args=[someone.pk]))
    assert "B. L." in answer.text
    assert "Lindqvist" not in answer.text
    assert (answer["X-Robots-Tag"], 'content="noindex"' in answer.text) == ("noindex", True)
    assert "Lindqvist" not in client.get(address(other)).text
    assert find_people("lindqvist") == []
    assert client.get(reverse("head_to_head", args=[someone.pk, other.pk])).status_code == 404
    told = client.get(f"/api/v1/people/{someone.pk}/").json()
    assert (told["person"], told["tournaments"]) == ({"id": someone.pk, "name": "B. L."}, [])


def test_the_address_of_who_was_merged_leads_on(client: Client, two: tuple[Tournament, Tournament]) -> None:
    third = make_tournament(players=8, drawn=False, name="Third")
    link_several(third, SYSTEM, {3: None})
    again = person(third, 3)
    merge_people(again, SYSTEM, person(two[0], 3))
    assert client.get(reverse("person", args=[again.pk]))["Location"] == address(person(two[0], 3))


@pytest.mark.parametrize("slug", ["0", "x", "99999", "9" * 30, "-1", "３", "1é"])
def test_nobodys_address_is_not_found(slug: str, client: Client) -> None:
    assert client.get(reverse("person", args=[slug])).status_code == 404


@pytest.mark.parametrize("wanted", ["bjorn", "LINDQVIST björn", "lind", "张", "01234567"])
def test_somebody_is_found_in_any_script_and_order(
    wanted: str, client: Client, two: tuple[Tournament, Tournament]
) -> None:
    Person.objects.filter(pk=person(two[0], 3).pk).update(ema_number="01234567")
    assert client.get(reverse("people"), {"q": wanted}).context["people"]


def test_who_was_merged_is_found_by_either_name(client: Client, two: tuple[Tournament, Tournament]) -> None:
    third = make_tournament(players=8, drawn=False, name="Third")
    third.players.filter(number=3).update(last_name="Lindkvist", ema_number="")
    link_several(third, SYSTEM, {3: None})
    known, again = person(two[0], 3), person(third, 3)
    Person.objects.filter(pk=again.pk).update(ema_number="04990001")
    again.refresh_from_db()
    merge_people(again, SYSTEM, known)
    assert find_people("lindkvist") == find_people("04990001") == [known]
    client.force_login(make_organiser(third))
    for wanted in ("lindkvist", "04990001"):
        assert client.get(reverse("persons"), {"q": wanted}).context["people"] == [known]


def test_nobody_is_looked_for_before_the_name_is(two: tuple[Tournament, Tournament]) -> None:
    """Whether somebody has played in public costs the most for each person, so it is asked of those alone who are
    called so."""
    with CaptureQueriesContext(connection) as queries:
        find_people("lindqvist")
    (asked,) = queries.captured_queries
    assert asked["sql"].index("LIKE") < asked["sql"].index("EXISTS")
    assert asked["sql"].count("EXISTS") == 1


def test_an_organiser_says_yes_no_and_new_on_one_page(client: Client) -> None:
    first, second = make_tournament(played=1), make_tournament(name="Second", drawn=False)
    link_several(first, SYSTEM, dict.fromkeys(range(1, 17)))
    client.force_login(make_organiser(second))
    there = reverse("organiser_people", args=[second.slug])
    page = client.get(there)
    assert "same name, same country" in page.text
    key = person(first, 3).pk
    client.post(there, {"player-3": str(key), "player-4": "new", "player-5": ""})
    assert person(second, 3).pk == key
    assert person(second, 4) != person(first, 4)
    assert second.players.get(number=5).person is None
    client.post(reverse("organiser_not_them", args=[second.slug, 5]), {"person": str(person(first, 5).pk)})
    assert [one for one, _ in client.get(there).context["proposed"] if one.number == 5] == []
    client.post(reverse("organiser_people_undo", args=[second.slug]))
    assert not second.players.exclude(person=None).exists()


def test_whoever_is_entered_by_hand_and_may_be_known_is_asked_about_at_once(client: Client) -> None:
    first, second = make_tournament(played=1), make_tournament(name="Second", players=0, drawn=False)
    link_several(first, SYSTEM, dict.fromkeys(range(1, 17)))
    client.force_login(make_organiser(second))
    known = person(first, 3)
    entered = {"last_name": known.last_name, "first_name": known.first_name, "country": known.country}
    page = client.post(reverse("organiser_player_new", args=[second.slug]), entered, follow=True)
    assert page.context["proposed"] == [(known, "same name, same country")]
    stranger = {"last_name": "Nobody", "first_name": "Knows", "country": "DNK"}
    page = client.post(reverse("organiser_player_new", args=[second.slug]), stranger, follow=True)
    assert page.context["may_be_known"] == 1
    client.post(reverse("organiser_people", args=[second.slug]), {"player-1": str(known.pk)})
    assert client.get(reverse("organiser_players", args=[second.slug])).context["may_be_known"] == 0


def test_who_registers_and_may_be_known_is_said_with_the_reasons(client: Client) -> None:
    first, second = make_tournament(played=1), make_tournament(name="Second", players=0, drawn=False)
    link_several(first, SYSTEM, dict.fromkeys(range(1, 17)))
    make_plan(second)
    registration = confirmed(second, 2)
    client.force_login(make_organiser(second))
    page = client.get(reverse("organiser_registration", args=[second.slug, registration.number]))
    assert [why for _person, why in page.context["proposed"]] == ["same name, same country"]


def test_two_are_made_one_and_two_again(client: Client, two: tuple[Tournament, Tournament]) -> None:
    third = make_tournament(players=8, drawn=False, name="Third")
    link_several(third, SYSTEM, {3: None})
    again, known = person(third, 3), person(two[0], 3)
    client.force_login(make_organiser(third))
    pairs = client.get(reverse("persons")).context["pairs"]
    assert [(one, other) for one, other, _why in pairs] == [(again, known)]
    look = client.get(reverse("persons"), {"one": again.pk, "into": known.pk})
    assert "Are the two one person?" in look.text
    client.post(reverse("persons_merge"), {"one": again.pk, "into": known.pk})
    assert person(third, 3) == known
    client.post(reverse("persons_undo", args=[again.changes.get(what="merged").pk]))
    assert person(third, 3) == again


def test_somebody_is_erased_at_all_of_ones_tournaments_from_one_page(
    client: Client, two: tuple[Tournament, Tournament]
) -> None:
    someone, owner = person(two[0], 3), make_organiser(two[0])
    two[0].memberships.update(role="owner")
    client.force_login(owner)
    there = reverse("persons_erase", args=[someone.pk])
    page = client.get(there)
    theirs = page.context["theirs"]
    assert [one.tournament for one in theirs.mine] == [two[0]]
    assert [one.tournament for one in theirs.others] == [two[1]]
    assert there in client.get(reverse("persons"), {"q": "lindqvist"}).text
    assert client.post(there, {"name": "Somebody Else"}).status_code == 422
    client.post(there, {"name": someone.name})
    assert two[0].players.get(number=3).name == "Player 3"
    assert two[1].players.get(number=3).person == someone


def test_programs_read_people_and_say_who_is_who(client: Client, two: tuple[Tournament, Tournament]) -> None:
    third, json = make_tournament(players=8, drawn=False, name="Third"), "application/json"
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


# --- many -----------------------------------------------------------------------------------------------------------
def test_thirty_tournaments_ask_as_two_do(client: Client, two: tuple[Tournament, Tournament]) -> None:
    here = address(person(two[0], 3))

    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert client.get(here).status_code == 200
        return len(queries)

    few = asked()
    for n in range(28):
        event = make_tournament(players=8, sessions=1, played=1, name=f"Event {n}")
        event.players.filter(number=3).update(person=person(two[0], 3))
    assert asked() == few


@pytest.mark.thorough
def test_among_twenty_thousand_players_somebody_is_found_at_once(client: Client) -> None:
    first = make_tournament(players=4, drawn=False)
    day = date(2020, 1, 1)
    events = Tournament.objects.bulk_create(
        Tournament(
            slug=f"e{n}",
            name=f"E {n}",
            starts_on=day,
            ends_on=day + timedelta(days=1),
            rules_snapshot=first.rules_snapshot,
        )
        for n in range(500)
    )
    people = Person.objects.bulk_create(
        Person(first_name=f"Ana {n}", last_name=f"Lima {n % 97}", key=name_key(f"Ana {n}", f"Lima {n % 97}"))
        for n in range(5000)
    )
    Player.objects.bulk_create(
        Player(tournament=event, number=n, last_name="Lima", person=people[(k * 40 + n) % 5000])
        for k, event in enumerate(events)
        for n in range(1, 41)
    )
    client.get(reverse("people"), {"q": "lima 42"})
    with CaptureQueriesContext(connection) as queries:
        page = client.get(reverse("people"), {"q": "lima 42 ana"})
    assert page.context["people"]
    assert len(queries) < 12
