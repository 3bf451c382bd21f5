"""Every string is there in 简体中文 and 繁體中文, and every problem brings what its sentence says."""

import ast
import re
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import polib
import pytest

from scoring.engine.problems import PROBLEM_CODES
from tests.house.source import ROOT, nodes_of

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
"""Words that another one has replaced everywhere (docs/developers/translating.md): a session is a 轮, a hand a 盘."""


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
        expected, there = keys(catalogue(language, source)), keys(catalogue(language))
        assert (expected - there, there - expected) == (set(), set()), language


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


def test_a_translation_is_not_cut_short() -> None:
    cut = [
        (language, text) for language, entry, text in translations() if ("…" in text) != ("…" in entry.msgid)
    ]
    assert cut == []


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
    tournament/base/engine/rules.py
    tournament/seating/engine/plans.py tournament/base/errors.py tournament/ema/exports.py
    tournament/exchange/transcripts/format.py tournament/fouls/forms.py tournament/web/forms.py
    tournament/live/pages.py tournament/management/upgrade.py
    tournament/play/selectors/closing.py tournament/web/api/typed.py
    tournament/seating/views/draw.py scoring/classical/evening.py tournament/events/forms.py
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


def test_each_problem_brings_what_its_sentence_says_and_is_raised_somewhere() -> None:
    raised = [
        (path, call, PROBLEM_CODES[call.func.id.lower()], {keyword.arg for keyword in call.keywords})
        for path, call in nodes_of(*ROOMS)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id.isupper()
        if call.func.id.lower() in PROBLEM_CODES
    ]
    wrong = [
        f"{path}:{call.lineno} {code.code}"
        for path, call, code, params in raised
        if None not in params and not code.params <= params <= code.params | code.also
    ]
    assert len(raised) > 400
    assert wrong == []
    everything = [node for _, node in nodes_of(*ROOMS)]
    read = {node.id for node in everything if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    read |= {node.attr for node in everything if isinstance(node, ast.Attribute)}
    declared = {
        ast.unparse(node.targets[0])
        for node in everything
        if isinstance(node, ast.Assign) and ast.unparse(node.value).startswith("problem_code(")
    }
    assert declared - read == set()
