"""The foul book as a public page: every foul with its sanctions and source."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from penalties.engine import FOUL_BOOKS, Foul, FoulBook, RepeatScope, find_foul_book
from penalties.engine.rules import Cases, Choice, Fixed, Ladder, Late, amounts_text
from penalties.engine.sanctions import NO_SANCTION
from penalties.texts import (
    flag_text,
    foul_book_name,
    foul_name,
    name_in_other_language,
    nth_time,
    sanction_text,
    search_text,
)
from scoring.book.terms import search_words
from scoring.engine import RULEBOOKS
from scoring.texts import joined, translated

DEFAULT_BOOK = "mcr"
MAX_SEARCH_LENGTH = 60

Cost = dict[str, str]


@require_safe
def foul_book(request: HttpRequest) -> HttpResponse:
    """Show a foul book: `?rulebook=guide`, or the default one for an unknown key; `?q=` searches it."""
    key = request.GET.get("rulebook", DEFAULT_BOOK)
    book = find_foul_book(key if key in FOUL_BOOKS else DEFAULT_BOOK)
    context = {
        "book": book,
        "books": [(key, foul_book_name(book)) for key, book in FOUL_BOOKS.items()],
        "has_fans": book.key in {rulebook.key for rulebook in RULEBOOKS},
        **search_context(request, book),
    }
    return render(request, "fouls/book.html", context)


def search_context(request: HttpRequest, book: FoulBook) -> dict[str, Any]:
    """Return the fouls of a book that `?q=` finds, or all, for fouls/_search.html."""
    query = request.GET.get("q", "").strip()[:MAX_SEARCH_LENGTH]
    words = search_words(query)
    others = [foul.key for foul in book.fouls if not all(word in search_text(foul) for word in words)]
    return {"query": query, "fouls": foul_entries(book.without(*others))}


def foul_entries(book: FoulBook) -> list[dict[str, Any]]:
    """Return the fouls of a book in the active language.

    As [{"key", "name", "other", "other_language", "description", "costs", "counted", "source", "origin"}].
    """
    other_language = "zh-Hans" if (get_language() or "en") == "en" else "en"
    return [
        {
            "key": foul.key,
            "name": foul_name(foul),
            "other": "" if name_in_other_language(foul) == foul_name(foul) else name_in_other_language(foul),
            "other_language": other_language,
            "description": translated(foul.description),
            "costs": foul_costs(foul),
            "counted": repeat_text(foul.repeats),
            "source": translated(foul.source),
            "origin": foul.origin.value,
        }
        for foul in book.fouls
    ]


def foul_costs(foul: Foul) -> list[Cost]:
    """Return the sanctions of a foul as [{"when", "what"}]; "when" is empty if there is only one."""
    match foul.rule:
        case Fixed(sanction=sanction):
            return [_cost("", sanction_text(sanction))]
        case Ladder(steps=steps, if_seen=if_seen):
            more = _("plus {sanction}").format(sanction=sanction_text(if_seen))
            rungs = [_cost(nth_time(n), sanction_text(step)) for n, step in enumerate(steps, 1)]
            return rungs if if_seen == NO_SANCTION else [*rungs, _cost(_("the tile was seen"), more)]
        case Late() as late:
            return _late_costs(late)
        case Choice() as choice:
            return choice_costs(choice)
        case Cases(cases=cases):
            return [_cost(translated(case.names), sanction_text(case.sanction)) for case in cases]
        case rule:
            raise TypeError(f"no text for a rule of kind {rule.kind}")


def choice_costs(choice: Choice, shorten: Callable[[str], str] = str) -> list[Cost]:
    """Return the sanctions that the umpire chooses from; `shorten` is applied to the figures."""
    amounts = choice.amounts
    figures = shorten(amounts_text(amounts) if isinstance(amounts, range) else joined(amounts))
    points = _("{amounts} points, as the umpire decides")
    if choice.warning:
        points = _("warning, or {amounts} points, as the umpire decides")
    rows = [_cost("", points.format(amounts=figures))]
    if choice.stops:
        more = _("plus {sanction}").format(sanction=flag_text("may_not_continue"))
        rows.append(_cost(_("if the umpire decides so"), more))
    return rows


def _late_costs(late: Late) -> list[Cost]:
    bands = [
        _cost(_("up to minute {n}").format(n=limit), sanction_text(sanction))
        for limit, sanction in late.bands
    ]
    if late.beyond is not None:
        return [*bands, _cost(_("later"), sanction_text(late.beyond))]
    minutes, points = late.further_minutes, late.further_points
    when = ngettext("each further minute", "every further {n} minutes", minutes).format(n=minutes)
    more = ngettext("{points} more point", "{points} more points", points).format(points=points)
    return [*bands, _cost(when, more)]


def _cost(when: str, what: str) -> Cost:
    return {"when": when, "what": what}


REPEAT_TEXTS: dict[RepeatScope | None, str | Promise] = {
    None: "",
    RepeatScope.HAND: gettext_lazy("Repeats are counted in the hand."),
    RepeatScope.WIND_ROUND: gettext_lazy("Repeats are counted in the wind round."),
    RepeatScope.SESSION: gettext_lazy("Repeats are counted in the session."),
    RepeatScope.ANY_FOUL: gettext_lazy(
        "All fouls of a player that are counted like this have one count a session."
    ),
    RepeatScope.TOURNAMENT: gettext_lazy("Repeats are counted in the whole tournament."),
}


def repeat_text(repeats: RepeatScope | None) -> str:
    """Return the sentence about the scope of repeats; "" if every time costs the same."""
    return str(REPEAT_TEXTS[repeats])
