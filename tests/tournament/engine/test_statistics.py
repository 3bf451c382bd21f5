"""What hands add up to."""

from hypothesis import given
from hypothesis import strategies as st

from tournament.engine.statistics import BEST, Figures, PlayedHand, added, figures

FANS = ("all_pungs", "half_flush", "seven_pairs", "dragon_pung")


@st.composite
def hands(draw: st.DrawFn) -> list[PlayedHand]:
    """Some hands of three sessions; each with its own place."""
    place = st.tuples(st.integers(1, 3), st.integers(1, 16), st.integers(1, 4))
    won = st.tuples(
        st.just(True), st.booleans(), st.integers(8, 30), st.sets(st.sampled_from(FANS)).map(tuple)
    )
    endings = st.one_of(st.just((False,)), won)
    places = draw(st.lists(place, unique=True, max_size=40))
    return [PlayedHand(number, place, *draw(endings)) for number, place in enumerate(places)]


def test_a_hand_ends_in_one_of_three_ways_and_none_come_to_nothing() -> None:
    found = figures(
        [
            PlayedHand(1, (1, 1, 1), won=True, points=20),
            PlayedHand(2, (1, 2, 1), won=True, self_drawn=True, points=31),
            PlayedHand(3, (1, 3, 1), won=False),
            PlayedHand(4, (1, 4, 1), won=False),
        ]
    )
    assert (found.hands, found.by_discard, found.self_drawn, found.wash_outs) == (4, 1, 1, 2)
    assert found.average == 25.5
    assert figures([]) == Figures()
    assert figures([]).average is None


def test_known_fans_are_counted_and_of_equals_the_earlier_hand_is_best() -> None:
    found = figures(
        [
            PlayedHand(1, (1, 1, 1), won=True, points=24, fans=("seven_pairs",)),
            PlayedHand(2, (1, 2, 1), won=True, points=30, fans=("seven_pairs", "half_flush")),
            PlayedHand(3, (1, 3, 1), won=True, points=12),
        ]
    )
    assert found.known == 2
    assert found.fans_by_frequency == (("seven_pairs", 2), ("half_flush", 1))
    later, earlier = (2, 1, 1), (1, 16, 4)
    found = figures([PlayedHand(1, later, True, points=88), PlayedHand(2, earlier, True, points=88)])
    assert found.best_ids == (2, 1)


@given(hands())
def test_sessions_added_are_the_event(played: list[PlayedHand]) -> None:
    by_session = [[hand for hand in played if hand.place[0] == session] for session in (1, 2, 3)]
    assert added(map(figures, by_session)) == figures(played)


@given(hands())
def test_the_best_hands_are_the_dearest(played: list[PlayedHand]) -> None:
    points = {hand.id: hand.points for hand in played if hand.won}
    best = figures(played).best_ids
    assert [points[id] for id in best] == sorted(points.values(), reverse=True)[:BEST]
