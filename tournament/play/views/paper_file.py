"""The totals of a session from a file: it fills the page on which they are typed, and nothing is stored yet."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from scoring.engine.problems import Problem
from tournament.base import access
from tournament.base.access import Actor
from tournament.base.errors import Refused
from tournament.base.models.play import Session
from tournament.play.engine.totals import faults
from tournament.play.exports import FIGURES, TotalsList, read_totals, totals_csv
from tournament.play.forms.totals import TotalsForm
from tournament.play.selectors.totals import PaperTable, paper_tables
from tournament.play.views.paper import UNPROCESSABLE, Line, session_or_404, show
from tournament.players.forms.players import ListForm
from tournament.web.forms.problems import add_problems
from tournament.web.texts.problems import sentence
from tournament.web.views.common import actor_of


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def page(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    """GET: where to put the file. POST: the page of the session with its figures, to be looked at and saved there."""
    here = session_or_404(request, slug, session)
    form = ListForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        papers = _mine(here, actor_of(request))
        try:
            listed = read_totals(form.content(), papers)
        except Refused as refused:
            add_problems(form, [Problem(one.code, "file", one.params) for one in refused.problems])
        else:
            return _look(request, here, papers, listed)
    context = {
        "tournament": here.tournament,
        "session": here,
        "form": form,
        "back_url": reverse("paper", args=[slug, session]),
    }
    status = UNPROCESSABLE if form.errors else 200
    return render(request, "play/paper_file.html", context, status=status)


@require_safe
@login_required
@never_cache
def blank(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    """A file of the session to be filled in."""
    here = session_or_404(request, slug, session)
    data = totals_csv(_mine(here, actor_of(request))).encode("utf-8-sig")
    answer = HttpResponse(data, content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="totals-{slug}-{session}.csv"'
    return answer


def _mine(session: Session, actor: Actor) -> list[PaperTable]:
    return [paper for paper in paper_tables(session) if access.can_umpire(actor, paper.table)]


def _look(
    request: HttpRequest, session: Session, papers: list[PaperTable], listed: TotalsList
) -> HttpResponse:
    more = listed.has_more
    rows = [(number, sentence(problem)) for number, problem in listed.problems]
    lines = [_line(paper, listed, more=more) for paper in papers]
    return show(request, session, lines, more=more, is_second=False, rows=rows)


def _line(paper: PaperTable, listed: TotalsList, *, more: bool) -> Line:
    """A table with what the file says of it; one whose totals are there already and the same needs nothing."""
    said = {player: listed.figures[player] for player in paper.numbers if player in listed.figures}
    table, running = paper.table, paper.table.session.state != Session.State.PLANNED
    if not running or _is_known(paper, said) or (not said and table.has_result):
        return Line(paper, None)
    players = [seat.player for seat in paper.seats]
    form = TotalsForm(players, table.number, _given(paper, said), version=table.version, more=more)
    if said and not form.is_valid():
        form.say(faults(form.entry(), paper.numbers, paper.unpaid))
    elif said:
        form.say(_against(paper) or faults(form.entry(), paper.numbers, paper.unpaid))
    return Line(paper, form)


def _is_known(paper: PaperTable, said: dict[int, dict[str, str]]) -> bool:
    kept = paper.totals and {player: str(kept) for player, kept in paper.totals.points.items()}
    return (
        bool(kept) and {str(player): one["points"].replace("−", "-") for player, one in said.items()} == kept
    )


def _against(paper: PaperTable) -> tuple[Problem, ...]:
    """That something else is at the table already."""
    if paper.totals is not None:
        return (Problem("totals_there_already", "points", {"table": paper.table.number}),)
    if paper.has_hands:
        about = {"table": paper.table.number, "hands": paper.table.hands_played}
        return (Problem("table_has_hands", "points", about),)
    return ()


def _given(paper: PaperTable, said: dict[int, dict[str, str]]) -> dict[str, Any]:
    """As a browser would send it."""
    at = f"t{paper.table.number}"
    figures = {f"{at}-{name}_{player}": one[name] for player, one in said.items() for name in FIGURES}
    return figures | {f"{at}-version": paper.table.version, f"{at}-uuid": str(uuid4())}
