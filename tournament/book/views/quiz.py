"""Views of the quiz: unlimited hands by seed, puzzles of the first discard, and five puzzles a day.

Each is answered by a plain form. The grades of a daily set are passed on in the query.
"""

import re
from datetime import date, timedelta
from secrets import randbelow
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from scoring.book.views import book_page
from scoring.calculator import analyse
from scoring.engine import MCR
from scoring.quiz.discards import discards, find_discard
from scoring.quiz.questions import (
    BEST,
    FIRST_DAY,
    GRADES,
    HandQuestion,
    Kind,
    Level,
    Question,
    daily,
    question,
    result_text,
)
from scoring.texts import with_sentences
from tournament.base.requests import site_address
from tournament.book import texts
from tournament.book.forms.pages import ANSWERED, DiscardForm, QuizForm, quiz_form
from tournament.book.texts import DISCARD_GRADES, KINDS, LEVEL_DESCRIPTIONS, LEVELS, record_of, win_texts

Context = dict[str, Any]
SEEDS: Final = 1_000_000
MAX_SEED_LENGTH: Final = 40


@book_page
def quiz_contents(request: HttpRequest) -> HttpResponse:
    """Show all puzzles and this device's results."""
    context = {
        "day": timezone.localdate(),
        "kinds": [
            (
                KINDS[kind],
                [
                    (f"{kind.value} {level.value}", LEVELS[level], _another_url(kind, level))
                    for level in Level
                ],
            )
            for kind in Kind
        ],
        "levels": [(LEVELS[level], LEVEL_DESCRIPTIONS[level]) for level in Level],
        "discards": discards(),
    }
    return render(request, "book/quiz/contents.html", context)


@book_page
def quiz_discard(request: HttpRequest, number: int) -> HttpResponse:
    """Show one of the five puzzles of the first discard; ?tile=5p answers it."""
    puzzle = find_discard(number)
    if puzzle is None:
        raise Http404
    form = DiscardForm(puzzle, request.GET if ANSWERED in request.GET else None)
    answered = form.is_bound and form.is_valid()
    context = {
        "puzzle": puzzle,
        "record": {"concealed": list(puzzle.tiles), "winning_tile": puzzle.tiles[-1]},
        "form": form,
        "answered": answered,
        "chosen": form.cleaned_data["tile"] if answered else "",
        "grade": form.grade if answered else None,
        "grades": [(DISCARD_GRADES[points], points, tiles) for points, tiles in puzzle.by_grade],
        "next": find_discard(number + 1),
        "trail": trail(),
    }
    return render(request, "book/quiz/discard.html", context)


@never_cache
@require_safe
def quiz_another(request: HttpRequest, kind: str, level: str) -> HttpResponse:
    """Redirect to a random puzzle of this kind and level."""
    _kind_and_level(kind, level)
    return redirect("quiz_puzzle", kind, level, str(randbelow(SEEDS)))


@book_page
def quiz_puzzle(request: HttpRequest, kind: str, level: str, seed: str) -> HttpResponse:
    """Show the puzzle of a seed; an answer in the query is graded and explained."""
    if len(seed) > MAX_SEED_LENGTH:
        raise Http404
    puzzle = question(*_kind_and_level(kind, level), seed)
    context = puzzle_context(puzzle, quiz_form(puzzle, request.GET)) | {
        "next_url": _another_url(puzzle.kind, puzzle.level),
        "next_name": _("Another one"),
        "trail": trail(),
    }
    return render(request, "book/quiz/puzzle.html", context)


def puzzle_context(puzzle: Question, form: QuizForm) -> Context:
    """Return the context of a puzzle's page: the hand and the form, and for an answer the grade and explanation."""
    answered = form.is_bound and form.is_valid()
    context: Context = {
        "puzzle": puzzle,
        "title": KINDS[puzzle.kind],
        "level": LEVELS[puzzle.level],
        "group": f"{puzzle.kind.value} {puzzle.level.value}",
        "form": form,
        "answered": answered,
        "record": record_of(puzzle),
        "win_texts": win_texts(record_of(puzzle)),
        "minimum": MCR.minimum,
    }
    if answered:
        context |= {
            "grade": form.grade,
            "grade_text": texts.GRADES[form.grade],
            "result": explain_puzzle(puzzle),
        }
    return context


def explain_puzzle(puzzle: Question) -> Context:
    """Return the engine's analysis, as the calculator shows it."""
    record = puzzle.hand.to_json() if isinstance(puzzle, HandQuestion) else dict(puzzle.record)
    return with_sentences(analyse(record).to_json())


def trail() -> list[tuple[str, str]]:
    return [(_("Quiz"), reverse("quiz"))]


def _kind_and_level(kind: str, level: str) -> tuple[Kind, Level]:
    """Return kind and level of a URL, or raise Http404."""
    try:
        return Kind(kind), Level(level)
    except ValueError:
        raise Http404 from None


def _another_url(kind: Kind, level: Level) -> str:
    return reverse("quiz_another", args=[kind.value, level.value])


_DAY_PATTERN: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_GRADE_OF_TEXT: Final = {str(points): points for points in GRADES}
Grades = tuple[int, ...]


@never_cache
@require_safe
def daily_today(request: HttpRequest) -> HttpResponse:
    """Redirect to the set of the day, in the site's time zone."""
    return redirect("quiz_daily", timezone.localdate().isoformat())


@book_page
def daily_set(request: HttpRequest, day: str) -> HttpResponse:
    """Show a day's five puzzles; with all five grades in the query also the result to share."""
    when = _day_or_404(day)
    puzzles = daily(when)
    grades = grades_from_query(request)
    address = site_address() + reverse("quiz_daily", args=[day])
    is_whole = len(grades) == len(puzzles)
    rows = [
        {
            "number": number,
            "kind": KINDS[puzzle.kind],
            "level": LEVELS[puzzle.level],
            "url": _url(day, number),
        }
        | ({"grade": grades[number - 1]} if is_whole else {})
        for number, puzzle in enumerate(puzzles, 1)
    ]
    context = {
        "day": when,
        "is_today": when == timezone.localdate(),
        "rows": rows,
        "start": _url(day, 1),
        "sum": sum(grades),
        "maximum": BEST * len(puzzles),
        "so": _grades_text(grades),
        "result": result_text(when, grades, address) if is_whole else "",
        "previous": when - timedelta(days=1) if when > FIRST_DAY else None,
        "next": when + timedelta(days=1) if when < timezone.localdate() else None,
        "trail": trail(),
    }
    return render(request, "book/quiz/daily.html", context)


def grades_from_query(request: HttpRequest) -> Grades:
    """Return the grades in the query, ``?so=100-80``; empty when one of them is invalid."""
    parts = request.GET.get("so", "").split("-")
    return (
        tuple(_GRADE_OF_TEXT[text] for text in parts) if all(text in _GRADE_OF_TEXT for text in parts) else ()
    )


def _day_or_404(day: str) -> date:
    """Return a day from the first set to today, or raise Http404. Tomorrow's set is not shown."""
    try:
        when = date.fromisoformat(day) if _DAY_PATTERN.fullmatch(day) else None
    except ValueError:
        when = None
    if when is None or not FIRST_DAY <= when <= timezone.localdate():
        raise Http404
    return when


def _url(day: str, number: int) -> str:
    return reverse("quiz_daily_puzzle", args=[day, number])


@book_page
def daily_puzzle(request: HttpRequest, day: str, number: int) -> HttpResponse:
    """Show one of a day's five puzzles."""
    when = _day_or_404(day)
    puzzles = daily(when)
    if not 1 <= number <= len(puzzles):
        raise Http404
    puzzle = puzzles[number - 1].question
    earlier = grades_from_query(request)
    grades = earlier if len(earlier) == number - 1 else ()
    context = puzzle_context(puzzle, quiz_form(puzzle, request.GET)) | {
        "number": number,
        "of": len(puzzles),
        "so": _grades_text(grades),
        "trail": [*trail(), (_("Daily set"), reverse("quiz_daily", args=[day]))],
    }
    if context["answered"]:
        context |= _onward(day, number, len(puzzles), (*grades, context["grade"]))
    return render(request, "book/quiz/puzzle.html", context)


def _onward(day: str, number: int, count: int, grades: Grades) -> dict[str, str]:
    """Return the link to the next puzzle with the grades so far, after the last one to the set."""
    query = f"?so={_grades_text(grades)}" if len(grades) == number else ""
    if number == count:
        return {"next_url": reverse("quiz_daily", args=[day]) + query, "next_name": _("The result")}
    return {"next_url": _url(day, number + 1) + query, "next_name": _("Next puzzle")}


def _grades_text(grades: Grades) -> str:
    return "-".join(map(str, grades))
