"""What must hold for every hand: known answers, properties, and the total of the slow, literal scorer."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.engine import MCR, RULEBOOKS, Fan, Hand, Rulebook, explain, find_problems, parse, payments, score
from scoring.engine.notation import to_text
from tests.scoring.golden import golden
from tests.scoring.reference import reference_score
from tests.scoring.strategies import hands, is_possible, records
from tests.support.sampling import examples

many = examples(200)

SUIT_BOUND = {Fan.ALL_GREEN, Fan.REVERSIBLE_TILES}

every_rulebook = pytest.mark.parametrize("rulebook", RULEBOOKS, ids=lambda rulebook: rulebook.key)


@pytest.mark.thorough
@many
@given(record=records(), data=st.data())
def test_the_order_of_tiles_and_melds_changes_nothing(record: dict[str, Any], data: st.DataObject) -> None:
    shuffled = record | {
        "concealed": data.draw(st.permutations(record["concealed"])),
        "melds": data.draw(st.permutations(record["melds"])),
    }
    original, other = score(Hand.from_json(record)), score(Hand.from_json(shuffled))
    assert (original.points, original.counts) == (other.points, other.counts)


@many
@given(hand=hands(), suits=st.permutations("mps"))
def test_renaming_the_suits_changes_only_fans_bound_to_a_suit(hand: Hand, suits: list[str]) -> None:
    fans = {fan: points for fan, points in MCR.points.items() if fan not in SUIT_BOUND}
    rulebook = Rulebook(key="unbound", name="", points=fans, exclusions=MCR.exclusions)
    # Only tiles hold these letters before the circumstances begin.
    tiles, plus, words = to_text(hand).partition(" +")
    winning, space, circumstances = words.partition(" ")
    table = str.maketrans("mps", "".join(suits))
    renamed = tiles.translate(table) + plus + winning.translate(table) + space + circumstances
    assert score(parse(renamed), rulebook).points == score(hand, rulebook).points


@many
@given(record=records(), flowers=st.integers(0, 8))
def test_flowers_add_a_point_each_and_nothing_else(record: dict[str, Any], flowers: int) -> None:
    result = score(Hand.from_json(record | {"flowers": flowers}))
    without = score(Hand.from_json(record | {"flowers": 0}))
    assert result.points == without.points + flowers
    assert result.points_without_flowers == without.points_without_flowers
    assert result.meets_minimum == without.meets_minimum


@many
@given(hand=hands(), notation=st.sampled_from(["compact", "botzone", "unicode"]))
def test_round_trips(hand: Hand, notation: str) -> None:
    assert Hand.from_json(hand.to_json()) == hand
    text = to_text(hand, notation)
    again = parse(text)
    assert to_text(again, notation) == text
    assert (again.packed, again.melds, again.winning_tile) == (hand.packed, hand.melds, hand.winning_tile)
    assert score(again).points == score(hand).points


@given(points=st.integers(0, 400), winner=st.integers(0, 3), discarder=st.none() | st.integers(0, 3))
def test_payments_sum_to_zero(points: int, winner: int, discarder: int | None) -> None:
    if discarder == winner:
        with pytest.raises(ValueError, match="different seats"):
            payments(points, winner, discarder)
        return
    paid = payments(points, winner, discarder)
    assert sum(paid) == 0
    assert paid[winner] == (3 * points + 24 if discarder is None else points + 24)
    assert min(paid) == -(points + 8)


@many
@given(record=records(), data=st.data())
def test_the_quick_check_and_the_full_one_agree(record: dict[str, Any], data: st.DataObject) -> None:
    """A record with one thing changed is refused exactly when a problem can be named."""
    name = data.draw(st.sampled_from([*record, "tile"]))
    if name == "tile":
        place = data.draw(st.integers(0, len(record["concealed"]) - 1))
        record["concealed"][place] = data.draw(st.sampled_from(["1m", "E", "9s", "0m", "", 5, None]))
    else:
        record[name] = data.draw(
            st.sampled_from([True, False, 0, 1, 9, -1, "E", "1m", "X", None, [], {}, ["E"], 1.0])
        )
    assert is_possible(record) == (not find_problems(record))


@many
@given(hand=hands(), rulebook=st.sampled_from(RULEBOOKS))
def test_the_groups_of_a_reading_are_the_tiles_and_every_fan_names_its_own(
    hand: Hand, rulebook: Rulebook
) -> None:
    result = score(hand, rulebook)
    assert result.win
    assert result.reading is not None
    groups = result.reading.groups
    tiles = [*hand.concealed, *(tile for meld in hand.melds for tile in meld.tiles)]
    assert sorted(tile for group in groups for tile in group.tiles) == sorted(tiles)
    for line in result.fans:
        assert len(line.groups) in (0, line.count)
        assert all(0 <= place < len(groups) for places in line.groups for place in places)


@examples(50)
@given(hand=hands())
def test_no_other_reading_is_worth_more(hand: Hand) -> None:
    explanation = explain(hand)
    maximum = max(explanation.score.points_without_flowers, 8)
    assert all(other.points_without_flowers <= maximum for other in explanation.others)


@pytest.mark.parametrize(
    ("name", "size"), [("consensus.txt", 6400), ("contested.txt", 611), ("peers.txt", 352)]
)
def test_every_known_hand_is_scored_as_known(name: str, size: int) -> None:
    """Its points without flowers, one of the equally valued choices of fans, and a sum that is right."""
    assert len(golden(name)) == size
    points, fans, sums = [], [], []
    for case in golden(name):
        result = score(case.hand)
        if (result.points_without_flowers if result.win else None) != case.points:
            points.append((case.id, case.points, result.points_without_flowers))
        if case.choices and dict(result.counts) not in case.choices:
            fans.append((case.id, result.counts))
        if sum(line.total for line in result.fans) != result.points:
            sums.append((case.id, result.points))
    assert (points, fans, sums) == ([], [], [])


@every_rulebook
@examples(200)
@given(hand=hands())
def test_random_hands(hand: Hand, rulebook: Rulebook) -> None:
    assert score(hand, rulebook).points_without_flowers == reference_score(hand, rulebook)


@every_rulebook
def test_hands_of_every_kind(rulebook: Rulebook) -> None:
    sample = [*golden("consensus.txt")[::40], *golden("contested.txt")[::15]]
    points = {case.id: score(case.hand, rulebook).points_without_flowers or None for case in sample}
    assert points == {case.id: reference_score(case.hand, rulebook) for case in sample}
