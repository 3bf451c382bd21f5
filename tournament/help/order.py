"""The pages of the documentation in reading order, and the language of each. bin/docs uses them without Django."""

import re
from pathlib import Path
from typing import Final

INDEX: Final = "README"
"""The first page of a folder; its links are the order of the others."""
LANGUAGES: Final = ("zh-hans", "zh-hant")
"""`desk.zh-hans.md` is the translation of `desk.md`; it has the same headings in the same order."""
_LINK: Final = re.compile(r"\]\(([^)#\s]+)")


def reading_order(folder: Path) -> list[str]:
    """Return the names of a folder's English pages: the first one, those it links to, and what it leaves out."""
    names = sorted(page.stem for page in folder.glob("*.md") if "." not in page.stem)
    linked = _LINK.findall((folder / f"{INDEX}.md").read_text("utf-8"))
    return sorted(names, key=[INDEX, *(link.removesuffix(".md") for link in linked), *names].index)


def language_of(page: str) -> str:
    """Return the language of a file by its name: "en" unless it is a translation."""
    language = page.removesuffix(".md").rpartition(".")[2]
    return language if language in LANGUAGES else "en"
