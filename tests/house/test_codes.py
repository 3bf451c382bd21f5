"""Every problem that can be raised has its sentence and brings what it says; one that does not is a crash."""

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from string import Formatter

from penalties.engine import Need
from penalties.texts import SENTENCES as PENALTIES
from scoring.engine.problems import Problem
from scoring.texts import SENTENCES as SCORING
from tests.house.source import ROOT, modules, nodes
from tournament.ema.selectors import Gap
from tournament.exchange.transcripts.score_sheet import _WRONG_KIND
from tournament.play.selectors.closing import Kind
from tournament.site.texts import problems
from tournament.staff.passes import Standing
from tournament.web.texts import problems as shared_problems
from tournament.web.texts.problems import SENTENCES, sentence

MAKERS = {maker: set[str]() for maker in ("Problem", "refuse", "_text_problems", "_pairs_of_numbers")}
MAKERS |= {"fault": {"field"}, "_member_problems": {"name"}}
"""What makes a problem of a code, and the params it adds; `tests/scoring/test_texts.py` has those of scoring."""
CODE_AT = {"_pairs_of_numbers": 2}
"""Where the code stands among what they are told, if not in front."""

INVITATION = {f"invitation_{standing.value}" for standing in Standing if standing is not Standing.OPEN}
OWN_BODIES = (
    "base/errors",
    "exchange/transcripts/score_sheet",
    "fouls/selectors",
    "fouls/services/appeals",
    "seating/forms",
    "web/shapes",
)
"""Where the makers themselves stand."""
WORKED_OUT: dict[tuple[str, str], set[str]] = {
    ("penalties/engine/rules.py", "f'{name}_missing'"): {f"{need.value}_missing" for need in Need},
    ("tournament/play/engine/judge.py", "f'wrong_{key}'"): {
        f"wrong_{key}" for key in ("seat_wind", "prevalent_wind", "self_drawn")
    },
    ("tournament/exchange/transcripts/score_sheet.py", "_WRONG_KIND[kind]"): set(_WRONG_KIND.values()),
    ("tournament/exchange/transcripts/transcript.py", "code"): {"not_seated", "seated_all_the_same"},
    ("tournament/play/selectors/closing.py", "self.kind.value"): {kind.value for kind in Kind},
    ("tournament/ema/selectors.py", "self.gap.value"): {gap.value for gap in Gap},
    ("tournament/staff/services.py", "f'invitation_{stands.value}'"): INVITATION,
    ("tournament/staff/views/invitations.py", "f'invitation_{stands.value}'"): INVITATION,
    ("tournament/staff/api.py", "f'invitation_{standing_of(invitation, self.actor.user).value}'"): {
        "invitation_unknown"
    },
    ("tournament/web/shapes.py", "self.otherwise"): {
        f"field_not_{kind}" for kind in ("a_moment", "a_day", "an_hour", "an_amount", "a_uuid")
    },
    ("tournament/staff/selectors.py", "code"): {"umpire_not_there", "umpire_plays"},
} | {(f"tournament/{path}.py", "code"): set[str]() for path in OWN_BODIES}
"""(file, how the code is written) → the codes it comes to, where it is not written out."""

Raised = tuple[str, ast.Call, ast.expr]
"""The file, the call that makes the problem, and its code."""


@cache
def raised() -> list[Raised]:
    return [
        (path.relative_to(ROOT).as_posix(), call, code)
        for path in modules("penalties", "tournament")
        for call, code in made_in(nodes(path))
    ]


def made_in(nodes: Iterable[ast.AST]) -> Iterator[tuple[ast.Call, ast.expr]]:
    """Each call that makes a problem, and its code; one of two codes is given as both."""
    for node in nodes:
        if isinstance(node, ast.Call) and (name := called(node)) in MAKERS:
            arguments = node.args[CODE_AT.get(name, 0) :] or [
                k.value for k in node.keywords if k.arg == "code"
            ]
            for code in arguments[:1]:
                yield from ((node, choice) for choice in choices(code) if not is_copied(choice))


def called(call: ast.Call) -> str:
    match call.func:
        case ast.Name(name) | ast.Attribute(attr=name):
            return name
    return ""


def choices(code: ast.expr) -> list[ast.expr]:
    return [*choices(code.body), *choices(code.orelse)] if isinstance(code, ast.IfExp) else [code]


def is_copied(code: ast.expr) -> bool:
    """`fault.code`: another problem's, at another place."""
    return isinstance(code, ast.Attribute) and code.attr == "code"


def written(code: ast.expr) -> str | None:
    return code.value if isinstance(code, ast.Constant) and isinstance(code.value, str) else None


def params_of(call: ast.Call) -> set[str] | None:
    """The names of what the problem is told; None where that is worked out."""
    match call:
        case ast.Call(args=[_, _, ast.Dict(keys=keys)]) if None not in keys:
            return {str(ast.literal_eval(key)) for key in keys if key is not None}
        case ast.Call(args=[_, _, _]):
            return None
    named = {keyword.arg for keyword in call.keywords}
    return None if None in named else {str(name) for name in named}


def text_of(code: str) -> str:
    return str(SENTENCES.get(code) or PENALTIES.get(code) or SCORING[code])


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_every_problem_has_a_sentence_and_every_sentence_a_problem() -> None:
    codes = {code for *_, expression in raised() if (code := written(expression))}.union(*WORKED_OUT.values())
    assert len(codes) > 200
    assert codes - {*SENTENCES, *PENALTIES, *SCORING} == set()
    assert {*SENTENCES, *PENALTIES} - codes == set()


def test_a_code_that_is_worked_out_is_known_here() -> None:
    worked_out = {(path, ast.unparse(code)) for path, _, code in raised() if written(code) is None}
    assert worked_out == set(WORKED_OUT)


def test_a_problem_brings_what_its_sentence_says() -> None:
    lacking = {
        (path, call.lineno, code): missing
        for path, call, expression in raised()
        if (code := written(expression)) and (params := params_of(call)) is not None
        if (missing := placeholders(text_of(code)) - params - MAKERS[called(call)])
    }
    assert lacking == {}


def test_no_code_is_said_twice() -> None:
    """Of two sentences for one code one would never be read."""
    shared = next(
        node.value
        for node in nodes(Path(shared_problems.__file__))
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "SENTENCES"
    )
    assert isinstance(shared, ast.Dict)
    codes = Counter(ast.literal_eval(key) for key in shared.keys if key)
    for table in problems.OF_PROBLEMS:
        codes.update(table.keys())
    assert set(codes) == set(SENTENCES)
    assert [code for code, times in codes.items() if times > 1] == []
    assert set(SENTENCES) & set(PENALTIES) == set()


def test_a_fact_that_was_not_stated_is_asked_for() -> None:
    assert [need for need in Need if not sentence(Problem(f"{need.value}_missing")).endswith("?")] == []


SOURCE = """
def pour(cup, full):
    raise refuse("cup_full" if full else "cup_gone", cup=cup)
    Problem(other.code, "cup")
    Problem(f"{cup}_broken")
    self._pairs_of_numbers("stay", ":", "no_cup")
"""


def test_a_code_is_found_wherever_it_stands() -> None:
    problems_made = [
        (ast.unparse(code), params_of(call)) for call, code in made_in(ast.walk(ast.parse(SOURCE)))
    ]
    assert problems_made == [
        ("'cup_full'", {"cup"}),
        ("'cup_gone'", {"cup"}),
        ("f'{cup}_broken'", set()),
        ("'no_cup'", None),
    ]
