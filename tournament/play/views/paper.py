"""Totals from paper: of a session, typed or from a file, and of one table."""

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
from tournament.play.views.desk import table_or_404, tables_url
from tournament.web.forms import ListForm, add_problems
from tournament.web.views import UNPROCESSABLE, actor_of, add_refusal_messages, tournament_or_404

# --- Session by keyboard ---


Save = Callable[[Table, Actor, TotalsForm, UUID], object]


@dataclass
class PaperLine:
    """A table on the page; `form` is None if there is nothing to type."""

    paper: PaperTable
    form: TotalsForm | None
    saved: bool = field(default=False)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def paper_session(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    """Enter missing totals of the user's tables, and show the others. `?more=1`: also wins and best hands."""
    return _session_page(request, session_or_404(request, slug, session), _enter_first, is_second=False)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def paper_second(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    """Enter second readings of sheets that others typed, without showing their figures."""
    return _session_page(request, session_or_404(request, slug, session), _enter_second, is_second=True)


def session_or_404(request: HttpRequest, slug: str, number: int) -> Session:
    """Return a session, for users who may enter results."""
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
            _report_saved(request, sum(line.saved for line in lines))
            return redirect(f"{request.path}?more=1" if more else request.path)
    return _show_session(request, session, lines, more=more, is_second=is_second)


def _lines(
    request: HttpRequest, session: Session, actor: Actor, *, more: bool, is_second: bool
) -> list[PaperLine]:
    data = request.POST if request.method == "POST" else None
    papers = _papers_of(session, actor)
    if is_second:
        papers = [paper for paper in papers if _needs_second_reading(paper, actor)]
    return [PaperLine(paper, _form_to_type(paper, data, more=more, always=is_second)) for paper in papers]


def _papers_of(session: Session, actor: Actor) -> list[PaperTable]:
    """List the tables of the session that the actor umpires."""
    return [paper for paper in paper_tables(session) if access.can_umpire(actor, paper.table)]


def _needs_second_reading(paper: PaperTable, actor: Actor) -> bool:
    return (
        paper.totals is not None
        and paper.second is None
        and not paper.read_twice
        and (paper.totals.recorded_by is None or paper.totals.recorded_by != actor.user)
    )


def _form_to_type(paper: PaperTable, data: object, *, more: bool, always: bool) -> TotalsForm | None:
    """Return the form of a table; None if there is nothing to type.

    A form with data is always returned, so that problems are shown beside what was typed.
    """
    form = _totals_form(paper, data, more=more)
    is_missing = _is_typable(paper) and (always or not paper.table.has_result)
    return form if is_missing or (data is not None and not form.is_empty) else None


def _totals_form(paper: PaperTable, data: object, *, more: bool) -> TotalsForm:
    return TotalsForm(paper.seats, paper.table.number, data, version=paper.table.version, more=more)


def _is_typable(paper: PaperTable) -> bool:
    return paper.table.session.state != Session.State.PLANNED


def _save_lines(actor: Actor, lines: Sequence[PaperLine], save: Save) -> None:
    """Save every valid sheet, and show the problems of the others in their forms."""
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


def _report_saved(request: HttpRequest, saved: int) -> None:
    if not saved:
        messages.info(request, _("Nothing was entered."))
        return
    messages.success(request, ngettext("%(n)s sheet saved.", "%(n)s sheets saved.", saved) % {"n": saved})


def _show_session(
    request: HttpRequest,
    session: Session,
    lines: list[PaperLine],
    *,
    more: bool,
    is_second: bool,
    rows: Sequence[tuple[int, str]] | None = None,
) -> HttpResponse:
    """Show the session; after errors, saved sheets as saved and the others with what was typed.

    `rows`: for the preview of a file, (line number, problem) of lines left out.
    """
    wrong = [line for line in lines if line.form and line.form.errors]
    if any(line.saved for line in lines):
        papers = {paper.table.pk: paper for paper in paper_tables(session)}
        for line in lines:
            if line.saved:
                line.paper, line.form = papers[line.paper.table.pk], None
    tournament = session.tournament
    organises = access.can_organise(actor_of(request), tournament)
    is_running = session.state == Session.State.RUNNING
    context = {
        "tournament": tournament,
        "session": session,
        "lines": [line for line in lines if not (is_second and line.saved)],
        "wrong": wrong,
        "rows": rows,
        "is_preview": rows is not None,
        "missing": [line.paper.table.number for line in lines if line.paper.is_missing],
        "differing": [line.paper.table.number for line in lines if line.paper.second],
        "some_to_type": any(line.form for line in lines),
        "more": more,
        "is_second": is_second,
        "organises": organises,
        "can_close": organises and is_running and all(line.paper.table.is_in for line in lines),
        "back_url": tables_url(request, tournament, session.number),
    }
    return render(
        request, "play/paper.html", context, status=UNPROCESSABLE if wrong and rows is None else 200
    )


# --- Session from a file ---


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def paper_file(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    """GET: choose a file. POST: show the session's page filled with its figures; nothing is stored yet."""
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
    """Download a file to fill in."""
    here = session_or_404(request, slug, session)
    data = totals_csv(_papers_of(here, actor_of(request)))
    response = HttpResponse(data, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="totals-{slug}-{session}.csv"'
    return response


def _preview_file(
    request: HttpRequest, session: Session, papers: list[PaperTable], totals_list: TotalsList
) -> HttpResponse:
    more = totals_list.has_more
    rows = [(number, sentence(problem)) for number, problem in totals_list.problems]
    lines = [_line_from_file(paper, totals_list, more=more) for paper in papers]
    return _show_session(request, session, lines, more=more, is_second=False, rows=rows)


def _line_from_file(paper: PaperTable, totals_list: TotalsList, *, more: bool) -> PaperLine:
    """Fill the form of a table from the file, unless the table has the same totals."""
    figures = {
        player: totals_list.figures[player] for player in paper.numbers if player in totals_list.figures
    }
    if not _is_typable(paper) or _has_same_totals(paper, figures) or (not figures and paper.table.has_result):
        return PaperLine(paper, None)
    form = _totals_form(paper, _form_data(paper, figures), more=more)
    if figures and not form.is_valid():
        form.show_problems(find_totals_problems(form.entry(), paper.numbers, paper.unpaid))
    elif figures:
        form.show_problems(
            _conflict_problems(paper) or find_totals_problems(form.entry(), paper.numbers, paper.unpaid)
        )
    return PaperLine(paper, form)


def _form_data(paper: PaperTable, figures: dict[int, dict[str, str]]) -> dict[str, Any]:
    """Return the figures as form data."""
    prefix = f"t{paper.table.number}"
    fields = {
        f"{prefix}-{name}_{player}": cells[name] for player, cells in figures.items() for name in FIGURES
    }
    return fields | {f"{prefix}-version": paper.table.version, f"{prefix}-uuid": str(uuid4())}


def _has_same_totals(paper: PaperTable, figures: dict[int, dict[str, str]]) -> bool:
    stored = paper.totals and {player: str(points) for player, points in paper.totals.points.items()}
    in_file = {str(player): cells["points"].replace("−", "-") for player, cells in figures.items()}
    return bool(stored) and in_file == stored


def _conflict_problems(paper: PaperTable) -> tuple[Problem, ...]:
    """Return a problem if the table has other totals or hands."""
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
    """Enter or correct the totals of a table or, with `choice`, settle two readings."""
    here, actor = table_or_404(slug, session, table), actor_of(request)
    access.require_at(actor, here, Right.ENTER)
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
            message = _save_table(here, actor, form, request.POST.get("choice", ""))
        except Refused as refused:
            form.show_problems(refused)
        else:
            messages.success(request, message)
            return redirect("paper", slug, session)
    return _show_table(request, here, form)


def _correction_form(table: Table, data: Any) -> CorrectionForm:
    totals = standing_totals(table)
    form = CorrectionForm(
        table.seats.select_related("player").order_by("id"),
        table.number,
        data,
        version=table.version,
        more=True,
        needs_reason=totals is not None and open_second_reading(table) is None,
    )
    if totals is not None:
        form.fill(totals)
    return form


def _is_readable(form: CorrectionForm, table: Table, choice: str) -> bool:
    """Whether the form is valid, or a reading was chosen, for which figures need not be typed."""
    return form.is_valid() or choice in (Totals.Settled.FIRST, Totals.Settled.SECOND)


def _save_table(table: Table, actor: Actor, form: CorrectionForm, choice: str) -> str:
    """Settle two readings, or correct or enter the totals. Return the message."""
    data = form.cleaned_data
    kwargs: dict[str, Any] = {"uuid": data.get("uuid") or uuid4(), "expected_version": data.get("version")}
    if choice in Totals.Settled.values:
        reason = data.get("reason", "")
        settle_totals(table, actor, Totals.Settled(choice), entry=form.entry(), reason=reason, **kwargs)
        return _("The two readings of table %(n)s have been resolved.") % {"n": table.number}
    if table.counts_totals:
        correct_totals(table, actor, form.entry(), reason=data["reason"], **kwargs)
        return _("The totals of table %(n)s are corrected.") % {"n": table.number}
    enter_totals(table, actor, form.entry(), **kwargs)
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
        "differences": _name_players(differences(totals.entry, second.entry, list(names)), names)
        if totals and second
        else [],
        "beside": {names[player]: by for player, by in compare_with_hands(table, totals).items()}
        if totals and table.hands_played
        else {},
        "judges": access.can_judge(actor_of(request), table),
        "may_type": session.state != Session.State.PLANNED and (totals is not None or not table.hands_played),
        "unpaid": (unpaid := unpaid_points(table)),
        "right_sum": -unpaid,
        "choice": request.POST.get("choice", ""),
        "back_url": reverse("paper", args=[session.tournament.slug, session.number]),
    }
    return render(request, "play/paper_table.html", context, status=UNPROCESSABLE if form.errors else 200)


def _name_players(differing: Iterable[Difference], names: dict[int, str]) -> list[dict[str, Any]]:
    """Add the players' names to the differences."""
    return [vars(figure) | {"name": names.get(figure.player, "")} for figure in differing]


@require_POST
@login_required
def paper_set_aside(request: HttpRequest, slug: str, session: int, table: int) -> HttpResponse:
    """Let the hands count in place of the totals."""
    here = table_or_404(slug, session, table)
    try:
        set_totals_aside(here, actor_of(request), reason=request.POST.get("reason", ""))
    except Refused as refused:
        add_refusal_messages(request, refused)
    else:
        messages.success(request, _("The totals of table %(n)s are set aside.") % {"n": table})
    return redirect("paper_table", slug, session, table)


ON_PAPER_CHOICES = {"paper": True, "hands": False, "rest": None}


@require_POST
@login_required
def choose_paper_tables(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    """Set what is kept on paper. `of`: "event", "session" or the number of a table."""
    here, scope = session_or_404(request, slug, session), request.POST.get("of", "")
    on_paper = ON_PAPER_CHOICES.get(request.POST.get("method", ""))
    place: dict[str, int] = {} if scope == "event" else {"session": session}
    if scope not in ("event", "session"):
        place["table"] = int(scope) if scope.isascii() and scope.isdecimal() and len(scope) < 6 else 0
    try:
        set_on_paper(here.tournament, actor_of(request), on_paper, **place)
    except Refused as refused:
        add_refusal_messages(request, refused)
    else:
        messages.success(request, _("Saved."))
    return redirect("paper", slug, session)
