"""The demonstration's hands, people and tournaments: possible, worth declaring, believable, and the same by seed."""

import unicodedata
from datetime import date
from itertools import islice
from random import Random
from statistics import median
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.engine import Hand, Score, find_rulebook, score
from tournament.base.engine.entries import WIN
from tournament.base.engine.rules import rules_named
from tournament.demo.generate import countries, generate, shuffled_names
from tournament.demo.hands import WinContext, winning_hand
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


def test_people_are_different_and_write_in_many_scripts() -> None:
    names = list(islice(shuffled_names(Random("people")), 400))
    assert len({(name.first, name.last) for name in names}) == 400
    scripts = {
        unicodedata.name(char).split()[0]
        for name in names
        for char in name.first + name.last
        if char.isalpha()
    }
    assert {"LATIN", "CYRILLIC", "CJK", "HIRAGANA", "KATAKANA"} <= scripts
    assert len({name.country.code for name in names}) >= 15
    assert len(list(shuffled_names(Random("all")))) == 5664
    assert all(country.given_names and country.family_names for country in countries())


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
