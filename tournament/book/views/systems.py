"""The same hand in five systems: the four rulebooks and the classical game, side by side."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_safe

from scoring.calculator import Answer, consult
from scoring.classical import answers as classical
from scoring.engine import MCR, InvalidHand
from scoring.engine.notation import parse_record
from tournament.book.forms.calculator import CalculatorForm
from tournament.book.texts import systems
from tournament.book.views import calculator, classical_hand


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """?hand=…, as the calculator's; a hand that is not whole is sent there."""
    form = CalculatorForm(request.GET)
    mcr, by_classical = _answers(form)
    context: dict[str, Any] = {"form": form, "link": calculator.link_to(form, mcr), "answered": False}
    if mcr and mcr.explanation and by_classical:
        context |= {
            "answered": True,
            "rows": [
                row | {"link": _link_in(context["link"], row["key"])}
                for row in systems.rows(mcr, by_classical)
            ],
            "reasons": systems.reasons(mcr, by_classical),
            "unnamed": form.besides.flowers == () and mcr.explanation.score.hand.flowers,
            "classical": classical_hand.said(by_classical),
        }
        context |= calculator.said(mcr)
    return render(request, "book/calculator/systems.html", context)


def _link_in(link: str, system: str) -> str:
    """The query that opens the calculator on the hand in this system."""
    query = QueryDict(link.removeprefix("?"), mutable=True)
    query["rulebook"] = system
    return f"?{query.urlencode()}"


def _answers(form: CalculatorForm) -> tuple[Answer | None, classical.Answer | None]:
    """Of the competition rules and of the classical game, which leaves out flowers that nobody named."""
    try:
        record = form.with_circumstances(parse_record(form.text, partial=True))
    except InvalidHand as refused:
        form.say(refused.problems)
        return None, None
    mcr = consult(record, MCR)
    form.say(mcr.problems)
    if mcr.explanation is None:
        return mcr, None
    besides = form.besides
    answer = classical.consult({**record, "flowers": len(besides.flowers)}, besides)
    form.say(answer.problems)
    return mcr, answer if answer.score else None
