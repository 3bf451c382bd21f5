"""Views of the rules, the figures beside them, and the search."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, TypeVar

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from penalties.engine import find_foul_book
from penalties.engine.books import SPOKEN_WORDS
from penalties.views import foul_costs, foul_entries
from scoring.book import decisions, rules
from scoring.book.data import Passage, books, plain
from scoring.book.rules import Chapter, chapters
from scoring.book.terms import VARIANTS
from scoring.book.views import book_page
from scoring.engine import MCR, RULEBOOKS, find_fan, payments
from scoring.engine.names import Names
from scoring.texts import excerpt, fan_name, folded, rulebook_name, translated
from tournament.base.engine.rules import APPENDIX_2, STANDARD_SCALE, WINDS, table_points
from tournament.book.forms.pages import OwnSeatForm, ThrowsForm
from tournament.play.display import wall_picture
from tournament.play.engine.wall import (
    DEAL_STEPS,
    JUMPED_DEAL,
    STACKED_DEAL,
    Break,
    DealtTile,
    break_by_both,
    break_by_second,
    broken_side,
)
from tournament.seating.engine.numbers import hand_positions

# --- Pages ---


SectionContexts = list[dict[str, Any]]


@book_page
def contents(request: HttpRequest) -> HttpResponse:
    """Show the chapters, or with ?q= the search results."""
    query = request.GET.get("q", "").strip()[:MAX_SEARCH_LENGTH]
    context = {
        "chapters": chapters(),
        "query": query,
        "hits": search(query),
        "books": books().values(),
    }
    return render(request, "book/contents.html", context)


@book_page
def chapter(request: HttpRequest, key: str) -> HttpResponse:
    """Show a chapter with links to its neighbours."""
    all_chapters = chapters()
    place = next((place for place, entry in enumerate(all_chapters) if entry.key == key), None)
    if place is None:
        raise Http404
    context = {
        "chapter": all_chapters[place],
        "number": place + 1,
        "sections": _section_contexts(all_chapters[place], request.GET),
        "previous": all_chapters[place - 1] if place else None,
        "next": all_chapters[place + 1] if place + 1 < len(all_chapters) else None,
        "trail": _trail(),
    }
    return render(request, "book/chapter.html", context)


def _section_contexts(entry: Chapter, query: QueryDict) -> SectionContexts:
    """Return the template context of each section, with its figure."""
    return [
        {
            "section": section,
            "template": f"book/drawings/{section.drawing}.html" if section.drawing else "",
            "figure": figure(section.drawing, query) if section.drawing else {},
            "decision": decisions.passages().get(section.decision),
        }
        for section in entry.sections
    ]


def _trail() -> list[tuple[str, str]]:
    return [(_("Rules"), reverse("rules"))]


@book_page
def all_rules(request: HttpRequest) -> HttpResponse:
    """Show all chapters on one page, to print."""
    return render(request, "book/all_rules.html", {"chapters": _render_all_rules(get_language() or "en")})


@lru_cache(maxsize=len(settings.LANGUAGES))
def _render_all_rules(_language: str) -> SafeString:
    """Render all chapters, cached by language."""
    all_chapters = [(entry, _section_contexts(entry, QueryDict())) for entry in chapters()]
    return render_to_string("book/_all_rules.html", {"chapters": all_chapters, "books": books().values()})


@book_page
def decisions_page(request: HttpRequest) -> HttpResponse:
    """Show every decision: the statements of the texts, what Hule does, and why."""
    context = {
        "rulebooks": decisions.rulebooks(),
        "rules": [(rule, _readings(rule.key)) for rule in decisions.rules()],
        "groups": decisions.groups(),
        "books": books().values(),
        "trail": _trail(),
    }
    return render(request, "book/decisions.html", context)


def _readings(key: str) -> list[dict[str, Any]]:
    """Return the reading of each rulebook, and whether it is MCR's."""
    return [
        {
            "name": rulebook_name(book),
            "clause": decisions.clauses()[book.clauses[key]],
            "as_mcr": book != MCR and book.clauses[key] == MCR.clauses[key],
        }
        for book in RULEBOOKS
    ]


@book_page
def history(request: HttpRequest) -> HttpResponse:
    """Show the history of the game by source, and its variants."""
    context = {
        "questions": rules.history_questions(),
        "variants": rules.variants(),
        "books": books().values(),
    }
    return render(request, "book/history.html", context)


# --- Search ---


MAX_SEARCH_LENGTH: Final = 80
"""Characters of a query."""


@dataclass(frozen=True, slots=True)
class Hit:
    url: str
    heading: str
    place: str
    """The chapter it stands in."""
    excerpt: str


def search(query: str) -> list[Hit]:
    """Return every passage that has all words in one of the three languages, in the order of the book."""
    words = _normalised(query[:MAX_SEARCH_LENGTH]).split()
    if not words:
        return []
    return [
        Hit(url, translated(heading), place, excerpt(plain(translated(text)), words, _normalised))
        for url, place, heading, text, spoken in _entries()
        if _has_all(words, heading, text, spoken)
    ]


def _entries() -> Iterator[tuple[str, str, Names, Names, str]]:
    """Yield URL, chapter, heading and text of everything searchable, and what players call it besides."""
    for chapter in rules.chapters():
        page = reverse("rules_chapter", args=[chapter.key])
        for section in chapter.sections:
            yield _entry(page, translated(chapter.heading), section.passage)
    page = reverse("rules_decisions")
    for passage in decisions.passages().values():
        yield _entry(page, _("Disputed rules"), passage)
    page = reverse("foul_book")
    for foul in find_foul_book("mcr").fouls:
        spoken = " ".join(SPOKEN_WORDS.get(foul.key, ()))
        yield f"{page}#{foul.key}", _("Foul book"), foul.names, foul.description, spoken


def _entry(page: str, place: str, passage: Passage) -> tuple[str, str, Names, Names, str]:
    return f"{page}#{passage.key}", place, passage.heading, passage.text, ""


def _normalised(text: str) -> str:
    return folded(text).translate(VARIANTS)


def _has_all(words: list[str], heading: Names, text: Names, spoken: str) -> bool:
    for language in ("en", "zh_hans", "zh_hant"):
        texts = (getattr(heading, language), getattr(text, language), spoken)
        whole_text = _normalised(plain(" ".join(texts)))
        if all(word in whole_text for word in words):
            return True
    return False


# --- Drawings beside the rules ---


Figure = dict[str, Any]
T = TypeVar("T")

WORTH: Final = (8, 12, 24, 88)
"""Hands whose payments are shown; 12 is the Guide's example of 10 points and 2 flowers (003:1049-1053)."""
SCORES: Final = (
    (60, 20, -10, -70),
    (40, 40, -30, -50),
    (40, 0, 0, -40),
    (30, 10, -20, -20),
    (20, 20, 20, -60),
)
"""Examples of a table: no ties, then ties in first, second and third place, and a tie of three."""
SHAPES: Final[Mapping[str, tuple[str, ...]]] = {
    "": ("123m", "456p", "777s", "EEE", "99p"),
    "seven_pairs": ("11m", "44m", "22p", "77p", "9999s", "CC"),
    "thirteen_orphans": ("19m", "19p", "19s", "ESWN", "CFPP"),
    "lesser_honors_and_knitted_tiles": ("147m", "258p", "69s", "ESWN", "CF"),
    "greater_honors_and_knitted_tiles": ("147m", "25p", "69s", "ESWN", "CFP"),
    "knitted_straight": ("147m", "258p", "369s", "789m", "EE"),
}
"""A hand of four sets and a pair, and hands of other shapes, by fan."""


def figure(name: str, query: QueryDict) -> Figure:
    """Return the context of a drawing in `templates/book/drawings/`."""
    return FIGURES[name](query)


def _wall_break(query: QueryDict) -> Figure:
    form = ThrowsForm(query)
    first, second = form.throws
    by_both, by_second = break_by_both(first, second), break_by_second(first, second)
    return {
        "form": form,
        "first": first,
        "second": second,
        "side": broken_side(first),
        "readings": [_reading("both", by_both), _reading("second", by_second)],
        "winds": SIDES,
    }


SIDES: Final = (("E", 180, 352), ("S", 347, 186), ("W", 180, 20), ("N", 13, 186))
"""Positions of the winds round the wall: (wind, x, y)."""


def _reading(key: str, broken: Break) -> Figure:
    return {"key": key, "break": broken, "picture": wall_picture(broken)}


def _by_four(items: Sequence[T]) -> list[Sequence[T]]:
    """Split items into rounds of the table."""
    return [items[at : at + len(WINDS)] for at in range(0, len(items), len(WINDS))]


def _last_stacks(tiles: tuple[DealtTile, ...]) -> list[Figure]:
    """Return three stacks seen from the side, the next one at the right; dealt tiles carry their wind."""
    winds = {(place.stack, place.level): place.wind for place in tiles}
    return [
        {"x": 110 - 50 * stack, "y": 10 + 40 * level, "wind": winds.get((stack, level), "")}
        for stack in range(3)
        for level in range(2)
    ]


def _payments(_query: QueryDict) -> Figure:
    return {"rows": [(points, payments(points, 0, None), payments(points, 0, 1)) for points in WORTH]}


def _own_seat(query: QueryDict) -> Figure:
    form = OwnSeatForm(query)
    return {
        "form": form,
        "start": form.wind,
        "chart": form.rotation,
        "rounds": _by_four(hand_positions(form.wind, form.rotation)),
    }


def _late(_query: QueryDict) -> Figure:
    foul = find_foul_book("mcr").find("late")
    return {"costs": foul_costs(foul) if foul else []}


def _table_points(_query: QueryDict) -> Figure:
    rows = [list(zip(scores, table_points(scores), strict=True)) for scores in SCORES]
    return {"rows": rows, "scale": STANDARD_SCALE}


def _forms(_query: QueryDict) -> Figure:
    return {
        "shapes": [(fan_name(find_fan(key)) if key else "", _tiles(groups)) for key, groups in SHAPES.items()]
    }


def _tiles(groups: tuple[str, ...]) -> list[list[str]]:
    """Return tiles by group: "123m" is 1m, 2m, 3m; honours are their own letters."""
    return [
        [rank + group[-1] for rank in group[:-1]] if group[0].isdigit() else list(group) for group in groups
    ]


FIGURES: Final[Mapping[str, Callable[[QueryDict], Figure]]] = {
    **dict.fromkeys(("table", "claimed_set", "priority", "kongs", "classical"), lambda query: {}),
    "wall_break": _wall_break,
    "deal_steps": lambda query: {"rounds": _by_four(DEAL_STEPS)},
    "deal_last": lambda query: {
        "ways": [("stacked", _last_stacks(STACKED_DEAL)), ("jumped", _last_stacks(JUMPED_DEAL))]
    },
    "forms": _forms,
    "payments": _payments,
    "rotation_chart": lambda query: {
        "winds": WINDS,
        "rounds": list(zip(WINDS, APPENDIX_2.rounds, strict=True)),
    },
    "own_seat": _own_seat,
    "late": _late,
    "fouls": lambda query: {"fouls": foul_entries(find_foul_book("mcr"))},
    "table_points": _table_points,
}
"""By name in the data: the function that returns the template context."""
