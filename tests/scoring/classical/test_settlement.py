"""Who pays whom: the winner's score from each loser, the differences between losers, East double."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.classical import CLASSICAL, Payment, Rules, settle
from scoring.engine import WINDS

SCORES = st.fixed_dictionaries({wind: st.integers(0, 600) for wind in WINDS})
SETTINGS = st.builds(
    lambda east, among: replace(CLASSICAL, east_factor=east, losers_settle=among),
    st.integers(1, 3),
    st.booleans(),
)


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
