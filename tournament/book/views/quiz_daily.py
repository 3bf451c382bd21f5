"""Five puzzles a day, the same for everybody. What was reached so far goes along in the address: ``?so=100-80``."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from scoring.book.page import book_page
from scoring.quiz.daily import FIRST_DAY, daily, result_text
from scoring.quiz.grading import BEST, GRADES
from tournament.base.access.own_address import own_address
from tournament.book.forms.quiz import quiz_form
from tournament.book.texts.quiz import KINDS, LEVELS
from tournament.book.views.quiz import solved, trail

_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_KNOWN: Final = {str(points): points for points in GRADES}
Grades = tuple[int, ...]


@never_cache
@require_safe
def today(request: HttpRequest) -> HttpResponse:
    """Leads to the set of the day, by the site's clock."""
    return redirect("quiz_daily", timezone.localdate().isoformat())


@book_page
def day_set(request: HttpRequest, day: str) -> HttpResponse:
    """A day's five; with all five grades in the address, the result to pass on."""
    when = _day_or_404(day)
    puzzles = daily(when)
    grades = reached(request)
    address = own_address(request) + reverse("quiz_daily", args=[day])
    is_whole = len(grades) == len(puzzles)
    rows = [
        {"number": number, "kind": KINDS[one.kind], "level": LEVELS[one.level], "url": _url(day, number)}
        | ({"grade": grades[number - 1]} if is_whole else {})
        for number, one in enumerate(puzzles, 1)
    ]
    context = {
        "day": when,
        "is_today": when == timezone.localdate(),
        "rows": rows,
        "start": _url(day, 1),
        "sum": sum(grades),
        "most": BEST * len(puzzles),
        "so": _written(grades),
        "result": result_text(when, grades, address) if is_whole else "",
        "previous": when - timedelta(days=1) if when > FIRST_DAY else None,
        "next": when + timedelta(days=1) if when < timezone.localdate() else None,
        "trail": trail(),
    }
    return render(request, "book/quiz/daily.html", context)


@book_page
def puzzle(request: HttpRequest, day: str, number: int) -> HttpResponse:
    """One of a day's five, in its place."""
    when = _day_or_404(day)
    puzzles = daily(when)
    if not 1 <= number <= len(puzzles):
        raise Http404
    asked = puzzles[number - 1].question
    before = reached(request)
    so = before if len(before) == number - 1 else ()
    context = solved(asked, quiz_form(asked, request.GET)) | {
        "number": number,
        "of": len(puzzles),
        "so": _written(so),
        "trail": [*trail(), (_("Daily set"), reverse("quiz_daily", args=[day]))],
    }
    if context["answered"]:
        context |= _onward(day, number, len(puzzles), (*so, context["grade"]))
    return render(request, "book/quiz/puzzle.html", context)


def _onward(day: str, number: int, of: int, grades: Grades) -> dict[str, str]:
    """Where it goes on, with what was reached; the set itself after the last one."""
    query = f"?so={_written(grades)}" if len(grades) == number else ""
    if number == of:
        return {"next_url": reverse("quiz_daily", args=[day]) + query, "next_name": _("The result")}
    return {"next_url": _url(day, number + 1) + query, "next_name": _("The next one")}


def reached(request: HttpRequest) -> Grades:
    """The grades in the address; none when one of them is none that is given."""
    written = request.GET.get("so", "").split("-")
    return tuple(_KNOWN[one] for one in written) if all(one in _KNOWN for one in written) else ()


def _written(grades: Grades) -> str:
    return "-".join(map(str, grades))


def _url(day: str, number: int) -> str:
    return reverse("quiz_daily_puzzle", args=[day, number])


def _day_or_404(day: str) -> date:
    """From the first set to today's: tomorrow's is not told."""
    try:
        found = date.fromisoformat(day) if _DAY.fullmatch(day) else None
    except ValueError:
        found = None
    if found is None or not FIRST_DAY <= found <= timezone.localdate():
        raise Http404
    return found
