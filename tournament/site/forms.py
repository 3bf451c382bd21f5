"""The search of the front page, read from the query string. Invalid values are ignored."""

from typing import Final

from django.http import QueryDict

from tournament.base.engine.rules import PLAYABLE
from tournament.site.selectors.front_page import PERIODS, TournamentSearch

MAX_SEARCH_LENGTH: Final = 100


def search_from_query(query: QueryDict) -> TournamentSearch:
    """Return the search of a query string."""
    year, page = _number(query.get("year", "")), _number(query.get("page", ""))
    when, rulebook, country = query.get("when", ""), query.get("rulebook", ""), query.get("country", "")
    return TournamentSearch(
        text=query.get("q", "").replace("\0", "").strip()[:MAX_SEARCH_LENGTH],
        country=country if len(country) == 3 and country.isascii() and country.isalpha() else "",
        rulebook=rulebook if rulebook in PLAYABLE else "",
        year=year if year and 1900 <= year <= 9998 else None,
        when=when if when in PERIODS else "",
        page=max(page or 1, 1),
    )


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 6 else None
