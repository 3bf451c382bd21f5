"""Small modules in one script: what runs, in which order, and what is refused."""

from __future__ import annotations

import pytest

from config.joined import NotJoined, in_order, join_scripts

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


def joined_of(*names: str, **more: str) -> str:
    return join_scripts(names, (MODULES | more).__getitem__)


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
