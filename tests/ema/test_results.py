"""An event's results for the EMA: places and bases, what is missing, columns, the file; on pages and by program."""

import json
import re
from dataclasses import asdict
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.support.checks import newest_sentence, refused_codes
from tests.support.factories import (
    SYSTEM,
    end_appeals,
    entrant,
    evening,
    list_file,
    make_member,
    make_tournament,
    play_session,
    write_something,
)
from tests.support.html import attribute, element, elements, read, words
from tests.support.pages import missing
from tests.support.sampling import sample
from tournament.base.engine.finals import Carry
from tournament.base.engine.rules import Attendance
from tournament.base.models.documents import DocumentJob
from tournament.base.models.events import EventPage
from tournament.base.models.play import Seat
from tournament.base.models.tournament import Role, Tournament
from tournament.documents.exports.jobs import MAKERS
from tournament.ema.engine import DEFAULT, Column
from tournament.ema.exports import EMA
from tournament.ema.models import EmaColumns
from tournament.ema.selectors import (
    EmaResults,
    Found,
    Gap,
    columns_of,
    ema_results,
    weighed,
)
from tournament.ema.services import set_ema_columns
from tournament.events.services import set_event_page
from tournament.fouls.services import give_penalty, set_attendance
from tournament.play.engine.statements import Accusation
from tournament.players.services.players import add_players, withdraw_player
from tournament.ranking.engine.finals import FinalsOptions, FinalStage
from tournament.ranking.services import publish_standings
from tournament.seating.services.seatings import set_up_final

WORDS: Any = {"country": "FRA", "referees": "Uma Umpire", "mers": "ranked"}
CITY = [column if column.heading != "City" else Column("City", "text", "Lyon") for column in DEFAULT]
EVENT_WITH = {"players": 8, "sessions": 1, "played": 1}


def again(tournament: Tournament) -> Tournament:
    return Tournament.objects.get(pk=tournament.pk)


def results_of(tournament: Tournament) -> EmaResults:
    return ema_results(again(tournament))


def found_in(tournament: Tournament) -> list[Found]:
    return results_of(tournament).gaps


def gaps(tournament: Tournament) -> set[Gap]:
    return {found.gap for found in found_in(tournament)}


def base_of(tournament: Tournament, number: int) -> int | None:
    (base,) = (line.base for line in ema_results(tournament).lines if line.player.number == number)
    return base


@pytest.fixture
def played() -> Tournament:
    return make_tournament(players=8, sessions=1, played=1)


@pytest.fixture
def whole() -> Tournament:
    """An event of which nothing is missing."""
    event = make_tournament(players=8, sessions=1, played=1)
    for player in event.players.all():
        ema_number = f"0400{player.number:04}"
        event.players.filter(pk=player.pk).update(first_name="Ana", country="FRA", ema_number=ema_number)
    set_event_page(EventPage(tournament=event, **WORDS), SYSTEM)
    set_ema_columns(event, SYSTEM, CITY)
    publish_standings(event, SYSTEM)
    end_appeals(event)
    return event


class TestBases:
    def test_of_an_evening_fall_from_a_thousand_to_nothing(self) -> None:
        results = ema_results(evening())
        assert [line.base for line in results.lines][::5] == [1000, 667, 333, 0]
        assert results.placed == 16

    def test_are_shared_with_the_place(self, played: Tournament) -> None:
        Seat.objects.filter(table__session__tournament=played).update(game_points=0)
        write_something(played)
        assert {(line.place, line.base) for line in results_of(played).lines} == {(1, 1000)}

    def test_who_withdrew_after_playing_keeps_one_if_the_event_ranks_them(self, played: Tournament) -> None:
        before = base_of(played, 3)
        withdraw_player(played.players.get(number=3), SYSTEM)
        assert base_of(played, 3) == before
        set_attendance(again(played), SYSTEM, Attendance(withdrawn_ranked=False))
        results = results_of(played)
        *_, last_ranked, withdrawn = results.lines
        assert (results.placed, withdrawn.player.number) == (7, 3)
        assert (withdrawn.place, withdrawn.base, last_ranked.base) == (None, None, 0)
        assert [found.player for found in found_in(played) if found.gap is Gap.NO_PLACE] == [3]

    def test_follow_a_final_and_not_the_points_before_it(self) -> None:
        event = make_tournament(players=16, sessions=2, played=1)
        before = [line.player.number for line in ema_results(event).lines]
        set_up_final(event, SYSTEM, FinalsOptions(FinalStage(4, 4, Carry.HALF), 1, "lotto"))
        play_session(event.sessions.get(number=2))
        lines = results_of(event).lines
        assert {line.player.number for line in lines[:4]} == set(before[:4])
        assert lines[-1].base == 0

    def test_who_never_played_is_in_no_line(self, played: Tournament) -> None:
        add_players(played, SYSTEM, [entrant(9)])
        assert len(ema_results(played).lines) == 8
        assert Gap.NEVER_PLAYED in gaps(played)

    def test_substitutes_have_none_and_nobody_has_where_one_plays_alone(self, played: Tournament) -> None:
        played.players.filter(number=1).update(is_substitute=True)
        results = results_of(played)
        assert (results.placed, len(results.lines)) == (7, 7)
        played.players.filter(number__gt=2).update(is_substitute=True)
        write_something(played)
        assert [line.base for line in results_of(played).lines] == [None]
        assert Gap.FEW in gaps(played)


def test_weight_counts_three_substitutes_at_most_and_nobody_who_withdrew_before_playing() -> None:
    event = make_tournament(players=8, drawn=False)
    event.players.filter(number=8).update(withdrawn_at=timezone.now())
    assert weighed(event, EventPage()).players == 7
    event.players.filter(number__lte=5).update(is_substitute=True)
    weight = weighed(event, EventPage())
    assert (weight.players, weight.substitutes) == (2, 3)


def test_a_guest_counts_for_the_country_of_the_event() -> None:
    """MERS: guest numbers begin with 24."""
    event = make_tournament(players=8, drawn=False)
    event.players.update(country="FRA", ema_number="")
    event.players.filter(number=1).update(country="JPN", ema_number="24000001")
    event.players.filter(number=2).update(country="CHN", ema_number="05000001")
    own_country, elsewhere = (weighed(event, EventPage(country=code)) for code in ("FRA", "ITA"))
    assert (own_country.counted_countries, elsewhere.counted_countries) == (2, 3)
    assert dict(own_country.countries) == {"FRA": 6, "JPN": 1, "CHN": 1}, (
        "who comes from where stays as it is"
    )


def test_file_weight_and_reports_state_one_number_of_participants(played: Tournament) -> None:
    """Who withdrew after playing is one, whether the event ranks them or not."""
    withdraw_player(played.players.get(number=3), SYSTEM)
    for is_ranked in (True, False):
        set_attendance(again(played), SYSTEM, Attendance(withdrawn_ranked=is_ranked))
        results = results_of(played)
        rows = json.loads(list_file(EMA, again(played), "json"))["rows"]
        assert {row["Number of participants"] for row in rows} == {8}
        assert results.weighed.players == 8
        for kind in (DocumentJob.Kind.OBSERVER, DocumentJob.Kind.REPORT):
            job = DocumentJob(tournament=again(played), kind=kind, language="en", paper="a4")
            facts = dict(re.findall(r"<span>(.*?)</span> <b>(.*?)</b>", MAKERS[kind](job).text))
            assert facts["Participants"] == "8", (kind, is_ranked)


class TestGaps:
    def test_name_all_of_an_event_that_said_nothing(self, played: Tournament) -> None:
        assert gaps(played) >= {
            *(Gap.NOT_FINAL, Gap.NOT_COUNTED, Gap.EVENT_COUNTRY, Gap.REFEREE),
            *(Gap.NUMBER_MISSING, Gap.COLUMN_EMPTY),
        }
        event = make_tournament(players=8, drawn=False)
        assert {Gap.SESSIONS, Gap.FEW} <= gaps(event), "it has no hand yet"
        assert Gap.NEVER_PLAYED not in gaps(event)

    def test_nothing_is_missing_and_a_chief_umpire_is_referee(self, whole: Tournament) -> None:
        assert gaps(whole) == set()
        set_event_page(EventPage(tournament=whole, **WORDS | {"referees": ""}), SYSTEM)
        assert gaps(whole) == {Gap.REFEREE}
        make_member(whole, Role.CHIEF, "carla")
        assert gaps(whole) == set()

    def test_what_may_change_or_was_corrected_is_not_final(self, whole: Tournament) -> None:
        whole.sessions.update(closed_at=timezone.now() - timedelta(minutes=1))
        assert gaps(whole) == {Gap.MAY_CHANGE}
        end_appeals(whole)
        whole.publications.update(rows=[])
        assert Gap.NOT_FINAL in gaps(whole)

    def test_of_a_player_lead_to_the_player(self, whole: Tournament) -> None:
        players = whole.players.filter(number=5)
        before = players.values("country", "ema_number", "first_name", "erased_at").get()
        for change, gap in (
            ({"country": ""}, Gap.COUNTRY),
            ({"ema_number": ""}, Gap.NUMBER_MISSING),
            ({"ema_number": "123"}, Gap.NUMBER_MALFORMED),
            ({"ema_number": "0400000x"}, Gap.NUMBER_MALFORMED),
            ({"ema_number": "04000001"}, Gap.NUMBER_TWICE),
            ({"ema_number": "05000123"}, Gap.NUMBER_ELSEWHERE),
            ({"first_name": ""}, Gap.NAME),
            ({"erased_at": timezone.now()}, Gap.NAME),
        ):
            players.update(**before | change)
            assert [(found.gap, found.player) for found in found_in(whole)] == [(gap, 5)], change
        players.update(**before | {"country": "CHN", "ema_number": ""})
        assert gaps(whole) == set(), "a country without a federation gives no number"

    def test_sums_that_are_wrong_and_tables_without_a_hand_lead_to_the_table(self, whole: Tournament) -> None:
        table = whole.sessions.get().tables.get(number=2)
        seat = table.seats.all()[0]
        Seat.objects.filter(pk=seat.pk).update(game_points=seat.game_points + 5)
        wrong = [found for found in found_in(whole) if found.gap is Gap.GAME_POINTS]
        assert [(found.session, found.table, found.params["points"]) for found in wrong] == [(1, 2, 5)]
        table.hands.all().delete()
        type(table).objects.filter(pk=table.pk).update(hands_played=0)
        assert Gap.EMPTY_TABLE in gaps(whole)

    def test_points_that_a_penalty_took_are_no_wrong_sum(self) -> None:
        event = make_tournament(players=8, sessions=1, running=2)
        table = event.sessions.get().tables.get(number=1)
        give_penalty(table, SYSTEM, Accusation(1, "false_hu", 1), uuid=uuid4())
        event.sessions.update(state="closed", closed_at=timezone.now())
        assert Gap.GAME_POINTS not in gaps(event)

    def test_another_rulebook_is_noted_and_hidden_sessions_count(self) -> None:
        event = make_tournament(players=8, sessions=2, played=1, rulebook="mwt")
        assert [found.is_note for found in found_in(event) if found.gap is Gap.RULEBOOK] == [True]
        event.sessions.update(hidden=True)
        assert len(ema_results(event).lines) == 8


class TestColumns:
    def test_are_the_usual_ones_until_somebody_changes_them_in_order(self, played: Tournament) -> None:
        assert columns_of(played) == DEFAULT
        set_ema_columns(played, SYSTEM, CITY)
        before = played.log.count()
        set_ema_columns(played, SYSTEM, CITY)
        assert played.log.count() == before, "the same again writes nothing"
        set_ema_columns(played, SYSTEM, DEFAULT)
        assert not EmaColumns.objects.exists()
        columns = [Column(" Base ", "mers_base", "forgotten"), Column("Place", "place")]
        set_ema_columns(played, SYSTEM, columns)
        assert columns_of(played) == (Column("Base", "mers_base"), Column("Place", "place"))
        assert newest_sentence(played) == "The results file for the EMA has 2 columns."

    def test_are_refused_with_all_that_is_wrong(self, played: Tournament) -> None:
        for columns, codes in (
            ([], {"ema_columns_missing"}),
            ([Column("", "place")], {"ema_heading_missing"}),
            ([Column("A", "place"), Column("A", "number")], {"ema_heading_twice"}),
            ([Column("A", "shoe_size")], {"ema_field_unknown"}),
            ([Column("A" * 300, "text", "\0")], {"text_too_long", "text_unreadable"}),
            ([Column(str(n), "place") for n in range(41)], {"ema_columns_too_many"}),
        ):
            assert set(refused_codes(set_ema_columns, played, SYSTEM, columns)) == codes

    def test_that_are_needed_and_gone_are_named(self, whole: Tournament) -> None:
        set_ema_columns(whole, SYSTEM, [Column("Name", "last_name"), Column("Nation", "country_name")])
        gone = [found.params["heading"] for found in found_in(whole) if found.gap is Gap.COLUMN_MISSING]
        assert gone == ["Place", "EMA number", "Table points", "Score"]


def at(event: Tournament, name: str = "ema") -> str:
    return reverse(f"organiser_{name}", args=[event.slug])


def api(event: Tournament, more: str = "") -> str:
    return f"/api/v1/tournaments/{event.slug}/ema/{more}"


class TestThePage:
    def test_says_what_is_missing_with_links_to_pages(self, olga: Client, event: Tournament) -> None:
        event.players.filter(number=5).update(country="", ema_number="1")
        page = olga.get(at(event))
        assert "Håkan Dupont has no country." in page.text
        gaps = element(read(page), "ul", class_="lines")
        links = [attribute(link, "href") for link in elements(gaps, "a")]
        assert reverse("organiser_player", args=[event.slug, 5]) in {link.split("#")[0] for link in links}
        assert f"{reverse('organiser_event_page', args=[event.slug])}#id_country" in links
        assert len(links) > 5
        some = sample(sorted(set(links)), 2)
        assert {olga.get(link.split("#")[0], follow=True).status_code for link in some} == {200}

    def test_shows_what_a_place_is_worth_and_gives_the_file(self, olga: Client, event: Tournament) -> None:
        assert missing(words(read(olga.get(at(event)))), "1000 × 7 ÷ 7 1000", "1000 × 0 ÷ 7 0") == []
        files = [f"/organiser/{event.slug}/ema.{form}" for form in ("xlsx", "csv")]
        for file in map(olga.get, files):
            assert file.status_code == 200
            assert f"{event.slug}-ema." in file.headers["Content-Disposition"]
        for name in ("results.xlsx", "results.csv"):
            assert len(olga.get(api(event, name)).content) > 500
        addresses = (at(event), at(event, "ema_columns"), *files)
        assert [Client().get(address).status_code for address in addresses] == [302] * 4
        assert Client().get(api(event)).status_code in (401, 403)
        early = make_tournament(players=8, drawn=False, name="Early")
        event.memberships.update(tournament=early)
        assert olga.get(at(early)).status_code == 200, "before the first hand, too"


class TestColumnsOnTheirPage:
    def save(self, olga: Client, event: Tournament, **changes: str) -> Any:
        count = str(len(DEFAULT))
        fields = {"form-TOTAL_FORMS": count, "form-INITIAL_FORMS": count}
        for n, column in enumerate(DEFAULT):
            values = asdict(column) | {"ORDER": str(n + 1)}
            fields |= {f"form-{n}-{name}": value for name, value in values.items()}
        return olga.post(at(event, "ema_columns"), fields | changes)

    def test_are_saved_in_order_and_come_back_as_usual(self, olga: Client, event: Tournament) -> None:
        changes = {"form-2-ORDER": "0", "form-12-text": "Lyon", "form-17-DELETE": "on"}
        self.save(olga, event, **changes)
        columns = columns_of(event)
        assert columns[0].heading == "Place"
        assert [column.text for column in columns if column.heading == "City"] == ["Lyon"]
        assert "Extra" not in [column.heading for column in columns]
        olga.post(at(event, "ema_usual"))
        assert columns_of(event) == DEFAULT

    def test_that_are_wrong_are_said_at_their_line(self, olga: Client, event: Tournament) -> None:
        page = self.save(olga, event, **{"form-1-heading": "Place", "form-3-heading": "Vorname"})
        assert page.status_code == 422
        assert missing(page.text, "There are two columns “Place”.", "Vorname") == []
        assert olga.post(at(event, "ema_columns"), {}).status_code == 422
        assert not EmaColumns.objects.exists()


class TestPrograms:
    def test_read_all_of_it(self, olga: Client, event: Tournament) -> None:
        results = olga.get(api(event)).json()
        assert (results["participants"], results["weight"]["total"]) == (8, 2.5)
        assert results["lines"][0]["base"] == 1000
        assert {"ema_not_final", "ema_referee_missing"} <= {gap["code"] for gap in results["gaps"]}

    def test_write_the_columns_as_they_read_them(self, olga: Client, event: Tournament) -> None:
        columns = olga.get(api(event, "columns/")).json()
        columns[12]["text"] = "Lyon"
        response = olga.put(api(event, "columns/"), columns, content_type="application/json")
        assert (response.json(), columns_of(event)[12].text) == (columns, "Lyon")
        wrong = [{"heading": "", "field": "place"}]
        response = olga.put(api(event, "columns/"), wrong, content_type="application/json")
        assert (response.status_code, response.json()["problems"][0]["where"]) == (400, "0.heading")

    def test_reckon_scores_and_seats(self, client: Client) -> None:
        pairs = [(1000, 1), (1000, 1), (1000, 1), (501, 6), (500, 1)]
        results: Any = {"results": [{"base": base, "weight": weight} for base, weight in pairs]}
        score = client.post("/api/v1/mers/score/", results, content_type="application/json").json()
        assert score == {"part_a": "650.60", "part_b": "667.33", "score": "658.95", "exact": "658.97"}
        nations = [{"name": "FRA", "players": 60, "strong": 6}, {"name": "ITA", "players": 20, "strong": 2}]
        event = {"seats": 10, "nations": nations}
        shares = client.post("/api/v1/mers/quotas/", event, content_type="application/json").json()
        assert [share["total"] for share in shares] == [6, 4]


class TestReckoning:
    def reckoned(self, client: Client, name: str, **query: str) -> str:
        return words(element(read(client.get(reverse(name), query)), "main"))

    def test_scores_are_of_bases_or_places_and_wrong_lines_are_told(self, client: Client) -> None:
        bases = "1000 1\n1000, 1\n1000;1\n501\t6\n500 1"
        assert "Score 658.95" in self.reckoned(client, "mers", results=bases)
        places = "1/60 1 2026-01-01\n32/60 2 2025-01-01"
        assert "475 1" in self.reckoned(client, "mers", results=places, on="2026-11-01")
        assert "At least two results that have not expired" in self.reckoned(client, "mers", results="1000 1")
        text = self.reckoned(client, "mers", results="1000 1\nbest\n1001 1\n5/4 1\n5 0\n5 1 2026-02-30")
        assert [f"Line {n}," in text for n in range(1, 7)] == [False, True, True, True, True, True]

    def test_seats_are_shared_and_strange_lists_refused(self, client: Client) -> None:
        text = self.reckoned(client, "mers_quotas", seats="10", nations="Česko 60 6\nCôte d’Ivoire, 20, 2, 1")
        assert missing(text, "Česko", "Côte d’Ivoire") == []
        for nations in ("France", "1 2 3", "France -1 2", "\0 1 2", "x" * 9000, "A 1 1\n" * 201, " , , 9"):
            response = client.get(reverse("mers_quotas"), {"seats": "70", "nations": nations})
            assert response.status_code == 200, nations[:20]
            assert "error-summary" in response.text, nations[:20]
