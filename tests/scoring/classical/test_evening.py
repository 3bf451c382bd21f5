"""An evening: what everybody held settles pairwise, and the running scores follow."""

from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.classical import CLASSICAL, Flower, Rules
from scoring.classical.entries import CIRCUMSTANCES, Entry, Held
from scoring.classical.evening import Evening
from scoring.classical.records import InvalidEvening, read_evening
from scoring.classical.turn import PLACES
from scoring.engine import InvalidHand
from tests.scoring.classical.hands import losers

NAMES = ("Anna", "Bo", "Chen", "Dee")
WON = "234m 678p 345s CCC 3p +3p self-drawn"
WINS = (
    WON,
    "234m 567p 55p [678s] CC +C",
    "[SSS] [WWW] [CCC] FF PP +P",
    "(1111m) [2222p] (3333s) (EEEE) C +C self-drawn replacement",
    "19m19p19sESWNCF P +P",
    "1112345678999m +5m last-tile-of-wall",
)


def points(*four: int | None) -> tuple[Held, ...]:
    return tuple(Held(points=one) for one in four)


def evening(*entries: Entry, rules: Rules = CLASSICAL) -> Evening:
    found = Evening(NAMES, rules)
    for entry in entries:
        found = found.with_hand(entry)
    return found


def codes(entry: Entry) -> list[tuple[str, str]]:
    """What is wrong with the first hand of an evening: (code, where)."""
    with pytest.raises(InvalidHand) as refused:
        evening(entry)
    return [(problem.code, problem.where) for problem in refused.value.problems]


def held(place: int, one: Held, winner: int = 0) -> Entry:
    """A hand in which one player holds this and whoever else won scored 20."""
    four = [Held(points=20) if other == winner else Held() for other in PLACES]
    four[place] = one
    return Entry(winner, tuple(four))


def test_points_settle_pairwise_with_east_doubled() -> None:
    assert evening(Entry(1, points(8, 144, 0, 28))).totals == (-312, 576, -188, -76)


def test_tiles_are_scored_in_the_seat_and_round_of_the_turn() -> None:
    tiles = Held(tiles=WON, flowers=(Flower.SUMMER,))
    found = evening(Entry(1, (Held(points=8), tiles, Held(), Held(tiles="1m FF 3p3p [EEE] 999s 47m"))))
    marks = found.played[0].marks
    assert marks
    assert marks.points == (8, 144, 0, 28)


def test_the_seat_wind_moves_with_east() -> None:
    """Bo won as South; as East the same flower is nobody's own."""
    won = Entry(1, (Held(), Held(tiles=WON, flowers=(Flower.SUMMER,)), Held(), Held()))
    first, second = evening(won, won).played
    assert first.marks
    assert second.marks
    assert (first.marks.points[1], second.marks.points[1]) == (144, 72)


def test_a_wash_out_is_not_scored() -> None:
    found = evening(Entry(1, points(0, 40, 0, 0)), Entry(None))
    assert found.played[1].changes == (0, 0, 0, 0)
    assert found.totals == found.played[0].totals


def test_the_limit_holds_for_points_that_the_players_reckoned() -> None:
    found = evening(Entry(0, points(900, 700, 0, 0)))
    assert found.played[0].marks
    assert found.played[0].marks.points == (500, 500, 0, 0)


def test_easts_thirteenth_win_in_a_row_scores_the_limit() -> None:
    won = Entry(0, (Held(tiles="234m 678p 345s 22p CC +C"), Held(), Held(), Held()))
    found = [played.marks.points[0] for played in evening(*[won] * 13).played if played.marks]
    assert found[:12] == [found[0]] * 12
    assert found[12] == 500


def test_too_many_tiles_score_nothing() -> None:
    found = evening(held(2, Held(tiles="1m 4m 7m 3p3p FF 999s [EEE] 2m")))
    assert found.played[0].marks
    assert found.played[0].marks.points[2] == 0


def test_the_last_hand_is_taken_back() -> None:
    one = evening(Entry(1, points(8, 144, 0, 28)))
    assert one.with_hand(Entry(2, points(0, 0, 40, 0))).without_last() == one


@pytest.mark.parametrize(
    ("entry", "code", "where"),
    [
        (held(0, Held()), "winner_without_points", "held.0.points"),
        (held(0, Held(tiles="1m +1m")), "tile_count", "held.0.tiles"),
        (held(0, Held(tiles="1133m5577p22s EE C +C")), "not_a_win", "held.0.tiles"),
        (held(0, Held(20, WON)), "tiles_and_points", "held.0.tiles"),
        (held(2, Held(tiles="1x")), "unreadable", "held.2.tiles"),
        (held(2, Held(tiles="11111m")), "five_of_a_kind", "held.2.tiles"),
        (held(3, Held(flowers=(Flower.PLUM,))), "flowers_without_tiles", "held.3.flowers"),
    ],
)
def test_what_cannot_be_is_said_at_its_place(entry: Entry, code: str, where: str) -> None:
    assert (code, where) in codes(entry)


def test_a_circumstance_that_does_not_fit_is_said_at_the_circumstances() -> None:
    entry = Entry(0, (Held(tiles=WON), Held(), Held(), Held()), frozenset({"replacement"}))
    assert codes(entry) == [("replacement_without_kong", "ways")]


def test_a_flower_is_with_one_player_only() -> None:
    four = (Held(tiles=WON, flowers=(Flower.PLUM,)), Held(tiles="9m", flowers=(Flower.PLUM,)), Held(), Held())
    assert codes(Entry(0, four)) == [("flower_twice", "held.1.flowers")]


def test_nothing_is_played_after_the_round_of_north() -> None:
    found = evening()
    for _hand in range(16):
        winner = (found.turn.dealer + 1) % 4
        found = found.with_hand(held(winner, Held(points=20), winner))
    with pytest.raises(ValueError, match="played"):
        found.with_hand(Entry(None))


# --- what holds for every evening -----------------------------------------------------------------------------------
@st.composite
def entries(draw: st.DrawFn) -> Entry:
    """Wash-outs, and wins by points or tiles against points or tiles."""
    winner = draw(st.none() | st.sampled_from(PLACES))
    if winner is None:
        return Entry(None)
    four = []
    for place in PLACES:
        if draw(st.booleans()):
            four.append(Held(points=draw(st.integers(20 if place == winner else 0, 2000))))
        elif place == winner:
            four.append(Held(tiles=draw(st.sampled_from(WINS))))
        else:
            loser = draw(losers())
            text = " ".join(loser.concealed) + "".join(
                _meld(meld.tiles, meld.concealed) for meld in loser.melds
            )
            four.append(Held(tiles=text))
    return Entry(winner, tuple(four))


def _meld(tiles: tuple[str, ...], concealed: bool) -> str:
    opening, closing = "()" if concealed else "[]"
    return opening + " ".join(tiles) + closing


RULES = st.builds(
    Rules,
    limit=st.integers(1, 1000),
    east_factor=st.sampled_from((1, 2)),
    losers_settle=st.booleans(),
    losers_have_limit=st.booleans(),
)


@st.composite
def evenings(draw: st.DrawFn) -> Evening:
    found = Evening(NAMES, draw(RULES))
    for entry in draw(st.lists(entries(), max_size=12)):
        found = found.with_hand(entry)
    return found


@settings(max_examples=60)
@given(evenings())
def test_running_scores_sum_to_zero(one: Evening) -> None:
    for played in one.played:
        assert sum(played.changes) == sum(played.totals) == 0


@settings(max_examples=60)
@given(evenings())
def test_the_winner_never_loses_by_a_hand(one: Evening) -> None:
    for played in one.played:
        assert played.entry.winner is None or played.changes[played.entry.winner] >= 0


@settings(max_examples=60)
@given(evenings())
def test_what_is_kept_is_read_back_as_it_was(one: Evening) -> None:
    assert read_evening(one.to_json()) == one


@settings(max_examples=30)
@given(evenings(), st.integers(1, 100))
def test_by_other_rules_the_same_hands_still_settle(one: Evening, limit: int) -> None:
    other = replace(one, rules=replace(one.rules, limit=limit))
    assert sum(other.totals) == 0
    assert other.turn == one.turn


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(CIRCUMSTANCES),
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(
            st.sampled_from(
                ["names", "rules", "hands", "winner", "ways", "held", "tiles", "flowers", "points"]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)
NAMED = st.builds(
    lambda hands, rules: {"names": list(NAMES), "hands": hands, "rules": rules},
    st.lists(JSON, max_size=3),
    st.just({}) | JSON,
)


@given(JSON | NAMED)
def test_whatever_a_device_sends_is_an_evening_or_refused(data: object) -> None:
    with suppress(InvalidEvening):
        assert sum(read_evening(data).totals) == 0


@pytest.mark.parametrize(
    ("changed", "place"),
    [
        ({"names": ["a"]}, 0),
        ({"rules": {"limit": True}}, 0),
        ({"rules": {"limit": 0}}, 0),
        ({"rules": {"key": "mine"}}, 0),
        ({"hands": [{"winner": 4, "held": [{}, {}, {}, {}]}]}, 1),
        ({"hands": [{"winner": None, "held": [{}, {}, {}, {}]}, {"winner": 1, "held": [{}, {}, {}, {}]}]}, 2),
    ],
)
def test_the_hand_at_fault_is_named(changed: dict[str, object], place: int) -> None:
    with pytest.raises(InvalidEvening) as refused:
        read_evening({"names": list(NAMES), "hands": []} | changed)
    assert refused.value.place == place
