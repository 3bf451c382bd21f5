"""The rule book's own examples and exclusions."""

from scoring.engine import Fan, parse, score
from tests.scoring.golden import counts, lines

F = Fan
LEFT_ASIDE = {
    *(F.EDGE_WAIT, F.CLOSED_WAIT, F.SINGLE_WAIT),
    *(F.CONCEALED_HAND, F.FULLY_CONCEALED_HAND, F.MELDED_HAND, F.TWO_CONCEALED_PUNGS),
    *(F.SELF_DRAWN, F.LAST_TILE_DRAW, F.LAST_TILE_CLAIM),
}
"""Waits, concealment and circumstances."""
NOT_FOLLOWED = {"1", "46", "49"}


def test_every_example_of_the_book() -> None:
    """The three that are not followed say why, and what counts instead."""
    examples = list(lines("book-examples.txt"))
    assert {line[0] for line in examples if len(line) == 5} == NOT_FOLLOWED
    wrong = {}
    for example, text, combined, *instead in examples:
        expected = counts(instead[0] if example in NOT_FOLLOWED else combined)
        counted = {fan: times for fan, times in score(parse(text)).counts if fan not in LEFT_ASIDE}
        if counted != expected:
            wrong[example, text] = counted
    assert wrong == {}


def test_flowers_do_not_help_a_chicken_hand_nor_take_it_away() -> None:
    """MCR 39 and its example 13: flowers come on top of the 8 points. MCR 19: a kong is no Tile Hog."""
    assert F.TILE_HOG not in dict(score(parse("23m 456p 789s EE [5555s] +1m")).counts)
    found = score(parse("12m 678p EE [345s] [777s] +3m flowers=3 seat=S round=S"))
    assert dict(found.counts) == {F.EDGE_WAIT: 1}
    chicken = score(parse("23m 678p EE [345s] [777s] +4m flowers=3 seat=S round=S"))
    assert dict(chicken.counts) == {F.CHICKEN_HAND: 1}
    assert (chicken.points, chicken.points_without_flowers, chicken.meets_minimum) == (11, 8, True)


NOTES = [
    # Note 1: what is concealed by nature adds Self-Drawn only.
    ("112233m 4455667p +7p self-drawn", {F.SELF_DRAWN: 1}, {F.FULLY_CONCEALED_HAND}),
    ("1112345678999m +5m self-drawn", {F.NINE_GATES: 1, F.SELF_DRAWN: 1}, {F.FULLY_CONCEALED_HAND}),
    ("19m19p19sESWNCFP +P self-drawn", {F.SELF_DRAWN: 1}, {F.FULLY_CONCEALED_HAND}),
    ("111m333p555s77sEE +E self-drawn", {F.SELF_DRAWN: 1}, {F.FULLY_CONCEALED_HAND}),
    # Note 2: fans that add to Seven Pairs.
    ("11m22p33s4sEECCFF +4s", {F.SEVEN_PAIRS: 1, F.ALL_TYPES: 1}, {F.SINGLE_WAIT}),
    ("2222333344668s +8s last-tile-of-wall", {F.ALL_GREEN: 1, F.LAST_TILE_CLAIM: 1, F.TILE_HOG: 2}, set()),
    # Note 3: All Pungs is implied.
    ("1m [111p] [999p] [111s] [999s] +1m", {F.ALL_TERMINALS: 1}, {F.ALL_PUNGS}),
    ("P [EEE] [SSS] [CCC] [FFF] +P", {F.ALL_HONORS: 1}, {F.ALL_PUNGS}),
    # Note 4: a melded and a concealed kong.
    (
        "23m 456p 99s [1111s] (9999p) +4m",
        {F.MELDED_KONG_AND_CONCEALED_KONG: 1},
        {F.MELDED_KONG, F.CONCEALED_KONG},
    ),
    # Note 5: one kong fan, one concealed-pung fan; no Two Concealed Pungs beside Two Concealed Kongs.
    (
        "23m 456p 99s (1111s) (9999p) +4m",
        {F.TWO_CONCEALED_KONGS: 1},
        {F.TWO_CONCEALED_PUNGS, F.CONCEALED_KONG},
    ),
    ("555m 46p 99s (1111s) (9999p) +5p", {F.TWO_CONCEALED_KONGS: 1, F.THREE_CONCEALED_PUNGS: 1}, set()),
    # Note 6: kong fans add to Out with Replacement Tile.
    (
        "23m 456p 99s [789s] (9999p) +4m self-drawn replacement",
        {F.OUT_WITH_REPLACEMENT_TILE: 1, F.CONCEALED_KONG: 1},
        {F.SELF_DRAWN},
    ),
    # Note 7: One Voided Suit adds to fans that lack a suit anyway, but not to Reversible Tiles.
    ("1p [EEE] [SSS] [WWW] [999m] +1p seat=N round=N", {F.BIG_THREE_WINDS: 1, F.ONE_VOIDED_SUIT: 1}, set()),
    ("2s [111p] [222p] [333p] [444p] +2s", {F.REVERSIBLE_TILES: 1}, {F.ONE_VOIDED_SUIT}),
]


def test_botzone_notes() -> None:
    wrong = {}
    for text, counted, left_out in NOTES:
        found = dict(score(parse(text)).counts)
        if not counted.items() <= found.items() or left_out & found.keys():
            wrong[text] = found
    assert wrong == {}
