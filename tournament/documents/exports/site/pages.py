"""The pages of an exported site: their files, how they are rendered, and how they become standalone HTML."""

import re
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from html import escape
from html.parser import HTMLParser
from posixpath import splitext
from typing import Any, Final
from urllib.parse import parse_qsl, urldefrag, urljoin, urlsplit

from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.signed_cookies import SessionStore
from django.http import Http404, HttpRequest, HttpResponseBase, QueryDict, StreamingHttpResponse
from django.urls import resolve, reverse
from django.utils.translation import get_language
from django_htmx.middleware import HtmxDetails

from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament

# --- Pages and their files ---


PAGES: Final = {
    "tournament": "index.html",
    "ranking": "ranking.html",
    "ranking_teams": "teams.html",
    "ranking_nations": "nations.html",
    "session_page": "sessions/{number}.html",
    "table_page": "sessions/{number}-{table}.html",
    "draw_page": "draw.html",
    "draw_certificate": "draw-certificate.html",
    "statistics_page": "statistics.html",
    "fouls_page": "fouls.html",
    "penalties_page": "penalties.html",
    "players_page": "players.html",
    "player_page": "players/{number}.html",
}
"""URL name → file."""
FILES: Final = {
    "ranking_sheet": "files/ranking.xlsx",
    "draw_certificate_json": "files/draw-certificate.json",
    "event_document": "files/{uuid}",
    "flag_sheet": "files/flags.svg",
}
"""URL names of files that pages link to or load."""
DATA: Final = {
    "api_tournament": "data/tournament.json",
    "api_players": "data/players.json",
    "api_standings": "data/standings.json",
    "api_standings_teams": "data/teams.json",
    "api_standings_nations": "data/nations.json",
    "api_sessions": "data/sessions.json",
}
"""URL names of the public API."""
TABLE_DATA: Final = {
    "api_table": "data/sessions/{session}-{number}.json",
    "api_hands": "data/sessions/{session}-{number}-hands.json",
}
QUERY_PARAMETERS: Final = frozenset({"by", "page", "session", "team", "nation", "why"})
"""Links with any other query parameter, such as a search, are not part of the site."""


def file_for(tournament: Tournament, address: str) -> str | None:
    """Return the file of an address, ignoring its fragment; None if it is not part of the site."""
    parts = urlsplit(address)
    try:
        match = resolve(parts.path)
    except Http404:
        return None
    pattern = {**PAGES, **FILES}.get(match.url_name or "")
    if pattern is None or match.kwargs.get("slug") != tournament.slug:
        return None
    query = parse_qsl(parts.query)
    if any(name not in QUERY_PARAMETERS for name, _value in query):
        return None
    stem, extension = splitext(pattern.format(**match.kwargs))
    return "-".join([stem, *(f"{name}-{_safe_word(value)}" for name, value in query)]) + extension


def _safe_word(value: str) -> str:
    """Return the value, or a hash of it, as a part of a file name that is valid on every system."""
    return value if re.fullmatch(r"[a-z0-9]{1,20}", value) else sha256(value.encode()).hexdigest()[:10]


def is_page(file: str) -> bool:
    return file.endswith(".html")


def start_addresses(tournament: Tournament) -> Iterator[str]:
    """Yield the addresses to start from. Every player and table is among them, linked or not."""
    yield reverse("tournament", args=[tournament.slug])
    for name in ("ranking", "players_page", "statistics_page", "ranking_sheet"):
        yield reverse(name, args=[tournament.slug])
    for number in tournament.players.values_list("number", flat=True):
        yield reverse("player_page", args=[tournament.slug, number])
    for number, table in _tables(tournament):
        yield reverse("session_page", args=[tournament.slug, number])
        yield reverse("table_page", args=[tournament.slug, number, table])


def data_addresses(tournament: Tournament) -> Iterator[tuple[str, str]]:
    """Yield (address, file) of the data."""
    for name, file in DATA.items():
        yield reverse(name, args=[tournament.slug]), file
    for session, number in _tables(tournament):
        for name, pattern in TABLE_DATA.items():
            address = reverse(name, args=[tournament.slug, session, number])
            yield address, pattern.format(session=session, number=number)


def _tables(tournament: Tournament) -> Iterator[tuple[int, int]]:
    for session in Session.objects.filter(tournament=tournament).order_by("number"):
        for table in session.tables.order_by("number"):
            yield session.number, table.number


# --- Rendering ---


HOST = "site.invalid"
"""The host of the requests. It does not exist; links to it that are not in the site are removed."""


class _AnonymousRequest(HttpRequest):
    """A GET request by somebody who is not signed in, as it leaves the middleware."""

    def __init__(self, address: str) -> None:
        super().__init__()
        parts = urlsplit(address)
        self.method, self.path, self.path_info = "GET", parts.path, parts.path
        self.META = {"REQUEST_METHOD": "GET", "QUERY_STRING": parts.query, "SERVER_NAME": HOST}
        self.GET = QueryDict(parts.query)
        self.user = AnonymousUser()
        self.session = SessionStore()
        self.LANGUAGE_CODE = get_language() or ""
        self.htmx = HtmxDetails(self)

    def get_host(self) -> str:
        return HOST


def render_public(address: str) -> bytes | None:
    """Return what the view of an address returns to anybody; None if there is nothing public."""
    request = _AnonymousRequest(address)
    try:
        match = resolve(request.path)
        request.resolver_match = match
        response: Any = match.func(request, *match.args, **match.kwargs)
    except Http404:
        return None
    if not isinstance(response, HttpResponseBase) or response.status_code != 200:
        return None
    if hasattr(response, "render"):
        response = response.render()
    if isinstance(response, StreamingHttpResponse):
        return b"".join(response)
    return bytes(response.content)


# --- Standalone HTML ---


RelativeLink = Callable[[str], str | None]
"""Path with query → the relative link from this page; None if it is not in the site."""
Attrs = Sequence[tuple[str, str | None]]

VOID: Final = frozenset(
    {
        *("area", "base", "br", "col", "embed", "hr", "img"),
        *("input", "link", "meta", "param", "source", "track", "wbr"),
    }
)
REMOVED_TAGS: Final = frozenset(
    {"script", "form", "button", "input", "select", "textarea", "dialog", "template"}
)
REMOVED_CLASSES: Final = frozenset({"site-foot", "toasts", "offline"})
REMOVED_IDS: Final = frozenset({"me", "phone", "toasts", "offline"})
BUTTON_CLASSES: Final = frozenset({"btn", "link"})
"""Links of these classes are removed, not only unlinked, if their target is not in the site."""
EMPTY_ELEMENTS: Final = re.compile(r"<li>\s*</li>|<p>\s*</p>")
KEPT_LINKS: Final = frozenset({"stylesheet", "icon"})
SOURCE_ATTRIBUTES: Final = {"img": "src", "link": "href", "source": "src", "image": "href"}


def make_standalone(
    page: str,
    address: str,
    relative_link: RelativeLink,
    inline_symbols: Callable[[Sequence[tuple[str, str]]], str],
    footer: str = "",
) -> str:
    """Return a page without scripts and forms, with relative links, inlined SVG symbols and a footer.

    Symbols have to be inlined because browsers do not load `<use>` from another file without a server.
    """
    references: dict[tuple[str, str], None] = {}
    parser = _StandaloneParser(
        address, relative_link, lambda sheet, identifier: references.setdefault((sheet, identifier))
    )
    parser.feed(page)
    parser.close()
    text = EMPTY_ELEMENTS.sub("", "".join(parser.text))
    symbols = inline_symbols(list(references)) if references else ""
    return text.replace("</body>", f"{footer}{symbols}</body>", 1)


class _StandaloneParser(HTMLParser):
    def __init__(
        self, address: str, relative_link: RelativeLink, add_symbol: Callable[[str, str], None]
    ) -> None:
        super().__init__(convert_charrefs=False)
        self._address, self._relative_link, self._add_symbol = address, relative_link, add_symbol
        self.text: list[str] = []
        self._open: list[tuple[str, str | None]] = []
        """Open elements: (tag, closing tag); None for an element that is removed with its contents."""
        self._skipping = 0

    def handle_starttag(self, tag: str, attrs: Attrs) -> None:
        if tag in VOID:
            self._add_void(tag, attrs)
            return
        if self._skipping or _is_removed(tag, attrs) or (tag == "a" and self._is_useless_link(attrs)):
            self._open.append((tag, None))
            self._skipping += 1
            return
        if tag == "noscript":
            self._open.append((tag, ""))
            return
        if tag == "a":
            new_tag, new_attrs = self._rewrite_link(attrs)
        else:
            new_tag, new_attrs = tag, self._rewrite_attrs(tag, attrs)
        self._open.append((tag, f"</{new_tag}>"))
        self.text.append(f"<{new_tag}{_attrs_text(new_attrs)}>")

    def handle_startendtag(self, tag: str, attrs: Attrs) -> None:
        if tag in VOID:
            self._add_void(tag, attrs)
        elif not self._skipping:
            self.text.append(f"<{tag}{_attrs_text(self._rewrite_attrs(tag, attrs))}/>")

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID or tag not in (name for name, _close in self._open):
            return
        name = ""
        while name != tag:
            name, close = self._open.pop()
            if close is None:
                self._skipping -= 1
            else:
                self.text.append(close)

    def handle_data(self, data: str) -> None:
        if not self._skipping:
            self.text.append(data)

    def handle_entityref(self, name: str) -> None:
        self.handle_data(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self.handle_data(f"&#{name};")

    def handle_decl(self, decl: str) -> None:
        self.handle_data(f"<!{decl}>")

    def _add_void(self, tag: str, attrs: Attrs) -> None:
        values = dict(attrs)
        if self._skipping or _is_removed(tag, attrs):
            return
        if tag == "link" and not KEPT_LINKS.intersection((values.get("rel") or "").split()):
            return
        if tag == "meta" and (values.get("name") in ("htmx-config", "chinese-fonts") or "property" in values):
            return
        self.text.append(f"<{tag}{_attrs_text(self._rewrite_attrs(tag, attrs))}>")

    def _is_useless_link(self, attrs: Attrs) -> bool:
        """Whether to remove a link: a mail, phone or calendar link, or a button or download outside the site."""
        values = dict(attrs)
        href = values.get("href") or ""
        if href.startswith(("mailto:", "tel:", "webcal:")):
            return True
        classes = (values.get("class") or "").split()
        is_button = "download" in values or bool(BUTTON_CLASSES.intersection(classes))
        return is_button and not self._target(href)

    def _target(self, href: str) -> str | None:
        """Return the new target of a link; None if it is not in the site."""
        if href.startswith("#"):
            return href
        url, fragment = urldefrag(urljoin(f"https://{HOST}{self._address}", href))
        parts = urlsplit(url)
        if parts.netloc != HOST:
            return href if parts.scheme in ("http", "https") else None
        file = self._relative_link(url.removeprefix(f"https://{HOST}").removeprefix(f"http://{HOST}"))
        return None if file is None else f"{file}#{fragment}" if fragment else file

    def _rewrite_link(self, attrs: Attrs) -> tuple[str, list[tuple[str, str | None]]]:
        """Return tag and attributes of a link: a span if its target is not in the site."""
        href, static = self._target(dict(attrs).get("href") or ""), _static_attrs(attrs)
        if href is None:
            return "span", [(name, value) for name, value in static if name not in ("href", "rel", "target")]
        return "a", [(name, href if name == "href" else value) for name, value in static]

    def _rewrite_attrs(self, tag: str, attrs: Attrs) -> list[tuple[str, str | None]]:
        rewritten = []
        for name, value in _static_attrs(attrs):
            if tag == "use" and name == "href" and value and "#" in value:
                sheet, identifier = value.split("#", 1)
                if sheet:
                    self._add_symbol(sheet, identifier)
                value = f"#{identifier}"
            elif SOURCE_ATTRIBUTES.get(tag) == name and value:
                value = self._target(value) or ""
            rewritten.append((name, value))
        return rewritten


def _is_removed(tag: str, attrs: Attrs) -> bool:
    values = dict(attrs)
    classes = frozenset((values.get("class") or "").split())
    return (
        tag in REMOVED_TAGS
        or (tag == "details" and "menu" in classes)
        or bool(classes & REMOVED_CLASSES)
        or (values.get("id") or "") in REMOVED_IDS
    )


def _static_attrs(attrs: Attrs) -> list[tuple[str, str | None]]:
    """Return the attributes without those that scripts read."""
    return [
        (name, value)
        for name, value in attrs
        if not name.startswith(("hx-", "on"))
        and not (
            name.startswith("data-")
            and ("/" in (value or "") or name.startswith(("data-live", "data-refresh")))
        )
    ]


def _attrs_text(attrs: Attrs) -> str:
    return "".join(f" {name}" if value is None else f' {name}="{escape(value)}"' for name, value in attrs)
