"""Every code the engine speaks has its sentence."""

import ast
from pathlib import Path

from django.utils import translation

import scoring.classical
import scoring.engine
import scoring.games
from scoring import texts
from scoring.engine import (
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
from scoring.texts import REASONS, SENTENCES, SLIPS, STEPS

ENGINES = tuple(
    Path(str(room.__file__)).parent for room in (scoring.engine, scoring.classical, scoring.games)
)


def codes_in_the_engines() -> set[str]:
    """The first argument of every call that makes a problem."""
    makers = ("Problem", "_at", "UnreadableGame")
    paths = [path for engine in ENGINES for path in engine.rglob("*.py")]
    nodes = (node for path in paths for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    calls = (node for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name))
    first = [call.args[0] for call in calls if call.func.id in makers and call.args]  # type: ignore[attr-defined]
    return {node.value for node in first if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def test_every_problem_reason_step_and_verdict_has_a_sentence() -> None:
    assert codes_in_the_engines() | {"not_json"} == set(SENTENCES)
    assert (set(REASONS), set(STEPS), set(SLIPS)) == (set(Reason), set(Step), set(Slip))


def test_sentences_name_fans_tiles_and_figures() -> None:
    problem = Problem("five_of_a_kind", params={"tile": "E", "count": 5})
    assert (
        texts.problem_sentence(problem) == "There are only four tiles of each kind; here are 5 of East wind."
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
