"""Sheets kept on paper: a whole session's totals by keyboard or from a file, and one table's totals."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any
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
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from scoring.engine.problems import Problem
from tournament.base import access
from tournament.base.access import Actor, Right
from tournament.base.errors import Refused
from tournament.base.models.play import Session, Table
from tournament.base.problems import sentence
from tournament.play.engine.statements import find_totals_problems
from tournament.play.exports import FIGURES, TotalsList, read_totals, totals_csv
from tournament.play.forms import CorrectionForm, TotalsForm
from tournament.play.models import Totals
from tournament.play.selectors.totals import (
    Difference,
    PaperTable,
    compare_with_hands,
    differences,
    open_second_reading,
    paper_tables,
    standing_totals,
    totals_versions,
    unpaid_points,
)
from tournament.play.services.totals import (
    TABLE_HAS_HANDS,
    TOTALS_THERE_ALREADY,
    correct_totals,
    enter_second_reading,
    enter_totals,
    set_on_paper,
    set_totals_aside,
    settle_totals,
)
from tournament.play.views.desk import table_or_404
from tournament.web.forms import ListForm, add_problems
from tournament.web.views import UNPROCESSABLE, actor_of, tell_refusal, tournament_or_404

# --- Session by keyboard ---


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
def paper_session(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    """Type the missing totals of the reader's tables, and show the others. `?more=1`: wins and best hands too."""
    return _session_page(request, session_or_404(request, slug, session), _enter_first, is_second=False)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def paper_second(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    """Type the sheets that others typed once more, without seeing their figures."""
    return _session_page(request, session_or_404(request, slug, session), _enter_second, is_second=True)


def session_or_404(request: HttpRequest, slug: str, number: int) -> Session:
    """Find the session, for whoever enters results in its tournament."""
    tournament = tournament_or_404(slug)
    if not access.may(actor_of(request), tournament, Right.ENTER):
        raise PermissionDenied
    session = tournament.sessions.filter(number=number).first()
    if session is None:
        raise Http404
    session.tournament = tournament
    return session


def _session_page(request: HttpRequest, session: Session, save: Save, *, is_second: bool) -> HttpResponse:
    actor, more = actor_of(request), "more" in request.GET
    lines = _lines(request, session, actor, more=more, is_second=is_second)
    if request.method == "POST":
        _save_lines(actor, lines, save)
        if not any(line.form and line.form.errors for line in lines):
            _tell_saved(request, sum(line.saved for line in lines))
            return redirect(f"{request.path}?more=1" if more else request.path)
    return _show_session(request, session, lines, more=more, is_second=is_second)


def _lines(
    request: HttpRequest, session: Session, actor: Actor, *, more: bool, is_second: bool
) -> list[Line]:
    given = request.POST if request.method == "POST" else None
    papers = _papers_of(session, actor)
    if is_second:
        papers = [paper for paper in papers if _is_to_be_read(paper, actor)]
    return [Line(paper, _form_to_type(paper, given, more=more, always=is_second)) for paper in papers]


def _papers_of(session: Session, actor: Actor) -> list[PaperTable]:
    """List the tables of the session that the actor umpires."""
    return [paper for paper in paper_tables(session) if access.can_umpire(actor, paper.table)]


def _is_to_be_read(paper: PaperTable, actor: Actor) -> bool:
    return (
        paper.totals is not None
        and paper.second is None
        and not paper.read_twice
        and (paper.totals.recorded_by is None or paper.totals.recorded_by != actor.user)
    )


def _form_to_type(paper: PaperTable, given: object, *, more: bool, always: bool) -> TotalsForm | None:
    """Build the form of a table; None where there is nothing to type.

    One with something typed in it is always there: what came too late is said at its place, with the figures.
    """
    form = _totals_form(paper, given, more=more)
    is_missing = _has_begun(paper) and (always or not paper.table.has_result)
    return form if is_missing or (given is not None and not form.is_empty) else None


def _totals_form(paper: PaperTable, given: object, *, more: bool) -> TotalsForm:
    players = [seat.player for seat in paper.seats]
    return TotalsForm(players, paper.table.number, given, version=paper.table.version, more=more)


def _has_begun(paper: PaperTable) -> bool:
    return paper.table.session.state != Session.State.PLANNED


def _save_lines(actor: Actor, lines: Sequence[Line], save: Save) -> None:
    """Save every sheet that is right, and show what is wrong with each of the others: nothing typed is lost."""
    for line in lines:
        form = line.form
        if form is None or form.is_empty:
            continue
        if not form.is_valid():
            form.show_problems(find_totals_problems(form.entry(), line.paper.numbers, line.paper.unpaid))
            continue
        try:
            save(line.paper.table, actor, form, form.cleaned_data["uuid"] or uuid4())
        except Refused as refused:
            form.show_problems(refused)
        else:
            line.saved = True


def _enter_first(table: Table, actor: Actor, form: TotalsForm, uuid: UUID) -> None:
    enter_totals(table, actor, form.entry(), uuid=uuid, expected_version=form.cleaned_data["version"])


def _enter_second(table: Table, actor: Actor, form: TotalsForm, uuid: UUID) -> None:
    enter_second_reading(table, actor, form.entry(), uuid=uuid)


def _tell_saved(request: HttpRequest, saved: int) -> None:
    if not saved:
        messages.info(request, _("Nothing was typed."))
        return
    messages.success(request, ngettext("%(n)s sheet saved.", "%(n)s sheets saved.", saved) % {"n": saved})


def _show_session(
    request: HttpRequest,
    session: Session,
    lines: list[Line],
    *,
    more: bool,
    is_second: bool,
    rows: Sequence[tuple[int, str]] | None = None,
) -> HttpResponse:
    """Show the session; after a mistake, what was saved as such and the others with what was typed.

    `rows`: of a file that is only looked at, the lines left out with what is wrong with each.
    """
    wrong = [line for line in lines if line.form and line.form.errors]
    if any(line.saved for line in lines):
        papers = {paper.table.pk: paper for paper in paper_tables(session)}
        for line in lines:
            if line.saved:
                line.paper, line.form = papers[line.paper.table.pk], None
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


# --- Session from a file ---


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def paper_file(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    """GET: choose a file. POST: fill the session's page with its figures, to be looked at and saved there.

    Nothing is stored yet.
    """
    here = session_or_404(request, slug, session)
    form = ListForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        papers = _papers_of(here, actor_of(request))
        try:
            listed = read_totals(form.content(), papers)
        except Refused as refused:
            add_problems(form, [fault.at("file") for fault in refused.problems])
        else:
            return _preview_file(request, here, papers, listed)
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
def paper_file_blank(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    """Download a file of the session to be filled in."""
    here = session_or_404(request, slug, session)
    data = totals_csv(_papers_of(here, actor_of(request)))
    response = HttpResponse(data, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="totals-{slug}-{session}.csv"'
    return response


def _preview_file(
    request: HttpRequest, session: Session, papers: list[PaperTable], listed: TotalsList
) -> HttpResponse:
    more = listed.has_more
    rows = [(number, sentence(problem)) for number, problem in listed.problems]
    lines = [_line_from_file(paper, listed, more=more) for paper in papers]
    return _show_session(request, session, lines, more=more, is_second=False, rows=rows)


def _line_from_file(paper: PaperTable, listed: TotalsList, *, more: bool) -> Line:
    """Fill a table's line with what the file says of it; one that has the same totals already needs nothing."""
    figures = {player: listed.figures[player] for player in paper.numbers if player in listed.figures}
    if not _has_begun(paper) or _is_known(paper, figures) or (not figures and paper.table.has_result):
        return Line(paper, None)
    form = _totals_form(paper, _as_posted(paper, figures), more=more)
    if figures and not form.is_valid():
        form.show_problems(find_totals_problems(form.entry(), paper.numbers, paper.unpaid))
    elif figures:
        form.show_problems(
            _standing_problems(paper) or find_totals_problems(form.entry(), paper.numbers, paper.unpaid)
        )
    return Line(paper, form)


def _as_posted(paper: PaperTable, figures: dict[int, dict[str, str]]) -> dict[str, Any]:
    """Return the figures as a browser would send them."""
    prefix = f"t{paper.table.number}"
    fields = {
        f"{prefix}-{name}_{player}": cells[name] for player, cells in figures.items() for name in FIGURES
    }
    return fields | {f"{prefix}-version": paper.table.version, f"{prefix}-uuid": str(uuid4())}


def _is_known(paper: PaperTable, figures: dict[int, dict[str, str]]) -> bool:
    """Whether the table has the same totals already."""
    stored = paper.totals and {player: str(points) for player, points in paper.totals.points.items()}
    listed = {str(player): cells["points"].replace("−", "-") for player, cells in figures.items()}
    return bool(stored) and listed == stored


def _standing_problems(paper: PaperTable) -> tuple[Problem, ...]:
    """Say that something else is at the table already."""
    if paper.totals is not None:
        return (TOTALS_THERE_ALREADY("points", table=paper.table.number),)
    if paper.has_hands:
        return (TABLE_HAS_HANDS("points", table=paper.table.number, hands=paper.table.hands_played),)
    return ()


# --- One table ---


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def paper_table(request: HttpRequest, slug: str, session: int, table: int) -> HttpResponse:
    """POST `choice`: which of two readings is right; else the totals, typed for the first time or corrected."""
    here, actor = table_or_404(slug, session, table), actor_of(request)
    access.require_umpire(actor, here)
    form = _correction_form(here, request.POST if request.method == "POST" else None)
    if request.method == "POST":
        if not _is_readable(form, here, request.POST.get("choice", "")):
            form.show_problems(
                find_totals_problems(
                    form.entry(), [player.number for player in form.players], unpaid_points(here)
                )
            )
            return _show_table(request, here, form)
        try:
            message = _write_table(here, actor, form, request.POST.get("choice", ""))
        except Refused as refused:
            form.show_problems(refused)
        else:
            messages.success(request, message)
            return redirect("paper", slug, session)
    return _show_table(request, here, form)


def _correction_form(table: Table, given: Any) -> CorrectionForm:
    players = [seat.player for seat in table.seats.select_related("player").order_by("id")]
    totals = standing_totals(table)
    form = CorrectionForm(
        players,
        table.number,
        given,
        version=table.version,
        more=True,
        needs_reason=totals is not None and open_second_reading(table) is None,
    )
    if totals is not None:
        form.fill(totals)
    return form


def _is_readable(form: CorrectionForm, table: Table, choice: str) -> bool:
    """Whether every figure that is asked for could be read: who chooses a reading types none."""
    return form.is_valid() or choice in (Totals.Settled.FIRST, Totals.Settled.SECOND)


def _write_table(table: Table, actor: Actor, form: CorrectionForm, choice: str) -> str:
    """Settle two readings, correct the totals or enter them; return what to tell."""
    data = form.cleaned_data
    write: dict[str, Any] = {"uuid": data.get("uuid") or uuid4(), "expected_version": data.get("version")}
    if choice in Totals.Settled.values:
        reason = data.get("reason", "")
        settle_totals(table, actor, Totals.Settled(choice), entry=form.entry(), reason=reason, **write)
        return _("The two readings of table %(n)s are settled.") % {"n": table.number}
    if table.counts_totals:
        correct_totals(table, actor, form.entry(), reason=data["reason"], **write)
        return _("The totals of table %(n)s are corrected.") % {"n": table.number}
    enter_totals(table, actor, form.entry(), **write)
    return _("The totals of table %(n)s are saved.") % {"n": table.number}


def _show_table(request: HttpRequest, table: Table, form: CorrectionForm) -> HttpResponse:
    session, totals, second = table.session, standing_totals(table), open_second_reading(table)
    names = {player.number: player.name for player in form.players}
    context = {
        "tournament": session.tournament,
        "session": session,
        "table": table,
        "form": form,
        "totals": totals,
        "versions": [
            (version, [version.points.get(str(player)) for player in names])
            for version in totals_versions(table)
        ],
        "second": second,
        "differences": _with_names(differences(totals.entry, second.entry, list(names)), names)
        if totals and second
        else [],
        "beside": {names[player]: by for player, by in compare_with_hands(table, totals).items()}
        if totals and table.hands_played
        else {},
        "judges": access.can_judge(actor_of(request), table),
        "may_type": session.state != Session.State.PLANNED and (totals is not None or not table.hands_played),
        "unpaid": unpaid_points(table),
        "choice": request.POST.get("choice", ""),
        "back_url": reverse("paper", args=[session.tournament.slug, session.number]),
    }
    return render(request, "play/paper_table.html", context, status=UNPROCESSABLE if form.errors else 200)


def _with_names(differing: Iterable[Difference], names: dict[int, str]) -> list[dict[str, Any]]:
    """Add to the figures that differ whose they are."""
    return [vars(figure) | {"name": names.get(figure.player, "")} for figure in differing]


@require_POST
@login_required
def paper_set_aside(request: HttpRequest, slug: str, session: int, table: int) -> HttpResponse:
    """Let the hands count, or take totals back that were typed at the wrong table."""
    here = table_or_404(slug, session, table)
    try:
        set_totals_aside(here, actor_of(request), reason=request.POST.get("reason", ""))
    except Refused as refused:
        tell_refusal(request, refused)
    else:
        messages.success(request, _("The totals of table %(n)s are set aside.") % {"n": table})
    return redirect("paper_table", slug, session, table)


KEPT = {"paper": True, "hands": False, "rest": None}
"""What the page sends to say whether sheets are kept on paper."""


@require_POST
@login_required
def paper_keep(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    """Say what is kept on paper: `of` the event, the session, or a table by number."""
    here, of = session_or_404(request, slug, session), request.POST.get("of", "")
    kept = KEPT.get(request.POST.get("kept", ""))
    place: dict[str, int] = {} if of == "event" else {"session": session}
    if of not in ("event", "session"):
        place["table"] = int(of) if of.isascii() and of.isdecimal() and len(of) < 6 else 0
    try:
        set_on_paper(here.tournament, actor_of(request), kept, **place)
    except Refused as refused:
        tell_refusal(request, refused)
    else:
        messages.success(request, _("Saved."))
    return redirect("paper", slug, session)
