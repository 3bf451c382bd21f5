"""Steps that ask first: what is still open, each with the way there, and the reason to go on all the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import resolve_url
from django.urls import reverse
from django.utils.translation import gettext_lazy

from tournament.base.engine.rules import LATE
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.play.selectors.closing import Finding, Kind, closing_check
from tournament.web.texts.problems import sentence
from tournament.web.views.common import actor_of
from tournament.web.views.frame import press, show

WAYS = {
    Kind.APPEAL: gettext_lazy("Rule on it"),
    Kind.RULING: gettext_lazy("Carry it out"),
    Kind.CALL: gettext_lazy("To the calls"),
    Kind.LATENESS: gettext_lazy("To the penalty"),
    Kind.UNSIGNED: gettext_lazy("To the signatures"),
    Kind.AFTER_TIME: gettext_lazy("To the sheet"),
}
"""What the link of each is called."""


@dataclass(frozen=True)
class Open:
    """A finding as the page shows it."""

    key: str
    text: str
    way: str
    url: str


def open_things(tournament: Tournament, sessions: Sequence[Session]) -> list[Open]:
    return [
        Open(one.key, sentence(one.problem), str(WAYS[one.kind]), _url(tournament, one))
        for one in closing_check(tournament, sessions)
    ]


def going_on(request: HttpRequest) -> dict[str, Any]:
    """What the page's form says: the reason, and what its reader has seen."""
    if "reason" not in request.POST:
        return {}
    return {"reason": request.POST["reason"][:300], "seen": request.POST.getlist("seen")}


@dataclass(frozen=True)
class Step:
    """What the page of a step says, and the page to go to afterwards or instead."""

    title: str
    button: str
    done: str
    back: tuple[Any, ...]
    """Its name and what stands in its address."""
    then: tuple[str, ...] = ()
    """What happens then, a sentence each."""


def ask_or_take(
    request: HttpRequest,
    tournament: Tournament,
    sessions: Sequence[Session],
    step: Step,
    write: Callable[..., object],
    **more: Sequence[Any],
) -> HttpResponse:
    """A GET asks about what is open in `sessions`; a POST takes the step, or comes back to ask.

    `write` is called with the actor and what the form says of going on. `more`: what goes with the question into the
    form, and into the write.
    """
    if request.method == "POST":
        query = urlencode(more, doseq=True)
        return press(
            request,
            lambda: write(actor_of(request), **more, **going_on(request)),
            step.done,
            *step.back,
            check=request.path + (f"?{query}" if query else ""),
        )
    context = {"step": step, "open_things": open_things(tournament, sessions)} | more
    return show(
        request, "play/closing_check", tournament, "session", context | {"back": resolve_url(*step.back)}
    )


def closed_sessions(tournament: Tournament) -> list[Session]:
    return list(tournament.sessions.filter(state=Session.State.CLOSED))


def _url(tournament: Tournament, finding: Finding) -> str:
    """Where it is settled."""
    desk = reverse("desk", args=[tournament.slug, finding.session, finding.table])
    match finding.kind:
        case Kind.APPEAL | Kind.RULING:
            return f"{reverse('appeals', args=[tournament.slug])}#a{finding.subject}"
        case Kind.CALL:
            return f"{reverse('organiser_session', args=[tournament.slug, finding.session])}#calls"
        case Kind.LATENESS:
            late = {"player": finding.player, "session": finding.session, "foul": LATE}
            query = urlencode(late | {"minutes": finding.params["minutes"]})
            return f"{reverse('organiser_penalty_new', args=[tournament.slug])}?{query}"
        case Kind.UNSIGNED:
            return f"{desk}#hand-in"
        case Kind.AFTER_TIME:
            return f"{desk}#sheet"
        case Kind.TOTALS:
            return reverse("paper_table", args=[tournament.slug, finding.session, finding.table])
