"""Every reason has its sentence; rows of things and clauses in the reader's language."""

from django.utils import translation
from django.utils.translation import override

from scoring import texts
from scoring.engine import (
    RULEBOOKS,
    Fan,
    Improvement,
    Problem,
    Reason,
    Rejection,
    Slip,
    Step,
    differences,
    explain,
    parse,
)
from scoring.texts import (
    REASONS,
    SLIPS,
    STEPS,
    clause_text,
    joined,
    joined_and,
    joined_clauses,
    joined_parts,
    problem_sentence,
)


def test_every_reason_step_and_verdict_has_a_sentence() -> None:
    assert (set(REASONS), set(STEPS), set(SLIPS)) == (set(Reason), set(Step), set(Slip))


def test_sentences_name_fans_tiles_and_figures() -> None:
    problem = Problem("five_of_a_kind", params={"tile": "E", "count": 5})
    assert (
        texts.problem_sentence(problem) == "There are only four of each tile; this hand has 5 of East wind."
    )
    rejection = Rejection(Fan.ONE_VOIDED_SUIT, 1, Reason.EXCLUDED, "MCR 36", Fan.REVERSIBLE_TILES)
    assert (
        texts.reason_sentence(rejection.to_json())
        == "One Voided Suit does not combine with Reversible Tiles."
    )
    improvement = Improvement(Step.EXCHANGE, 12, "5m", "6m")
    assert texts.improvement_sentence(improvement.to_json()) == (
        "With 5 of Characters instead of 6 of Characters, the hand would be worth 12 points."
    )
    explanation = explain(parse("123m 456m 789m 123p 5s +5s"))
    counted = {line.fan: line.count for line in explanation.score.fans}
    first, *_ = differences(explanation, counted | {Fan.SHORT_STRAIGHT: 1})
    assert texts.difference_sentence(first.to_json()) == (
        "Short Straight was announced 1×, but counts 0×. "
        "Short Straight is always part of Pure Straight (non-repeat principle)."
    )


def test_fans_are_named_in_the_readers_language() -> None:
    for language, name in (("en", "All Chows"), ("zh-hans", "平和"), ("zh-hant", "平和")):
        with translation.override(language):
            assert texts.fan_name(Fan.ALL_CHOWS) == name


def test_a_row_has_the_signs_of_its_language() -> None:
    rows = {
        joined: ("a, b, c", "a、b、c"),
        joined_and: ("a, b and c", "a、b和c"),
        joined_parts: ("a, b, c", "a，b，c"),
        joined_clauses: ("a; b; c", "a；b；c"),
    }
    for language, at in (("en", 0), ("zh-hans", 1)):
        with override(language):
            assert [join(["a", "b", "c"]) for join in rows] == [row[at] for row in rows.values()]
    assert [(join([]), join(["a"])) for join in rows] == [("", "a")] * 4


def test_a_clause_is_said_in_the_readers_language() -> None:
    chinese = {
        "MCR 37": "《麻将竞赛规则》第 37 项",
        "MCR principle 1": "《麻将竞赛规则》原则 1",
        "MCR 45, example 15": "《麻将竞赛规则》第 45 项例 15",
        "Guide 31": "《国标麻将指南》第 31 项",
        "Botzone note 7": "Botzone注 7",
        "Botzone, Pure Terminal Chows": "Botzone“一色双龙会”",
        "Club rules, 7": "Club rules, 7",
    }
    with override("zh-hans"):
        assert {clause: clause_text(clause) for clause in chinese} == chinese
    with override("en"):
        assert [clause_text(clause) for clause in chinese] == list(chinese)
    cited = {bar.clause for book in RULEBOOKS for bar in book.exclusions}
    cited |= {fan.clause for book in RULEBOOKS for fan in book.points}
    with override("zh-hans"):
        assert {clause for clause in cited if clause_text(clause) == clause} == set()


def test_a_number_chooses_between_singular_and_plural() -> None:
    hands = [Problem("flowers_differ", params={"flowers": flowers, "named": 0}) for flowers in (1, 2)]
    with override("en"):
        singular, plural = map(problem_sentence, hands)
    assert singular == "The hand has 1 flower; flowers named: 0."
    assert plural == "The hand has 2 flowers; flowers named: 0."
    with override("zh-hans"):
        assert problem_sentence(hands[0]).startswith("这手牌有 1 张花牌")


def test_a_meld_is_called_by_its_name_in_a_problem() -> None:
    problem = Problem("meld_size", "melds.0.tiles", {"type": "pung", "count": 2, "expected": 3})
    with override("en"):
        assert problem_sentence(problem) == "A pung has 3 tiles, not 2."
    with override("zh-hant"):
        assert problem_sentence(problem) == "刻子應為 3 張牌，而不是 2 張。"
