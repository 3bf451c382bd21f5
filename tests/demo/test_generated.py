"""The demonstration's hands, people, times and tournaments: possible, believable, and the same by seed."""

from collections import Counter
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise, product
from random import Random
from statistics import median
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.engine import Hand, Score, find_rulebook, score
from tests.support.sampling import sample
from tournament.base.engine.entries import WIN
from tournament.base.engine.names import is_chinese
from tournament.base.engine.rules import rules_named
from tournament.base.models.tournament import Tournament
from tournament.demo.generate import MINUTES, generate, venues
from tournament.demo.hands import WinContext, winning_hand
from tournament.demo.pace import RUNNING_FOR, Kind, is_daytime, minutes_of_hands, planned_starts, steps_of
from tournament.demo.people import all_names, invent_people, read_table
from tournament.demo.playing import timetable_items
from tournament.exchange.transcripts.reading import Transcript
from tournament.play.engine.judge import judge

MCR = find_rulebook("mcr")
DAY = date(2026, 11, 14)

contexts = st.builds(WinContext, st.sampled_from("ESWN"), st.sampled_from("ESWN"), st.booleans())


def some_hands(count: int) -> list[Score]:
    random, scores = Random("hands"), []
    for _ in range(count):
        context = WinContext(random.choice("ESWN"), random.choice("ESWN"), random.random() < 0.37)
        scores.append(score(Hand.from_json(winning_hand(random, context, MCR)), MCR))
    return scores


@given(st.integers(), contexts)
def test_every_hand_is_possible_and_worth_declaring(seed: int, context: WinContext) -> None:
    """And what the table said it is."""
    record = winning_hand(Random(seed), context, MCR)
    assert score(Hand.from_json(record), MCR).points_without_flowers >= 8
    expected = (context.seat_wind, context.prevalent_wind, context.self_drawn)
    assert (record["seat_wind"], record["prevalent_wind"], record["self_drawn"]) == expected


def test_the_points_and_fans_are_those_of_real_tournaments() -> None:
    scores = some_hands(600)
    points = [result.points for result in scores]
    assert 11 <= median(points) <= 17
    assert 0.08 <= sum(total >= 24 for total in points) / len(points) <= 0.25
    assert max(points) >= 64
    assert len({counted.fan for result in scores for counted in result.fans}) >= 55


# --- people ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", sample(range(100), 3))
def test_names_club_and_country_of_a_person_belong_together(seed: int) -> None:
    clubs = {tuple(row.values()) for row in read_table("clubs")}
    special = {(row["first name"], row["last name"], row["country"]) for row in read_table("people")}
    people = invent_people(Random(seed), 100)
    strays = [
        person
        for person in people
        if (person.club.country, person.club.city, person.club.name) not in clubs
        or not (
            (person.first_name, person.last_name, person.club.country) in special
            or any(
                person.club.country == names.country
                and person.first_name in names.given_names
                and person.last_name in names.family_names
                for names in all_names()
            )
        )
    ]
    assert strays == []
    assert len({person.club.country for person in people}) >= 12


@pytest.mark.parametrize("seed", sample(range(100), 2))
def test_two_are_namesakes_of_different_clubs_and_one_has_a_very_long_name(seed: int) -> None:
    people = invent_people(Random(seed), 16)
    names = Counter((person.first_name, person.last_name) for person in people)
    (namesake,) = (name for name, times in names.items() if times == 2)
    assert len(names) == 15
    clubs = {person.club for person in people if (person.first_name, person.last_name) == namesake}
    assert len(clubs) == 2
    assert max(len(f"{first} {last}") for first, last in names) > 60


def test_east_asian_names_are_in_characters_so_that_the_family_name_stands_first() -> None:
    rows = [names for names in all_names() if names.country in ("CHN", "TWN", "HKG", "JPN")]
    assert [
        name for names in rows for name in names.given_names + names.family_names if not is_chinese(name)
    ] == []


def test_the_largest_demonstration_has_enough_people() -> None:
    people = invent_people(Random("all"), 4000)
    assert len({(person.first_name, person.last_name) for person in people}) == 3999


# --- times ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("hour", sample(range(24), 3, always=[0, 23]))
@pytest.mark.parametrize(("sessions", "running"), [(5, 4), (8, 8), (9, 5)])
def test_the_session_being_played_began_lately_and_no_two_overlap(
    sessions: int, running: int, hour: int
) -> None:
    now = datetime(2026, 11, 14, hour, 17)
    starts = planned_starts(sessions, MINUTES, now, running)
    assert RUNNING_FOR <= now - starts[running - 1] < RUNNING_FOR + timedelta(minutes=5)
    assert all(later - earlier >= timedelta(minutes=MINUTES + 30) for earlier, later in pairwise(starts))


@pytest.mark.parametrize("sessions", [4, 8])
def test_the_demonstration_is_played_by_day_whatever_the_hour(sessions: int) -> None:
    for hour, running in product(range(24), range(1, sessions + 1)):
        now = datetime(2026, 7, 14, hour, 17, tzinfo=UTC)
        zones = {ZoneInfo(venue["zone"]) for venue in venues("any")}
        local = (now.astimezone(zone).replace(tzinfo=None) for zone in zones)
        assert any(is_daytime(planned_starts(sessions, MINUTES, here, running), MINUTES) for here in local), (
            hour,
            running,
        )


def test_lunch_and_dinner_are_at_their_time_of_the_day() -> None:
    """A day whose first session begins in the afternoon has no lunch after it."""
    tournament = Tournament(minutes=MINUTES)
    titles = {}
    for hour in (9, 14, 16):
        starts = (datetime(2026, 11, 14, hour), datetime(2026, 11, 14, hour + 4))
        titles[hour] = [item.title for item in timetable_items(tournament, starts) if item.session is None]
    assert {hour: names[1:-1] for hour, names in titles.items()} == {
        9: ["Lunch"],
        14: ["Break"],
        16: ["Dinner"],
    }


def test_an_event_that_is_over_ended_on_the_sunday_before() -> None:
    starts = planned_starts(5, MINUTES, datetime(2026, 11, 15, 12), None)
    assert [start.date().day for start in starts] == [7, 7, 7, 8, 8]


@pytest.mark.parametrize("seed", sample(range(100), 2))
def test_hands_and_signatures_lie_within_their_session(seed: int) -> None:
    transcript = generate(16, 4, str(seed), DAY)
    now = datetime(2026, 11, 14, 20, 17)
    starts = planned_starts(4, MINUTES, now, 4)
    steps = steps_of(transcript, str(seed), starts, now)
    assert {step.session for step in steps} == {1, 2, 3, 4}
    for session in (1, 2, 3):
        played = [step for step in steps if step.session == session]
        assert (played[0].kind, [step.kind for step in played[-2:]]) == (
            Kind.START,
            [Kind.CLOSE, Kind.PUBLISH],
        )
        assert starts[session - 1] < played[0].at
        assert played[-1].at < starts[session]
        assert len({step.at for step in played if step.kind is Kind.HAND_IN}) == 4
        for table in (1, 2, 3, 4):
            at_table = [step for step in played if step.table == table]
            last_hand = max(step.at for step in at_table if step.kind is Kind.HAND)
            assert last_hand <= played[0].at + timedelta(minutes=MINUTES)
            signed = [step.at for step in at_table if step.kind is Kind.SIGN]
            assert (len(signed), at_table[-1].kind) == (4, Kind.HAND_IN)
            assert min(signed) > last_hand


def test_a_hand_takes_five_to_nine_minutes_and_tables_differ() -> None:
    tables = [minutes_of_hands("pace", 1, table, MINUTES) for table in range(1, 101)]
    assert all(5 <= length <= 9 for lengths in tables for length in lengths)
    assert 0.5 <= sum(len(lengths) == 16 for lengths in tables) / 100 <= 0.9
    assert max(map(median, tables)) - min(map(median, tables)) > 1.5


# --- a whole tournament ---------------------------------------------------------------------------------------------
def test_the_same_seed_gives_the_same_tournament() -> None:
    assert generate(16, 2, "a", DAY) == generate(16, 2, "a", DAY)
    assert generate(16, 2, "a", DAY) != generate(16, 2, "b", DAY)


@pytest.fixture(scope="module")
def open_of_forty() -> Transcript:
    return generate(40, 4, "open", DAY)


def test_every_hand_is_legal_where_it_is_played(open_of_forty: Transcript) -> None:
    rules = rules_named("mcr")
    for session in open_of_forty.sessions:
        for sheet in session.sheets:
            for number, hand in enumerate(sheet.hands, 1):
                assert judge(rules, sheet.seats, number, hand).problems == ()


def test_wash_outs_and_self_drawn_hands_are_as_common_as_in_life(open_of_forty: Transcript) -> None:
    hands = [hand for session in open_of_forty.sessions for sheet in session.sheets for hand in sheet.hands]
    won = [hand for hand in hands if hand.outcome == WIN]
    assert 0.08 <= 1 - len(won) / len(hands) <= 0.18
    assert 0.30 <= sum(hand.discarder is None for hand in won) / len(won) <= 0.44


def test_nobody_who_committed_a_foul_won_that_hand(open_of_forty: Transcript) -> None:
    sheets = [sheet for session in open_of_forty.sessions for sheet in session.sheets]
    fouls = [(sheet, penalty.foul) for sheet in sheets for penalty in sheet.penalties]
    assert fouls
    for sheet, foul in fouls:
        if foul.hand_number:
            assert sheet.hands[foul.hand_number - 1].winner != foul.player


def test_ema_numbers_have_eight_digits_and_are_nobody_else_s(open_of_forty: Transcript) -> None:
    numbers = [entrant.ema_number for entrant in open_of_forty.players if entrant.ema_number]
    assert all(len(number) == 8 and number.isdigit() for number in numbers)
    assert len(set(numbers)) == len(numbers)


@pytest.mark.parametrize(("until", "played"), [(None, [True, True, True]), (2, [True, True, False])])
def test_nothing_is_made_up_for_sessions_that_are_not_played(until: Any, played: list[bool]) -> None:
    transcript = generate(8, 3, "x", DAY, until)
    assert [all(sheet.hands for sheet in session.sheets) for session in transcript.sessions] == played
