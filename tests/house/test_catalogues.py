"""Every string a person may read is there in 简体中文 and 繁體中文, whole and with its placeholders."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import polib
import pytest

ROOT = Path(__file__).parents[2]
LANGUAGES = ("zh_Hans", "zh_Hant")
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|\{\w*\}|<[^>]+>")

SIMPLIFIED_ONLY = set(
    "东风发门关张连顺说这进时间为过还对开动现学问题轮场结统记录显导应该处罚错单双级师输赢违规"
)
TRADITIONAL_ONLY = set(
    "東風發門關張連順說這進時間為過還對開動現學問題輪場結統記錄顯導應該處罰錯單雙級師輸贏違規"
)


def catalogue(language: str, root: Path = ROOT / "locale") -> polib.POFile:
    return polib.pofile(str(root / language / "LC_MESSAGES" / "django.po"))


def keys(entries: polib.POFile) -> set[tuple[str, str]]:
    return {(entry.msgctxt or "", entry.msgid) for entry in entries}


def texts(entry: polib.POEntry) -> list[str]:
    return list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> dict[str, polib.POFile]:
    """The catalogues as the source would have them now."""
    if shutil.which("xgettext") is None:
        pytest.skip("needs gettext's xgettext")
    folder = tmp_path_factory.mktemp("source")
    for name in ("config", "scoring", "penalties", "tournament", "templates"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "locale", folder / "locale")
    command = [
        sys.executable,
        "-m",
        "django",
        "makemessages",
        "--verbosity",
        "0",
        "--no-obsolete",
        "--no-wrap",
    ]
    languages = [part for language in LANGUAGES for part in ("-l", language)]
    bare = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    subprocess.run([*command, *languages], cwd=folder, env=bare, check=True)
    return {language: catalogue(language, folder / "locale") for language in LANGUAGES}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_string_of_the_source_is_missing(language: str, source: dict[str, polib.POFile]) -> None:
    assert keys(source[language]) - keys(catalogue(language)) == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_untranslated_or_fuzzy(language: str) -> None:
    entries = catalogue(language)
    assert [entry.msgid for entry in entries.untranslated_entries()] == []
    assert [entry.msgid for entry in entries.fuzzy_entries()] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_placeholders_and_markup_survive(language: str) -> None:
    def found(text: str) -> list[str]:
        return sorted(PLACEHOLDER.findall(text))

    changed = [
        entry.msgid
        for entry in catalogue(language)
        for text in texts(entry)
        if found(text) != found(entry.msgid_plural or entry.msgid)
    ]
    assert changed == []


@pytest.mark.parametrize(
    ("language", "foreign"), [("zh_Hans", TRADITIONAL_ONLY), ("zh_Hant", SIMPLIFIED_ONLY)]
)
def test_neither_script_has_strayed_into_the_other(language: str, foreign: set[str]) -> None:
    strayed = [text for entry in catalogue(language) for text in texts(entry) if foreign & set(text)]
    assert strayed == []
