"""The closing check as a page: what is still open before a step, each with the way there, and the reason to go on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from tournament.engine.rules import LATE
from tournament.models import Session, Tournament
from tournament.selectors.closing import Finding, Kind, closing_check
from tournament.texts import sentence
from tournament.views.organiser.frame import organiser_page, show

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


def checked(name: str, *where: Any, unplayed: Iterable[int] = ()) -> str:
    """The address of the check before a step; `unplayed` goes with it."""
    query = urlencode([("unplayed", number) for number in unplayed])
    return reverse(name, args=where) + (f"?{query}" if query else "")


@organiser_page
@require_safe
def close(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Before session `number` is closed. `?unplayed=`: the tables without which it is."""
    session = get_object_or_404(tournament.sessions, number=number)
    if session.state != Session.State.RUNNING:
        return redirect("organiser_session", tournament.slug, number)
    return _page(
        request,
        tournament,
        [session],
        title=_("Close session %(n)s?") % {"n": number},
        button=_("Close session %(n)s") % {"n": number},
        action=reverse("organiser_session_close", args=[tournament.slug, number]),
        back=reverse("organiser_session", args=[tournament.slug, number]),
        unplayed=request.GET.getlist("unplayed"),
    )


@organiser_page
@require_safe
def publish(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Before the standings are published."""
    return _page(
        request,
        tournament,
        _closed(tournament),
        title=_("Publish the standings?"),
        button=_("Publish the standings"),
        action=reverse("organiser_publish", args=[tournament.slug]),
        back=reverse("organiser_board", args=[tournament.slug]),
    )


@organiser_page
@require_safe
def ceremony(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Before all results are opened and published at the end of a ceremony."""
    return _page(
        request,
        tournament,
        _closed(tournament),
        title=_("Open the results and publish?"),
        button=_("Open the results and publish"),
        action=reverse("organiser_ceremony_publish", args=[tournament.slug]),
        back=reverse("organiser_ceremony", args=[tournament.slug]),
    )


def _closed(tournament: Tournament) -> list[Session]:
    return list(tournament.sessions.filter(state=Session.State.CLOSED))


def _page(
    request: HttpRequest, tournament: Tournament, sessions: Sequence[Session], **step: Any
) -> HttpResponse:
    context = {"open_things": open_things(tournament, sessions)} | step
    return show(request, "closing_check", tournament, "session", context)


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
