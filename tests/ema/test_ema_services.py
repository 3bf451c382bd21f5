"""An event's results for the EMA: places and bases, what is missing, and the columns of the file."""

from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from tests.support.checks import newest_sentence, refused_codes
from tests.support.factories import (
    SYSTEM,
    end_appeals,
    entrant,
    evening,
    make_member,
    make_tournament,
    play_session,
)
from tournament.base.engine.finals import Carry
from tournament.base.engine.rules import Attendance
from tournament.base.event_words import EventWords
from tournament.base.models.play import Seat
from tournament.base.models.tournament import Role, Tournament
from tournament.ema.engine import DEFAULT, Column
from tournament.ema.models import EmaColumns
from tournament.ema.selectors import (
    EmaResults,
    Found,
    Gap,
    columns_of,
    ema_gaps,
    ema_results,
    weighed,
)
from tournament.ema.services import set_ema_columns
from tournament.events.services import set_event_page
from tournament.fouls.services.penalties import give_penalty, set_attendance
from tournament.play.engine.statements import Accusation
from tournament.players.services.players import add_players, withdraw_player
from tournament.ranking.engine.finals import FinalStage, FinalsWish
from tournament.ranking.services import publish_standings
from tournament.seating.services.seatings import set_up_final
from tournament.web.texts.problems import sentence

WORDS = EventWords(country="FRA", referees="Uma Umpire", mers="ranked")
CITY = [column if column.heading != "City" else Column("City", "text", "Lyon") for column in DEFAULT]


def again(tournament: Tournament) -> Tournament:
    return Tournament.objects.get(pk=tournament.pk)


def results_of(tournament: Tournament) -> EmaResults:
    return ema_results(again(tournament))


def found_in(tournament: Tournament) -> list[Found]:
    return list(ema_gaps(results_of(tournament)))


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
    set_event_page(event, SYSTEM, WORDS)
    set_ema_columns(event, SYSTEM, CITY)
    publish_standings(event, SYSTEM)
    end_appeals(event)
    return event


class TestBases:
    def test_of_an_evening_fall_from_a_thousand_to_nothing(self) -> None:
        results = ema_results(evening())
        assert [line.base for line in results.lines][::5] == [1000, 667, 333, 0]
        assert results.participants == 16

    def test_are_shared_with_the_place(self, played: Tournament) -> None:
        Seat.objects.filter(table__session__tournament=played).update(game_points=0)
        Tournament.objects.filter(pk=played.pk).update(version=played.version + 1)
        assert {(line.place, line.base) for line in results_of(played).lines} == {(1, 1000)}

    def test_who_withdrew_after_playing_keeps_one_if_the_event_ranks_them(self, played: Tournament) -> None:
        before = base_of(played, 3)
        withdraw_player(played.players.get(number=3), SYSTEM)
        assert base_of(played, 3) == before
        set_attendance(again(played), SYSTEM, Attendance(withdrawn_ranked=False))
        results = results_of(played)
        *_, last_ranked, withdrawn = results.lines
        assert (results.participants, withdrawn.player.number) == (7, 3)
        assert (withdrawn.place, withdrawn.base, last_ranked.base) == (None, None, 0)
        assert [found.player for found in found_in(played) if found.gap is Gap.NO_PLACE] == [3]

    def test_follow_a_final_and_not_the_points_before_it(self) -> None:
        event = make_tournament(players=16, sessions=2, played=1)
        before = [line.player.number for line in ema_results(event).lines]
        set_up_final(event, SYSTEM, FinalsWish(FinalStage(4, 4, Carry.HALF), 1, "lotto"))
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
        assert (results.participants, len(results.lines)) == (7, 7)
        played.players.filter(number__gt=2).update(is_substitute=True)
        Tournament.objects.filter(pk=played.pk).update(version=played.version + 1)
        assert [line.base for line in results_of(played).lines] == [None]
        assert Gap.FEW in gaps(played)


def test_weight_counts_three_substitutes_at_most_and_nobody_who_withdrew_before_playing() -> None:
    event = make_tournament(players=8, drawn=False)
    event.players.filter(number=8).update(withdrawn_at=timezone.now())
    assert weighed(event, is_championship=False).players == 7
    event.players.filter(number__lte=5).update(is_substitute=True)
    weight = weighed(event, is_championship=False)
    assert (weight.players, weight.substitutes) == (2, 3)


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
        set_event_page(whole, SYSTEM, replace(WORDS, referees=""))
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

    def test_are_sentences_every_one(self) -> None:
        names = "played planned players rulebook substitutes most session table points name names ema_number"
        params = dict.fromkeys([*names.split(), "federation", "country", "heading"], "1")
        assert len({sentence(Found(gap, params).problem) for gap in Gap}) == len(Gap)


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
