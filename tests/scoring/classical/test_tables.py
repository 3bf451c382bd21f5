"""Every line of the tables of 001, one test each; the figures are read off there, not from `Row`."""

from scoring.classical import FLOWERS, ROWS, SEASONS, Flower, Row, Sort, find_row, score_loser, score_winner
from tests.house.test_catalogues import SIMPLIFIED_ONLY, TRADITIONAL_ONLY
from tests.scoring.classical.reference import circumstances, lines, loser, winner
from tests.scoring.golden import lines as table

REST = "34m 67p 34s 789s 1p"
"""Nine tiles or ten that score nothing for a loser."""


def test_pungs_and_kongs() -> None:
    """001:84-86, for losers as for winners (001:92)."""
    for line, key, exposed, low, concealed, high in table("classical-sets.txt"):
        row = find_row(key)
        assert row.clause == f"001:{line}"
        for tiles, points in ((exposed, int(low)), (concealed, int(high))):
            of_loser = lines(score_loser(loser(f"{REST} {tiles}")), row)
            of_winner = lines(score_winner(winner(f"234m 678p 345s {tiles} 4p +4p")), row)
            assert [[line.value for line in scored_lines] for scored_lines in (of_loser, of_winner)] == [
                [points]
            ] * 2, tiles
    # 001:81: a chow scores nothing.
    assert score_loser(loser("[234m] 345p 456s 1m 9m 2s 7p")).added == 0


def test_pairs() -> None:
    """001:88-90; 001:91: no others count anything."""
    pairs = {
        "F": (Row.PAIR_OF_DRAGONS, 88),
        "S": (Row.PAIR_OF_OWN_WIND, 89),
        "W": (Row.PAIR_OF_ROUND_WIND, 90),
    }
    for tile, (row, line) in pairs.items():
        of_loser = score_loser(loser(f"234m 234p 678s 19m {tile * 2} seat=S round=W"))
        of_winner = score_winner(winner(f"234m 234p 678s 678m {tile} +{tile} seat=S round=W"))
        for score in (of_loser, of_winner):
            values = [(line.row, line.row.clause, line.value) for line in score.of_sort(Sort.POINTS)]
            assert values == [(row, f"001:{line}", 2)]
    assert not score_winner(winner("234m 234p 678s 678m N +N seat=S round=W")).of_sort(Sort.POINTS)


def test_any_season_or_flower_is_4_points() -> None:
    """001:88."""
    for flower in Flower:
        score = score_loser(loser("147m 147p 147s ESWN", flower))
        values = [(line.row, line.value, line.flowers) for line in score.of_sort(Sort.POINTS)]
        assert values == [(Row.FLOWER, 4, (flower,))]


DOUBLES = [
    *((94, Row.OWN_WIND, winds) for winds in ("SSS", "[SSSS]")),
    *((95, Row.ROUND_WIND, winds) for winds in ("WWW", "(WWWW)")),
    *((96, Row.DRAGON, dragons) for dragons in ("CCC", "[FFF]", "(PPPP)")),
]


def test_what_doubles_for_everybody() -> None:
    """001:94-96."""
    for number, row, tiles in DOUBLES:
        of_loser = score_loser(loser(f"{REST} {tiles} seat=S round=W"))
        of_winner = score_winner(winner(f"234m 678p 345s {tiles} 4p +4p seat=S round=W"))
        for score in (of_loser, of_winner):
            values = [(line.row.clause, line.value) for line in lines(score, row)]
            assert (values, score.factor) == ([(f"001:{number}", 2)], 2), tiles


def test_ones_own_season_or_flower_doubles() -> None:
    """001:97, their order 001:22."""
    for own_flower, seat in enumerate("ESWN"):
        scores = [score_loser(loser(f"147m 147p 147s ESWN seat={seat}", flower)) for flower in Flower]
        assert [score.factor for score in scores] == [2 if at % 4 == own_flower else 1 for at in range(8)]


def test_four_seasons_or_four_flowers_are_8_fold() -> None:
    """001:98, beside the own one of 001:97."""
    for four in (SEASONS, FLOWERS):
        score = score_loser(loser("147m 147p 147s ESWN", *four))
        doubles = [(line.row, line.value) for line in score.of_sort(Sort.DOUBLES)]
        assert doubles == [(Row.OWN_FLOWER, 2), (Row.FOUR_FLOWERS, 8)]
        assert (score.added, score.points) == (16, 256)


def test_what_doubles_for_the_winner() -> None:
    """001:94-99, right-hand column: no other of them beside it."""
    for number, key, text, extras, factor in table("classical-doubles.txt"):
        doubles = score_winner(winner(text, **circumstances(extras))).of_sort(Sort.WINNER_DOUBLES)
        values = [(line.row.key, line.row.clause, line.value) for line in doubles]
        assert values == [(key, f"001:{number}", int(factor))], text


def test_hands_that_have_none_of_them() -> None:
    """Two suits, even of ones and nines alone; two suits with Dragons; Winds with a tile that is no one or nine."""
    two_suits = ("234m 234p 678s 678m 9p +9p", "[111m] [999m] [111p] 99s 99p +9s")
    with_honours = ("234m 234p 678m CC 99m +9m", "[111m] [SSS] [999p] 78s CC +9s")
    hands = [*two_suits, *with_honours]
    assert [text for text in hands if score_winner(winner(text)).of_sort(Sort.WINNER_DOUBLES)] == []


PLAIN = "234m 678p 345s 777s 3p +3p"


def test_bonuses_of_the_winner() -> None:
    """001:101-108, each in a hand that earns it and in one that does not."""
    for number, key, text, extras, points in table("classical-bonuses.txt"):
        scored_lines = lines(score_winner(winner(text, **circumstances(extras))), find_row(key))
        earned = [] if points == "-" else [(f"001:{number}", int(points))]
        assert [(line.row.clause, line.value) for line in scored_lines] == earned, (key, text)


def test_bonuses_are_added_before_anything_is_doubled() -> None:
    """001:109: 8 for the concealed dragons, 20 for winning, 2 for the only tile and 2 for drawing it; doubled."""
    score = score_winner(winner("234m 678p 345s CCC 3p +3p self-drawn"))
    assert (score.added, score.factor, score.points) == (32, 2, 64)


def test_every_row_has_its_key_and_three_names() -> None:
    assert [find_row(row.key) for row in ROWS] == list(ROWS)
    assert len({row.key for row in ROWS}) == len(ROWS)
    names = [row.names for row in ROWS] + [flower.names for flower in Flower]
    assert all(name.en and name.zh_hans and name.zh_hant for name in names)
    assert [name for name in names if TRADITIONAL_ONLY & set(name.zh_hans)] == []
    assert [name for name in names if SIMPLIFIED_ONLY & set(name.zh_hant)] == []
    printed = (range(75, 76), range(84, 87), range(88, 91), range(94, 100), range(101, 109), range(111, 121))
    assert {row.clause for row in ROWS} == {f"001:{line}" for lines in printed for line in lines}
