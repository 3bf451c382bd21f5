"""No vague names in Python, scripts or templates (docs/adr/0033-plain-names.md)."""

import ast
import re
from collections import Counter

from tests.house.addresses import PATTERNS
from tests.house.source import ROOT, log_actions, nodes_of, ours
from tests.support.programs import published_schema

VAGUE = {
    *("said", "told", "asked", "wish", "wished", "wanted", "found", "made", "held", "kept", "given"),
    *("one", "ones", "around", "surroundings"),
}
DECLARED = re.compile(r"\b(?:const|let|var|function)\s+(\w+)|\b(\w+)\)? =>")
LOOPS = re.compile(r"\{% (?:for|with) (\w+)\b")

OPERATION_VERBS = {
    *("list", "get", "create", "replace", "update", "delete"),
    *(
        "accept",
        "announce",
        "assign",
        "calculate",
        "cancel",
        "confirm",
        "control",
        "draw",
        "end",
        "erase",
        "export",
    ),
    *(
        "grant",
        "import",
        "link",
        "merge",
        "perform",
        "plan",
        "preview",
        "publish",
        "record",
        "reinstate",
        "renew",
    ),
    *(
        "replan",
        "restart",
        "restore",
        "retry",
        "reveal",
        "revoke",
        "start",
        "swap",
        "test",
        "transfer",
        "undo",
    ),
    "withdraw",
}
FORMER_WORDS = {
    *("again", "arrange", "ask", "back", "coming", "go", "keep", "mine", "off", "open", "particulars"),
    *("readmit", "shown", "steer", "take", "tell", "them", "unstart", "usual", "what", "whole", "wrong"),
}
"""Of addresses of pages and their names."""
PARTICIPLE = re.compile(r"[A-Z]_([A-Z]*ED|DRAWN|HIDDEN|SENT|SET|UNDONE|WITHDRAWN)(_ASIDE|_IN)?$")


def test_python_names_say_what_they_hold() -> None:
    vague = {
        (str(path.relative_to(ROOT)), name)
        for path, node in nodes_of("scoring", "penalties", "tournament", "config", "hule", "docs", "tests")
        for name in (
            [node.id]
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
            else [node.arg]
            if isinstance(node, ast.arg)
            else [node.name]
            if isinstance(node, ast.FunctionDef | ast.ClassDef)
            else []
        )
        if name in VAGUE
    }
    assert vague == set()


def test_names_in_scripts_and_templates_say_what_they_hold() -> None:
    vague = [
        f"{path.relative_to(ROOT)}: {name}"
        for pattern, folder, kind in ((DECLARED, "static/js", "*.js"), (LOOPS, "templates", "*.html"))
        for path in sorted((ROOT / folder).rglob(kind))
        for match in pattern.finditer(path.read_text("utf-8"))
        if (name := match[1] or match[match.lastindex or 1]) in VAGUE
    ]
    assert vague == []


def test_operation_ids_are_unique_and_end_in_a_verb() -> None:
    steps = [step for path in published_schema()["paths"].values() for step in path.values()]
    ids = Counter(step["operationId"] for step in steps)
    assert {name for name, count in ids.items() if count > 1} == set()
    assert {name.rpartition("_")[2] for name in ids} == OPERATION_VERBS


def test_addresses_of_pages_speak_plain_english() -> None:
    former = {
        (route, entry.name, word)
        for entry, route, _ in PATTERNS
        if not route.startswith("api/")
        for word in FORMER_WORDS & set(re.split("[^a-z]+", f"{re.sub('<[^>]+>', '', route)} {entry.name}"))
    }
    assert former == set()


def test_log_actions_are_a_noun_and_a_past_participle() -> None:
    assert {name for name in log_actions() if not PARTICIPLE.search(name)} == set()


def test_what_no_longer_counts_is_cancelled_and_an_access_is_revoked() -> None:
    """A player who has withdrawn is the rules' own word."""
    fields = {f"{name}.{field.name}" for name, model in ours().items() for field in model._meta.get_fields()}
    other = re.compile(r"\.(taken_back|undone|withdrawn|annulled|voided)_(at|by|because)$")
    assert {field for field in fields if other.search(field)} == {"tournament.Player.withdrawn_at"}
