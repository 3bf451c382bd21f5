"""The quiz: hands by seed that never end, puzzles of the first discard, and five puzzles a day.

Each is answered by a plain form. What was reached in a day's set goes along in the address.
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
from tournament.book.texts import DISCARD_GRADES, KINDS, LEVELS, SEEN, record_of, won_how

Context = dict[str, Any]
SEEDS: Final = 1_000_000
LONGEST_SEED: Final = 40


@book_page
def quiz_contents(request: HttpRequest) -> HttpResponse:
    """What there is to solve, and what this device remembers of it."""
    context = {
        "day": timezone.localdate(),
        "kinds": [
            (
                KINDS[kind],
                [(f"{kind.value} {level.value}", LEVELS[level], _another(kind, level)) for level in Level],
            )
            for kind in Kind
        ],
        "levels": [(LEVELS[level], SEEN[level]) for level in Level],
        "discards": discards(),
    }
    return render(request, "book/quiz/contents.html", context)


@book_page
def quiz_discard(request: HttpRequest, number: int) -> HttpResponse:
    """One of the five: ?tile=5p answers it."""
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
    """Any puzzle of this kind and level."""
    _kind_and_level(kind, level)
    return redirect("quiz_puzzle", kind, level, str(randbelow(SEEDS)))


@book_page
def quiz_puzzle(request: HttpRequest, kind: str, level: str, seed: str) -> HttpResponse:
    """The puzzle of a seed; with an answer in the query, its grade and the engine's explanation."""
    if len(seed) > LONGEST_SEED:
        raise Http404
    puzzle = question(*_kind_and_level(kind, level), seed)
    context = solved(puzzle, quiz_form(puzzle, request.GET)) | {
        "next_url": _another(puzzle.kind, puzzle.level),
        "next_name": _("Another one"),
        "trail": trail(),
    }
    return render(request, "book/quiz/puzzle.html", context)


def solved(puzzle: Question, form: QuizForm) -> Context:
    """What a puzzle's page shows: the hand and the form; when it is answered, the grade and why."""
    answered = form.is_bound and form.is_valid()
    context: Context = {
        "puzzle": puzzle,
        "title": KINDS[puzzle.kind],
        "level": LEVELS[puzzle.level],
        "group": f"{puzzle.kind.value} {puzzle.level.value}",
        "form": form,
        "answered": answered,
        "record": record_of(puzzle),
        "won_how": won_how(record_of(puzzle)),
        "minimum": MCR.minimum,
    }
    if answered:
        context |= {"grade": form.grade, "grade_text": texts.GRADES[form.grade], "result": explained(puzzle)}
    return context


def explained(puzzle: Question) -> Context:
    """The engine's answer, as the calculator has it."""
    record = puzzle.hand.to_json() if isinstance(puzzle, HandQuestion) else dict(puzzle.record)
    return with_sentences(analyse(record).to_json())


def trail() -> list[tuple[str, str]]:
    return [(_("Quiz"), reverse("quiz"))]


def _kind_and_level(kind: str, level: str) -> tuple[Kind, Level]:
    """What the address names, or 404."""
    try:
        return Kind(kind), Level(level)
    except ValueError:
        raise Http404 from None


def _another(kind: Kind, level: Level) -> str:
    return reverse("quiz_another", args=[kind.value, level.value])


_DAY_PATTERN: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_GRADE_OF_TEXT: Final = {str(points): points for points in GRADES}
Grades = tuple[int, ...]


@never_cache
@require_safe
def daily_today(request: HttpRequest) -> HttpResponse:
    """Leads to the set of the day, by the site's clock."""
    return redirect("quiz_daily", timezone.localdate().isoformat())


@book_page
def daily_set(request: HttpRequest, day: str) -> HttpResponse:
    """A day's five; with all five grades in the address, the result to pass on."""
    when = _day_or_404(day)
    puzzles = daily(when)
    grades = reached(request)
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
        "most": BEST * len(puzzles),
        "so": _grades_text(grades),
        "result": result_text(when, grades, address) if is_whole else "",
        "previous": when - timedelta(days=1) if when > FIRST_DAY else None,
        "next": when + timedelta(days=1) if when < timezone.localdate() else None,
        "trail": trail(),
    }
    return render(request, "book/quiz/daily.html", context)


def reached(request: HttpRequest) -> Grades:
    """Give the grades in the address, ``?so=100-80``; none when one of them is none that is given."""
    written = request.GET.get("so", "").split("-")
    return (
        tuple(_GRADE_OF_TEXT[text] for text in written)
        if all(text in _GRADE_OF_TEXT for text in written)
        else ()
    )


def _day_or_404(day: str) -> date:
    """From the first set to today's: tomorrow's is not told."""
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
    """One of a day's five, in its place."""
    when = _day_or_404(day)
    puzzles = daily(when)
    if not 1 <= number <= len(puzzles):
        raise Http404
    puzzle = puzzles[number - 1].question
    before = reached(request)
    so = before if len(before) == number - 1 else ()
    context = solved(puzzle, quiz_form(puzzle, request.GET)) | {
        "number": number,
        "of": len(puzzles),
        "so": _grades_text(so),
        "trail": [*trail(), (_("Daily set"), reverse("quiz_daily", args=[day]))],
    }
    if context["answered"]:
        context |= _onward(day, number, len(puzzles), (*so, context["grade"]))
    return render(request, "book/quiz/puzzle.html", context)


def _onward(day: str, number: int, of: int, grades: Grades) -> dict[str, str]:
    """Where it goes on, with what was reached; the set itself after the last one."""
    query = f"?so={_grades_text(grades)}" if len(grades) == number else ""
    if number == of:
        return {"next_url": reverse("quiz_daily", args=[day]) + query, "next_name": _("The result")}
    return {"next_url": _url(day, number + 1) + query, "next_name": _("The next one")}


def _grades_text(grades: Grades) -> str:
    return "-".join(map(str, grades))
