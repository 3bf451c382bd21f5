"""The foul book of the European Mahjong Association, clause by clause (tests/data/mers-fouls.md)."""

import re

import pytest

from penalties.engine import find_foul_book
from penalties.engine.escalation import Proposal, propose
from penalties.engine.facts import EarlierFoul, Facts
from penalties.engine.sanctions import PaidTo, Points, PointScope, Sanction, fine
from penalties.texts import reason_text
from tests.support.data import read_csv

MERS = find_foul_book("mers")
ROWS = read_csv("mers-fouls.csv")


def sanction_of(words: str) -> Sanction:
    """The sanction of a row: "10 each dead_hand"."""
    parts = words.split()
    amount = next((int(part) for part in parts if part.isdigit()), 0)
    paid = (PointScope.HAND, PaidTo.EACH_OPPONENT) if "each" in parts else (PointScope.SESSION, PaidTo.NOBODY)
    flags = [part for part in parts if not part.isdigit() and part not in ("each", "discretion")]
    return Sanction(points=Points(amount, *paid) if amount else None, **dict.fromkeys(flags, True))


def proposed(foul: str, facts: str = "", *, session: int = 2, earlier: list[EarlierFoul]) -> Proposal:
    name, _, value = facts.partition("=")
    stated = {name: int(value) if value.isdigit() else value} if name else {}
    return propose(foul, Facts(hand_number=9, session=session, **stated), earlier, MERS)  # type: ignore[arg-type]


def test_each_clause_of_the_regulations(subtests: pytest.Subtests) -> None:
    for row in ROWS:
        with subtests.test(f"{row['clause']} {row['situation']}"):
            check_clause(row)


def check_clause(row: dict[str, str]) -> None:
    foul = MERS.find(row["foul"])
    assert foul is not None
    if foul.key != "wrong_tile_count":
        clauses = re.findall(r"\d+(?:\.\d+)+|overview", foul.source.en.partition("), ")[2])
        assert row["clause"] in clauses
    assert row["described"] in foul.description.en
    if not row["sanction"]:
        return
    earlier = [EarlierFoul(foul.key, hand, 2) for hand in range(1, int(row["time"]))]
    proposal = proposed(foul.key, row["facts"], earlier=earlier)
    assert proposal.sanction == sanction_of(row["sanction"])
    assert proposal.reason is not None
    assert (proposal.reason.code == "discretion") == (row["sanction"] == "discretion")


def test_every_foul_of_the_regulations_is_in_the_table() -> None:
    regulated = [foul.key for foul in MERS.fouls if foul.source.en.startswith("MERS")]
    assert {row["foul"] for row in ROWS} == {*regulated, "wrong_tile_count"}
    others = [foul.key for foul in MERS.fouls if foul.key not in regulated]
    assert others == ["rules_violation", "wrong_tile_count"]


def test_repeats_are_counted_anew_in_each_session_except_obstruction() -> None:
    """3.6 and the Penalties overview."""
    ladder = proposed("empty_call", earlier=[EarlierFoul("empty_call", 3, 1)])
    assert (ladder.occurrence, ladder.sanction) == (1, Sanction(warning=True))
    obstruction = proposed("obstruction", earlier=[EarlierFoul("obstruction", 3, 1)])
    assert (obstruction.occurrence, obstruction.sanction) == (2, Sanction(disqualification=True))


def test_fouls_with_progressive_penalties_have_one_count() -> None:
    """3.1 and the Penalties overview: the first offence a warning, the second 5 points, whichever they were."""
    earlier = [EarlierFoul(key, hand, 2) for hand, key in enumerate(("empty_call", "late", "early_claim"), 1)]
    third = proposed("passing_information", earlier=earlier)
    assert (third.occurrence, third.sanction) == (3, fine(10)), "being late has an amount of its own"
    foul = MERS.find("passing_information")
    assert foul is not None
    assert reason_text(third, foul) == "Passing information, foul 3 in this session"
