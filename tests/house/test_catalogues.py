"""Every string is there in 简体中文 and 繁體中文, and every problem has its sentence and brings what it says."""

import ast
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from string import Formatter

import polib
import pytest

from penalties.engine import Need
from penalties.texts import SENTENCES as PENALTIES
from scoring.engine.problems import Problem
from scoring.texts import SENTENCES as SCORING
from tests.house.source import ROOT, modules, nodes, nodes_of
from tournament.ema.selectors import Gap
from tournament.exchange.transcripts.score_sheet import _WRONG_KIND
from tournament.play.selectors.closing import Kind
from tournament.site.texts import problems
from tournament.staff.passes import Standing
from tournament.web.texts import problems as shared_problems
from tournament.web.texts.problems import SENTENCES, sentence

ROOMS = ("config", "scoring", "penalties", "tournament")
LANGUAGES = ("zh_Hans", "zh_Hant")
GETTEXT = ("_", "gettext", "gettext_lazy", "ngettext", "pgettext", "npgettext")
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|\{\w*\}|<[^>]+>")

SIMPLIFIED_ONLY = set(
    "东风发门关张连顺说这进时间为过还对开动现学问题轮场结统记录显导应该处罚错单双级师输赢违规"
)
TRADITIONAL_ONLY = set(
    "東風發門關張連順說這進時間為過還對開動現學問題輪場結統記錄顯導應該處罰錯單雙級師輸贏違規"
)
OF_THE_OTHER_SCRIPT = {"zh_Hans": TRADITIONAL_ONLY, "zh_Hant": SIMPLIFIED_ONLY}
CHINESE = re.compile(r"[\u3400-\u9fff]")
TYPED = re.compile(r"[\d:-]+(, ?[\d:-]+)+")
"""Figures as they are typed into a field, in any language: 1-5, 8."""
STEP = re.compile(r"^\d\. ")
LATIN_SIGN = re.compile(
    r"[\u3400-\u9fff)}] ?[,;:?!]|[,;:?!] ?[\u3400-\u9fff({]|[\u3400-\u9fff] ?[.(]|[.)] ?[\u3400-\u9fff]"
)
GIVEN_UP = {
    "zh_Hans": "本场|场次|第 \\S+ 场|第 \\S+ 副牌|四副一对|碰倒|受害|海底牌|抽签证书|逐字|规则书|(?<!随机)种子",
    "zh_Hant": "本場|場次|第 \\S+ 場|第 \\S+ 副牌|四副一對|碰倒|受害|海底牌|抽籤證書|逐字|規則書"
    "|(?<!隨機)種子|許可權|信息",
}
"""Words that another one has replaced everywhere (docs/translating.md): a session is a 轮, a hand a 盘."""

MAKERS = {maker: set[str]() for maker in ("Problem", "refuse", "_missing_text", "_pairs_of_numbers")}
MAKERS |= {"fault": {"field"}, "_member_problems": {"name"}}
"""What makes a problem of a code, and the params it adds; `tests/scoring/test_texts.py` has those of scoring."""
CODE_AT = {"_pairs_of_numbers": 2}
"""Where the code stands among what they are told, if not in front."""

INVITATION = {f"invitation_{standing.value}" for standing in Standing if standing is not Standing.OPEN}
OWN_BODIES = (
    "base/errors",
    "exchange/transcripts/score_sheet",
    "fouls/selectors",
    "fouls/services",
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
def catalogue(language: str, root: Path = ROOT / "locale") -> polib.POFile:
    return polib.pofile(str(root / language / "LC_MESSAGES" / "django.po"))


def keys(entries: polib.POFile) -> set[tuple[str, str]]:
    return {(entry.msgctxt or "", entry.msgid) for entry in entries}


def translations() -> Iterator[tuple[str, polib.POEntry, str]]:
    """Each translated text: its language, its entry, and itself; of a plural each of its forms."""
    for language in LANGUAGES:
        for entry in catalogue(language):
            texts = entry.msgstr_plural.values() if entry.msgid_plural else [entry.msgstr]
            yield from ((language, entry, text) for text in texts)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The catalogues as the source would have them now."""
    folder = tmp_path_factory.mktemp("source") / "locale"
    shutil.copytree(ROOT / "locale", folder)
    subprocess.run([ROOT / "bin" / "messages", folder], check=True)
    return folder


@pytest.mark.thorough
def test_the_catalogues_have_the_strings_of_the_source_and_no_others(source: Path) -> None:
    for language in LANGUAGES:
        wanted, there = keys(catalogue(language, source)), keys(catalogue(language))
        assert (wanted - there, there - wanted) == (set(), set()), language


def test_an_apostrophe_is_written_as_one() -> None:
    """’, as “ and ” are: the straight one belongs to what machines read."""
    straight = re.compile(r"\w'\w|s'(?=[ .,])")
    entries = catalogue("zh_Hans")
    assert [entry.msgid for entry in entries if straight.search(entry.msgid + entry.msgid_plural)] == []


@pytest.mark.thorough
def test_no_string_hides() -> None:
    """Whether one is found there depends on the version of Python: 3.12 takes an f-string apart, 3.11 does not."""
    hidden = [
        f"{path}:{call.lineno}"
        for path, text in nodes_of(*ROOMS)
        if isinstance(text, ast.JoinedStr)
        for call in ast.walk(text)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in GETTEXT
    ]
    assert hidden == []


@pytest.mark.thorough
def test_no_string_hides_behind_another_name_of_gettext() -> None:
    """Strings are looked for by the names in GETTEXT: under another one a string is never translated."""
    hidden = [
        f"{path}: {alias.name} as {alias.asname}"
        for path, node in nodes_of(*ROOMS)
        if isinstance(node, ast.ImportFrom) and node.module == "django.utils.translation"
        for alias in node.names
        if alias.asname not in (None, "_")
    ]
    assert hidden == []


def test_nothing_is_untranslated_or_fuzzy() -> None:
    for language in LANGUAGES:
        entries = catalogue(language)
        assert [entry.msgid for entry in entries.untranslated_entries()] == [], language
        assert [entry.msgid for entry in entries.fuzzy_entries()] == [], language


def test_placeholders_and_markup_survive() -> None:
    def placeholders(text: str) -> list[str]:
        return sorted(PLACEHOLDER.findall(text))

    changed = [
        (language, entry.msgid)
        for language, entry, text in translations()
        if placeholders(text) != placeholders(entry.msgid_plural or entry.msgid)
    ]
    assert changed == []


def test_a_text_is_whole_in_its_own_script_and_words() -> None:
    assert [text for language, _, text in translations() if OF_THE_OTHER_SCRIPT[language] & set(text)] == []
    assert [text for language, _, text in translations() if re.search(GIVEN_UP[language], text)] == []


def test_a_chinese_sentence_has_chinese_signs() -> None:
    latin = []
    for language, _, text in translations():
        bare = STEP.sub("", TYPED.sub("", re.sub(r"%\((\w+)\)[sd]", r"{\1}", text)))
        if CHINESE.search(bare) and LATIN_SIGN.search(bare):
            latin.append((language, text))
    assert latin == []


SIGNS = {", ", "; ", "、", "，", "；"}
MACHINE = """
    penalties/engine/rules.py penalties/engine/sanctions.py
    scoring/book/data.py scoring/book/terms.py scoring/engine/problems.py tournament/exchange/audit.py
    tournament/exchange/audit.py tournament/backup/manifest.py tournament/base/engine/rules.py
    tournament/seating/engine/plans.py tournament/base/errors.py tournament/ema/exports.py
    tournament/exchange/transcripts/score_sheet.py tournament/fouls/forms.py tournament/web/forms.py
    tournament/staff/forms.py tournament/live/pages.py tournament/management/upgrade.py
    tournament/base/database.py tournament/play/selectors/closing.py tournament/events/selectors.py
    tournament/seating/views/draw.py
"""
"""Codes and params, faults for programmers and operators, SQL, cookies, what is typed on in a field: in no language."""


@pytest.mark.thorough
def test_nothing_that_people_read_is_joined_by_hand() -> None:
    """A sign between texts comes from `scoring.texts`; elsewhere no comma and no semicolon joins strings."""
    by_hand = {
        str(path.relative_to(ROOT))
        for path, call in nodes_of(*ROOMS[1:])
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "join"
        if path != ROOT / "scoring" / "texts.py"
        for sign in ast.walk(call.func.value)
        if isinstance(sign, ast.Constant) and sign.value in SIGNS
    }
    assert by_hand == set(MACHINE.split())


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
