"""Results for the EMA: bases, weight, gaps, columns and the file; pages and API."""

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
from tests.support.pages import organiser_url as at
from tests.support.sampling import sample
from tournament.base.engine.finals import Carry
from tournament.base.engine.rules import Attendance
from tournament.base.models.documents import DocumentJob
from tournament.base.models.events import EventPage
from tournament.base.models.play import Seat
from tournament.base.models.tournament import Role, Tournament
from tournament.documents.exports.jobs import DRAFT_BUILDERS
from tournament.ema.engine.columns import DEFAULT_COLUMNS, Column
from tournament.ema.exports import EMA
from tournament.ema.models import EmaColumns
from tournament.ema.selectors.results import (
    EmaResults,
    Gap,
    GapKind,
    columns_of,
    count_participation,
    ema_results,
)
from tournament.ema.services import set_ema_columns
from tournament.events.services import set_event_page
from tournament.fouls.services.foul_book import set_attendance
from tournament.fouls.services.penalties import give_penalty
from tournament.play.engine.statements import Accusation
from tournament.players.services.players import add_players, withdraw_player
from tournament.ranking.engine.finals import FinalsOptions, FinalStage
from tournament.ranking.services import publish_standings
from tournament.seating.services.seatings import set_up_final

WORDS: Any = {"country": "FRA", "referees": "Uma Umpire", "mers": "ranked"}
CITY = [column if column.heading != "City" else Column("City", "text", "Lyon") for column in DEFAULT_COLUMNS]
EVENT_WITH = {"players": 8, "sessions": 1, "played": 1}


def again(tournament: Tournament) -> Tournament:
    return Tournament.objects.get(pk=tournament.pk)


def results_of(tournament: Tournament) -> EmaResults:
    return ema_results(again(tournament))


def gaps_of(tournament: Tournament) -> list[Gap]:
    return results_of(tournament).gaps


def gap_kinds(tournament: Tournament) -> set[GapKind]:
    return {gap.kind for gap in gaps_of(tournament)}


def base_of(tournament: Tournament, number: int) -> int | None:
    (base,) = (line.base for line in ema_results(tournament).lines if line.player.number == number)
    return base


@pytest.fixture
def played() -> Tournament:
    return make_tournament(players=8, sessions=1, played=1)


@pytest.fixture
def complete() -> Tournament:
    """A tournament without gaps."""
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
    def test_fall_from_a_thousand_to_zero(self) -> None:
        results = ema_results(evening())
        assert [line.base for line in results.lines][::5] == [1000, 667, 333, 0]
        assert results.placed == 16

    def test_are_shared_with_the_place(self, played: Tournament) -> None:
        Seat.objects.filter(table__session__tournament=played).update(game_points=0)
        write_something(played)
        assert {(line.place, line.base) for line in results_of(played).lines} == {(1, 1000)}

    def test_of_withdrawn_players_depend_on_the_attendance_rules(self, played: Tournament) -> None:
        before = base_of(played, 3)
        withdraw_player(played.players.get(number=3), SYSTEM)
        assert base_of(played, 3) == before
        set_attendance(again(played), SYSTEM, Attendance(withdrawn_ranked=False))
        results = results_of(played)
        *_, last_ranked, withdrawn = results.lines
        assert (results.placed, withdrawn.player.number) == (7, 3)
        assert (withdrawn.place, withdrawn.base, last_ranked.base) == (None, None, 0)
        assert [gap.player for gap in gaps_of(played) if gap.kind is GapKind.NO_PLACE] == [3]

    def test_follow_a_final_and_not_the_points_before_it(self) -> None:
        event = make_tournament(players=16, sessions=2, played=1)
        before = [line.player.number for line in ema_results(event).lines]
        set_up_final(event, SYSTEM, FinalsOptions(FinalStage(4, 4, Carry.HALF), 1, "lotto"))
        play_session(event.sessions.get(number=2))
        lines = results_of(event).lines
        assert {line.player.number for line in lines[:4]} == set(before[:4])
        assert lines[-1].base == 0

    def test_leave_out_players_who_never_played(self, played: Tournament) -> None:
        add_players(played, SYSTEM, [entrant(9)])
        assert len(ema_results(played).lines) == 8
        assert GapKind.NEVER_PLAYED in gap_kinds(played)

    def test_need_two_players_and_leave_out_substitutes(self, played: Tournament) -> None:
        played.players.filter(number=1).update(is_substitute=True)
        results = results_of(played)
        assert (results.placed, len(results.lines)) == (7, 7)
        played.players.filter(number__gt=2).update(is_substitute=True)
        write_something(played)
        assert [line.base for line in results_of(played).lines] == [None]
        assert GapKind.FEW in gap_kinds(played)


def test_the_weight_counts_at_most_three_substitutes_and_no_withdrawn_players() -> None:
    event = make_tournament(players=8, drawn=False)
    event.players.filter(number=8).update(withdrawn_at=timezone.now())
    assert count_participation(event, EventPage()).players == 7
    event.players.filter(number__lte=5).update(is_substitute=True)
    weight = count_participation(event, EventPage())
    assert (weight.players, weight.substitutes) == (2, 3)


def test_a_guest_counts_for_the_country_of_the_event() -> None:
    """Guests' numbers begin with 24. Ruling of the EMA's presidium, 24 July 2018, 12 b."""
    event = make_tournament(players=8, drawn=False)
    event.players.update(country="FRA", ema_number="")
    event.players.filter(number=1).update(country="JPN", ema_number="24000001")
    event.players.filter(number=2).update(country="CHN", ema_number="05000001")
    own_country, elsewhere = (count_participation(event, EventPage(country=code)) for code in ("FRA", "ITA"))
    assert (own_country.counted_countries, elsewhere.counted_countries) == (2, 3)
    assert dict(own_country.countries) == {"FRA": 6, "JPN": 1, "CHN": 1}, "players keep their own countries"


def test_file_weight_and_reports_have_the_same_number_of_participants(played: Tournament) -> None:
    """Players who withdrew after playing count, whether they are ranked or not."""
    withdraw_player(played.players.get(number=3), SYSTEM)
    for is_ranked in (True, False):
        set_attendance(again(played), SYSTEM, Attendance(withdrawn_ranked=is_ranked))
        results = results_of(played)
        rows = json.loads(list_file(EMA, again(played), "json"))["rows"]
        assert {row["Number of participants"] for row in rows} == {8}
        assert results.participation.players == 8
        for kind in (DocumentJob.Kind.OBSERVER, DocumentJob.Kind.REPORT):
            job = DocumentJob(tournament=again(played), kind=kind, language="en", paper="a4")
            fields = dict(re.findall(r"<span>(.*?)</span> <b>(.*?)</b>", DRAFT_BUILDERS[kind](job).text))
            assert fields["Participants"] == "8", (kind, is_ranked)


class TestGaps:
    def test_are_many_for_a_new_event(self, played: Tournament) -> None:
        assert gap_kinds(played) >= {
            *(GapKind.NOT_FINAL, GapKind.NOT_COUNTED, GapKind.EVENT_COUNTRY, GapKind.REFEREE),
            *(GapKind.NUMBER_MISSING, GapKind.COLUMN_EMPTY),
        }
        event = make_tournament(players=8, drawn=False)
        assert {GapKind.SESSIONS, GapKind.FEW} <= gap_kinds(event), "no hand is recorded"
        assert GapKind.NEVER_PLAYED not in gap_kinds(event)

    def test_are_none_for_a_complete_event_with_final_standings(self, complete: Tournament) -> None:
        assert gap_kinds(complete) == set()
        set_event_page(EventPage(tournament=complete, **WORDS | {"referees": ""}), SYSTEM)
        assert gap_kinds(complete) == {GapKind.REFEREE}
        make_member(complete, Role.CHIEF, "carla")
        assert gap_kinds(complete) == set()
        complete.sessions.update(closed_at=timezone.now() - timedelta(minutes=1))
        assert gap_kinds(complete) == {GapKind.MAY_CHANGE}
        end_appeals(complete)
        complete.publications.update(rows=[])
        assert GapKind.NOT_FINAL in gap_kinds(complete)

    def test_of_players_have_the_players_number(self, complete: Tournament) -> None:
        players = complete.players.filter(number=5)
        before = players.values("country", "ema_number", "first_name", "erased_at").get()
        for change, kind in (
            ({"country": ""}, GapKind.COUNTRY),
            ({"ema_number": ""}, GapKind.NUMBER_MISSING),
            ({"ema_number": "123"}, GapKind.NUMBER_MALFORMED),
            ({"ema_number": "0400000x"}, GapKind.NUMBER_MALFORMED),
            ({"ema_number": "04000001"}, GapKind.NUMBER_TWICE),
            ({"ema_number": "05000123"}, GapKind.NUMBER_ELSEWHERE),
            ({"ema_number": "21000123"}, GapKind.NUMBER_PREFIX),
            ({"country": "CZE", "ema_number": ""}, GapKind.NUMBER_MISSING),
            ({"first_name": ""}, GapKind.NAME),
            ({"erased_at": timezone.now()}, GapKind.NAME),
        ):
            players.update(**before | change)
            assert [(gap.kind, gap.player) for gap in gaps_of(complete)] == [(kind, 5)], change
        players.update(**before | {"country": "CHN", "ema_number": ""})
        assert gap_kinds(complete) == set(), "a country without a federation issues no numbers"

    def test_a_number_that_begins_as_no_known_one_is_no_error(self, complete: Tournament) -> None:
        """Federations join, and how their numbers begin is published late; guests' numbers begin with 24."""
        complete.players.filter(number=5).update(country="CZE", ema_number="21000123")
        complete.players.filter(number=6).update(country="JPN", ema_number="24000123")
        assert [(gap.kind, gap.is_note) for gap in gaps_of(complete)] == [(GapKind.NUMBER_PREFIX, True)]

    def test_include_wrong_sums_and_empty_tables(self, complete: Tournament) -> None:
        table = complete.sessions.get().tables.get(number=2)
        seat = table.seats.all()[0]
        Seat.objects.filter(pk=seat.pk).update(game_points=seat.game_points + 5)
        wrong = [gap for gap in gaps_of(complete) if gap.kind is GapKind.GAME_POINTS]
        assert [(gap.session, gap.table, gap.params["points"]) for gap in wrong] == [(1, 2, 5)]
        table.hands.all().delete()
        type(table).objects.filter(pk=table.pk).update(hands_played=0)
        assert GapKind.EMPTY_TABLE in gap_kinds(complete)

    def test_ignore_penalties_in_the_sum_of_game_points(self) -> None:
        event = make_tournament(players=8, sessions=1, running=2)
        table = event.sessions.get().tables.get(number=1)
        give_penalty(table, SYSTEM, Accusation(1, "false_hu", 1), uuid=uuid4())
        event.sessions.update(state="closed", closed_at=timezone.now())
        assert GapKind.GAME_POINTS not in gap_kinds(event)

    def test_note_another_rulebook_and_count_hidden_sessions(self) -> None:
        event = make_tournament(players=8, sessions=2, played=1, rulebook="mwt")
        assert [gap.is_note for gap in gaps_of(event) if gap.kind is GapKind.RULEBOOK] == [True]
        event.sessions.update(hidden=True)
        assert len(ema_results(event).lines) == 8


class TestColumns:
    def test_have_defaults_and_can_be_changed(self, played: Tournament) -> None:
        assert columns_of(played) == DEFAULT_COLUMNS
        set_ema_columns(played, SYSTEM, CITY)
        before = played.log.count()
        set_ema_columns(played, SYSTEM, CITY)
        assert played.log.count() == before, "idempotent"
        set_ema_columns(played, SYSTEM, DEFAULT_COLUMNS)
        assert not EmaColumns.objects.exists()
        columns = [Column(" Base ", "mers_base", "forgotten"), Column("Place", "place")]
        set_ema_columns(played, SYSTEM, columns)
        assert columns_of(played) == (Column("Base", "mers_base"), Column("Place", "place"))
        assert newest_sentence(played) == "The results file for the EMA has 2 columns."

    def test_are_refused_with_all_problems(self, played: Tournament) -> None:
        for columns, codes in (
            ([], {"ema_columns_missing"}),
            ([Column("", "place")], {"ema_heading_missing"}),
            ([Column("A", "place"), Column("A", "number")], {"ema_heading_twice"}),
            ([Column("A", "shoe_size")], {"ema_field_unknown"}),
            ([Column("A" * 300, "text", "\0")], {"text_too_long", "text_unreadable"}),
            ([Column(str(n), "place") for n in range(41)], {"ema_columns_too_many"}),
        ):
            assert set(refused_codes(set_ema_columns, played, SYSTEM, columns)) == codes

    def test_that_are_required_and_missing_are_gaps(self, complete: Tournament) -> None:
        set_ema_columns(complete, SYSTEM, [Column("Name", "last_name"), Column("Nation", "country_name")])
        missing_headings = [
            gap.params["heading"] for gap in gaps_of(complete) if gap.kind is GapKind.COLUMN_MISSING
        ]
        assert missing_headings == ["Place", "EMA number", "Table points", "Score"]


def url_of(event: Tournament, name: str = "ema") -> str:
    return reverse(f"organiser_{name}", args=[event.slug])


def api(event: Tournament, path: str = "") -> str:
    return f"/api/v1/tournaments/{event.slug}/ema/{path}"


class TestPage:
    def test_lists_gaps_with_links(self, olga: Client, event: Tournament) -> None:
        event.players.filter(number=5).update(country="", ema_number="1")
        page = olga.get(url_of(event))
        assert "Håkan Dupont has no country." in page.text
        gaps = element(read(page), "ul", class_="lines")
        links = [attribute(link, "href") for link in elements(gaps, "a")]
        assert reverse("organiser_person", args=[event.slug, "p5"]) in {link.split("#")[0] for link in links}
        assert f"{reverse('organiser_event', args=[event.slug])}#id_page-country" in links
        assert len(links) > 5
        sampled = sample(sorted(set(links)), 2)
        assert {olga.get(link.split("#")[0], follow=True).status_code for link in sampled} == {200}

    def test_shows_bases_and_offers_the_file(self, olga: Client, event: Tournament) -> None:
        assert missing(words(read(olga.get(url_of(event)))), "1000 × 7 ÷ 7 1000", "1000 × 0 ÷ 7 0") == []
        files = [f"/organiser/{event.slug}/ema.{form}" for form in ("xlsx", "csv")]
        for file in map(olga.get, files):
            assert file.status_code == 200
            assert f"{event.slug}-ema." in file.headers["Content-Disposition"]
        for name in ("results.xlsx", "results.csv"):
            assert len(olga.get(api(event, name)).content) > 500
        assert [Client().get(address).status_code for address in (url_of(event), *files)] == [302] * 3
        assert Client().get(api(event)).status_code in (401, 403)
        early = make_tournament(players=8, drawn=False, name="Early")
        event.memberships.update(tournament=early)
        assert olga.get(url_of(early)).status_code == 200, "before the first hand"


class TestColumnsPage:
    def save(self, olga: Client, event: Tournament, **changes: str) -> Any:
        count = str(len(DEFAULT_COLUMNS))
        fields = {"form-TOTAL_FORMS": count, "form-INITIAL_FORMS": count}
        for n, column in enumerate(DEFAULT_COLUMNS):
            values = asdict(column) | {"ORDER": str(n + 1)}
            fields |= {f"form-{n}-{name}": value for name, value in values.items()}
        return olga.post(url_of(event), fields | changes)

    def test_are_saved_in_order_and_can_be_reset(self, olga: Client, event: Tournament) -> None:
        changes = {"form-2-ORDER": "0", "form-12-text": "Lyon", "form-17-DELETE": "on"}
        self.save(olga, event, **changes)
        columns = columns_of(event)
        assert columns[0].heading == "Place"
        assert [column.text for column in columns if column.heading == "City"] == ["Lyon"]
        assert "Extra" not in [column.heading for column in columns]
        olga.post(url_of(event, "ema_reset"))
        assert columns_of(event) == DEFAULT_COLUMNS

    def test_with_problems_show_them_in_their_row(self, olga: Client, event: Tournament) -> None:
        page = self.save(olga, event, **{"form-1-heading": "Place", "form-3-heading": "Vorname"})
        assert page.status_code == 422
        assert missing(page.text, "There are two columns “Place”.", "Vorname") == []
        assert olga.post(url_of(event), {}).status_code == 422
        assert not EmaColumns.objects.exists()


class TestApi:
    def test_read_results_and_gaps(self, olga: Client, event: Tournament) -> None:
        results = olga.get(api(event)).json()
        assert (results["participants"], results["weight"]["total"]) == (8, 2.5)
        assert results["lines"][0]["base"] == 1000
        assert {"ema_not_final", "ema_referee_missing"} <= {gap["code"] for gap in results["gaps"]}

    def test_write_columns_in_the_format_they_read(self, olga: Client, event: Tournament) -> None:
        columns = olga.get(api(event, "columns/")).json()
        columns[12]["text"] = "Lyon"
        response = olga.put(api(event, "columns/"), columns, content_type="application/json")
        assert (response.json(), columns_of(event)[12].text) == (columns, "Lyon")
        invalid = [{"heading": "", "field": "place"}]
        response = olga.put(api(event, "columns/"), invalid, content_type="application/json")
        assert (response.status_code, response.json()["problems"][0]["where"]) == (400, "0.heading")

    def test_calculate_scores_and_seats(self, client: Client) -> None:
        pairs = [(1000, 1), (1000, 1), (1000, 1), (501, 6), (500, 1)]
        results: Any = {"results": [{"base": base, "weight": weight} for base, weight in pairs]}
        score = client.post("/api/v1/mers/score/", results, content_type="application/json").json()
        assert score == {"part_a": "650.60", "part_b": "667.33", "score": "658.95", "exact": "658.97"}
        nations = [{"name": "FRA", "players": 60, "strong": 6}, {"name": "ITA", "players": 20, "strong": 2}]
        event = {"seats": 10, "nations": nations}
        shares = client.post("/api/v1/mers/quotas/", event, content_type="application/json").json()
        assert [share["total"] for share in shares] == [6, 4]


class TestCalculators:
    def calculate(self, client: Client, name: str, **query: str) -> str:
        return words(element(read(client.get(reverse(name), query)), "main"))

    def test_scores_take_bases_or_places_and_report_invalid_lines(self, client: Client) -> None:
        bases = "1000 1\n1000, 1\n1000;1\n501\t6\n500 1"
        assert "Score 658.95" in self.calculate(client, "mers", results=bases)
        places = "1/60 1 2026-01-01\n32/60 2 2025-01-01"
        assert "475 1" in self.calculate(client, "mers", results=places, on="2026-11-01")
        assert "At least two results that have not expired" in self.calculate(
            client, "mers", results="1000 1"
        )
        text = self.calculate(client, "mers", results="1000 1\nbest\n1001 1\n5/4 1\n5 0\n5 1 2026-02-30")
        assert [f"Line {n}," in text for n in range(1, 7)] == [False, True, True, True, True, True]

    def test_seats_are_shared_and_invalid_lists_refused(self, client: Client) -> None:
        text = self.calculate(
            client, "mers_quotas", seats="10", nations="Česko 60 6\nCôte d’Ivoire, 20, 2, 1"
        )
        assert missing(text, "Česko", "Côte d’Ivoire") == []
        for nations in ("France", "1 2 3", "France -1 2", "\0 1 2", "x" * 9000, "A 1 1\n" * 201, " , , 9"):
            response = client.get(reverse("mers_quotas"), {"seats": "70", "nations": nations})
            assert response.status_code == 200, nations[:20]
            assert "error-summary" in response.text, nations[:20]


def test_the_navigation_has_ema_results_only_if_the_ranking_counts_the_event(
    olga: Client, event: Tournament
) -> None:
    for mers in ("", "ranked"):
        set_event_page(EventPage(tournament=event, mers=mers), SYSTEM)
        nav = olga.get(at(event, "archive")).text.split("<main")[0]
        assert (at(event, "ema") in nav) == bool(mers)
