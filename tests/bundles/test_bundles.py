"""Small modules in one script and sheets in one: what runs, in which order; and what a page then asks for."""

import gzip
import json
import re
from functools import cache
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.staticfiles.storage import staticfiles_storage
from django.test import Client

from config.bundles import (
    HTMX,
    SCRIPTS,
    SHEETS,
    BundleError,
    for_theme,
    join_scripts,
    join_sheets,
    script_file,
    sheet_file,
    sorted_modules,
)
from config.bundles import THEME_SHEETS as THEMES
from tests.support.data import read_csv
from tests.support.factories import make_organiser, make_tournament, make_umpire
from tests.support.sampling import sample
from tournament.base.models.tournament import Tournament

PAGE = """import { ring as chime } from "./bells/bell.js";
import * as words from "./words.js";
chime(words.hello);
"""
BELL = """import { hello } from "../words.js";
export function ring(text) {
  return text + hello;
}
"""
WORDS = """// What is said.
export const hello = `ni // hao`;
export class Word {}
"""
MODULES = {
    "js/page.js": PAGE,
    "js/bells/bell.js": BELL,
    "js/words.js": WORDS,
    "vendor/kit.min.js": "var Kit=function(){/*! theirs */}()",
}

STATIC = Path(settings.BASE_DIR, "static")
SUM = re.compile(r"(?:calc|clamp|min|max)\(.*?(?=[;}])")
WITHIN = re.compile(r"([.\w\])-]+) (::?[a-z-]+)")

MAX_FILES = 10
"""With the page itself, its live line and the bar of calls."""
MAX_BYTES = 110 * 1024
ASKED = re.compile(
    r'<(?:script|img)\b[^>]* src="([^"#]+)|<link rel="(?:stylesheet|icon)" href="([^"]+)"|<use href="([^"#]+)'
    r'|<style data-sheet="([^"]+)'
)
WITHOUT_SCRIPTS = re.compile(r"<noscript>.*?</noscript>", re.DOTALL)
LINES = ("data-live=", "data-calls=")
"""What a script asks for as soon as it runs."""
PAGES = {row["page"]: (row["who"], row["address"]) for row in read_csv("joined-pages.csv")}

TEMPLATES = Path(settings.BASE_DIR, "templates")
EXTENDS = re.compile(r'\{% extends "([^"]+)" %\}')
INCLUDED = re.compile(r'\{% include "([^"]+)"')
KIND = re.compile(r'\{% scripts "([^"]+)" %\}')
ASKS = re.compile(r"\bhx-(?:get|post|put|delete|trigger)\b")
COMMENT = re.compile(r"\{% comment %\}.*?\{% endcomment %\}", re.DOTALL)


def joined_of(*names: str, **more: str) -> str:
    return join_scripts(names, (MODULES | more).__getitem__)


def names_in_order(*names: str, **more: str) -> list[str]:
    return [module.name for module in sorted_modules(names, (MODULES | more).__getitem__)]


def test_what_is_imported_runs_first_and_once() -> None:
    """An import in a comment is none."""
    assert names_in_order("js/words.js", "js/page.js") == ["js/words.js", "js/bells/bell.js", "js/page.js"]
    commented = '/** @typedef {import("./page.js").Page} Page */\n// import { x } from "./gone.js";\n'
    assert names_in_order("js/a.js", **{"js/a.js": commented + "export const a = 1;\n"}) == ["js/a.js"]


def test_a_module_is_a_function_that_gives_what_it_exports_without_comments() -> None:
    script = joined_of("js/page.js")
    for word in ("import", "export", "What is said"):
        assert word not in script
    assert "const{ring:chime}=m1;const words=m0;chime(words.hello);" in script.replace("\n", "")
    assert "return{hello,Word};" in script
    assert "`ni // hao`" in script
    # What is not ours goes in first, as it is.
    kit = "vendor/kit.min.js"
    assert joined_of("js/words.js", kit).startswith(MODULES[kit] + "\n;")


NOT_JOINED = [
    'import "./words.js";\n',
    'import words from "./words.js";\n',
    'import { hello } from "words";\n',
    "export let count = 0;\n",
    "export default 1;\n",
    "export { hello };\n",
    'const words = await import("./words.js");\n',
    "const here = import.meta.url;\n",
]


def test_what_cannot_be_joined_is_refused() -> None:
    """A count that is exported would stand still; a module that is asked for later is not there."""
    for text in NOT_JOINED:
        with pytest.raises(BundleError, match=r"js/odd\.js"):
            joined_of("js/odd.js", **{"js/odd.js": text})
    ring = {"js/a.js": 'import { b } from "./b.js";\n', "js/b.js": 'import { a } from "./a.js";\n'}
    with pytest.raises(BundleError, match=r"a cycle: js/a\.js → js/b\.js → js/a\.js"):
        joined_of("js/a.js", **ring)


def read_static(name: str) -> str:
    return (STATIC / name).read_text("utf-8")


def without_comments(css: str) -> str:
    return re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)


def test_a_theme_is_for_who_chose_it_and_for_whose_device_did() -> None:
    assert for_theme(":root { --ink: #fff; }", ("theme",)) == (
        ':root:where([data-theme="dark"]) { --ink: #fff; }\n'
        "@media (prefers-color-scheme: dark) {\n:root:where(:not([data-theme])) { --ink: #fff; }\n}"
    )
    # Of two wishes each may be chosen or the device's.
    css = for_theme(":root { --ink: #fff; }", ("theme", "contrast"))
    assert css.count("--ink") == 4
    assert ':root:where([data-theme="dark"]:not([data-contrast]))' in css
    assert "@media (prefers-color-scheme: dark) and (prefers-contrast: more)" in css


def test_themes_hold_tokens_alone() -> None:
    """Only the root is asked about in a joined sheet."""
    selectors = {
        name: re.findall(r"([^{}]+)\{", without_comments(read_static(f"css/{name}.css"))) for name in THEMES
    }
    assert selectors == {name: ["\n:root "] for name in THEMES}


def test_every_value_is_still_there() -> None:
    """Sums keep the spaces without which they mean nothing."""
    lost, sums = [], 0
    for kind, names in SHEETS.items():
        css = join_sheets(names, read_static).replace(" * ", "*")
        for name in names:
            values = SUM.findall(read_static(name))
            sums += len(values)
            short = (value.replace(", ", ",").replace(" * ", "*").strip() for value in values)
            lost += [(kind, name, value) for value in short if value not in css]
    assert lost == []
    assert sums


def test_what_lies_within_still_does() -> None:
    """`.a :is(b)` is another thing than `.a:is(b)`, in the rules of a container too."""
    lost, pairs = [], 0
    for kind, names in SHEETS.items():
        css = join_sheets(names, read_static)
        for name in names:
            for outer, inner in WITHIN.findall(without_comments(read_static(name))):
                pairs += 1
                lost += [(kind, name, outer, inner)] * (f"{outer} *{inner}" not in css)
    assert lost == []
    assert pairs


@pytest.fixture
def spring(db: None) -> Tournament:
    tournament = make_tournament(players=16, sessions=1, running=0)
    tournament.players.filter(number__gt=4).update(country="ESP")
    tournament.players.filter(number__lte=4).update(country="FRA")
    make_umpire(tournament, "uma")
    make_organiser(tournament, "olga")
    return tournament


def html_of(name: str) -> str:
    name_of_user, path = PAGES[name]
    client = Client()
    if name_of_user:
        client.force_login(User.objects.get(username=name_of_user))
    response = client.get(path)
    assert response.status_code == 200, path
    return WITHOUT_SCRIPTS.sub("", response.content.decode())


def packed_size(folder: Path, address: str) -> int:
    path = folder / address.removeprefix("/static/")
    packed = path.with_name(path.name + ".gz")
    return (packed if packed.exists() else path).stat().st_size


@pytest.mark.parametrize("name", sample(PAGES, 2, always=["ranking", "desk", "board"]))
@pytest.mark.thorough
def test_a_page_asks_for_few_files_that_weigh_little(name: str, collected: Path, spring: Tournament) -> None:
    html = html_of(name)
    files = {next(filter(None, groups)) for groups in ASKED.findall(html)}
    static = {address for address in files if address.startswith("/static/")}
    joined = {address for address in static if "/joined/" in address and address.endswith(".js")}
    assert len(joined) == 1
    other_scripts = {address.rpartition("/")[2] for address in files - joined if address.endswith(".js")}
    assert {address.partition(".")[0] for address in other_scripts} == {"theme"}
    assert 1 + len(files) + sum(line in html for line in LINES) <= MAX_FILES, sorted(files)
    assert [address for address in static if not (collected / address[8:]).exists()] == []
    size = sum(packed_size(collected, address) for address in static)
    assert size + len(gzip.compress(html.encode())) < MAX_BYTES


@pytest.mark.thorough
def test_every_kind_of_page_has_its_files_under_lasting_names(collected: Path) -> None:
    """The parts are not kept: a page that named one would fail at once, and not ask for forty more."""
    for name in [*map(script_file, SCRIPTS), *map(sheet_file, SHEETS)]:
        lasting = staticfiles_storage.url(name).removeprefix("/static/")
        assert re.search(r"\.[0-9a-f]{12}\.(js|css)$", lasting)
        assert (collected / f"{lasting}.gz").exists()
        text = (collected / lasting).read_text("utf-8")
        assert not re.search(r"^\s*(import|export)\b|\bimport\(", text, re.MULTILINE), name
    names = json.loads((collected / "staticfiles.json").read_text())["paths"]
    assert {name for name in names if name.startswith("js/")} == {
        *("js/theme.js", "js/desk/engine-worker.js", "js/desk/service-worker.js", "js/phone/push-worker.js")
    }
    assert not (collected / "js/live.js").exists()


@cache
def text_of(name: str) -> str:
    return COMMENT.sub("", (TEMPLATES / name).read_text("utf-8"))


def asks(name: str) -> bool:
    """Whether this template, or a part of it, asks by htmx."""
    text = text_of(name)
    return bool(ASKS.search(text)) or any(asks(part) for part in INCLUDED.findall(text))


def bases(name: str) -> list[str]:
    """The template and those it stands in, inside out."""
    extended = EXTENDS.search(text_of(name))
    return [name, *(bases(extended[1]) if extended else [])]


def has_htmx(name: str) -> bool:
    kinds = [kind for base in bases(name) for kind in KIND.findall(text_of(base))]
    return HTMX in SCRIPTS[kinds[0]]


def test_every_page_that_asks_by_htmx_has_it() -> None:
    names = [path.relative_to(TEMPLATES).as_posix() for path in sorted(TEMPLATES.rglob("*.html"))]
    pages = [name for name in names if "base_document.html" in bases(name)]
    assert len(pages) > 60
    asking = [name for name in pages if any(asks(base) for base in bases(name))]
    assert {"seating/swap.html", "site/tables.html", "book/calculator/page.html"} <= set(asking)
    assert [name for name in asking if not has_htmx(name)] == []
