"""The quiz: five puzzles of the first discard, and hands by seed that never end; each answered by a plain form."""

from __future__ import annotations

from secrets import randbelow
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from scoring.book.page import book_page
from scoring.calculator import consult
from scoring.engine import MCR
from scoring.quiz.discards import discards, find_discard
from scoring.quiz.levels import Level
from scoring.quiz.questions import HandQuestion, Kind, Question, question
from scoring.texts import with_sentences
from tournament.book.forms.quiz import ANSWERED, DiscardForm, QuizForm, quiz_form
from tournament.book.texts.quiz import DISCARD_GRADES, GRADES, KINDS, LEVELS, SEEN, record_of, won_how

Context = dict[str, Any]
SEEDS: Final = 1_000_000
LONGEST_SEED: Final = 40


@book_page
def contents(request: HttpRequest) -> HttpResponse:
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
def discard(request: HttpRequest, number: int) -> HttpResponse:
    """One of the five: ?tile=5p answers it."""
    asked = find_discard(number)
    if asked is None:
        raise Http404
    form = DiscardForm(asked, request.GET if ANSWERED in request.GET else None)
    answered = form.is_bound and form.is_valid()
    context = {
        "asked": asked,
        "record": {"concealed": list(asked.tiles), "winning_tile": asked.tiles[-1]},
        "form": form,
        "answered": answered,
        "chosen": form.cleaned_data["tile"] if answered else "",
        "grade": form.grade if answered else None,
        "grades": [(DISCARD_GRADES[points], points, tiles) for points, tiles in asked.by_grade],
        "next": find_discard(number + 1),
        "trail": trail(),
    }
    return render(request, "book/quiz/discard.html", context)


@never_cache
@require_safe
def another(request: HttpRequest, kind: str, level: str) -> HttpResponse:
    """Any puzzle of this kind and level."""
    _known(kind, level)
    return redirect("quiz_puzzle", kind, level, str(randbelow(SEEDS)))


@book_page
def puzzle(request: HttpRequest, kind: str, level: str, seed: str) -> HttpResponse:
    """The puzzle of a seed; with an answer in the query, its grade and the engine's explanation."""
    if len(seed) > LONGEST_SEED:
        raise Http404
    asked = question(*_known(kind, level), seed)
    context = solved(asked, quiz_form(asked, request.GET)) | {
        "next_url": _another(asked.kind, asked.level),
        "next_name": _("Another one"),
        "trail": trail(),
    }
    return render(request, "book/quiz/puzzle.html", context)


def solved(asked: Question, form: QuizForm) -> Context:
    """What a puzzle's page shows: the hand and the form; when it is answered, the grade and why."""
    answered = form.is_bound and form.is_valid()
    context: Context = {
        "asked": asked,
        "title": KINDS[asked.kind],
        "level": LEVELS[asked.level],
        "group": f"{asked.kind.value} {asked.level.value}",
        "form": form,
        "answered": answered,
        "record": record_of(asked),
        "won_how": won_how(record_of(asked)),
        "minimum": MCR.minimum,
    }
    if answered:
        context |= {"grade": form.grade, "said": GRADES[form.grade], "found": explained(asked)}
    return context


def explained(asked: Question) -> Context:
    """The engine's answer, as the calculator has it."""
    record = asked.hand.to_json() if isinstance(asked, HandQuestion) else dict(asked.record)
    return with_sentences(consult(record).to_json())


def trail() -> list[tuple[str, str]]:
    return [(_("Quiz"), reverse("quiz"))]


def _known(kind: str, level: str) -> tuple[Kind, Level]:
    """What the address names, or 404."""
    try:
        return Kind(kind), Level(level)
    except ValueError:
        raise Http404 from None


def _another(kind: Kind, level: Level) -> str:
    return reverse("quiz_another", args=[kind.value, level.value])
