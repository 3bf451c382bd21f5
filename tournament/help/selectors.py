"""The documentation in `docs/` as pages of the site, with the anchors that headings have on GitHub, and its search."""

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from django.conf import settings
from django.templatetags.static import static
from django.utils.functional import Promise
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from markdown_it import MarkdownIt
from markdown_it.token import Token

from scoring.texts import excerpt, folded
from tournament.help.order import INDEX, language_of, reading_order

DOCS: Final = Path(settings.BASE_DIR) / "docs"
PICTURES: Final = DOCS / "pictures"
"""Static files below help/ (STATICFILES_DIRS)."""
FOLDERS: Final[dict[str, str | Promise]] = {
    "organisers": _("For organisers"),
    "umpires": _("For umpires"),
    "administrators": _("For administrators"),
    "api": _("For programs"),
}
"""Served folders of `docs/`, and their headings."""
MAX_SEARCH_LENGTH: Final = 80
"""Characters of a query."""

_markdown: Final = MarkdownIt("commonmark", {"html": False}).enable("table")


@dataclass(frozen=True)
class PageLink:
    """A page in the table of contents. `name` is empty for the first page of a folder."""

    folder: str
    name: str
    title: str
    language: str
    """"en" where the reader's language has no translation."""


@dataclass(frozen=True)
class HelpPage:
    """A rendered page. `language` is "en" where the reader's language has no translation."""

    title: str
    html: SafeString
    language: str


@dataclass(frozen=True)
class Section:
    """A heading of a page and the text below it."""

    page: PageLink
    heading: str
    anchor: str
    text: str
    searchable: str
    """Title, heading and text, as words are compared."""


@dataclass(frozen=True)
class Hit:
    """A section with every word of a search."""

    section: Section
    excerpt: str


def help_page(folder: str, name: str, language: str, address: Callable[[str, str], str]) -> HelpPage | None:
    """Return a page, or None if there is no such page. `address(folder, name)` returns a page's URL."""
    path = _page_path(folder, name)
    if path is None:
        return None
    shown = _translation(path, language)
    tokens = _parse(path, language)
    _name_tables(tokens)
    for token in tokens:
        if token.children:
            token.children = list(_for_site(token.children, shown, address))
    html = SafeString(_markdown.renderer.render(list(_boxed_tables(tokens)), _markdown.options, {}))
    return HelpPage(next(_titles(tokens)), html, language_of(shown.name))


def contents(language: str) -> dict[str, list[PageLink]]:
    """Return the pages of each folder in reading order, those without a translation last."""
    return {
        folder: sorted(
            (_page_link(folder, name, language) for name in page_names(folder)),
            key=lambda link: link.language != language,
        )
        for folder in FOLDERS
    }


def page_names(folder: str) -> list[str]:
    return reading_order(DOCS / folder)


def search(query: str, language: str) -> list[Hit]:
    """Return the sections that have every word, first those with one in the heading, and English ones last."""
    words = folded(query).split()
    if not words:
        return []
    sections = [
        section for section in _sections(language) if all(word in section.searchable for word in words)
    ]
    sections.sort(
        key=lambda section: (
            section.page.language != language,
            not any(word in folded(section.heading) for word in words),
        )
    )
    return [Hit(section, excerpt(section.text, words)) for section in sections]


@lru_cache(maxsize=len(settings.LANGUAGES))
def _sections(language: str) -> list[Section]:
    return [
        section
        for links in contents(language).values()
        for link in links
        for section in _sections_of(link, language)
    ]


def _sections_of(link: PageLink, language: str) -> Iterator[Section]:
    tokens = _parse(DOCS / link.folder / f"{link.name or INDEX}.md", language)
    starts = [place for place, token in enumerate(tokens) if token.type == "heading_open"]
    for start, end in pairwise([*starts, len(tokens)]):
        text = " ".join(_plain_text(token) or token.content for token in tokens[start + 3 : end])
        heading, anchor = _plain_text(tokens[start + 1]), str(tokens[start].attrGet("id"))
        yield Section(link, heading, anchor, text, folded(f"{link.title} {heading} {text}"))


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


def _page_link(folder: str, name: str, language: str) -> PageLink:
    """Return a link with the heading in the first line, without parsing the rest of the file."""
    path = _translation(DOCS / folder / f"{name}.md", language)
    with path.open(encoding="utf-8") as lines:
        title = next(_titles(_markdown.parse(next(lines))))
    return PageLink(folder, "" if name == INDEX else name, title, language_of(path.name))


def _titles(tokens: Sequence[Token]) -> Iterator[str]:
    """Yield the headings as plain text."""
    for token, inline in pairwise(tokens):
        if token.type == "heading_open":
            yield _plain_text(inline)


def _plain_text(inline: Token) -> str:
    return "".join(" " if child.type == "softbreak" else child.content for child in inline.children or ())


def _headings(tokens: Sequence[Token]) -> Iterator[Token]:
    return (token for token in tokens if token.type == "heading_open")


def _parse(path: Path, language: str) -> list[Token]:
    """Parse an English page or its translation; the headings have the anchors of the English page."""
    shown = _translation(path, language)
    tokens = _markdown.parse(shown.read_text("utf-8"))
    for heading, anchor in zip(_headings(tokens), anchors_of(path), strict=True):
        heading.attrSet("id", anchor)
    return tokens


def _name_tables(tokens: Sequence[Token]) -> None:
    """Name each table after its heading, for screen readers; several below one heading are numbered."""
    title, tables = "", 0
    for token, following in pairwise(tokens):
        if token.type == "heading_open":
            title, tables = _plain_text(following), 0
        elif token.type == "table_open":
            tables += 1
            token.attrSet("aria-label", title if tables == 1 else f"{title} ({tables})")


def _boxed_tables(tokens: Iterable[Token]) -> Iterator[Token]:
    """Yield the tokens with each table in a box that scrolls on narrow screens, also by keyboard."""
    for token in tokens:
        if token.type == "table_open":
            label = escape(str(token.attrGet("aria-label")))
            box = f'<div class="scroll" role="region" tabindex="0" aria-label="{label}">'
            yield Token("html_block", "", 0, content=box)
        yield token
        if token.type == "table_close":
            yield Token("html_block", "", 0, content="</div>")


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
    language = language_of(file.name)
    return file if language == "en" else file.with_name(file.name.replace(f".{language}.", "."))
