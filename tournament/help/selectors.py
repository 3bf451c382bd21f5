"""The documentation in `docs/` as pages of the site, with the anchors that headings have on GitHub."""

import posixpath
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from django.conf import settings
from django.templatetags.static import static
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from markdown_it import MarkdownIt
from markdown_it.token import Token

DOCS: Final = Path(settings.BASE_DIR) / "docs"
PICTURES: Final = DOCS / "pictures"
"""Static files below help/ (STATICFILES_DIRS)."""
INDEX: Final = "README"
"""The first page of a folder."""
FOLDERS: Final[dict[str, str | Promise]] = {
    "organisers": _("For organisers"),
    "umpires": _("For umpires"),
    "administrators": _("For administrators"),
    "api": _("For programs"),
}
"""Served folders of `docs/`, and their headings."""
LANGUAGES: Final = ("zh-hans", "zh-hant")
"""`desk.zh-hans.md` is the translation of `desk.md`; it has the same headings in the same order."""

_markdown: Final = MarkdownIt("commonmark", {"html": False}).enable("table")


@dataclass(frozen=True)
class PageLink:
    """A page in the table of contents. `name` is empty for the first page of a folder."""

    folder: str
    name: str
    title: str


@dataclass(frozen=True)
class HelpPage:
    """A rendered page. `language` is "en" where the reader's language has no translation."""

    title: str
    html: SafeString
    language: str


def help_page(folder: str, name: str, language: str, address: Callable[[str, str], str]) -> HelpPage | None:
    """Return a page, or None if there is no such page. `address(folder, name)` returns a page's URL."""
    path = _page_path(folder, name)
    if path is None:
        return None
    shown = _translation(path, language)
    tokens = _markdown.parse(shown.read_text("utf-8"))
    for heading, anchor in zip(_headings(tokens), anchors_of(path), strict=True):
        heading.attrSet("id", anchor)
    _name_tables(tokens)
    for token in tokens:
        if token.children:
            token.children = list(_for_site(token.children, shown, address))
    html = SafeString(_markdown.renderer.render(tokens, _markdown.options, {}))
    return HelpPage(next(_titles(tokens)), html, "en" if shown is path else language)


def contents(language: str) -> dict[str, list[PageLink]]:
    """Return the pages of each folder, its first page first."""
    return {
        folder: [
            PageLink(folder, "" if name == INDEX else name, _title_of(folder, name, language))
            for name in sorted(page_names(folder), key=lambda name: (name != INDEX, name))
        ]
        for folder in FOLDERS
    }


def page_names(folder: str) -> list[str]:
    return [path.stem for path in (DOCS / folder).glob("*.md") if "." not in path.stem]


def anchors_of(path: Path) -> list[str]:
    """Return the anchors of a Markdown file's headings, by GitHub's rules."""
    anchors: list[str] = []
    for title in _titles(_markdown.parse(path.read_text("utf-8"))):
        anchor = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        repeats = sum(anchor == re.sub(r"-\d+$", "", other) for other in anchors)
        anchors.append(f"{anchor}-{repeats}" if repeats else anchor)
    return anchors


def _page_path(folder: str, name: str) -> Path | None:
    """Return the English file; None for names that are not pages, so that no other file can be read."""
    return DOCS / folder / f"{name}.md" if folder in FOLDERS and name in page_names(folder) else None


def _translation(path: Path, language: str) -> Path:
    """Return the translation of an English file, or the file itself."""
    translated = path.with_suffix(f".{language}.md")
    return translated if translated.is_file() else path


def _title_of(folder: str, name: str, language: str) -> str:
    """Return the heading in the first line, without parsing the rest of the file."""
    with _translation(DOCS / folder / f"{name}.md", language).open(encoding="utf-8") as lines:
        return next(_titles(_markdown.parse(next(lines))))


def _titles(tokens: Sequence[Token]) -> Iterator[str]:
    """Yield the headings as plain text."""
    for token, inline in pairwise(tokens):
        if token.type == "heading_open":
            yield _plain_text(inline)


def _plain_text(inline: Token) -> str:
    return "".join(child.content for child in inline.children or ())


def _headings(tokens: Sequence[Token]) -> Iterator[Token]:
    return (token for token in tokens if token.type == "heading_open")


def _name_tables(tokens: Sequence[Token]) -> None:
    """Name each table after its heading, for screen readers; several below one heading are numbered."""
    title, tables = "", 0
    for token, following in pairwise(tokens):
        if token.type == "heading_open":
            title, tables = _plain_text(following), 0
        elif token.type == "table_open":
            tables += 1
            token.attrSet("aria-label", title if tables == 1 else f"{title} ({tables})")


def _for_site(children: Sequence[Token], page: Path, address: Callable[[str, str], str]) -> Iterator[Token]:
    """Yield inline tokens with links to the site's own pages and pictures; links to unserved files become text."""
    dropped: list[bool] = []
    for token in children:
        if token.type == "link_open":
            href = _site_href(str(token.attrGet("href")), page, address)
            dropped.append(not href)
            token.attrSet("href", href)
        if token.type == "image":
            picture = Path(posixpath.normpath(page.parent / str(token.attrGet("src"))))
            token.attrSet("src", static(f"help/{picture.relative_to(PICTURES)}"))
            token.attrSet("loading", "lazy")
        is_dropped = token.type.startswith("link_") and dropped[-1]
        if token.type == "link_close":
            dropped.pop()
        if not is_dropped:
            yield token


def _site_href(href: str, page: Path, address: Callable[[str, str], str]) -> str:
    """Return where a link on `page` leads on the site; "" if the site does not serve that file."""
    if href.startswith(("http://", "https://")):
        return href
    path, mark, anchor = unquote(href).partition("#")
    file = Path(posixpath.normpath(page.parent / path)) if path else page
    if path.endswith("/"):
        file /= f"{INDEX}.md"
    original = _original(file)
    folder, name = original.parent.name if original.parent.parent == DOCS else "", original.stem
    if _page_path(folder, name) is None:
        return ""
    if anchor and file != original:  # a translation has the same headings in the same order
        anchor = dict(zip(anchors_of(file), anchors_of(original), strict=True)).get(anchor, anchor)
    return (address(folder, "" if name == INDEX else name) if path else "") + mark + anchor


def _original(file: Path) -> Path:
    """Return the English page that a file translates; the file itself if it is no translation."""
    stem, _, language = file.stem.rpartition(".")
    return file.with_name(f"{stem}.md") if language in LANGUAGES else file
