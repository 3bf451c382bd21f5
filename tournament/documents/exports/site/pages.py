"""The pages of an event's site: which there are, how they are asked for, and made to stand alone."""

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
"""Address, by its name → its file."""
FILES: Final = {
    "ranking_sheet": "files/ranking.xlsx",
    "draw_certificate_json": "files/draw-certificate.json",
    "event_document": "files/{uuid}",
    "flag_sheet": "files/flags.svg",
}
"""What pages lead to or load, and is no page."""
DATA: Final = {
    "api_tournament": "data/tournament.json",
    "api_players": "data/players.json",
    "api_standings": "data/standings.json",
    "api_standings_teams": "data/teams.json",
    "api_standings_nations": "data/nations.json",
    "api_sessions": "data/sessions.json",
}
"""What programs read, as the API gives it to everybody."""
TABLE_DATA: Final = {
    "api_table": "data/sessions/{session}-{number}.json",
    "api_hands": "data/sessions/{session}-{number}-hands.json",
}
CHOICES: Final = frozenset({"by", "page", "session", "team", "nation", "why"})
"""What a link may choose of a page: everything else (what was searched, say) is not in the site."""


def file_of(tournament: Tournament, address: str) -> str | None:
    """The file in which the site has an address, its fragment left aside; None for what is not in it."""
    parts = urlsplit(address)
    try:
        match = resolve(parts.path)
    except Http404:
        return None
    pattern = {**PAGES, **FILES}.get(match.url_name or "")
    if pattern is None or match.kwargs.get("slug") != tournament.slug:
        return None
    chosen = parse_qsl(parts.query)
    if any(name not in CHOICES for name, _value in chosen):
        return None
    stem, ends = splitext(pattern.format(**match.kwargs))
    return "-".join([stem, *(f"{name}-{_file_word(value)}" for name, value in chosen)]) + ends


def _file_word(value: str) -> str:
    """As it may stand in the name of a file, on every system."""
    return value if re.fullmatch(r"[a-z0-9]{1,20}", value) else sha256(value.encode()).hexdigest()[:10]


def is_page(file: str) -> bool:
    return file.endswith(".html")


def first_addresses(tournament: Tournament) -> Iterator[str]:
    """Where the walk through the pages begins: nobody and no table is missed for want of a link."""
    yield reverse("tournament", args=[tournament.slug])
    for name in ("ranking", "players_page", "statistics_page", "ranking_sheet"):
        yield reverse(name, args=[tournament.slug])
    for number in tournament.players.values_list("number", flat=True):
        yield reverse("player_page", args=[tournament.slug, number])
    for number, table in _tables(tournament):
        yield reverse("session_page", args=[tournament.slug, number])
        yield reverse("table_page", args=[tournament.slug, number, table])


def data_addresses(tournament: Tournament) -> Iterator[tuple[str, str]]:
    """Address, file."""
    for name, file in DATA.items():
        yield reverse(name, args=[tournament.slug]), file
    for session, number in _tables(tournament):
        for name, pattern in TABLE_DATA.items():
            at = reverse(name, args=[tournament.slug, session, number])
            yield at, pattern.format(session=session, number=number)


def _tables(tournament: Tournament) -> Iterator[tuple[int, int]]:
    for session in Session.objects.filter(tournament=tournament).order_by("number"):
        for table in session.tables.order_by("number"):
            yield session.number, table.number


# --- Answers as for a stranger ---


NOWHERE = "site.invalid"
"""The host of addresses that would be whole: there is none, so links to it are taken out."""


class _Stranger(HttpRequest):
    """As a request comes through the middleware, from somebody who is not signed in."""

    def __init__(self, address: str) -> None:
        super().__init__()
        parts = urlsplit(address)
        self.method, self.path, self.path_info = "GET", parts.path, parts.path
        self.META = {"REQUEST_METHOD": "GET", "QUERY_STRING": parts.query, "SERVER_NAME": NOWHERE}
        self.GET = QueryDict(parts.query)
        self.user = AnonymousUser()
        self.session = SessionStore()
        self.LANGUAGE_CODE = get_language() or ""
        self.htmx = HtmxDetails(self)

    def get_host(self) -> str:
        return NOWHERE


def answer_to(address: str) -> bytes | None:
    """Answer an address by its view as for a stranger: what is hidden from everybody is so from the site.

    None where there is nothing for everybody.
    """
    request = _Stranger(address)
    try:
        match = resolve(request.path)
        request.resolver_match = match
        answer: Any = match.func(request, *match.args, **match.kwargs)
    except Http404:
        return None
    if not isinstance(answer, HttpResponseBase) or answer.status_code != 200:
        return None
    if hasattr(answer, "render"):
        answer = answer.render()
    if isinstance(answer, StreamingHttpResponse):
        return b"".join(answer)
    return bytes(answer.content)


# --- Pages that stand alone ---


Find = Callable[[str], str | None]
"""A whole path, with its query → the way to it from this page; None for what is not in the site."""
Attrs = Sequence[tuple[str, str | None]]

VOID: Final = frozenset(
    {
        *("area", "base", "br", "col", "embed", "hr", "img"),
        *("input", "link", "meta", "param", "source", "track", "wbr"),
    }
)
GONE: Final = frozenset({"script", "form", "button", "input", "select", "textarea", "dialog", "template"})
"""What does nothing without a server."""
MENUS: Final = frozenset({"menu"})
TAKEN_OUT: Final = frozenset({"site-foot", "toasts", "offline"})
"""Classes of what belongs to the server's pages."""
STEPS: Final = frozenset({"btn", "link"})
"""Classes of links that stand by themselves: without a way to go they say nothing."""
EMPTY: Final = re.compile(r"<li>\s*</li>|<p>\s*</p>")
KEPT_LINKS: Final = frozenset({"stylesheet", "icon"})
LOADED: Final = {"img": "src", "link": "href", "source": "src", "image": "href"}


def mended(
    page: str, address: str, find: Find, sprites: Callable[[Sequence[tuple[str, str]]], str], foot: str = ""
) -> str:
    """Make a page of the server stand alone: without scripts and forms, its links leading to files, with a foot.

    Its pictures' parts are put in it: files may not take them out of each other.
    """
    marks: dict[tuple[str, str], None] = {}
    mender = _Mender(address, find, lambda sheet, mark: marks.setdefault((sheet, mark)))
    mender.feed(page)
    mender.close()
    text = EMPTY.sub("", "".join(mender.text))
    return text.replace("</body>", f"{foot}{sprites(list(marks)) if marks else ''}</body>", 1)


class _Mender(HTMLParser):
    def __init__(self, address: str, find: Find, sprite: Callable[[str, str], None]) -> None:
        super().__init__(convert_charrefs=False)
        self._address, self._find, self._sprite = address, find, sprite
        self.text: list[str] = []
        self._open: list[tuple[str, str | None]] = []
        """Elements not yet closed, each with what closes it; None for one that is left out with all that is in it."""
        self._skipping = 0

    def handle_starttag(self, tag: str, attrs: Attrs) -> None:
        if tag in VOID:
            self._void(tag, attrs)
            return
        if self._skipping or _is_gone(tag, attrs) or (tag == "a" and self._is_dead(attrs)):
            self._open.append((tag, None))
            self._skipping += 1
            return
        if tag == "noscript":
            self._open.append((tag, ""))
            return
        if tag == "a":
            kept_tag, kept_attrs = self._link(attrs)
        else:
            kept_tag, kept_attrs = tag, self._kept_attrs(tag, attrs)
        self._open.append((tag, f"</{kept_tag}>"))
        self.text.append(f"<{kept_tag}{_attrs_text(kept_attrs)}>")

    def handle_startendtag(self, tag: str, attrs: Attrs) -> None:
        if tag in VOID:
            self._void(tag, attrs)
        elif not self._skipping:
            self.text.append(f"<{tag}{_attrs_text(self._kept_attrs(tag, attrs))}/>")

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

    def _void(self, tag: str, attrs: Attrs) -> None:
        values = dict(attrs)
        if self._skipping or _is_gone(tag, attrs):
            return
        if tag == "link" and not KEPT_LINKS.intersection((values.get("rel") or "").split()):
            return
        if tag == "meta" and (values.get("name") in ("htmx-config", "chinese-fonts") or "property" in values):
            return
        self.text.append(f"<{tag}{_attrs_text(self._kept_attrs(tag, attrs))}>")

    def _is_dead(self, attrs: Attrs) -> bool:
        """Whether a link says nothing without where it leads: a button, a letter, something to download."""
        values = dict(attrs)
        href = values.get("href") or ""
        if href.startswith(("mailto:", "tel:", "webcal:")):
            return True
        is_step = "download" in values or bool(STEPS.intersection((values.get("class") or "").split()))
        return is_step and not self._leads(href)

    def _leads(self, href: str) -> str | None:
        """Where a link leads from this page; None for what is not in the site."""
        if href.startswith("#"):
            return href
        there, fragment = urldefrag(urljoin(f"https://{NOWHERE}{self._address}", href))
        parts = urlsplit(there)
        if parts.netloc != NOWHERE:
            return href if parts.scheme in ("http", "https") else None
        file = self._find(there.removeprefix(f"https://{NOWHERE}").removeprefix(f"http://{NOWHERE}"))
        return None if file is None else f"{file}#{fragment}" if fragment else file

    def _link(self, attrs: Attrs) -> tuple[str, list[tuple[str, str | None]]]:
        """The element that a link becomes: what leads nowhere is words."""
        href = self._leads(dict(attrs).get("href") or "")
        if href is None:
            return "span", [
                (name, value) for name, value in _harmless(attrs) if name not in ("href", "rel", "target")
            ]
        return "a", [(name, href if name == "href" else value) for name, value in _harmless(attrs)]

    def _kept_attrs(self, tag: str, attrs: Attrs) -> list[tuple[str, str | None]]:
        harmless = []
        for name, value in _harmless(attrs):
            if tag == "use" and name == "href" and value and "#" in value:
                sheet, mark = value.split("#", 1)
                if sheet:
                    self._sprite(sheet, mark)
                value = f"#{mark}"
            elif LOADED.get(tag) == name and value:
                value = self._leads(value) or ""
            harmless.append((name, value))
        return harmless


def _is_gone(tag: str, attrs: Attrs) -> bool:
    values = dict(attrs)
    classes = frozenset((values.get("class") or "").split())
    if tag == "details" and classes & MENUS:
        return True
    return (
        tag in GONE
        or bool(classes & TAKEN_OUT)
        or (values.get("id") or "") in ("me", "phone", "toasts", "offline")
    )


def _harmless(attrs: Attrs) -> list[tuple[str, str | None]]:
    """Without what scripts read."""
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
