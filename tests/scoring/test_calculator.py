"""Everything there is to say about a hand, in one answer."""

from collections import Counter
from dataclasses import replace
from typing import Any

from hypothesis import given

from scoring.calculator import Answer, Claimed, consult, consult_text
from scoring.engine import BOTZONE, GUIDE, MCR, MWT, Fan, Hand, Slip, explain, score
from tests.scoring.strategies import hands
from tests.support.sampling import examples

CHOWS = "123m 123p 12s 789s 99m +3s seat=W round=S"
SEVEN_PAIRS = "1133m5577p22s EE C +C"


def codes(answer: Answer) -> list[str]:
    return [problem.code for problem in answer.problems]


def test_a_whole_hand_is_explained_and_paid_both_ways() -> None:
    by_discard, self_drawn = consult_text(CHOWS).ways
    assert (by_discard.score.points, by_discard.payments) == (18, (42, -26, -8, -8))
    assert self_drawn.score.hand.self_drawn
    assert self_drawn.payments == (84, -28, -28, -28)


def test_nobody_pays_for_a_hand_under_the_minimum() -> None:
    """Robbing a kong is left out of the other way."""
    answer = consult_text("123m 678p 345s 78s 99m +6s")
    assert answer.explanation is not None
    assert answer.explanation.missing
    assert answer.ways[0].payments is None
    (as_won, other) = consult_text("123m 123p 12s 789s 99m +3s robbing-kong").ways
    assert Fan.ROBBING_THE_KONG in dict(as_won.score.counts)
    assert Fan.ROBBING_THE_KONG not in dict(other.score.counts)


def test_the_other_rulebooks_agree_or_say_why_not() -> None:
    by_book = {other.score.rulebook: other for other in consult_text(SEVEN_PAIRS).elsewhere}
    assert set(by_book) == {MWT, BOTZONE, GUIDE}
    to_the_letter = by_book[MWT]
    assert [line.fan for line in to_the_letter.less] == [Fan.ALL_TYPES]
    assert to_the_letter.more == ()
    assert to_the_letter.reasons[Fan.ALL_TYPES].clause == "MCR 55"
    assert not by_book[BOTZONE].differs


def test_a_fan_that_is_dearer_elsewhere_differs() -> None:
    house = replace(MCR, key="house", points=MCR.points | {Fan.TWO_CONCEALED_KONGS: 5})
    answer = consult_text("12m 55p 789s (EEEE) (SSSS) +3m", house)
    botzone = next(other for other in answer.elsewhere if other.score.rulebook is BOTZONE)
    assert [(line.fan, line.points) for line in botzone.more] == [(Fan.TWO_CONCEALED_KONGS, 6)]


def test_thirteen_tiles_wait_and_with_fewer_nothing_is_wrong_yet() -> None:
    thirteen, three = consult_text("112233m 445566p 7s"), consult_text("123m")
    assert (thirteen.missing, thirteen.explanation) == (1, None)
    assert [wait.tile for wait in thirteen.waits] == ["7s"]
    assert (three.missing, three.problems, three.waits) == (11, (), ())
    # What is said of a tile that has not come does not stop the waits.
    for circumstance in ("last-of-kind", "robbing-kong", "replacement self-drawn"):
        answer = consult_text(f"55m 123p 789s EEE 66p {circumstance}")
        assert [wait.tile for wait in answer.waits] == ["5m", "6p"], circumstance


def test_an_announcement_is_held_against_the_score() -> None:
    fans = {Fan.MIXED_TRIPLE_CHOW: 1, Fan.NO_HONORS: 1}
    announcements = [
        (Claimed(points=18), []),
        (Claimed(points=24), [Slip.WRONG_SUM]),
        (Claimed(fans=fans), [Slip.FORGOTTEN] * 5 + [Slip.NOT_COUNTED]),
    ]
    for announced, slips in announcements:
        differences = consult_text(CHOWS, MCR, announced).differences
        assert differences is not None
        assert Counter(line.slip for line in differences) == Counter(slips)
    assert consult_text(CHOWS).differences is None


NO_HANDS: list[tuple[Any, str]] = [
    ("123m", "not_a_hand"),
    ({"concealed": 3, "melds": []}, "missing"),
    ({"concealed": ["1m"] * 14, "melds": []}, "missing"),
    ({"concealed": ["1m"] * 5, "melds": []}, "five_of_a_kind"),
    ({"concealed": ["1m"] * 13, "melds": [], "winning_tile": "1m"}, "missing"),
]


def test_what_is_no_hand_is_refused() -> None:
    """A text may end before the winning tile, but not without it."""
    assert [codes(consult(record))[0] for record, _ in NO_HANDS] == [code for _, code in NO_HANDS]
    first_problem = {
        "123m 456p 789s EEE 55m": ["no_winning_tile"],
        "12x": ["unreadable"],
        "123m +": [],
        "[123m": ["meld_not_closed"],
    }
    assert {text: codes(consult_text(text))[:1] for text in first_problem} == first_problem


@given(hands())
@examples(50)
def test_a_page_and_a_program_are_told_what_the_desk_is_told(hand: Hand) -> None:
    """The answer holds the explanation, and that the score, each under the same names with the same values."""
    of_desk, of_command = score(hand).to_json(), explain(hand).to_json()
    of_page = consult(hand.to_json()).to_json()
    assert {name: of_command[name] for name in of_desk} == of_desk
    assert {name: of_page[name] for name in of_command} == of_command
