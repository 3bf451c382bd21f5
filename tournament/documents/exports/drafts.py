"""Make a PDF from a draft: HTML, layout, languages and progress."""

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
from tournament.documents.exports.paper import PAPERS, Cell, Layout, first_page_css, fit_columns, page_css
from tournament.web.exports.lists import Column, Kind
from tournament.web.texts.words import time_text

# --- Drafts ---


@dataclass(frozen=True)
class Draft:
    """A document before its layout. Drafts with the same digest print the same.

    `text`: the HTML; `timestamp`: the time printed in it. `pages`: an estimate. `version` and `state`: of the standings
    in it.
    """

    text: str
    timestamp: str
    lay_out: Callable[[Progress], Any]
    """Returns a `weasyprint.Document`."""
    pages: int = 1
    version: int | None = None
    state: str = ""
    content: bytes = b""
    """The finished file of a document that is not printed."""

    @property
    def digest(self) -> str:
        return sha256(self.timeless_text.encode()).hexdigest()

    @property
    def timeless_text(self) -> str:
        """The text without its timestamp."""
        return self.text.replace(self.timestamp, "") if self.timestamp else self.text


def draft_from_template(
    template: str,
    context: Mapping[str, Any],
    timestamp: str,
    *,
    pages: int = 1,
    version: int | None = None,
    state: str = "",
) -> Draft:
    text = render_html(template, context)
    return Draft(text, timestamp, partial(lay_out_html, text), pages, version, state)


def draft_from_file(content: bytes, *, version: int | None = None) -> Draft:
    """Wrap a finished file, which needs no layout."""
    return Draft(sha256(content).hexdigest(), "", lambda progress: None, version=version, content=content)


def bind_drafts(title: str, drafts: Sequence[Draft]) -> Draft:
    """Join documents in one file, each with its own bookmarks and page numbers."""
    text = "\n".join([title, *(draft.timeless_text for draft in drafts)])
    return Draft(text, "", partial(_bind, title, drafts), sum(draft.pages for draft in drafts))


def _bind(title: str, drafts: Sequence[Draft], progress: Progress) -> Any:
    parts = []
    for draft in drafts:
        parts.append(draft.lay_out(progress))
        progress.begin_part()
    document = parts[0].copy([page for part in parts for page in part.pages])
    document.metadata.title = title
    return document


# --- Documents that are tables ---


Row = tuple[str, list[tuple[Kind, Cell]]]


@dataclass(frozen=True)
class Part:
    """A section of a document: a heading, texts, fields, plots, a table, notes and lines for signatures."""

    heading: str
    layout: Layout | None = None
    row_classes: tuple[str, ...] = ()
    """The CSS classes of each row, or nothing."""
    details: tuple[str, ...] = ()
    """Lines beside the heading."""
    texts: tuple[str, ...] = ()
    fields: tuple[tuple[str, str], ...] = ()
    plots: tuple[SafeString, ...] = ()
    notes: tuple[str, ...] = ()
    signatures: tuple[str, ...] = ()
    is_new_page: bool = True
    is_form: bool = False
    """Whether it has ruled lines, to be filled in by hand."""
    number: int = 0
    page: str = ""
    """The CSS name of its pages; a part that begins no page has that of the part before."""

    @property
    def classes(self) -> str:
        return f"standings listing part-{self.number}{' form' if self.is_form else ''}"

    @property
    def rows(self) -> list[Row]:
        assert self.layout is not None, "the template asks only for parts with a table"
        rows = self.layout.rows
        return list(zip(self.row_classes or ("",) * len(rows), rows, strict=True))


@dataclass(frozen=True)
class Listing:
    tournament: Tournament
    title: str
    parts: tuple[Part, ...]
    paper: str
    foot: str = ""
    made_at: datetime = field(default_factory=timezone.now)

    @property
    def timestamp(self) -> str:
        return time_text(self.made_at)

    @property
    def css(self) -> str:
        rules = [page_css(self.paper)]
        for part in self.parts:
            if part.is_new_page:
                rules.append(first_page_css(part.page))
            if part.layout:
                rules.append(part.layout.css_of(f".part-{part.number}", part.page))
        return "\n".join(rules)


def draft_listing(
    job: DocumentJob,
    title: str,
    parts: Sequence[Part],
    *,
    foot: str = "",
    version: int | None = None,
    state: str = "",
) -> Draft:
    """Draft a document of these parts, in their order."""
    numbered: list[Part] = []
    page = "part0"
    for number, part in enumerate(parts):
        page = f"part{number}" if part.is_new_page else page
        numbered.append(replace(part, number=number, page=page))
    listing = Listing(job.tournament, title, tuple(numbered), job.paper, foot)
    pages = sum(part.layout.pages if part.layout else 1 for part in parts)
    return draft_from_template(
        "documents/listing.html",
        {"listing": listing, "tournament": job.tournament},
        listing.timestamp,
        pages=pages,
        version=version,
        state=state,
    )


def fit_table(
    columns: Sequence[Column], rows: Sequence[Any], job: DocumentJob, can_rotate: bool = True
) -> Layout:
    """Fit a table to the job's paper. `can_rotate`: False where the table follows another part on its page."""
    return fit_columns(columns, rows, PAPERS[job.paper], can_rotate)


# --- HTML to PDF ---


def render_html(template: str, context: Mapping[str, Any]) -> str:
    """Render a template in the active language."""
    return render_to_string(template, dict(context))


def lay_out_template(template: str, context: Mapping[str, Any], progress: Progress) -> Any:
    """Render and lay out a template as a `weasyprint.Document`."""
    return lay_out_html(render_html(template, context), progress)


def lay_out_html(html: str, progress: Progress) -> Any:
    """Lay out HTML as a `weasyprint.Document`, tagged for screen readers. Nothing is fetched over the network."""
    # Imported here: only the worker makes documents, and WeasyPrint takes half a second to load.
    from weasyprint import HTML
    from weasyprint.urls import URLFetcher

    page = HTML(string=html, url_fetcher=URLFetcher(allowed_protocols=["file"]))
    with progress.follow_layout():
        return page.render(pdf_tags=True, cache=svg_images(html))


def write_pdf(document: Any, progress: Progress) -> bytes:
    """Write a `weasyprint.Document` as a PDF file."""
    progress.begin_writing()
    return bytes(document.write_pdf(pdf_tags=True))


# --- Progress ---


_RENDERER = logging.getLogger("weasyprint.progress")
MIN_INTERVAL: Final = 0.25
"""Seconds between two updates of the job: storing one takes longer than laying out a page."""
_PAGE_MESSAGE = "Step 5 - Creating layout - Page %d"
"""The message that WeasyPrint logs for each page, with its number."""


class Progress:
    """Stores the progress of a document in its job.

    Steps: 0 collecting data, 1…n the page being laid out, n + 1 writing the file, n + 2 done.
    """

    def __init__(self, job: DocumentJob, every: float = MIN_INTERVAL) -> None:
        self._job, self._every = job, every
        self._page = 0
        self._before = 0
        """The number of pages in the parts before this one."""
        self._stored_at = -every

    def expect(self, pages: int) -> None:
        """Set the estimated number of pages."""
        self._store(steps=pages + 2, done_steps=1)

    def site_pages(self, done: int, total: int) -> None:
        """Store how many pages of an exported site are done; only every tenth is stored."""
        if done % 10 == 0:
            self._store(steps=total + 2, done_steps=done + 1)

    def begin_page(self, number: int) -> None:
        """Store that a page is being laid out. A second pass over earlier pages changes nothing."""
        page = self._before + number
        if page > self._page:
            self._page = page
            if (now := time.monotonic()) >= self._stored_at + self._every:
                self._stored_at = now
                self._store(steps=max(self._job.steps, page + 2), done_steps=page)

    def begin_part(self) -> None:
        """Continue counting pages with the next part of a file."""
        self._before = self._page

    def begin_writing(self) -> None:
        self._store(steps=self._page + 2, done_steps=self._page + 1)

    @contextmanager
    def follow_layout(self) -> Iterator[None]:
        """Store each page that WeasyPrint logs in this thread; keep its messages out of our log."""
        handler = _LayoutHandler(self)
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
        if self._job.pk:  # a command or a part of a bundle has an unsaved job
            self._job.save(update_fields=["steps", "done_steps"])


class _LayoutHandler(logging.Handler):
    def __init__(self, progress: Progress) -> None:
        super().__init__(logging.INFO)
        self._progress, self._thread = progress, threading.get_ident()

    def emit(self, record: logging.LogRecord) -> None:
        if record.msg == _PAGE_MESSAGE and record.thread == self._thread and isinstance(record.args, tuple):
            self._progress.begin_page(int(str(record.args[0])))


# --- One language or two ---


LANGUAGE_SEPARATOR: Final = " / "
MAX_LABEL_LENGTH: Final = 60
"""Characters. A longer text is a sentence and is printed in the first language only."""
_FIELDS_OF_LABELS: Final = re.compile(r"%\((n|number|place)\)s")
"""Placeholders that a label may contain. A `name` is excluded: it may be bilingual already."""
_DATES: Final = frozenset(
    name
    for names in (month_name, month_abbr, day_name, day_abbr)
    for title in names
    for name in (title, title.lower())
)
_CONTEXT: Final = "\x04"
"""Separates context and message in a catalogue. Messages with a context are parts of sentences, not labels."""


class BilingualCatalogue:
    """A translation catalogue of two languages, with the interface that Django's `gettext` uses.

    Headings, column heads and labels are in both languages ("Table / 桌号"); sentences, dates and numbers in the first.
    """

    def __init__(self, first: Any, second: Any) -> None:
        self.first, self._second = first, second

    def gettext(self, message: str) -> str:
        return _bilingual(message, self.first.gettext(message), self._second.gettext(message))

    def ngettext(self, singular: str, plural: str, n: int) -> str:
        translated = self.first.ngettext(singular, plural, n), self._second.ngettext(singular, plural, n)
        return _bilingual(singular, *translated)

    def __getattr__(self, name: str) -> Any:
        """Take everything else, such as the language's name, from the first catalogue."""
        return getattr(self.first, name)


@contextmanager
def override_languages(first: str, second: str = "") -> Iterator[None]:
    """Translate into `first`, and labels into `second` as well."""
    with translation.override(first):
        if second and second != first:
            # `activate` stores the active catalogue here; `override` restores the previous one.
            catalogue = BilingualCatalogue(trans_real.translation(first), trans_real.translation(second))
            trans_real._active.value = catalogue  # type: ignore[attr-defined]
        yield


@contextmanager
def first_language_only() -> Iterator[None]:
    """Translate into the first language only, for places too narrow for both, such as plots."""
    both = getattr(trans_real._active, "value", None)  # type: ignore[attr-defined]
    if not isinstance(both, BilingualCatalogue):
        yield
        return
    trans_real._active.value = both.first  # type: ignore[attr-defined]
    try:
        yield
    finally:
        trans_real._active.value = both  # type: ignore[attr-defined]


def _bilingual(message: str, first: str, second: str) -> str:
    return f"{first}{LANGUAGE_SEPARATOR}{second}" if first != second and _is_label(message) else first


def _is_label(message: str) -> bool:
    """Whether a message is a label: short, at most one number, no sentence, no name of a day or month."""
    words = _FIELDS_OF_LABELS.sub("", message, count=1)
    return (
        not any(mark in words for mark in (_CONTEXT, "%(", "{"))
        and len(message) <= MAX_LABEL_LENGTH
        and message not in _DATES
        and not words.rstrip().endswith((".", ":"))
        and any(character.isalpha() for character in words)
    )


# --- SVG images ---


_SVG_ADDRESSES: Final = re.compile(r'(?:src|href)="(file://[^"]+\.svg)"')
_RESOURCES: Final = ("ExtGState", "XObject", "Pattern", "Shading", "ColorSpace")
"""The resource dictionaries of a form XObject."""


@dataclass
class SvgImage:
    """An SVG image with the interface of WeasyPrint's images that is stored once per PDF, as a form XObject.

    WeasyPrint alone would draw every path again for every tile or flag on the page.
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
        """Return the form XObject. WeasyPrint calls it once, when it writes the file."""
        from pydyf import Array, Dictionary

        resources = Dictionary({part: Dictionary() for part in _RESOURCES})
        box = Array((0, 0, self.width, self.height))
        form = {"Type": "/XObject", "Subtype": "/Form", "BBox": box, "Resources": resources}
        stream = self.page.clone(resources=resources, extra=Dictionary(form))
        self.image.draw(stream, self.width, self.height, None)
        return stream


def svg_images(html: str) -> dict[str, SvgImage]:
    """Return WeasyPrint's cache of images for a document: file:// address → image."""
    images = {address: _svg_image(address) for address in set(_SVG_ADDRESSES.findall(html))}
    return {address: image for address, image in images.items() if image is not None}


def _svg_image(address: str) -> SvgImage | None:
    """Return the image; None without a viewBox or with text, which needs the fonts of the page."""
    # Imported here as in `lay_out_html`.
    from weasyprint.images import SVGImage

    tree = ElementTree.fromstring(Path(unquote(urlsplit(address).path)).read_bytes())
    box = tree.get("viewBox", "").split()
    if len(box) != 4 or any(part.tag.endswith("}text") for part in tree.iter()):
        return None
    name = address.rpartition("/")[2].removesuffix(".svg")
    return SvgImage(SVGImage(tree, address, None, None), name, float(box[2]), float(box[3]))
