"""Who gets a place: never more than there are, kept ones for nobody else, and the waiting list in its order."""

from hypothesis import given
from hypothesis import strategies as st

from tournament.engine.registration import Candidate, Kept, Limits, Outcome, Places, moving_up, settled

COUNTRIES, CLUBS = ("FRA", "DEU", "AUT", ""), ("Nancy Mahjong", "nancy  mahjong", "Wien", "")


@st.composite
def limits(draw: st.DrawFn) -> Limits:
    values = [("country", "FRA"), ("country", "DEU"), ("club", "Nancy Mahjong")]
    kept = tuple(Kept(by, value, draw(st.integers(0, 3))) for by, value in values if draw(st.booleans()))
    return Limits(sum(each.places for each in kept) + draw(st.integers(0, 5)), None, kept)


people = st.lists(st.tuples(st.sampled_from(COUNTRIES), st.sampled_from(CLUBS)), max_size=18).map(
    lambda rows: [Candidate(number, *row) for number, row in enumerate(rows, 1)]
)


def in_place(limited: Limits, everybody: list[Candidate]) -> tuple[list[Candidate], list[Candidate]]:
    """Who has a place and who has none, in their order."""
    up = set(moving_up(limited, [], everybody))
    return [each for each in everybody if each.number in up], [
        each for each in everybody if each.number not in up
    ]


@given(limits(), people)
def test_no_place_is_given_twice_or_to_a_stranger(limited: Limits, everybody: list[Candidate]) -> None:
    inside, _outside = in_place(limited, everybody)
    assert len(inside) <= (limited.places or 0)
    strangers = [each for each in inside if not any(kept.is_for(each) for kept in limited.kept)]
    assert len(strangers) <= (limited.open_places or 0)


@given(limits(), people)
def test_nobody_with_a_place_is_passed_over(limited: Limits, everybody: list[Candidate]) -> None:
    """And a new look moves nobody up who was not moved before."""
    inside, outside = in_place(limited, everybody)
    assert not any(Places.taken_by(limited, inside).fits(each) for each in outside)
    for each in outside:
        before = [other for other in inside if other.number < each.number]
        assert not Places.taken_by(limited, before).fits(each)
    assert moving_up(limited, inside, outside) == []


@given(limits(), people, st.data())
def test_who_goes_is_followed_by_the_first_who_fits(
    limited: Limits, everybody: list[Candidate], data: st.DataObject
) -> None:
    inside, outside = in_place(limited, everybody)
    if not inside:
        return
    gone = data.draw(st.sampled_from(inside))
    inside.remove(gone)
    places = Places.taken_by(limited, inside)
    first = [each.number for each in outside if places.fits(each)][:1]
    assert moving_up(limited, inside, outside) == first


@given(limits(), people)
def test_all_places_that_can_be_taken_are(limited: Limits, everybody: list[Candidate]) -> None:
    """As many come in as in whatever order they were looked at."""
    backwards = moving_up(limited, [], everybody[::-1])
    assert len(backwards) == len(moving_up(limited, [], everybody))


@given(people, st.integers(0, 6), st.integers(0, 6))
def test_no_waiting_list_is_too_long(everybody: list[Candidate], places: int, waiting: int) -> None:
    limited = Limits(places, waiting)
    lists: dict[Outcome, list[Candidate]] = {outcome: [] for outcome in Outcome}
    for each in everybody:
        accepted, line = lists[Outcome.ACCEPTED], lists[Outcome.WAITING]
        lists[settled(limited, accepted, line, each, by_itself=True)].append(each)
    assert len(lists[Outcome.ACCEPTED]) <= places
    assert len(lists[Outcome.WAITING]) <= waiting
    assert len(lists[Outcome.FULL]) == max(0, len(everybody) - places - waiting)


def test_somebody_moves_to_a_place_kept_for_both_countries_and_clubs_to_make_room() -> None:
    limited = Limits(2, None, (Kept("country", "FRA", 1), Kept("club", "Wien", 1)))
    both, french = Candidate(1, "FRA", "Wien"), Candidate(2, "FRA", "")
    assert moving_up(limited, [], [both, french]) == [1, 2]
    places = Places.taken_by(Limits(6, None, (Kept("country", "FRA", 3),)), [Candidate(1, "DEU")])
    assert (places.left, places.left_open, places.left_kept) == (5, 2, [3])


def test_who_waits_is_not_overtaken_and_by_hand_everybody_is_looked_at() -> None:
    holder = Candidate(1)
    by_hand = [
        settled(Limits(1, 1), [holder], line, Candidate(3), by_itself=False) for line in ([], [Candidate(2)])
    ]
    assert by_hand == [Outcome.PENDING, Outcome.FULL]
    limited = Limits(1)
    assert settled(limited, [], [Candidate(1)], Candidate(2), by_itself=True) is Outcome.WAITING


def test_five_thousand_are_looked_at_in_a_moment() -> None:
    limited = Limits(400, None, (Kept("country", "FRA", 50), Kept("club", "Wien", 50)))
    everybody = [Candidate(number, "DEU", f"club {number}") for number in range(5000)]
    assert len(moving_up(limited, [], everybody)) == 300
