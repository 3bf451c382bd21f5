"""Which pages of an event are in its site, and what their files are called."""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from posixpath import splitext
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from django.http import Http404
from django.urls import resolve, reverse

from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament

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
        found = resolve(parts.path)
    except Http404:
        return None
    pattern = {**PAGES, **FILES}.get(found.url_name or "")
    if pattern is None or found.kwargs.get("slug") != tournament.slug:
        return None
    chosen = parse_qsl(parts.query)
    if any(name not in CHOICES for name, _value in chosen):
        return None
    stem, ends = splitext(pattern.format(**found.kwargs))
    return "-".join([stem, *(f"{name}-{_word(value)}" for name, value in chosen)]) + ends


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


def _word(value: str) -> str:
    """As it may stand in the name of a file, on every system."""
    return value if re.fullmatch(r"[a-z0-9]{1,20}", value) else sha256(value.encode()).hexdigest()[:10]
