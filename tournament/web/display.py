"""Pictures and markup for pages: flags, tiles, QR codes, fonts, Markdown, job status."""

import hashlib
from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any, ClassVar, Final, Generic, TypeVar

import nh3
import segno
from django.contrib.staticfiles import finders
from django.template import Library
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import pgettext
from fontTools import subset
from fontTools.ttLib import TTFont
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from scoring.texts import tile_name
from tournament.base.countries import alpha_2
from tournament.base.engine.notices import Audience
from tournament.base.models.tournament import ANSWER_WITHIN, DONE_WITHIN, Job, Tournament
from tournament.base.selectors import by_version, version_for
from tournament.web.texts.words import Placed, lay_hand, lay_meld

# --- Flags ---


WIDTH, HEIGHT = 640, 480
SHEET: Final = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">{flags}</svg>'
FLAG: Final = (
    '<view id="{code}" viewBox="0 {top} {width} {height}"/><svg y="{top}" width="{width}" height="{height}" '
)


@dataclass(frozen=True)
class FlagSheet:
    """One file with several flags. `codes`: alpha-2 codes in order; `address` contains a hash of the content."""

    codes: tuple[str, ...]
    address: str


@by_version(64)
def flag_sheet(tournament: Tournament) -> FlagSheet:
    """Return the flag sheet of an event's countries, so that a list requests one file."""
    countries = tournament.players.values_list("country", flat=True).distinct().order_by()
    codes = tuple(sorted({alpha_2(country) for country in countries} - {""}))
    digest = hashlib.sha256(render_flags(codes).encode()).hexdigest()[:12]
    return FlagSheet(codes, reverse("flag_sheet", args=[tournament.slug, digest]))


@lru_cache(maxsize=64)
def render_flags(codes: tuple[str, ...]) -> str:
    """Return an SVG with these flags, one below the other; `#fr` shows the flag of France only."""
    flags = "".join(_flag_svg(code, top * HEIGHT) for top, code in enumerate(codes))
    return SHEET.format(width=WIDTH, height=max(1, len(codes)) * HEIGHT, flags=flags)


def _flag_svg(code: str, top: int) -> str:
    path = finders.find(f"vendor/flags/{code}.svg")
    flag = Path(str(path)).read_text("utf-8")
    return flag.replace("<svg ", FLAG.format(code=code, top=top, width=WIDTH, height=HEIGHT), 1)


# --- Fonts ---


MAX_CHARACTERS: Final = 500
"""Of one font; pages with more load the sheet of the whole fonts."""


@lru_cache(maxsize=128)
def chinese_font(characters: frozenset[str]) -> bytes:
    """Return a WOFF2 font of these characters, as far as ours has them: 2 KB for a dozen. Takes a tenth of a second."""
    subsetter = subset.Subsetter(subset.Options(hinting=False, layout_features=[]))
    subsetter.populate(unicodes=map(ord, characters))
    file = BytesIO()
    with TTFont(str(finders.find("fonts/noto-sans-chinese-regular.ttf")), lazy=True) as font:
        subsetter.subset(font)
        font.flavor = "woff2"
        font.save(file)
    return file.getvalue()


# --- Jobs ---


J = TypeVar("J", bound=Job)


@dataclass(frozen=True)
class JobStatus(Generic[J]):
    """The state of a worker's job at a moment, for a page. Subclasses have the sentences."""

    job: J
    now: datetime

    WAITING: ClassVar[Promise]
    NO_ANSWER: ClassVar[Promise]
    LOST: ClassVar[Promise]
    ERRORS: ClassVar[Mapping[str, Promise]]

    @property
    def is_waiting(self) -> bool:
        """Whether the job may still finish, so that the page polls."""
        unfinished = self.job.state in (Job.State.QUEUED, Job.State.RUNNING)
        return unfinished and self._age <= DONE_WITHIN

    @property
    def is_late(self) -> bool:
        """Whether the worker should have taken the job by now."""
        return self.job.state == Job.State.QUEUED and self._age > ANSWER_WITHIN

    @property
    def is_bad(self) -> bool:
        return self.job.state == Job.State.FAILED or self.is_late or self._is_lost

    @property
    def ask_every(self) -> str:
        """The polling interval."""
        return "5s" if self.is_late else "1s"

    @property
    def mark(self) -> str:
        """Changes whenever the displayed state changes."""
        return f"{self.job.state}-{self.job.done_steps}-{self.job.steps}-{self.is_bad:d}"

    @property
    def sentence(self) -> str:
        if self._is_lost:
            return str(self.LOST)
        if self.is_late:
            return str(self.NO_ANSWER)
        match self.job.state:
            case Job.State.QUEUED:
                return str(self.WAITING)
            case Job.State.RUNNING:
                return self._step
            case Job.State.FAILED:
                return str(self.ERRORS[self.job.error])
        return self._done

    @property
    def _step(self) -> str:
        """The sentence for a running job."""
        raise NotImplementedError

    @property
    def _done(self) -> str:
        raise NotImplementedError

    @property
    def _is_lost(self) -> bool:
        return self.job.state == Job.State.RUNNING and self._age > DONE_WITHIN

    @property
    def _age(self) -> timedelta:
        return self.now - self.job.requested_at


# --- Markdown ---


HEADING_OFFSET: Final = 2
"""Headings of a text are below the page's title and the section's."""
TAGS: Final = frozenset(
    [
        *("p", "h3", "h4", "h5", "h6", "ul", "ol", "li", "strong", "em", "s", "a", "br", "hr", "blockquote"),
        *("code", "pre", "table", "thead", "tbody", "tr", "th", "td"),
    ]
)
LINKS: Final = frozenset({"http", "https", "mailto", "tel"})


def render_markdown(text: str) -> SafeString:
    """Return safe HTML for an organiser's Markdown; its headings begin below a section's.

    No raw HTML, images or scripts; links have rel="nofollow noopener". The output of markdown-it is sanitised again
    by nh3.
    """
    html = _markdown().render(text)
    return SafeString(
        nh3.clean(
            html,
            tags=set(TAGS),
            attributes={"*": set(), "a": {"href"}, "ol": {"start"}},
            set_tag_attribute_values={"table": {"aria-label": pgettext("of figures", "Table")}},
            url_schemes=set(LINKS),
            link_rel="nofollow noopener",
        )
    )


@lru_cache(maxsize=1)
def _markdown() -> MarkdownIt:
    renderer = MarkdownIt("commonmark", {"html": False, "maxNesting": 20}).enable(["table", "strikethrough"])
    renderer.core.ruler.push("demoted", _lower_headings)
    renderer.add_render_rule("image", _image)
    return renderer


def _lower_headings(state: StateCore) -> None:
    for token in state.tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1]) + HEADING_OFFSET, 6)}"


def _image(
    self: RendererHTML, tokens: Sequence[Token], at: int, options: Any, env: MutableMapping[str, Any]
) -> str:
    """Render an image as a link, so that a page never loads anything from elsewhere."""
    source, text = str(tokens[at].attrs.get("src", "")), tokens[at].content
    return f'<a href="{escape(source)}">{escape(text or source)}</a>'


# --- QR codes ---


QUIET_ZONE: Final = 4
"""White modules around a code, which cameras need (ISO/IEC 18004)."""


def qr_of(address: str, border: int = QUIET_ZONE) -> SafeString:
    """Return the QR code of an address."""
    return qr_svg(segno.make(address, micro=False), border)


def qr_svg(code: segno.QRCode, border: int = QUIET_ZONE) -> SafeString:
    """Return a code as inline SVG, dark on light in every theme, as cameras need it.

    Safe: segno puts no text in it.
    """
    svg = code.svg_inline(
        border=border, dark="#000", light="#fff", omitsize=True, svgclass="qr", lineclass=None
    )
    return mark_safe(svg)


public_qr = lru_cache(maxsize=1024)(qr_of)
"""`qr_of` with a cache, for addresses that are not secret."""


# --- Tiles ---


Picture = Callable[[str, str, str], SafeString]
"""(code, classes, name) → one tile; no name if it is beside the tile or on a button around it."""


def register_tiles(register: Library, picture: Picture) -> None:
    """Register the tags `tile`, `tile_set` and `hand`, for pages or paper, which differ in the picture of a tile.

    web/texts/words.py lays out sets.
    """

    @register.simple_tag
    def tile(code: str, side: bool = False, win: bool = False, named: bool = True) -> SafeString:
        """Render a tile: `{% tile "1m" %}`, `{% tile code side=True %}` (claimed), `win=True` (the winning tile).

        `named=False` if its name is beside it or on a button around it.
        """
        name = tile_name(code)
        classes = "tile" + (" side" if side else "") + (" win" if win else "")
        return picture(code, classes, name if named else "")

    def group(tiles: Iterable[Placed]) -> SafeString:
        pictures = ((tile(placed.code, placed.side, placed.win),) for placed in tiles)
        return format_html('<span class="set">{}</span>', format_html_join("", "{}", pictures))

    @register.simple_tag
    def tile_set(tiles: Sequence[str] | Mapping[str, Any]) -> SafeString:
        """Render a set: `{% tile_set codes %}` upright, `{% tile_set meld %}` as it lies at the table."""
        return group(lay_meld(tiles) if isinstance(tiles, Mapping) else map(Placed, tiles))

    @register.simple_tag
    def hand(record: Mapping[str, Any], size: str = "") -> SafeString:
        """Render a stored hand: melds, concealed tiles, the winning tile.

        `size`: xs, s, m, l or xl.
        """
        groups = format_html_join("", "{}", ((group(tiles),) for tiles in lay_hand(record)))
        return format_html('<div class="hand{}">{}</div>', f" tiles-{size}" if size else "", groups)


def stream_url(tournament: Tournament, audience: Audience, *, at_a_desk: bool = False) -> str:
    """Return the URL of an audience's event stream, from the version that the page shows.

    `at_a_desk`: subscribe to staff events; a table's card gets only those of its own tables.
    """
    folder = "staff/" if at_a_desk or audience is Audience.STAFF else ""
    return f"/live/{tournament.slug}/{folder}?after={version_for(audience, tournament)}"
