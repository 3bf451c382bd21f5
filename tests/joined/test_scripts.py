"""Small modules in one script and style sheets in one: what runs, in which order, and nothing lost."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings

from config.joined import SHEETS, NotJoined, in_order, themed
from scoring.texts import joined
from tournament.base.requests import SHEETS as THEMES
from tournament.web.tags import scripts

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


def joined_of(*names: str, **more: str) -> str:
    return scripts.joined(names, (MODULES | more).__getitem__)


def names_in_order(*names: str, **more: str) -> list[str]:
    return [module.name for module in in_order(names, (MODULES | more).__getitem__)]


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
        with pytest.raises(NotJoined, match=r"js/odd\.js"):
            joined_of("js/odd.js", **{"js/odd.js": text})
    ring = {"js/a.js": 'import { b } from "./b.js";\n', "js/b.js": 'import { a } from "./a.js";\n'}
    with pytest.raises(NotJoined, match=r"a ring: js/a\.js → js/b\.js → js/a\.js"):
        joined_of("js/a.js", **ring)


def read(name: str) -> str:
    return (STATIC / name).read_text("utf-8")


def without_comments(css: str) -> str:
    return re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)


def test_a_theme_is_for_who_chose_it_and_for_whose_device_did() -> None:
    assert themed(":root { --ink: #fff; }", ("theme",)) == (
        ':root:where([data-theme="dark"]) { --ink: #fff; }\n'
        "@media (prefers-color-scheme: dark) {\n:root:where(:not([data-theme])) { --ink: #fff; }\n}"
    )
    # Of two wishes each may be chosen or the device's.
    css = themed(":root { --ink: #fff; }", ("theme", "contrast"))
    assert css.count("--ink") == 4
    assert ':root:where([data-theme="dark"]:not([data-contrast]))' in css
    assert "@media (prefers-color-scheme: dark) and (prefers-contrast: more)" in css


def test_themes_hold_tokens_alone() -> None:
    """Only the root is asked about in a joined sheet."""
    selectors = {
        name: re.findall(r"([^{}]+)\{", without_comments(read(f"css/{name}.css"))) for name in THEMES
    }
    assert selectors == {name: ["\n:root "] for name in THEMES}


def test_every_value_is_still_there() -> None:
    """Sums keep the spaces without which they mean nothing."""
    lost, sums = [], 0
    for kind, names in SHEETS.items():
        css = joined(names, read).replace(" * ", "*")
        for name in names:
            values = SUM.findall(read(name))
            sums += len(values)
            short = (value.replace(", ", ",").replace(" * ", "*").strip() for value in values)
            lost += [(kind, name, value) for value in short if value not in css]
    assert lost == []
    assert sums


def test_what_lies_within_still_does() -> None:
    """`.a :is(b)` is another thing than `.a:is(b)`, in the rules of a container too."""
    lost, pairs = [], 0
    for kind, names in SHEETS.items():
        css = joined(names, read)
        for name in names:
            for outer, inner in WITHIN.findall(without_comments(read(name))):
                pairs += 1
                lost += [(kind, name, outer, inner)] * (f"{outer} *{inner}" not in css)
    assert lost == []
    assert pairs
