"""An evening: what everybody held settles pairwise, who pays whom, who is East, and the running scores follow."""

import json
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.classical import CLASSICAL, Flower, Payment, Rules, settle
from scoring.classical.evening import (
    CIRCUMSTANCES,
    PLACES,
    Entry,
    Evening,
    InvalidEvening,
    PlayerHand,
    Turn,
    read_evening,
)
from scoring.engine import WINDS, InvalidHand
from tests.scoring.classical.reference import losers
from tests.scoring.golden import DATA
from tests.support.sampling import examples

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

SCORES = st.fixed_dictionaries({wind: st.integers(0, 600) for wind in WINDS})
SETTINGS = st.builds(
    lambda east, among: replace(CLASSICAL, east_factor=east, losers_settle=among),
    st.integers(1, 3),
    st.booleans(),
)

WINNERS = st.lists(st.none() | st.sampled_from(PLACES), max_size=60)


def points(*four: int | None) -> tuple[PlayerHand, ...]:
    return tuple(PlayerHand(points=each) for each in four)


def evening(*entries: Entry, rules: Rules = CLASSICAL) -> Evening:
    played = Evening(NAMES, rules)
    for entry in entries:
        played = played.with_hand(entry)
    return played


def marks(*entries: Entry) -> list[tuple[int, ...]]:
    """The points of the four in every hand that was won."""
    return [hand.hand_scores.points for hand in evening(*entries).settled_hands if hand.hand_scores]


def codes(entry: Entry) -> list[tuple[str, str]]:
    """What is wrong with the first hand of an evening: (code, where)."""
    with pytest.raises(InvalidHand) as refused:
        evening(entry)
    return [(problem.code, problem.where) for problem in refused.value.problems]


def entry_with_hand(place: int, tiles: PlayerHand, winner: int = 0) -> Entry:
    """A hand in which one player holds this and whoever else won scored 20."""
    four = [PlayerHand(points=20) if other == winner else PlayerHand() for other in PLACES]
    four[place] = tiles
    return Entry(winner, tuple(four))


def test_tiles_are_scored_in_the_seat_and_round_of_the_turn() -> None:
    tiles = PlayerHand(tiles=WON, flowers=(Flower.SUMMER,))
    entry = Entry(
        1, (PlayerHand(points=8), tiles, PlayerHand(), PlayerHand(tiles="1m FF 3p3p [EEE] 999s 47m"))
    )
    assert marks(entry) == [(8, 144, 0, 28)]
    # Bo won as South; as East the same flower is nobody's own.
    won = Entry(
        1, (PlayerHand(), PlayerHand(tiles=WON, flowers=(Flower.SUMMER,)), PlayerHand(), PlayerHand())
    )
    assert [four[1] for four in marks(won, won)] == [144, 72]


def test_points_settle_pairwise_with_east_doubled() -> None:
    """A wash-out is not scored; the last hand is taken back."""
    before = evening(Entry(1, points(8, 144, 0, 28)))
    assert before.totals == (-312, 576, -188, -76)
    assert before.with_hand(Entry(2, points(0, 0, 40, 0))).without_last() == before
    first, second = evening(Entry(1, points(0, 40, 0, 0)), Entry(None)).settled_hands
    assert (second.changes, second.totals) == ((0, 0, 0, 0), first.totals)


def test_easts_thirteenth_win_in_a_row_scores_the_limit() -> None:
    """It holds for points that the players reckoned; too many tiles score nothing."""
    assert marks(Entry(0, points(900, 700, 0, 0))) == [(500, 500, 0, 0)]
    assert marks(entry_with_hand(2, PlayerHand(tiles="1m 4m 7m 3p3p FF 999s [EEE] 2m"))) == [(20, 0, 0, 0)]
    won = Entry(0, (PlayerHand(tiles="234m 678p 345s 22p CC +C"), PlayerHand(), PlayerHand(), PlayerHand()))
    first, *middle, thirteenth = (four[0] for four in marks(*[won] * 13))
    assert (middle, thirteenth) == ([first] * 11, 500)
    assert first < 500


IMPOSSIBLE = {
    ("winner_without_points", "players.0.points"): entry_with_hand(0, PlayerHand()),
    ("tile_count", "players.0.tiles"): entry_with_hand(0, PlayerHand(tiles="1m +1m")),
    ("not_a_win", "players.0.tiles"): entry_with_hand(0, PlayerHand(tiles="1133m5577p22s EE C +C")),
    ("tiles_and_points", "players.0.tiles"): entry_with_hand(0, PlayerHand(20, WON)),
    ("unreadable", "players.2.tiles"): entry_with_hand(2, PlayerHand(tiles="1x")),
    ("five_of_a_kind", "players.2.tiles"): entry_with_hand(2, PlayerHand(tiles="11111m")),
    ("flowers_without_tiles", "players.3.flowers"): entry_with_hand(3, PlayerHand(flowers=(Flower.PLUM,))),
}


def test_what_cannot_be_is_said_at_its_place() -> None:
    assert [problem for problem, entry in IMPOSSIBLE.items() if problem not in codes(entry)] == []
    replacement = Entry(
        0, (PlayerHand(tiles=WON), PlayerHand(), PlayerHand(), PlayerHand()), frozenset({"replacement"})
    )
    assert codes(replacement) == [("replacement_without_kong", "ways")]
    plum = (Flower.PLUM,)
    twice = (
        PlayerHand(tiles=WON, flowers=plum),
        PlayerHand(tiles="9m", flowers=plum),
        PlayerHand(),
        PlayerHand(),
    )
    assert codes(Entry(0, twice)) == [("flower_twice", "players.1.flowers")]


def test_nothing_is_played_after_the_round_of_north() -> None:
    played = evening()
    for _hand in range(16):
        winner = (played.turn.dealer + 1) % 4
        played = played.with_hand(entry_with_hand(winner, PlayerHand(points=20), winner))
    with pytest.raises(ValueError, match="played"):
        played.with_hand(Entry(None))


@st.composite
def entries(draw: st.DrawFn) -> Entry:
    """Wash-outs, and wins by points or tiles against points or tiles."""
    winner = draw(st.none() | st.sampled_from(PLACES))
    if winner is None:
        return Entry(None)
    four = []
    for place in PLACES:
        if draw(st.booleans()):
            four.append(PlayerHand(points=draw(st.integers(20 if place == winner else 0, 2000))))
        elif place == winner:
            four.append(PlayerHand(tiles=draw(st.sampled_from(WINS))))
        else:
            loser = draw(losers())
            melds = [("(%s)" if m.concealed else "[%s]") % " ".join(m.tiles) for m in loser.melds]
            four.append(PlayerHand(tiles=" ".join((*loser.concealed, *melds))))
    return Entry(winner, tuple(four))


RULES = st.builds(
    Rules,
    limit=st.integers(1, 1000),
    east_factor=st.sampled_from((1, 2)),
    losers_settle=st.booleans(),
    losers_have_limit=st.booleans(),
)


@st.composite
def evenings(draw: st.DrawFn) -> Evening:
    return evening(*draw(st.lists(entries(), max_size=12)), rules=draw(RULES))


@examples(60)
@given(evenings(), st.integers(1, 100))
def test_every_evening_settles_and_is_read_back(played: Evening, limit: int) -> None:
    """Scores sum to zero, by other rules too; the winner never loses by a hand."""
    for hand in played.settled_hands:
        assert sum(hand.changes) == sum(hand.totals) == 0
        assert hand.entry.winner is None or hand.changes[hand.entry.winner] >= 0
    assert read_evening(played.to_json()) == played
    by_other_rules = replace(played, rules=replace(played.rules, limit=limit))
    assert sum(by_other_rules.totals) == 0
    assert by_other_rules.turn == played.turn


FIELDS = ("names", "rules", "hands", "winner", "ways", "players", "tiles", "flowers", "points")
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(CIRCUMSTANCES),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.sampled_from(FIELDS), inner, max_size=5),
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


AT_FAULT = json.loads((DATA / "classical-evening-faults.json").read_text("utf-8"))
"""A change to an evening, the place of the hand at fault, and its problems by code and place."""


def test_the_hand_at_fault_is_named_with_everything_that_is_wrong() -> None:
    for change, place, problems in AT_FAULT:
        with pytest.raises(InvalidEvening) as refused:
            read_evening({"names": list(NAMES), "hands": []} | change)
        assert refused.value.place == place, change
        assert [[problem.code, problem.where] for problem in refused.value.problems] == problems


def test_a_dragon_before_a_number_is_a_dragon_in_our_notation() -> None:
    """Botzone's F1 to F4 are winds: of two Green Dragons held the loser scores the pair."""
    hands = (PlayerHand(tiles="FF147m258p369sEW"), *points(None, 40, None))
    marked = marks(Entry(2, hands))
    assert marked == [(2, 0, 40, 0)]


@given(SCORES, st.sampled_from(WINDS), SETTINGS)
def test_the_winner_is_paid_in_full_and_payments_sum_to_zero(
    points: dict[str, int], winner: str, rules: Rules
) -> None:
    assert sum(settle(points, winner, rules).changes.values()) == 0
    settlement = settle(points, winner)
    shares = 6 if winner == "E" else 4
    assert settlement.changes[winner] == shares * points[winner]
    assert all(payment.payer != winner for payment in settlement.payments)
    assert all(payment.points > 0 for payment in settlement.payments)


def test_east_with_a_limit_hand_receives_3000() -> None:
    """000:1405's own figures: 1,000 from each, 3,000 in all."""
    changes = settle({"E": 500, "S": 0, "W": 0, "N": 0}, "E").changes
    assert changes == {"E": 3000, "S": -1000, "W": -1000, "N": -1000}


def test_losers_pay_each_other_the_difference() -> None:
    """001:75: the others' scores are paid and one's own deducted; by or to East doubled (000:1095)."""
    payments = settle({"E": 10, "S": 100, "W": 4, "N": 16}, "S").payments
    assert payments == (
        Payment("E", "S", 200, 2),
        Payment("W", "S", 100, 1),
        Payment("N", "S", 100, 1),
        Payment("W", "E", 12, 2),
        Payment("E", "N", 12, 2),
        Payment("W", "N", 12, 1),
    )
    # Equal ones pay nothing.
    assert len(settle({"E": 8, "S": 8, "W": 24, "N": 8}, "W").payments) == 3


def test_only_the_winner_is_paid_where_losers_dont_settle() -> None:
    rules = replace(CLASSICAL, losers_settle=False, east_factor=1)
    changes = settle({"E": 10, "S": 100, "W": 4, "N": 16}, "S", rules).changes
    assert changes == {"E": -100, "S": 300, "W": -100, "N": -100}


def test_four_scores_are_asked_for() -> None:
    three = {"E": 1, "S": 1, "W": 1}
    for points, winner in ((three, "E"), (three | {"N": -1}, "E"), (three | {"N": 1}, "C")):
        with pytest.raises(ValueError, match="four seat winds"):
            settle(points, winner)


def after(*winners: int | None) -> Turn:
    turn = Turn()
    for winner in winners:
        turn = turn.after(winner)
    return turn


def test_the_wind_of_the_round_changes_when_everybody_has_lost_east() -> None:
    before = after(1, 2, 3)
    assert (before.prevalent, before.dealer) == ("E", 3)
    assert (before.after(0).prevalent, before.after(0).dealer) == ("S", 0)
    assert after(1, 2, 3, 3, None, 3).prevalent == "E", "as long as East wins"


def test_wins_in_a_row_go_on_through_a_wash_out_and_end_with_another_winner() -> None:
    assert (after(2, 2, None).wins_of(2), after(2, 2, 1).wins_of(2)) == (3, 1)


@given(WINNERS)
def test_east_moves_by_the_rule_and_never_otherwise(winners: list[int | None]) -> None:
    turn = Turn()
    for winner in winners:
        seats = {turn.wind(place): place for place in PLACES}
        assert (set(seats), seats["E"]) == (set("ESWN"), turn.dealer)
        following = turn.after(winner)
        stays = winner is None or winner == seats["E"]
        assert following.dealer == (turn.dealer if stays else seats["S"])
        turn = following
