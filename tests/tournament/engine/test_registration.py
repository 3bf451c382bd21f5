"""Who gets a place: never more than there are, kept ones for nobody else, and the waiting list in its order."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.engine.registration import Candidate, Kept, Limits, Outcome, Places, moving_up, settled

COUNTRIES, CLUBS = ("FRA", "DEU", "AUT", ""), ("Nancy Mahjong", "nancy  mahjong", "Wien", "")


@st.composite
def limits(draw: st.DrawFn) -> Limits:
    values = [("country", "FRA"), ("country", "DEU"), ("club", "Nancy Mahjong")]
    kept = tuple(Kept(by, value, draw(st.integers(0, 3))) for by, value in values if draw(st.booleans()))
    return Limits(sum(one.places for one in kept) + draw(st.integers(0, 5)), None, kept)


people = st.lists(st.tuples(st.sampled_from(COUNTRIES), st.sampled_from(CLUBS)), max_size=18).map(
    lambda said: [Candidate(number, *one) for number, one in enumerate(said, 1)]
)


def in_place(limited: Limits, everybody: list[Candidate]) -> list[Candidate]:
    up = set(moving_up(limited, [], everybody))
    return [one for one in everybody if one.number in up]


@given(limits(), people)
def test_never_more_have_a_place_than_there_are(limited: Limits, everybody: list[Candidate]) -> None:
    assert len(moving_up(limited, [], everybody)) <= (limited.places or 0)


@given(limits(), people)
def test_a_place_kept_is_given_to_nobody_else(limited: Limits, everybody: list[Candidate]) -> None:
    strangers = [
        one for one in in_place(limited, everybody) if not any(kept.is_for(one) for kept in limited.kept)
    ]
    assert len(strangers) <= (limited.open_places or 0)


@given(limits(), people)
def test_nobody_is_passed_over_for_whom_there_is_a_place_still(
    limited: Limits, everybody: list[Candidate]
) -> None:
    there = in_place(limited, everybody)
    places = Places.taken_by(limited, there)
    assert [one for one in everybody if one not in there and places.fits(one)] == []


@given(limits(), people)
def test_who_is_passed_over_could_not_have_had_the_place_of_anybody_behind(
    limited: Limits, everybody: list[Candidate]
) -> None:
    there = in_place(limited, everybody)
    for one in everybody:
        if one not in there:
            before = [each for each in there if each.number < one.number]
            assert not Places.taken_by(limited, before).fits(one)


@given(limits(), people)
def test_a_new_look_moves_nobody_up_who_was_not_moved_before(
    limited: Limits, everybody: list[Candidate]
) -> None:
    there = in_place(limited, everybody)
    rest = [one for one in everybody if one not in there]
    assert moving_up(limited, there, rest) == []


@given(limits(), people, st.data())
def test_who_goes_is_followed_by_the_first_who_fits_and_by_nobody_more(
    limited: Limits, everybody: list[Candidate], data: st.DataObject
) -> None:
    there = in_place(limited, everybody)
    if not there:
        return
    gone = data.draw(st.sampled_from(there))
    rest = [one for one in everybody if one not in there]
    stay = [one for one in there if one != gone]
    places = Places.taken_by(limited, stay)
    first = next((one.number for one in rest if places.fits(one)), None)
    assert moving_up(limited, stay, rest) == ([] if first is None else [first])


@given(limits(), people)
def test_all_places_that_can_be_taken_are(limited: Limits, everybody: list[Candidate]) -> None:
    """As many come in as in whatever order they were looked at."""
    backwards = moving_up(limited, [], everybody[::-1])
    assert len(backwards) == len(moving_up(limited, [], everybody))


@given(people, st.integers(0, 6), st.integers(0, 6))
def test_a_waiting_list_is_never_longer_than_it_may_be(
    everybody: list[Candidate], places: int, waiting: int
) -> None:
    limited, came = Limits(places, waiting), Counter[Outcome]()
    accepted: list[Candidate] = []
    line: list[Candidate] = []
    for one in everybody:
        outcome = settled(limited, accepted, line, one, by_itself=True)
        came[outcome] += 1
        {Outcome.ACCEPTED: accepted, Outcome.WAITING: line}.get(outcome, []).append(one)
    assert len(accepted) <= places
    assert len(line) <= waiting
    assert came[Outcome.FULL] == max(0, len(everybody) - places - waiting)


def test_somebody_moves_to_a_place_kept_for_both_countries_and_clubs_to_make_room() -> None:
    limited = Limits(2, None, (Kept("country", "FRA", 1), Kept("club", "Wien", 1)))
    both, french = Candidate(1, "FRA", "Wien"), Candidate(2, "FRA", "")
    assert moving_up(limited, [], [both, french]) == [1, 2]


def test_a_newcomer_does_not_overtake_who_waits_for_the_organiser() -> None:
    limited = Limits(1)
    assert settled(limited, [], [Candidate(1)], Candidate(2), by_itself=True) is Outcome.WAITING


def test_by_hand_everybody_is_looked_at_until_the_waiting_list_is_full() -> None:
    holder = Candidate(1)
    by_hand = [
        settled(Limits(1, 1), [holder], line, Candidate(3), by_itself=False) for line in ([], [Candidate(2)])
    ]
    assert by_hand == [Outcome.PENDING, Outcome.FULL]


@pytest.mark.parametrize(("left", "open_", "kept"), [(5, 2, [3])])
def test_what_is_left_says_what_is_kept(left: int, open_: int, kept: list[int]) -> None:
    places = Places.taken_by(Limits(6, None, (Kept("country", "FRA", 3),)), [Candidate(1, "DEU")])
    assert (places.left, places.left_open, places.left_kept) == (left, open_, kept)


def test_five_thousand_are_looked_at_in_a_moment() -> None:
    limited = Limits(400, None, (Kept("country", "FRA", 50), Kept("club", "Wien", 50)))
    everybody = [Candidate(number, "DEU", f"club {number}") for number in range(5000)]
    assert len(moving_up(limited, [], everybody)) == 300
