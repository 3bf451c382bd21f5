"""Who gets a place, in what order."""

from hypothesis import given
from hypothesis import strategies as st

from tournament.registration.engine import (
    Candidate,
    Limits,
    Outcome,
    Places,
    ReservedPlaces,
    outcome_of,
    promotable,
)

COUNTRIES, CLUBS = ("FRA", "DEU", "AUT", ""), ("Nancy Mahjong", "nancy  mahjong", "Wien", "")


@st.composite
def limits(draw: st.DrawFn) -> Limits:
    values = [("country", "FRA"), ("country", "DEU"), ("club", "Nancy Mahjong")]
    reserved = tuple(
        ReservedPlaces(by, value, draw(st.integers(0, 3))) for by, value in values if draw(st.booleans())
    )
    return Limits(sum(each.places for each in reserved) + draw(st.integers(0, 5)), None, reserved)


people = st.lists(st.tuples(st.sampled_from(COUNTRIES), st.sampled_from(CLUBS)), max_size=18).map(
    lambda rows: [Candidate(number, *row) for number, row in enumerate(rows, 1)]
)


def in_place(limited: Limits, everybody: list[Candidate]) -> tuple[list[Candidate], list[Candidate]]:
    """Who has a place and who has none, in their order."""
    up = set(promotable(limited, [], everybody))
    return [each for each in everybody if each.number in up], [
        each for each in everybody if each.number not in up
    ]


@given(limits(), people)
def test_no_place_is_given_twice_and_nobody_is_skipped(limited: Limits, everybody: list[Candidate]) -> None:
    """And a new look moves nobody up who was not moved before."""
    inside, outside = in_place(limited, everybody)
    assert len(inside) <= (limited.places or 0)
    strangers = [each for each in inside if not any(reserved.is_for(each) for reserved in limited.reserved)]
    assert len(strangers) <= (limited.open_places or 0)
    assert not any(Places.occupied_by(limited, inside).fits(each) for each in outside)
    for each in outside:
        before = [other for other in inside if other.number < each.number]
        assert not Places.occupied_by(limited, before).fits(each)
    assert promotable(limited, inside, outside) == []


@given(limits(), people, st.data())
def test_the_first_who_fits_gets_a_freed_place(
    limited: Limits, everybody: list[Candidate], data: st.DataObject
) -> None:
    inside, outside = in_place(limited, everybody)
    if not inside:
        return
    gone = data.draw(st.sampled_from(inside))
    inside.remove(gone)
    places = Places.occupied_by(limited, inside)
    first = [each.number for each in outside if places.fits(each)][:1]
    assert promotable(limited, inside, outside) == first


@given(limits(), people)
def test_all_places_that_can_be_taken_are(limited: Limits, everybody: list[Candidate]) -> None:
    """As many come in as in whatever order they were looked at."""
    backwards = promotable(limited, [], everybody[::-1])
    assert len(backwards) == len(promotable(limited, [], everybody))


@given(people, st.integers(0, 6), st.integers(0, 6))
def test_no_waiting_list_is_too_long(everybody: list[Candidate], places: int, waiting: int) -> None:
    limited = Limits(places, waiting)
    lists: dict[Outcome, list[Candidate]] = {outcome: [] for outcome in Outcome}
    for each in everybody:
        accepted, line = lists[Outcome.ACCEPTED], lists[Outcome.WAITING]
        lists[outcome_of(limited, accepted, line, each, is_automatic=True)].append(each)
    assert len(lists[Outcome.ACCEPTED]) <= places
    assert len(lists[Outcome.WAITING]) <= waiting
    assert len(lists[Outcome.FULL]) == max(0, len(everybody) - places - waiting)


def test_holders_move_to_reserved_places_to_make_room() -> None:
    limited = Limits(2, None, (ReservedPlaces("country", "FRA", 1), ReservedPlaces("club", "Wien", 1)))
    both, french = Candidate(1, "FRA", "Wien"), Candidate(2, "FRA", "")
    assert promotable(limited, [], [both, french]) == [1, 2]
    places = Places.occupied_by(
        Limits(6, None, (ReservedPlaces("country", "FRA", 3),)), [Candidate(1, "DEU")]
    )
    assert (places.left, places.left_open, places.left_reserved) == (5, 2, [3])


def test_waiting_candidates_are_not_overtaken_without_the_organiser() -> None:
    holder = Candidate(1)
    by_hand = [
        outcome_of(Limits(1, 1), [holder], line, Candidate(3), is_automatic=False)
        for line in ([], [Candidate(2)])
    ]
    assert by_hand == [Outcome.PENDING, Outcome.FULL]
    limited = Limits(1)
    assert outcome_of(limited, [], [Candidate(1)], Candidate(2), is_automatic=True) is Outcome.WAITING
