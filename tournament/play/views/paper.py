"""Sheets kept on paper: the totals of a whole session on one page, by keyboard alone, and read a second time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from uuid import UUID, uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tournament.base import access
from tournament.base.access import Actor, Right
from tournament.base.errors import Refused
from tournament.base.models.play import Session, Table
from tournament.play.engine.totals import faults
from tournament.play.forms.totals import TotalsForm
from tournament.play.selectors.totals import PaperTable, paper_tables
from tournament.play.services.second_readings import read_again
from tournament.play.services.totals import enter_totals
from tournament.web.views.common import actor_of, tournament_or_404

UNPROCESSABLE = 422
Save = Callable[[Table, Actor, TotalsForm, UUID], object]


@dataclass
class Line:
    """A table on the page. `form` None: there is nothing to type."""

    paper: PaperTable
    form: TotalsForm | None
    saved: bool = field(default=False)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def session(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    """Every table of mine: what is missing is typed, what is there is shown. `?more=1`: wins and best hands too."""
    return _page(request, session_or_404(request, slug, session), _enter, is_second=False)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def second(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    """The sheets that others typed, to be typed once more without seeing their figures."""
    return _page(request, session_or_404(request, slug, session), _read, is_second=True)


def session_or_404(request: HttpRequest, slug: str, number: int) -> Session:
    """The session, for whoever enters in its tournament."""
    tournament = tournament_or_404(slug)
    if not access.may(actor_of(request), tournament, Right.ENTER):
        raise PermissionDenied
    found = tournament.sessions.filter(number=number).first()
    if found is None:
        raise Http404
    found.tournament = tournament
    return found


def _page(request: HttpRequest, session: Session, save: Save, *, is_second: bool) -> HttpResponse:
    actor, more = actor_of(request), "more" in request.GET
    lines = _lines(request, session, actor, more=more, is_second=is_second)
    if request.method == "POST":
        _save(actor, lines, save)
        if not any(line.form and line.form.errors for line in lines):
            _tell(request, sum(line.saved for line in lines))
            return redirect(f"{request.path}?more=1" if more else request.path)
    return show(request, session, lines, more=more, is_second=is_second)


def _lines(
    request: HttpRequest, session: Session, actor: Actor, *, more: bool, is_second: bool
) -> list[Line]:
    given = request.POST if request.method == "POST" else None
    papers = [paper for paper in paper_tables(session) if access.can_umpire(actor, paper.table)]
    if is_second:
        papers = [paper for paper in papers if _is_to_be_read(paper, actor)]
    return [Line(paper, _form(paper, given, more=more, anyway=is_second)) for paper in papers]


def _is_to_be_read(paper: PaperTable, actor: Actor) -> bool:
    return (
        paper.totals is not None
        and paper.second is None
        and not paper.read_twice
        and (paper.totals.recorded_by is None or paper.totals.recorded_by != actor.user)
    )


def _form(paper: PaperTable, given: object, *, more: bool, anyway: bool) -> TotalsForm | None:
    """One with something typed in it is always there: what came too late is said at its place, with the figures."""
    table, running = paper.table, paper.table.session.state != Session.State.PLANNED
    players = [seat.player for seat in paper.seats]
    form = TotalsForm(players, table.number, given, version=table.version, more=more)
    asked = anyway or not table.has_result
    return form if (running and asked) or (given is not None and not form.is_empty) else None


def _save(actor: Actor, lines: Sequence[Line], save: Save) -> None:
    """Every sheet that is right is kept, and each of the others says what is wrong: nothing typed is lost."""
    for line in lines:
        form = line.form
        if form is None or form.is_empty:
            continue
        readable = form.is_valid()
        if not readable:
            form.say(faults(form.entry(), line.paper.numbers, line.paper.unpaid))
            continue
        try:
            save(line.paper.table, actor, form, form.cleaned_data["uuid"] or uuid4())
        except Refused as refused:
            form.say(refused)
        else:
            line.saved = True


def _enter(table: Table, actor: Actor, form: TotalsForm, uuid: UUID) -> None:
    enter_totals(table, actor, form.entry(), uuid=uuid, expected_version=form.cleaned_data["version"])


def _read(table: Table, actor: Actor, form: TotalsForm, uuid: UUID) -> None:
    read_again(table, actor, form.entry(), uuid=uuid)


def _tell(request: HttpRequest, saved: int) -> None:
    if not saved:
        messages.info(request, _("Nothing was typed."))
        return
    messages.success(request, ngettext("%(n)s sheet saved.", "%(n)s sheets saved.", saved) % {"n": saved})


def show(
    request: HttpRequest,
    session: Session,
    lines: list[Line],
    *,
    more: bool,
    is_second: bool,
    rows: Sequence[tuple[int, str]] | None = None,
) -> HttpResponse:
    """After a mistake what was saved is shown as such, and the others with what was typed.

    `rows`: of a file that is only looked at, the lines left out with what is wrong with each.
    """
    wrong = [line for line in lines if line.form and line.form.errors]
    if any(line.saved for line in lines):
        fresh = {paper.table.pk: paper for paper in paper_tables(session)}
        for line in lines:
            if line.saved:
                line.paper, line.form = fresh[line.paper.table.pk], None
    tournament = session.tournament
    context = {
        "tournament": tournament,
        "session": session,
        "lines": [line for line in lines if not (is_second and line.saved)],
        "wrong": wrong,
        "rows": rows,
        "is_looked_at": rows is not None,
        "missing": [line.paper.table.number for line in lines if line.paper.is_missing],
        "differing": [line.paper.table.number for line in lines if line.paper.second],
        "some_to_type": any(line.form for line in lines),
        "more": more,
        "is_second": is_second,
        "organises": access.can_organise(actor_of(request), tournament),
        "back_url": reverse("umpire_tables", args=[tournament.slug]),
    }
    return render(
        request, "play/paper.html", context, status=UNPROCESSABLE if wrong and rows is None else 200
    )
