"""Rules that organisers' programs write: those of every book are taken, those no penalty can be given by are not."""

from __future__ import annotations

from typing import Any

import pytest

from penalties.engine import FOUL_BOOKS
from penalties.engine.rules import Rule, rule_written

RULES = [foul.rule for book in FOUL_BOOKS.values() for foul in book.fouls]


def of(kind: str) -> Rule:
    return next(rule for rule in RULES if rule.kind == kind)


def test_every_rule_of_a_book_reads_back() -> None:
    assert [rule for rule in RULES if rule_written(rule.to_json(), rule) != rule] == []


FINE = {"points": {"amount": 5, "scope": "session", "paid_to": "nobody"}}
TO_VICTIM = {"points": {"amount": 5, "scope": "hand", "paid_to": "victim"}}


REFUSED: list[tuple[str, dict[str, Any]]] = [
    ("choice", {"amounts": []}),
    ("choice", {"amounts": [0, 5]}),
    ("choice", {"amounts": [5, 10000]}),
    ("choice", {"amounts": list(range(1, 90))}),
    ("choice", {"amounts": "123"}),
    ("choice", {"amounts": {"least": 5, "most": 10**15}}),
    ("ladder", {"steps": [FINE], "if_seen": FINE}),
    ("ladder", {"steps": [FINE] * 51}),
    ("ladder", {"steps": [{"points": {**FINE["points"], "amount": 5.5}}]}),
    ("ladder", {"repeats": "century"}),
    ("late", {"bands": []}),
    ("late", {"bands": [[1000, FINE]]}),
    ("late", {"bands": [[10, FINE], [5, FINE]]}),
    ("late", {"bands": [[10, TO_VICTIM]]}),
    ("late", {"further_minutes": 0}),
    ("late", {"others_start_after": 10**9}),
    ("cases", {"cases": []}),
    ("fixed", {"sanction": {"boiling_oil": True}}),
    ("fixed", {"sanction": FINE, "more": 1}),
]


def test_a_rule_that_no_penalty_can_be_given_by_is_refused() -> None:
    """Of a foul by cases, the cases stay."""
    for kind, change in REFUSED:
        with pytest.raises(ValueError, match=r"\w"):
            rule_written(of(kind).to_json() | change, of(kind))
    cases = of("cases")
    data = cases.to_json()
    data["cases"][0]["names"]["en"] = "Otherwise"
    with pytest.raises(ValueError, match="the cases stay"):
        rule_written(data, cases)


def test_a_house_foul_costs_the_same_more_or_as_the_umpire_decides() -> None:
    for kind in ("fixed", "ladder", "choice"):
        assert rule_written(of(kind).to_json()) == of(kind)
    with pytest.raises(ValueError, match="the kind has to be"):
        rule_written(of("late").to_json())
