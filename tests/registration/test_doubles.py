"""Nobody is entered twice unasked, by whichever door: the form, the desk, entering, a player by hand, a list."""

from collections.abc import Sequence
from itertools import combinations
from uuid import uuid4

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from tests.support.checks import refused_problems
from tests.support.factories import SYSTEM, edited, make_tournament
from tests.support.pages import missing, refused_page
from tests.support.pages import organiser_url as at
from tests.support.programs import Program
from tests.support.registrations import applicant, confirmed, make_plan, states
from tests.support.sampling import examples
from tournament.base.engine.names import name_key
from tournament.base.errors import Refused
from tournament.base.models.people import Player
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament
from tournament.dues.models import Fee
from tournament.dues.services import charge_debtors, set_fees
from tournament.players.selectors.doubles import probable_doubles, repeated_people
from tournament.players.selectors.players import Entrant
from tournament.players.services.players import add_player, add_players, withdraw_player
from tournament.registration.services.admissions import (
    add_registrations,
    decide,
    enter_registered,
    undo_step,
)
from tournament.roster.engine import EnterAs
from tournament.roster.exports.list_import import ListImport, ListInput
from tournament.roster.services.importing import enter_people

EVENT_WITH = {"players": 0, "drawn": False}
JURGEN = {"last_name": "Müller", "first_name": "Jürgen", "country": "DEU"}
STATE = Registration.State


def enter(event: Tournament, *people: Entrant) -> list[Player]:
    return add_players(event, SYSTEM, people)


def a_player(event: Tournament, **fields: str) -> Player:
    return Player(tournament=event, **JURGEN | fields)


def a_registration(**fields: str) -> Registration:
    return Registration(**JURGEN | fields)


class TestWhoIsProbablyTheSame:
    def test_by_number_or_by_name_without_different_numbers(self, event: Tournament) -> None:
        make_plan(event)
        known = enter(event, Entrant("Müller", "Jürgen", "DEU", "05000001"), Entrant("张", "伟", "CHN"))
        registered = confirmed(event, 1, last_name="Nowak", first_name="Anna")
        people = [
            Entrant("MULLER", "Jurgen"),
            Entrant("Mueller", "J.", ema_number="05000001"),
            Entrant("Müller", "Jürgen", ema_number="05000002"),
            Entrant("张伟", ema_number="24000001"),
            Entrant("anna", "NOWAK"),
            Entrant("Nowak", "Ana"),
        ]
        doubles = probable_doubles(event, people)
        assert doubles == [known[0], known[0], None, known[1], registered, None]
        assert probable_doubles(event, people, players=False) == [None] * 4 + [registered, None]
        assert probable_doubles(event, people, registrations=False)[4] is None

    def test_nobody_is_their_own_double_and_a_registered_player_counts_once(self, event: Tournament) -> None:
        make_plan(event)
        registration = confirmed(event, 1)
        (player,) = enter_registered(event, SYSTEM, [1])
        registration.refresh_from_db()
        assert probable_doubles(event, [registration, player]) == [None, None]
        assert probable_doubles(event, [applicant(1)]) == [player]

    def test_cancelled_and_declined_registrations_do_not_count(self, event: Tournament) -> None:
        make_plan(event)
        confirmed(event, 1), confirmed(event, 2)
        assert None not in probable_doubles(event, [applicant(1), applicant(2)])
        decide(event, SYSTEM, [1], STATE.CANCELLED)
        decide(event, SYSTEM, [2], STATE.DECLINED)
        assert probable_doubles(event, [applicant(1), applicant(2)]) == [None, None]

    def test_of_several_the_one_of_the_same_country_is_taken(self, event: Tournament) -> None:
        _swede, dane = enter(event, Entrant("Berg", "Anna", "SWE"), Entrant("Berg", "Anna", "DNK"))
        assert probable_doubles(event, [Entrant("BERG", "Anna", "DNK")]) == [dane]

    def test_rows_are_compared_with_those_before_them(self) -> None:
        first, other, again = Entrant("Berg", "Anna"), Entrant("Lee", "Bo"), Entrant("anna", "berg")
        assert repeated_people([first, other, again]) == [None, None, first]

    def test_it_takes_two_queries(self, event: Tournament) -> None:
        make_plan(event)
        enter(event, *(Entrant(f"Player {number}") for number in range(9)))
        confirmed(event, 1), confirmed(event, 2)
        with CaptureQueriesContext(connection) as queries:
            probable_doubles(event, list(event.registrations.all()))
        assert len(queries) == 3, "with the one of the test"


class TestOnePerson:
    def test_a_player_is_asked_about_and_confirmed(self, event: Tournament) -> None:
        enter(event, Entrant("MULLER", "Jurgen"))
        assert refused_problems(add_player, a_player(event), SYSTEM) == [("probable_double", "last_name")]
        assert add_player(a_player(event), SYSTEM, is_another_person=True).number == 2

    def test_registrations_are_asked_about_by_row(self, event: Tournament) -> None:
        make_plan(event)
        enter(event, Entrant("MULLER", "Jurgen"))
        rows = [applicant(1), a_registration(), applicant(1)]
        refused = refused_problems(add_registrations, event, SYSTEM, rows)
        assert refused == [("probable_double", "1.last_name"), ("probable_double", "2.last_name")]
        add_registrations(event, SYSTEM, rows, apart=[1, 2])
        assert event.registrations.count() == 3

    def test_the_page_of_a_player_asks_and_loses_nothing(self, olga: Client, event: Tournament) -> None:
        make_plan(event)
        confirmed(event, 1, **JURGEN)
        url, fields = (
            f"{at(event, 'person_new')}?as=players",
            JURGEN | {"country": "Germany", "club": "Berlin"},
        )
        assert "This is another person" not in olga.get(url).text
        page = refused_page(olga.post(url, fields))
        assert (
            missing(
                page,
                "Jürgen Müller is probably the same person as Jürgen Müller, Germany, registration no. 1.",
                "This is another person",
                'value="Berlin"',
            )
            == []
        )
        page = refused_page(olga.post(url, fields | {"is_another_person": "on", "ema_number": "1"}))
        assert "This is another person" in page, "the answer stays while something else is wrong"
        olga.post(url, fields | {"is_another_person": "on"})
        assert event.players.get().club == "Berlin"

    def test_the_desk_is_asked(self, olga: Client, event: Tournament) -> None:
        make_plan(event)
        enter(event, Entrant("Müller", "Jürgen", number=10))
        url = at(event, "person_new")
        assert missing(refused_page(olga.post(url, JURGEN)), "player no. 10", "This is another person") == []
        assert not event.registrations.exists()
        olga.post(url, JURGEN | {"is_another_person": "on"})
        assert states(event) == {1: "accepted"}

    def test_programs_confirm(self, organiser_client: Program, event: Tournament) -> None:
        make_plan(event)
        enter(event, Entrant("Müller", "Jürgen"))
        url = f"/api/v1/tournaments/{event.slug}/"
        answer = organiser_client.post(f"{url}players/", JURGEN)
        assert [problem["code"] for problem in answer.json()["problems"]] == ["probable_double"]
        assert (
            organiser_client.post(f"{url}players/", JURGEN | {"is_another_person": True}).status_code == 201
        )
        several = {"registrations": [JURGEN]}
        assert organiser_client.post(f"{url}registrations/list/", several).status_code == 422
        assert organiser_client.post(f"{url}registrations/list/", several | {"apart": [0]}).status_code == 201
        step = {"step": "enter", "registrations": [1]}
        assert organiser_client.post(f"{url}registrations/steps/", step).status_code == 422
        organiser_client.post(f"{url}registrations/steps/", step | {"same": [1]})
        assert event.players.filter(registration__number=1).exists()


class TestEntering:
    def test_the_same_person_is_linked_and_this_is_undone(self, event: Tournament) -> None:
        make_plan(event)
        (player,) = enter(event, Entrant("MULLER", "Jurgen", club="Berlin"))
        confirmed(event, 1, **JURGEN, club="Bonn", ema_number="05000001"), confirmed(event, 2)
        assert refused_problems(enter_registered, event, SYSTEM, [1, 2]) == [
            ("probable_double", "1.last_name")
        ]
        entered = enter_registered(event, SYSTEM, [1, 2], same=[1])
        assert [person.number for person in entered] == [1, 2]
        player.refresh_from_db()
        assert (player.registration.number, player.last_name) == (1, "MULLER")
        assert (player.club, player.country, player.ema_number) == ("Berlin", "DEU", "05000001")
        undo_step(event, SYSTEM, event.version)
        assert list(event.players.values_list("last_name", "club", "country", "ema_number")) == [
            ("MULLER", "Berlin", "", "")
        ]
        assert not event.registrations.exclude(player=None).exists()
        assert states(event) == {1: "accepted", 2: "accepted"}

    def test_who_owes_twice_owes_once_until_undone(self, event: Tournament) -> None:
        make_plan(event)
        set_fees(event, SYSTEM, [Fee(name="All", amount=40)])
        (player,) = enter(event, Entrant("Müller", "Jürgen"))
        charge_debtors(event, SYSTEM, batch=uuid4())
        confirmed(event, 1, **JURGEN)
        assert event.dues.count() == 2
        paid = event.dues.get(player=player)
        enter_registered(event, SYSTEM, [1], same=[1])
        assert event.dues.get().registration == event.registrations.get()
        undo_step(event, SYSTEM, event.version)
        assert event.dues.get() == paid
        assert event.dues.get().player == player

    def test_two_people_are_two_players(self, event: Tournament) -> None:
        make_plan(event)
        enter(event, Entrant("Müller", "Jürgen"))
        confirmed(event, 1, **JURGEN)
        assert [player.number for player in enter_registered(event, SYSTEM, [1], apart=[1])] == [2]

    def test_who_registered_twice_is_asked_about(self, event: Tournament) -> None:
        make_plan(event)
        confirmed(event, 1, **JURGEN), confirmed(event, 2, **JURGEN)
        assert refused_problems(enter_registered, event, SYSTEM, [1, 2]) == [
            ("probable_double", "2.last_name")
        ]
        enter_registered(event, SYSTEM, [1, 2], same=[2])
        assert event.players.count() == 1
        assert refused_problems(enter_registered, event, SYSTEM, [2], same=[2]) == [("nobody_chosen", "")]
        enter_registered(event, SYSTEM, [2], apart=[2])
        assert event.players.count() == 2

    def test_a_withdrawn_player_plays_again_until_undone(self, event: Tournament) -> None:
        make_plan(event)
        (player,) = enter(event, Entrant("Müller", "Jürgen"))
        withdraw_player(player, SYSTEM)
        confirmed(event, 1, **JURGEN)
        enter_registered(event, SYSTEM, [1], same=[1])
        assert not event.players.get().is_withdrawn
        undo_step(event, SYSTEM, event.version)
        assert event.players.get().is_withdrawn

    def test_a_number_that_was_filled_and_changed_since_stays(self, event: Tournament) -> None:
        make_plan(event)
        (player,) = enter(event, Entrant("Müller", "Jürgen"))
        confirmed(event, 1, **JURGEN, club="Bonn")
        enter_registered(event, SYSTEM, [1], same=[1])
        edited(player, club="Köln").save()
        undo_step(event, SYSTEM, event.version)
        assert (event.players.get().club, event.players.get().country) == ("Köln", "")

    def test_the_page_asks_before_anything_is_done(self, olga: Client, event: Tournament) -> None:
        make_plan(event)
        enter(event, Entrant("Müller", "Jürgen", "DEU", number=10), Entrant("Nowak", "Anna"))
        confirmed(event, 1, **JURGEN), confirmed(event, 2, last_name="Nowak", first_name="Anna")
        confirmed(event, 3)
        url = at(event, "step")
        preview = olga.post(url, {"step": "enter", "part": "coming", "all": "1"}).text
        same_person = "Probably the same person as Jürgen Müller, Germany, player no. 10"
        assert missing(preview, same_person, 'name="double_1" value="same" checked') == []
        everybody = {"step": "enter", "who": ["r1", "r2", "r3"], "do": "1"}
        page = refused_page(olga.post(url, everybody | {"back": "r1"}))
        assert missing(page, same_person, 'name="back" value="r1"') == [], (
            "the button on a registration's page"
        )
        page = refused_page(olga.post(url, everybody | {"double_2": "apart"}))
        assert (
            missing(page, 'name="double_1" value="same" checked', 'name="double_2" value="apart" checked')
            == []
        )
        olga.post(url, everybody | {"double_1": "same", "double_2": "apart"})
        linked = dict(event.registrations.values_list("number", "player__number"))
        assert (linked[1], event.players.count()) == (10, 4)
        assert "Players already: Jürgen Müller." in olga.get(at(event, "log")).text

    def test_a_registration_is_marked(self, olga: Client, event: Tournament) -> None:
        make_plan(event)
        confirmed(event, 1, **JURGEN)
        pages = [at(event, "people"), at(event, "person", "r1")]
        assert [url for url in pages if "also player no." in olga.get(url).text] == []
        enter(event, Entrant("Müller", "Jürgen", number=10))
        assert [url for url in pages if "also player no. 10" not in olga.get(url).text] == []
        decide(event, SYSTEM, [1], STATE.DECLINED)
        assert [url for url in pages if "also player no." in olga.get(url).text] == []


SPELLINGS = [("Müller", "Jürgen"), ("MULLER", "Jurgen"), ("Jürgen", "Müller"), ("张", "伟"), ("张伟", "")]
DOORS = ["player", "desk", "form", "entering", "list of players", "list of registrations"]
people = st.tuples(st.sampled_from(SPELLINGS), st.sampled_from(["", "05000001", "05000002"]))


class TestNobodyTwice(TestCase):
    @examples(30)
    @given(steps=st.lists(st.tuples(st.sampled_from(DOORS), people), min_size=2, max_size=7))
    def test_whatever_the_order_of_entrances(
        self, steps: Sequence[tuple[str, tuple[tuple[str, str], str]]]
    ) -> None:
        event = make_tournament(players=0, drawn=False)
        make_plan(event)
        by_desk: list[int] = []
        for n, (door, ((last_name, first_name), ema_number)) in enumerate(steps, 1):
            fields = {"last_name": last_name, "first_name": first_name, "ema_number": ema_number}
            try:
                match door:
                    case "player":
                        add_player(Player(tournament=event, **fields), SYSTEM)
                    case "desk":
                        add_registrations(event, SYSTEM, [registration := Registration(**fields)])
                        by_desk.append(registration.pk)
                    case "form":
                        confirmed(event, n, **fields)
                    case "list of players":
                        import_row(event, fields, EnterAs.PLAYERS)
                    case "list of registrations":
                        by_desk += import_row(event, fields, EnterAs.REGISTRATIONS)
                    case "entering":
                        enter_registered(event, SYSTEM, [row.number for row in event.registrations.all()])
            except Refused:
                pass
            unlinked = event.registrations.filter(pk__in=by_desk, player=None)
            there = [*event.players.all(), *unlinked]
            assert [pair for pair in combinations(there, 2) if _may_be_same(*pair)] == []


def import_row(event: Tournament, fields: dict[str, str], enter_as: EnterAs) -> list[int]:
    """Import a list of one person, if it raises no question; return the keys of new registrations."""
    row = [fields[name] for name in ("last_name", "first_name", "ema_number")]
    text = f"last name;first name;EMA number\n{';'.join(row)}\n"
    people = ListImport(event, ListInput(text.encode(), enter_as=enter_as))
    if people.problems:
        return []
    registrations = people.registrations
    enter_people(event, SYSTEM, entrants=people.entrants, registrations=registrations)
    return [registration.pk for registration in registrations]


def _may_be_same(first: Player | Registration, second: Player | Registration) -> bool:
    numbers = {first.ema_number, second.ema_number}
    is_named_alike = len({name_key(each.first_name, each.last_name) for each in (first, second)}) == 1
    return (is_named_alike and (len(numbers) == 1 or "" in numbers)) or (
        len(numbers) == 1 and "" not in numbers
    )
