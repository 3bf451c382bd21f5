"""Pages that change seats: one session, a swap, the filmed table, planning again, a plan, a correction.

Each previews the change; a POST with the fingerprint `seen` of the preview stores it.
"""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from scoring.engine.problems import Problem
from tournament.base.engine.text import numbers_in
from tournament.base.errors import Refused
from tournament.base.models.play import Seat, Session
from tournament.base.models.tournament import Tournament
from tournament.base.problems import sentence
from tournament.play.selectors.organiser import by_wind
from tournament.play.selectors.timetable import draw_is_out_of_date, players_in
from tournament.players.selectors.players import player_counts
from tournament.seating.engine.plans import Plan, fingerprint, repeated_pairs
from tournament.seating.engine.swiss import rank_spreads
from tournament.seating.exports import read_plan, write_plan
from tournament.seating.forms import (
    HandSeatsForm,
    SeatsForm,
    StreamForm,
    SwapForm,
    WrongSeatsForm,
    random_seed,
)
from tournament.seating.selectors.changes import (
    PlannedSessions,
    SessionOptions,
    last_correction,
    preview_plan,
    preview_replan,
    preview_session,
    preview_stream_table,
    preview_swap,
    seats_of_players,
    tables_of_players,
    tables_state,
)
from tournament.seating.selectors.draws import (
    compare_plans,
    plan_certificate,
    players_by_number,
    quality_rows,
    stored_plan,
    with_players,
)
from tournament.seating.services.corrections import correct_seats, undo_correction
from tournament.seating.services.seatings import (
    import_plan,
    replan_seats,
    seat_at_stream,
    seat_session,
    swap_players,
    undo_plan_change,
)
from tournament.web.forms import ListForm, add_problems
from tournament.web.selectors import log_words
from tournament.web.views import (
    UNPROCESSABLE,
    Request,
    actor_of,
    organiser_page,
    render_page,
    run_and_redirect,
)


@organiser_page
def seats_page(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Preview the seats of `?how=&seed=`; those by hand are previewed by a POST.

    A POST with the fingerprint `seen` stores them.
    """
    session = get_object_or_404(tournament.sessions, number=number)
    data = request.POST or (request.GET if "how" in request.GET else None)
    earlier = tournament.sessions.filter(number__lt=number)
    has_standings = number > 1 and not earlier.exclude(state=Session.State.CLOSED).exists()
    form = SeatsForm(data, initial={"how": "standing" if has_standings else "lot", "seed": random_seed()})
    context: dict[str, Any] = {
        "form": form,
        "session": session,
        "is_open": session.state == Session.State.PLANNED,
    }
    hand = None
    if form.is_valid():
        hand = _hand_form(request, tournament, number) if form.is_by_hand else None
        try:
            if hand is None or hand.is_valid():
                options = form.to_options() if hand is None else hand.to_options()
                if "seen" in request.POST:
                    return _seat_session(request, tournament, number, options)
                context |= _seats_effect(tournament, number, options)
        except Refused as refused:
            add_problems(form, refused) if hand is None else hand.add_problems(refused.problems)
    has_errors = form.errors or (hand and hand.errors)
    context |= {"hand": hand, "people": players_in(tournament, number)}
    return render_page(
        request, "seating/seats", tournament, "draw", context, status=UNPROCESSABLE if has_errors else 200
    )


def _hand_form(request: HttpRequest, tournament: Tournament, number: int) -> HandSeatsForm:
    """Return the form with the data sent, or else with the stored seats, for as many tables as the players fill."""
    plan = stored_plan(tournament)
    current = plan[number - 1] if number <= len(plan) else []
    tables = -(-players_in(tournament, number).count() // 4)
    start = [current[at] if at < len(current) else {} for at in range(tables)]
    return HandSeatsForm(start, request.POST if "t1E" in request.POST else None)


def _seat_session(
    request: HttpRequest, tournament: Tournament, number: int, options: SessionOptions
) -> HttpResponse:
    seat_session(tournament, actor_of(request), number, options, seen=request.POST["seen"])
    messages.success(request, _("Seats of session %(n)s assigned.") % {"n": number})
    return redirect("organiser_session", tournament.slug, number)


def _seats_effect(tournament: Tournament, number: int, options: SessionOptions) -> dict[str, Any]:
    """Return the tables, the ranks of their players, and figures and seats before and after."""
    players = players_by_number(tournament)
    change, inputs = preview_session(tournament, number, options)
    tables = with_players(change.after, players)[number - 1]
    order = inputs.players if inputs and inputs.method.needs_standings else ()
    ranks = {player: rank for rank, player in enumerate(order, 1)}
    spreads = rank_spreads(change.after[number - 1], order)
    certificate = plan_certificate(change.after, players)
    current = [plan_certificate(change.before, players).quality] if change.before else []
    return {
        "tables": [[(wind, player, ranks.get(player.number)) for wind, player in seats] for seats in tables],
        "spread": sum(spreads) / len(spreads) if order else None,
        "spread_most": max(spreads, default=0),
        "certificate": certificate,
        "figures": quality_rows(*current, certificate.quality),
        "compared": compare_plans(change.before, change.after, players),
        "is_new": len(change.before) < number,
        "seen": fingerprint(change.after),
    }


@require_POST
@organiser_page
def seats_undo(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Undo the newest change of seats."""
    done = _("The change of seats has been undone.")
    return run_and_redirect(
        request,
        lambda: undo_plan_change(tournament, actor_of(request)),
        done,
        "organiser_draw",
        tournament.slug,
    )


@organiser_page
def swap_page(request: Request, tournament: Tournament) -> HttpResponse:
    """Preview the swap of `?first=&second=&session=`, for htmx without the page; a POST with `seen` stores it.

    `?shown=` is the session whose tables are shown to choose from.
    """
    is_pair = all(request.GET.get(name) for name in ("first", "second"))
    data = request.POST or (
        request.GET if is_pair or ("second" in request.GET and not request.htmx) else None
    )
    shown = _shown_session(request, tournament)
    # A tapped seat belongs to the session that is shown.
    session = request.GET.get("session", shown.number if shown else "")
    form = SwapForm(tournament, data, initial={"first": request.GET.get("first"), "session": session})
    context: dict[str, Any] = {"form": form}
    if form.is_valid():
        try:
            if request.method == "POST":
                return _swap(request, tournament, form)
            context |= _swap_effect(tournament, form)
        except Refused as refused:
            add_problems(form, refused)
    status = UNPROCESSABLE if form.errors else 200
    if request.htmx:
        return render(
            request, "seating/_swap_effect.html", {"tournament": tournament, **context}, status=status
        )
    return render_page(
        request,
        "seating/swap",
        tournament,
        "draw",
        context | _shown_tables(form, shown),
        status=status,
    )


def _shown_session(request: HttpRequest, tournament: Tournament) -> Session | None:
    """Return the session asked for, else the first still to play; None when no such session has seats."""
    seated = tournament.sessions.filter(state=Session.State.PLANNED, tables__isnull=False).distinct()
    numbers = numbers_in(request.GET.get(name, "") for name in ("shown", "session"))
    chosen = (seated.filter(number=number).first() for number in numbers)
    return next(filter(None, chosen), seated.first())


def _shown_tables(form: SwapForm, shown: Session | None) -> dict[str, Any]:
    """Return the tables to choose from, and the players that the form contains."""
    tables = shown.tables.prefetch_related("seats__player") if shown else []
    return {
        "shown": shown,
        "tables": [(table.number, by_wind(table.seats.all())) for table in tables],
        "chosen": numbers_in(str(form[name].value() or "") for name in ("first", "second")),
    }


def _swap(request: HttpRequest, tournament: Tournament, form: SwapForm) -> HttpResponse:
    pair = form.cleaned_data["first"], form.cleaned_data["second"]
    seen = request.POST.get("seen", "")
    swap_players(tournament, actor_of(request), *pair, form.sessions(), seen=seen)
    messages.success(request, _("The two players have changed seats."))
    return redirect("organiser_draw", tournament.slug)


def _swap_effect(tournament: Tournament, form: SwapForm) -> dict[str, Any]:
    """Return figures and seats before and after, and the pairs who would meet more often."""
    players = players_by_number(tournament)
    change = preview_swap(
        tournament, form.cleaned_data["first"], form.cleaned_data["second"], form.sessions()
    )
    before, after = change.before, change.after
    figures = quality_rows(*(plan_certificate(plan, players).quality for plan in (before, after)))
    return {
        "figures": figures,
        "changed": [(name, values) for name, values in figures if len(set(values)) > 1],
        "compared": compare_plans(before, after, players),
        "new_repeats": [
            ([players[number] for number in pair], sessions) for pair, sessions in _new_repeats(before, after)
        ],
        "seen": fingerprint(after),
    }


def _new_repeats(before: Plan, after: Plan) -> list[tuple[tuple[int, int], tuple[int, ...]]]:
    """Return the pairs that meet more often after than before, with the sessions in which they then meet."""
    old = repeated_pairs(before)
    return [
        (pair, sessions)
        for pair, sessions in repeated_pairs(after).items()
        if len(sessions) > len(old.get(pair, (0,)))
    ]


@organiser_page
def stream_page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Preview the seats of `?players=&table=&sessions=`; a POST with the fingerprint `seen` stores them."""
    data = request.POST or (request.GET if "players" in request.GET else None)
    form = StreamForm(tournament, data)
    context: dict[str, Any] = {"form": form}
    if form.is_valid():
        choice = (form.cleaned_data["players"], form.cleaned_data["table"], form.cleaned_data["sessions"])
        try:
            if request.method == "POST":
                seat_at_stream(tournament, actor_of(request), *choice, seen=request.POST.get("seen", ""))
                messages.success(request, _("Seats of the filmed table assigned."))
                return redirect("organiser_draw", tournament.slug)
            context |= _stream_effect(tournament, *choice)
        except Refused as refused:
            add_problems(form, refused)
    status = UNPROCESSABLE if form.errors else 200
    return render_page(request, "seating/stream", tournament, "draw", context, status=status)


def _stream_effect(
    tournament: Tournament, players: list[int], table: int, sessions: list[int]
) -> dict[str, Any]:
    players_of_event, change = (
        players_by_number(tournament),
        preview_stream_table(tournament, players, table, sessions),
    )
    figures = (plan_certificate(plan, players_of_event).quality for plan in (change.before, change.after))
    return {
        "figures": quality_rows(*figures),
        "compared": compare_plans(change.before, change.after, players_of_event),
        "seen": fingerprint(change.after),
    }


@organiser_page
def replan_page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Preview the new plan, or show why there is none; a POST with the fingerprint `seen` stores it."""
    try:
        if request.method == "POST":
            replan_seats(tournament, actor_of(request), seen=request.POST.get("seen", ""))
            messages.success(request, _("The remaining sessions have been reassigned."))
            return redirect("organiser_draw", tournament.slug)
        context, status = _replan_effect(tournament), 200
    except Refused as refused:
        problems = [{"text": sentence(problem)} for problem in refused.problems]
        context = {"problems": problems, "roll": player_counts(tournament)}
        status = UNPROCESSABLE if request.method == "POST" else 200
    return render_page(request, "seating/replan", tournament, "draw", context, status=status)


def _replan_effect(tournament: Tournament) -> dict[str, Any]:
    """Return figures and seats before and after."""
    players, change = players_by_number(tournament), preview_replan(tournament)
    figures = (plan_certificate(plan, players).quality for plan in (change.before, change.after))
    return {
        "is_needed": draw_is_out_of_date(tournament),
        "first": change.sessions[0],
        "tables": (len(change.before[-1]), len(change.after[-1])),
        "compared": compare_plans(change.before, change.after, players),
        "figures": quality_rows(*figures),
        "seen": fingerprint(change.after),
    }


@organiser_page
def plan_page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the form; a POST of a plan previews it or shows its problems, one with `seen` stores it."""
    if request.method != "POST":
        return render_page(request, "seating/plan", tournament, "draw", {"form": ListForm()})
    form, context = ListForm(request.POST, request.FILES), dict[str, Any]()
    if form.is_valid():
        content = form.content()
        try:
            plan = read_plan(content, list(tournament.players.all()))
            context = {"problems": [{"text": _line_sentence(problem)} for problem in plan.problems]}
            if not plan.problems:
                if "seen" in request.POST:
                    return _import_plan(request, tournament, plan.tables())
                context |= _plan_effect(tournament, plan.tables())
        except Refused as refused:
            add_problems(form, [p.at("file") for p in refused.problems])
    has_errors = form.errors or context.get("problems")
    return render_page(
        request,
        "seating/plan",
        tournament,
        "draw",
        {"form": form} | context,
        status=UNPROCESSABLE if has_errors else 200,
    )


def _import_plan(request: HttpRequest, tournament: Tournament, sessions: PlannedSessions) -> HttpResponse:
    import_plan(tournament, actor_of(request), sessions, seen=request.POST["seen"])
    messages.success(request, _("The seats of the plan are now used."))
    return redirect("organiser_draw", tournament.slug)


def _plan_effect(tournament: Tournament, sessions: PlannedSessions) -> dict[str, Any]:
    """Return the plan's tables, figures and seats before and after, and the plan as CSV to send back."""
    players, change = players_by_number(tournament), preview_plan(tournament, sessions)
    certificate = plan_certificate(change.after, players)
    current = [plan_certificate(change.before, players).quality] if change.before else []
    return {
        "sessions": [
            (n, tables)
            for n, tables in enumerate(with_players(change.after, players), 1)
            if n in change.sessions
        ],
        "certificate": certificate,
        "figures": quality_rows(*current, certificate.quality),
        "compared": compare_plans(change.before, change.after, players) if change.before else None,
        "plan_csv": write_plan(change.after),
        "seen": fingerprint(change.after),
    }


def _line_sentence(problem: Problem) -> str:
    """Return the problem's sentence after its line number."""
    text = sentence(problem)
    line = problem.where.removeprefix("line ")
    return _("Line %(n)s: %(sentence)s") % {"n": line, "sentence": text} if problem.where else text


@require_safe
@organiser_page
def plan_download(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Download the stored seats, in the format that `plan_page` reads."""
    response = HttpResponse(write_plan(stored_plan(tournament)), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="seats-{tournament.slug}.csv"'
    return response


@organiser_page
def seat_correction_page(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Preview the correction of `?first=&second=`; a POST with the fingerprint `seen` stores it."""
    session = get_object_or_404(tournament.sessions, number=number)
    data = request.POST or (request.GET if "second" in request.GET else None)
    form = WrongSeatsForm(session, data, initial={"first": request.GET.get("first")})
    last = last_correction(session)
    context: dict[str, Any] = {
        "form": form,
        "session": session,
        "is_running": session.state == Session.State.RUNNING,
        "undoable": log_words(tournament).sentence(last) if last else "",
    }
    if form.is_valid():
        first, second = form.cleaned_data["first"], form.cleaned_data["second"]
        try:
            if request.method == "POST":
                correct_seats(session, actor_of(request), first, second, seen=request.POST.get("seen", ""))
                messages.success(request, _("The names have been swapped; the hands stayed with the seats."))
                return redirect("organiser_session", tournament.slug, number)
            context |= _correction_effect(session, first, second)
        except Refused as refused:
            add_problems(form, refused)
    status = UNPROCESSABLE if form.errors else 200
    return render_page(request, "seating/seat_correction", tournament, "session", context, status=status)


@require_POST
@organiser_page
def seat_correction_undo(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Undo the newest correction of the session's seats."""
    session = get_object_or_404(tournament.sessions, number=number)
    done = _("The swap of names has been undone.")
    return run_and_redirect(
        request,
        lambda: undo_correction(session, actor_of(request)),
        done,
        "organiser_session",
        tournament.slug,
        number,
    )


def _correction_effect(session: Session, first: int, second: int) -> dict[str, Any]:
    """Return (own seat, seat of the other) for each of the two; empty if they are not two seated players."""
    seats = seats_of_players(session, first, second) if first != second else None
    if seats is None:
        return {}
    pairs: list[tuple[Seat, Seat]] = [(seats[0], seats[1]), (seats[1], seats[0])]
    return {"changes": pairs, "seen": tables_state(tables_of_players(session, first, second))}
