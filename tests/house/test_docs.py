"""The documentation agrees with the code: links, roles, security, requirements, versions, transcripts, facts."""

import builtins
import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import fields
from functools import cache, partial
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import unquote

import pytest
from django.forms import BooleanField, ChoiceField, IntegerField, TypedChoiceField
from django.utils.text import capfirst
from django.utils.translation import override
from markdown_it import MarkdownIt

from penalties.engine import FOUL_BOOKS, Facts, Need
from penalties.engine.facts import DETAILS, FACTS, FactKind, select_details
from penalties.engine.rules import Cases
from penalties.texts import CHECKBOX_FACTS
from scoring.engine.problems import PROBLEM_CODES
from tests.exchange.test_transcript import example_transcript
from tests.house.source import modules
from tests.house.test_catalogues import PLACEHOLDER, catalogue
from tournament.backup.archive import VERSION
from tournament.base.access import RIGHTS, Right
from tournament.base.models.tournament import Role
from tournament.exchange.transcripts.format import TRANSCRIPT
from tournament.exchange.transcripts.reading import load
from tournament.fouls.forms import PenaltyForm
from tournament.help.selectors import anchors_of
from tournament.play.texts.desk import DESK_TEXTS
from tournament.web.texts.words import ROLES

PAGE = Path(__file__).parents[2] / "docs" / "organisers" / "team.md"

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs/administrators/security.md").read_text("utf-8")
NAMED = re.findall(r"`(tests/[\w/]+\.py)::(?:\w+::)?(\w+)`", TEXT)
PINNED = re.compile(r"^([A-Za-z0-9_.-]+)(?:\[[^]]*\])?==([^\s;]+)", re.MULTILINE)

GUIDES = sorted(
    page
    for folder in ("organisers", "umpires", "administrators", "api")
    for page in (ROOT / "docs" / folder).glob("*.md")
)
"""Pages that name labels: desk.md, and its translations desk.zh-hans.md and desk.zh-hant.md."""
CODE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
BOLD = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)
STEP = re.compile(r"^ *\d+\. ", re.MULTILINE)

FORMAT = (Path(__file__).parents[2] / "docs" / "api" / "transcript.md").read_text("utf-8")
LADDER = {"kind": "ladder", "steps": [{"warning": True}], "repeats": "tournament", "if_seen": {}}
NAMES = {"en": "Phone", "zh_hans": "手机", "zh_hant": "手機"}
FOUL_SCREEN = ROOT / "static" / "js" / "desk" / "screens" / "foul.js"
FIELDS = {
    FactKind.WHOLE: (IntegerField,),
    FactKind.PLAYER: (TypedChoiceField,),
    FactKind.YES_NO: (TypedChoiceField, BooleanField),
    FactKind.CHOICE: (ChoiceField,),
}
ASKED_AS = {"points": "how_many"}
"""Facts whose question stands under another key, because their own is taken."""


def test_the_page_has_the_rights_and_the_table_of_the_code() -> None:
    with override("en"):
        rows = [
            f"| {role.label} | {' | '.join('x' if right in RIGHTS[role] else '' for right in Right)} |"
            for role in Role
        ]
    expected = [row.replace("|  |", "| |").replace("|  |", "| |") for row in rows]
    assert [row for row in expected if row not in PAGE.read_text("utf-8")] == []
    text = PAGE.read_text("utf-8")
    assert [right.value for right in Right if f"\n| {right.value} | " not in text] == []


def test_every_role_has_rights_and_a_description() -> None:
    assert set(RIGHTS) == set(ROLES) == set(Role)


@cache
def labels(language: str) -> re.Pattern[str]:
    """Match the texts of the interface, with a number or … for each placeholder. `language`: "" for English."""
    entries = [
        entry for entry in catalogue("zh_Hant" if language == "zh-hant" else "zh_Hans") if not entry.obsolete
    ]
    texts = {
        text
        for entry in entries
        for text in (
            (entry.msgstr, *entry.msgstr_plural.values()) if language else (entry.msgid, entry.msgid_plural)
        )
    }
    parts = [PLACEHOLDER.split(text) for text in texts | set(map(capfirst, texts)) if text]
    return re.compile("|".join(r"(?:\d+|…)".join(map(re.escape, part)) for part in parts))


def language_of(page: Path) -> str:
    """Return the language in a page's name; "" for English."""
    return page.name.split(".")[1] if page.name.count(".") == 2 else ""


def headings(page: Path) -> list[str]:
    return re.findall(r"^#+ .+", CODE.sub("", page.read_text("utf-8")), re.MULTILINE)


def test_words_in_bold_are_labels_of_the_interface(subtests: pytest.Subtests) -> None:
    """In guides bold is for labels only, as the interface shows them in the page's language."""
    for page in GUIDES:
        words = [" ".join(bold.split()) for bold in BOLD.findall(CODE.sub("", page.read_text("utf-8")))]
        with subtests.test(page.name):
            assert [word for word in words if not labels(language_of(page)).fullmatch(word)] == []


TRANSLATED = [
    (page, page.with_name(f"{page.name.partition('.')[0]}.md")) for page in GUIDES if language_of(page)
]
"""Translations, each with its English page."""


def test_translated_guides_have_the_headings_of_the_english() -> None:
    """In-app help finds the section of a translation by its position."""
    assert TRANSLATED
    for pages in TRANSLATED:
        levels = [[heading.partition(" ")[0] for heading in headings(page)] for page in pages]
        assert levels[0] == levels[1], pages[0].name


def count_steps_and_labels(page: Path) -> tuple[int, int]:
    text = CODE.sub("", page.read_text("utf-8"))
    return len(STEP.findall(text)), len(BOLD.findall(text))


def test_translated_guides_have_the_steps_and_labels_of_the_english() -> None:
    """A translation with fewer describes an older version."""
    counts = {
        page.name: (count_steps_and_labels(page), count_steps_and_labels(english))
        for page, english in TRANSLATED
    }
    assert {name: pair for name, pair in counts.items() if pair[0] != pair[1]} == {}


def functions(file: str) -> set[str]:
    return set(re.findall(r"^ *(?:async )?def (\w+)\(", (ROOT / file).read_text("utf-8"), re.MULTILINE))


def test_every_promise_names_tests_that_there_are() -> None:
    known = {file: functions(file) for file in {file for file, _ in NAMED}}
    assert [f"{file}::{name}" for file, name in NAMED if name not in known[file]] == []
    lines = [line for line in TEXT.splitlines() if line.startswith("| ")]
    promises = [line for line in lines if not line.startswith(("| Attack |", "| Fault |"))]
    assert len(promises) > 30
    assert [line for line in promises if "::" not in line] == []


def pins(name: str) -> dict[str, str]:
    packages = PINNED.findall((ROOT / name).read_text("utf-8"))
    return {re.sub(r"[-_.]+", "-", package).lower(): version for package, version in packages}


def test_requirements_are_locked_and_installed_for_tests() -> None:
    for name in ("requirements", "requirements-dev", "requirements-docs"):
        expected, locked = pins(f"{name}.in"), pins(f"{name}.txt")
        assert len(expected) > 1
        assert {package: locked.get(package) for package in expected} == expected, "run bin/lock"
    runtime, development = pins("requirements.txt"), pins("requirements-dev.txt")
    assert {package: development.get(package) for package in runtime} == runtime


def test_every_locked_package_has_hashes() -> None:
    for name in (
        "requirements.txt",
        "requirements-dev.txt",
        "requirements-docs.txt",
        "requirements-bench.txt",
    ):
        lines = re.sub(r"\\\n\s*", " ", (ROOT / name).read_text("utf-8")).splitlines()
        packages = [line for line in lines if line and not line.startswith(("#", "-r "))]
        assert packages, name
        assert [line for line in packages if "--hash=sha256:" not in line] == [], name


def test_setup_installs_with_hashes_only() -> None:
    lines = (ROOT / "bin/setup").read_text("utf-8").splitlines()
    installing = [line for line in lines if "pip install" in line]
    assert installing
    assert all("--require-hashes" in line for line in installing)


def everything() -> str:
    """A transcript with an object of each kind."""
    data = example_transcript()
    data["tournament"]["fouls"] = [{"key": "house_1", "rule": LADDER, "names": NAMES, "description": NAMES}]
    data["sessions"][0]["pauses"] = [{"at": 60, "seconds": 30, "because": "Alarm"}]
    table = data["sessions"][0]["tables"][0]
    figures = [{"player": player, "points": 0, "wins": 1, "deal_ins": 1} for player in (1, 2, 3, 4)]
    table["totals"] = {"figures": figures, "hands": 4, "best": {"player": 1, "points": 24}}
    table["penalties"] = [{"player": 1, "foul": "late", "minutes": 12}]
    table["presence"] = [{"what": "stand_in", "player": 3}]
    table["appeals"] = [{"player": 1, "text": "No.", "hand": 1, "was": {"outcome": "draw"}}]
    return json.dumps(data)


def in_the_schema(schema: dict[str, Any]) -> set[str]:
    """The names in a schema, and of what is in them."""
    named: dict[str, Any] = schema.get("properties", {})
    parts = [*named.values(), *schema.get("anyOf", ())]
    parts += [schema["items"]] if "items" in schema else []
    return set(named).union(*map(in_the_schema, parts))


class Remembering(dict[str, Any]):
    """An object of a file, which remembers what was read of all of them."""

    names_read: ClassVar[set[str]] = set()

    def __getitem__(self, name: str) -> Any:
        self.names_read.add(name)
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        self.names_read.add(name)
        return super().get(name, default)


def test_the_schema_has_the_fields_that_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fouls are read when they are taken."""
    text = everything()
    monkeypatch.setattr("tournament.exchange.transcripts.reading.check_format", lambda data: None)
    monkeypatch.setattr(json, "loads", partial(json.loads, object_hook=Remembering))
    monkeypatch.setattr(Remembering, "names_read", {"key", "rule", "names", "description"})
    load(text)
    assert Remembering.names_read == in_the_schema(TRANSCRIPT.schema())


def test_the_page_names_the_fields_of_the_schema_and_what_is_left_out() -> None:
    (block,) = re.findall(r"version 1\n.*?```\n(.*?)```", FORMAT, re.DOTALL)
    assert set(re.findall(r'"(\w+)"', block)) - {"hule"} == in_the_schema(TRANSCRIPT.schema())
    sentences = [
        problem.sentence for code, problem in PROBLEM_CODES.items() if code.startswith("transcript_")
    ]
    assert sentences
    assert [text for text in sentences if text not in " ".join(FORMAT.split())] == []


def test_every_fact_has_a_place_and_what_a_foul_needs_can_be_stated() -> None:
    assert set(FACTS) <= {field.name for field in fields(Facts)}
    assert not any(getattr(Facts(), name) for name in FACTS)
    assert {need.value for need in Need} <= set(FACTS)


def test_a_choice_is_among_cases() -> None:
    rules = [foul.rule for book in FOUL_BOOKS.values() for foul in book.fouls]
    assert {FACTS[rule.fact] for rule in rules if isinstance(rule, Cases)} <= {
        FactKind.CHOICE,
        FactKind.YES_NO,
    }


def test_zero_and_no_are_stated_and_none_is_not() -> None:
    players = {"player": 3, "victim": 4}
    assert select_details(players) == {}
    for name in DETAILS:
        facts = [select_details(players | {name: value}) for value in (0, False, None)]
        assert facts == [{name: 0}, {name: False}, {}]


def test_the_penalty_form_has_a_field_for_each_fact() -> None:
    fields_of_page = PenaltyForm.base_fields
    assert [name for name, kind in FACTS.items() if not isinstance(fields_of_page[name], FIELDS[kind])] == []


def test_the_desk_has_the_same_facts_and_their_words() -> None:
    script = FOUL_SCREEN.read_text("utf-8")
    listed = re.search(r"FACTS = \{(.*?)\};", script, re.DOTALL)
    assert listed
    assert dict(re.findall(r"(\w+): \"(\w+)\"", listed[1])) == FACTS
    assert FACTS.keys() - set(Need) == set(CHECKBOX_FACTS), "their words come with the foul"
    assert [
        name for name in FACTS.keys() - set(CHECKBOX_FACTS) if ASKED_AS.get(name, name) not in DESK_TEXTS
    ] == []


def test_the_transcript_page_describes_each_fact() -> None:
    page = (ROOT / "docs" / "api" / "transcript.md").read_text("utf-8")
    assert [name for name in DETAILS if f"`{name}`" not in page] == []


# --- Links ---


MARKDOWN = MarkdownIt("commonmark").enable("table")
FOREIGN = re.compile(r"(https?|mailto):")
anchors = cache(anchors_of)
"""By the rules of GitHub (tests/help/test_help.py)."""


def documentation() -> list[Path]:
    """Return every Markdown file of the repository."""
    folders = (path for path in ROOT.iterdir() if path.is_dir() and path.name not in ("var", "node_modules"))
    shown = (path for path in folders if not path.name.startswith(".") or path.name == ".github")
    return [*ROOT.glob("*.md"), *(page for folder in shown for page in folder.rglob("*.md"))]


def links_of(page: Path) -> Iterator[str]:
    """Yield the targets of a page's links and pictures."""
    for token in MARKDOWN.parse(page.read_text("utf-8")):
        for part in token.children or ():
            yield from (str(value) for name in ("href", "src") if (value := part.attrGet(name)) is not None)


def is_dead(page: Path, link: str) -> bool:
    address, _, anchor = unquote(link).partition("#")
    target = (page.parent / address).resolve() if address else page
    if not target.exists() or not target.is_relative_to(ROOT):
        return True
    if target.is_dir():
        target /= "README.md"
    return bool(anchor) and (target.suffix != ".md" or anchor not in anchors(target))


def test_every_link_of_the_documentation_leads_to_a_file_and_a_heading() -> None:
    pages = documentation()
    links = [(page, link) for page in pages for link in links_of(page) if not FOREIGN.match(link)]
    assert len(pages) > 50
    assert len(links) > 200
    assert [f"{page.relative_to(ROOT)}: {link}" for page, link in links if is_dead(page, link)] == []


# --- Languages ---


def outline(page: Path) -> tuple[list[str], int, int]:
    """Return the levels of a page's headings, and how many links and list items it has."""
    tokens = MARKDOWN.parse(page.read_text("utf-8"))
    levels = [token.tag for token in tokens if token.type == "heading_open"]
    return levels, len(list(links_of(page))), sum(token.type == "list_item_open" for token in tokens)


def test_the_readme_has_the_same_outline_in_each_language() -> None:
    assert [outline(ROOT / f"README.{language}.md") for language in ("zh-CN", "zh-TW")] == [
        outline(ROOT / "README.md")
    ] * 2


def code_blocks(page: Path) -> list[str]:
    return [token.content for token in MARKDOWN.parse(page.read_text("utf-8")) if token.type == "fence"]


def test_translated_guides_have_the_code_of_the_english(subtests: pytest.Subtests) -> None:
    """Readers copy the commands, whatever the language."""
    for page in filter(language_of, GUIDES):
        with subtests.test(page.name):
            assert code_blocks(page) == code_blocks(page.with_name(f"{page.name.partition('.')[0]}.md"))


# --- Pages for developers ---


PAGES_WITH_CODE = ("tests/README.md", "docs/developers/architecture.md")
CALL = re.compile(r"(?<!mark\.)\b([A-Za-z]\w+)\(")
FILE = re.compile(r"[\w-]+(?:/[\w-]+)+\.\w+")
DEFINITION = re.compile(r"^ *(?:async def|def|class) (\w+)|^([A-Z]\w+)(?:: .+)? = ", re.MULTILINE)


PLACE = re.compile(r"((?:`\w+`(?:,| and)?\s+)+)in\s+`([\w/]+\.py)`")
"""`one`, `two` and `three` in `file.py`."""


def file_named(name: str) -> Path | None:
    """Return the file that a page for developers names; folders of subjects may be left out."""
    folders = (ROOT, ROOT / "tests", ROOT / "tournament")
    return next((folder / name for folder in folders if (folder / name).exists()), None)


def code_of(page: Path) -> str:
    tokens = [
        part for token in MARKDOWN.parse(page.read_text("utf-8")) for part in (token, *(token.children or ()))
    ]
    return "\n".join(token.content for token in tokens if token.type in ("fence", "code_inline"))


def test_what_pages_for_developers_call_and_the_files_they_name_exist() -> None:
    sources = modules("tests", "tournament", "penalties", "scoring", "config")
    known = {
        name for path in sources for pair in DEFINITION.findall(path.read_text("utf-8")) for name in pair
    }
    code = {name: code_of(ROOT / name) for name in PAGES_WITH_CODE}
    calls = [(page, name) for page, text in code.items() for name in CALL.findall(text)]
    assert len(calls) > 40
    assert [(page, name) for page, name in calls if name not in known and not hasattr(builtins, name)] == []
    files = [(page, name) for page, text in code.items() for name in FILE.findall(text)]
    assert len(files) > 60
    assert [(page, name) for page, name in files if not file_named(name)] == []


def test_what_pages_for_developers_place_in_a_file_is_there() -> None:
    places = [
        (name, file)
        for page in PAGES_WITH_CODE
        for names, file in PLACE.findall((ROOT / page).read_text("utf-8"))
        for name in re.findall(r"\w+(?=`)", names)
    ]
    assert len(places) > 30
    sources = {file: path.read_text("utf-8") for _, file in places if (path := file_named(file))}
    assert [
        (name, file) for name, file in places if not re.search(rf"\b{name}\b", sources.get(file, ""))
    ] == []


# --- Versions ---


def test_every_place_names_the_same_version() -> None:
    """Those that docs/developers/releasing.md lists."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    guides = (ROOT / "docs/administrators").glob("install*.md")
    wheels = [
        wheel for guide in guides for wheel in re.findall(r"hule-([\d.]+)-py3", guide.read_text("utf-8"))
    ]
    image = re.findall(r"image: hule:(\S+)", (ROOT / "deploy/compose.yaml").read_text("utf-8"))
    assert {VERSION, *wheels, *image} == {version}
    assert wheels
    assert image
