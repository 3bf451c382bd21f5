"""A document from its draft to its PDF: what it says, in which languages, and how far it is."""

from __future__ import annotations

import logging
import re
import threading
import time
from calendar import day_abbr, day_name, month_abbr, month_name
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.safestring import SafeString
from django.utils.translation import trans_real

from tournament.base.models.documents import DocumentJob
from tournament.base.models.tournament import Tournament
from tournament.documents.exports.paper import PAPERS, Cell, Layout, fit_as_is, opening_css, page_css
from tournament.web.exports.lists import Column, Kind
from tournament.web.texts.words import time_text

# --- Drafts ---


@dataclass(frozen=True)
class Draft:
    """A document before it is laid out: what it says, by which one knows whether it was made before.

    `text`: all that is printed; `made`: the moment in it, as it is printed. `pages`: as far as one can tell beforehand.
    Of standings, the version they show and how far that can be relied on.
    """

    text: str
    made: str
    lay: Callable[[Progress], Any]
    """The pages: a `weasyprint.Document`."""
    pages: int = 1
    version: int | None = None
    state: str = ""
    content: bytes = b""
    """The finished file, of what is not laid out on paper."""

    @property
    def digest(self) -> str:
        """Of what it says, whenever that was."""
        return sha256(self.timeless_text.encode()).hexdigest()

    @property
    def timeless_text(self) -> str:
        """What it says but for the moment in it."""
        return self.text.replace(self.made, "") if self.made else self.text


def draft(
    template: str,
    context: Mapping[str, Any],
    made: str,
    *,
    pages: int = 1,
    version: int | None = None,
    state: str = "",
) -> Draft:
    """The document that a template is."""
    text = text_of(template, context)
    return Draft(text, made, partial(pages_of, text), pages, version, state)


def ready(content: bytes, *, version: int | None = None) -> Draft:
    """What is no document on paper: finished as soon as it is written."""
    return Draft(sha256(content).hexdigest(), "", lambda progress: None, version=version, content=content)


def bound(title: str, drafts: Sequence[Draft]) -> Draft:
    """Several documents one behind another, each with its bookmarks and its own page numbers."""
    text = "\n".join([title, *(draft.timeless_text for draft in drafts)])
    return Draft(text, "", partial(_bind, title, drafts), sum(draft.pages for draft in drafts))


def _bind(title: str, drafts: Sequence[Draft], progress: Progress) -> Any:
    parts = []
    for bound_draft in drafts:
        parts.append(bound_draft.lay(progress))
        progress.go_on()
    first = parts[0]
    whole = first.copy([page for part in parts for page in part.pages])
    whole.metadata.title = title
    return whole


# --- Documents that are tables ---


Row = tuple[str, list[tuple[Kind, Cell]]]


@dataclass(frozen=True)
class Part:
    """A heading with what stands below it: texts, fields to fill in, plots, a table, notes, places to sign."""

    heading: str
    layout: Layout | None = None
    row_classes: tuple[str, ...] = ()
    """A line of the table each; none for a table without."""
    about: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    fields: tuple[tuple[str, str], ...] = ()
    plots: tuple[SafeString, ...] = ()
    notes: tuple[str, ...] = ()
    signs: tuple[str, ...] = ()
    is_new_page: bool = True
    is_form: bool = False
    """Whether it is ruled, to be filled in by hand."""
    number: int = 0
    page: str = ""
    """The name of its pages: a part that begins none is laid out on those of the part before."""

    @property
    def classes(self) -> str:
        return f"standings listing part-{self.number}{' form' if self.is_form else ''}"

    @property
    def rows(self) -> list[Row]:
        assert self.layout is not None, "asked for by whom it is for"
        lines = self.layout.lines
        return list(zip(self.row_classes or ("",) * len(lines), lines, strict=True))


@dataclass(frozen=True)
class Listing:
    tournament: Tournament
    title: str
    parts: tuple[Part, ...]
    paper: str
    foot: str = ""
    made_at: datetime = field(default_factory=timezone.now)

    @property
    def made(self) -> str:
        return time_text(self.made_at)

    @property
    def css(self) -> str:
        rules = [page_css(self.paper)]
        for part in self.parts:
            if part.is_new_page:
                rules.append(opening_css(part.page))
            if part.layout:
                rules.append(part.layout.css_of(f".part-{part.number}", part.page))
        return "\n".join(rules)


def listing(
    job: DocumentJob,
    title: str,
    parts: Sequence[Part],
    *,
    foot: str = "",
    version: int | None = None,
    state: str = "",
) -> Draft:
    """The document of these parts, in their order."""
    numbered: list[Part] = []
    page = "part0"
    for number, part in enumerate(parts):
        page = f"part{number}" if part.is_new_page else page
        numbered.append(replace(part, number=number, page=page))
    sheets = Listing(job.tournament, title, tuple(numbered), job.paper, foot)
    pages = sum(part.layout.pages if part.layout else 1 for part in parts)
    context = {"listing": sheets}
    return draft("documents/listing.html", context, sheets.made, pages=pages, version=version, state=state)


def table(columns: Sequence[Column], rows: Sequence[Any], job: DocumentJob, turns: bool = True) -> Layout:
    """A table on the job's paper. `turns`: not where it follows another part on its page."""
    return fit_as_is(columns, rows, PAPERS[job.paper], turns)


# --- HTML to PDF ---


def text_of(template: str, context: Mapping[str, Any]) -> str:
    """What a document says, as HTML, in the language of the moment."""
    return render_to_string(template, dict(context))


def lay_out(template: str, context: Mapping[str, Any], progress: Progress) -> Any:
    """The pages of a template (a `weasyprint.Document`), to be counted before they are written."""
    return pages_of(text_of(template, context), progress)


def pages_of(html: str, progress: Progress) -> Any:
    """Lay out a text, tagged for screen readers.

    Fonts and pictures come from files; nothing is fetched over the network.
    """
    # Imported here: only the worker makes documents, and WeasyPrint takes half a second to load.
    from weasyprint import HTML
    from weasyprint.urls import URLFetcher

    page = HTML(string=html, url_fetcher=URLFetcher(allowed_protocols=["file"]))
    with progress.watching_layout():
        return page.render(pdf_tags=True, cache=drawings_in(html))


def write(document: Any, progress: Progress) -> bytes:
    """Laid out pages as a file."""
    progress.writing()
    return bytes(document.write_pdf(pdf_tags=True))


# --- Progress ---


_RENDERER = logging.getLogger("weasyprint.progress")
EVERY: Final = 0.25
"""Seconds between two pages that are told: whoever watches asks no more often, and a write takes longer than a page."""
_PAGE = "Step 5 - Creating layout - Page %d"
"""What WeasyPrint logs as it begins a page, with the page's number."""


class Progress:
    """How far a document is, written to its job as the work goes on.

    Steps of a job: 0 collecting, 1…n the page being laid out, n + 1 writing, n + 2 done.
    """

    def __init__(self, job: DocumentJob, every: float = EVERY) -> None:
        self._job, self._every = job, every
        self._page = 0
        self._before = 0
        """Pages of the parts that are laid out already."""
        self._told_at = -every

    def expect(self, pages: int) -> None:
        """So many pages are to come, as far as one can tell beforehand."""
        self._store(steps=pages + 2, done_steps=1)

    def told(self, done: int, of: int) -> None:
        """So many of so many pages of a site, which is written as a whole at the end; not every one is told."""
        if done % 10 == 0:
            self._store(steps=of + 2, done_steps=done + 1)

    def page(self, number: int) -> None:
        """Page `number` is being laid out; a second pass over earlier pages is not told."""
        page = self._before + number
        if page > self._page:
            self._page = page
            if (now := time.monotonic()) >= self._told_at + self._every:
                self._told_at = now
                self._store(steps=max(self._job.steps, page + 2), done_steps=page)

    def go_on(self) -> None:
        """Another part follows, whose pages are counted on."""
        self._before = self._page

    def writing(self) -> None:
        self._store(steps=self._page + 2, done_steps=self._page + 1)

    @contextmanager
    def watching_layout(self) -> Iterator[None]:
        """Follow the pages WeasyPrint lays out in this thread."""
        handler = _Pages(self)
        before = _RENDERER.level, _RENDERER.propagate
        _RENDERER.addHandler(handler)
        _RENDERER.setLevel(logging.INFO)
        _RENDERER.propagate = False
        try:
            yield
        finally:
            _RENDERER.removeHandler(handler)
            _RENDERER.setLevel(before[0])
            _RENDERER.propagate = before[1]

    def _store(self, *, steps: int, done_steps: int) -> None:
        self._job.steps, self._job.done_steps = steps, done_steps
        if self._job.pk:  # of one that is not stored, nobody waits at a page
            self._job.save(update_fields=["steps", "done_steps"])


class _Pages(logging.Handler):
    def __init__(self, progress: Progress) -> None:
        super().__init__(logging.INFO)
        self._progress, self._thread = progress, threading.get_ident()

    def emit(self, record: logging.LogRecord) -> None:
        if record.msg == _PAGE and record.thread == self._thread and isinstance(record.args, tuple):
            self._progress.page(int(str(record.args[0])))


# --- One language or two ---


BETWEEN: Final = " / "
LONGEST: Final = 60
"""Characters of a label; what is longer is told, and told once."""
_FIGURES: Final = re.compile(r"%\((n|number|place)\)s")
"""What a label may have in it. A name may be in both languages already."""
_DATES: Final = frozenset(
    name
    for names in (month_name, month_abbr, day_name, day_abbr)
    for written in names
    for name in (written, written.lower())
)
_CONTEXT: Final = "\x04"
"""Between the context of a text and the text: what has one is a part of something longer."""


class Two:
    """A catalogue of two: what `gettext` asks.

    Headings, the heads of columns and the labels of forms are in both ("Table / 桌"); the sentences, dates and figures,
    and what joins them, are in the first.
    """

    def __init__(self, first: Any, second: Any) -> None:
        self.first, self._second = first, second

    def gettext(self, message: str) -> str:
        return _beside(message, self.first.gettext(message), self._second.gettext(message))

    def ngettext(self, one: str, many: str, n: int) -> str:
        return _beside(one, self.first.ngettext(one, many, n), self._second.ngettext(one, many, n))

    def __getattr__(self, name: str) -> Any:
        """Everything else, as which language it is, is the first's."""
        return getattr(self.first, name)


@contextmanager
def in_languages(first: str, second: str = "") -> Iterator[None]:
    """All texts in `first`, labels in `second` too."""
    with translation.override(first):
        if second and second != first:
            # Where `activate` puts the one catalogue Django knows; `override` takes it away again.
            trans_real._active.value = Two(trans_real.translation(first), trans_real.translation(second))  # type: ignore[attr-defined]
        yield


@contextmanager
def first_alone() -> Iterator[None]:
    """The first language by itself, where there is no room for both, as in a drawing."""
    both = getattr(trans_real._active, "value", None)  # type: ignore[attr-defined]
    if not isinstance(both, Two):
        yield
        return
    trans_real._active.value = both.first  # type: ignore[attr-defined]
    try:
        yield
    finally:
        trans_real._active.value = both  # type: ignore[attr-defined]


def _beside(message: str, first: str, second: str) -> str:
    return f"{first}{BETWEEN}{second}" if first != second and _is_label(message) else first


def _is_label(message: str) -> bool:
    """Whether it stands by itself: a few words with one figure at most; no sentence, no day and no month."""
    words = _FIGURES.sub("", message, count=1)
    return (
        not any(mark in words for mark in (_CONTEXT, "%(", "{"))
        and len(message) <= LONGEST
        and message not in _DATES
        and not words.rstrip().endswith((".", ":"))
        and any(character.isalpha() for character in words)
    )


# --- Tiles and flags ---


_ADDRESSES: Final = re.compile(r'(?:src|href)="(file://[^"]+\.svg)"')
_PARTS: Final = ("ExtGState", "XObject", "Pattern", "Shading", "ColorSpace")
"""What a form of a PDF may refer to."""


@dataclass
class Drawing:
    """A picture as WeasyPrint asks for one: drawn once in a document, however often it stands there.

    It is kept in the file as a form and stamped wherever it stands, as a photograph is; WeasyPrint itself draws every
    path of an SVG anew each time.
    """

    image: Any
    id: str
    width: float
    height: float
    page: Any = None

    def get_intrinsic_size(self, resolution: Any, font_size: Any) -> Any:
        return self.image.get_intrinsic_size(resolution, font_size)

    def draw(self, stream: Any, width: float, height: float, _style: Any) -> None:
        self.page = stream
        name = stream.add_image(self, True, 1)
        stream.transform(a=width / self.width, d=height / self.height)
        stream.draw_x_object(name)

    def get_x_object(self, _interpolate: bool, _ratio: float) -> Any:
        """The form; asked for once, as the file is written."""
        from pydyf import Array, Dictionary

        resources = Dictionary({part: Dictionary() for part in _PARTS})
        box = Array((0, 0, self.width, self.height))
        form = {"Type": "/XObject", "Subtype": "/Form", "BBox": box, "Resources": resources}
        stream = self.page.clone(resources=resources, extra=Dictionary(form))
        self.image.draw(stream, self.width, self.height, None)
        return stream


def drawings_in(html: str) -> dict[str, Drawing]:
    """Address → drawing, for each that a text shows: what WeasyPrint looks pictures up in."""
    drawings = {address: _drawing(address) for address in set(_ADDRESSES.findall(html))}
    return {address: drawing for address, drawing in drawings.items() if drawing is not None}


def _drawing(address: str) -> Drawing | None:
    """None for one without a viewBox, or with words, whose fonts belong to the page: that is left to WeasyPrint."""
    # Imported here: only the worker makes documents, and WeasyPrint takes half a second to load.
    from weasyprint.images import SVGImage

    tree = ElementTree.fromstring(Path(unquote(urlsplit(address).path)).read_bytes())
    box = tree.get("viewBox", "").split()
    if len(box) != 4 or any(part.tag.endswith("}text") for part in tree.iter()):
        return None
    name = address.rpartition("/")[2].removesuffix(".svg")
    return Drawing(SVGImage(tree, address, None, None), name, float(box[2]), float(box[3]))
