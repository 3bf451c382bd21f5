"""Pages that change seats: of one session, by a swap, a filmed table, planning again, a plan, a correction.

Each shows the effect first; a POST with what was `seen` does it.
"""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from scoring.engine.problems import Problem
from tournament.base.errors import Refused
from tournament.base.models.play import Seat, Session
from tournament.base.models.tournament import Tournament
from tournament.base.problems import sentence
from tournament.play.selectors.organiser import by_wind
from tournament.play.selectors.timetable import draw_is_out_of_date, players_in
from tournament.players.selectors.players import roll_of
from tournament.seating.engine.plans import Plan, fingerprint, repeated_pairs
from tournament.seating.engine.swiss import rank_spreads
from tournament.seating.exports import read_plan, write_plan
from tournament.seating.forms import (
    HandSeatsForm,
    SeatsForm,
    StreamForm,
    SwapForm,
    WrongSeatsForm,
    proposed_seed,
)
from tournament.seating.selectors.changes import (
    PlannedSessions,
    SessionWish,
    exchanged,
    last_correction,
    planned,
    replanned,
    seated,
    seats_with,
    state_of,
    streamed,
    tables_with,
)
from tournament.seating.selectors.draws import (
    certificate_of,
    compared,
    named,
    people_of,
    quality_rows,
    seats_of_all,
)
from tournament.seating.services.corrections import correct_seats, undo_correction
from tournament.seating.services.seatings import (
    replan_seats,
    seat_at_stream,
    seat_session,
    swap_players,
    take_plan,
    undo_reseating,
)
from tournament.web.forms import ListForm, add_problems
from tournament.web.selectors import log_words
from tournament.web.views import UNPROCESSABLE, Request, actor_of, organiser_page, press, show


@organiser_page
def seats_page(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show with `?how=&seed=` the seats as they would be; by hand a POST of them does.

    A POST with what was `seen` takes them.
    """
    session = get_object_or_404(tournament.sessions, number=number)
    given = request.POST or (request.GET if "how" in request.GET else None)
    form = SeatsForm(given, initial={"how": "standing" if number > 1 else "lot", "seed": proposed_seed()})
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
                wish = form.wish() if hand is None else hand.wish()
                if "seen" in request.POST:
                    return _seat(request, tournament, number, wish)
                context |= _seats_effect(tournament, number, wish)
        except Refused as refused:
            add_problems(form, refused) if hand is None else hand.say(refused.problems)
    wrong = form.errors or (hand and hand.errors)
    context |= {"hand": hand, "people": players_in(tournament, number)}
    return show(request, "seating/seats", tournament, "draw", context, status=UNPROCESSABLE if wrong else 200)


def _hand_form(request: HttpRequest, tournament: Tournament, number: int) -> HandSeatsForm:
    """The seats as sent, or to start from those there are, with as many tables as the players fill."""
    plan = seats_of_all(tournament)
    now = plan[number - 1] if number <= len(plan) else []
    tables = -(-players_in(tournament, number).count() // 4)
    start = [now[at] if at < len(now) else {} for at in range(tables)]
    return HandSeatsForm(start, request.POST if "t1E" in request.POST else None)


def _seat(request: HttpRequest, tournament: Tournament, number: int, wish: SessionWish) -> HttpResponse:
    seat_session(tournament, actor_of(request), number, wish, seen=request.POST["seen"])
    messages.success(request, _("Session %(n)s is seated.") % {"n": number})
    return redirect("organiser_session", tournament.slug, number)


def _seats_effect(tournament: Tournament, number: int, wish: SessionWish) -> dict[str, Any]:
    """The tables, how far apart their players stand, the figures of the whole event now and then, and who moves."""
    people = people_of(tournament)
    again, inputs = seated(tournament, number, wish)
    tables = named(again.after, people)[number - 1]
    order = inputs.players if inputs and inputs.method.needs_standings else ()
    ranks = {player: rank for rank, player in enumerate(order, 1)}
    spreads = rank_spreads(again.after[number - 1], order)
    then = certificate_of(again.after, people)
    now = [certificate_of(again.before, people).quality] if again.before else []
    return {
        "tables": [[(wind, player, ranks.get(player.number)) for wind, player in seats] for seats in tables],
        "spread": sum(spreads) / len(spreads) if order else None,
        "spread_most": max(spreads, default=0),
        "certificate": then,
        "figures": quality_rows(*now, then.quality),
        "compared": compared(again.before, again.after, people),
        "is_new": len(again.before) < number,
        "seen": fingerprint(again.after),
    }


@require_POST
@organiser_page
def seats_undo(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The newest change of seats is taken back."""
    done = _("The seats are as they were before.")
    return press(
        request,
        lambda: undo_reseating(tournament, actor_of(request)),
        done,
        "organiser_draw",
        tournament.slug,
    )


@organiser_page
def swap_page(request: Request, tournament: Tournament) -> HttpResponse:
    """`?one=&other=&session=` shows the effect, to htmx alone; a POST of the same with `seen` does it.

    `?shown=` is the session whose tables are drawn to choose from.
    """
    is_pair = all(request.GET.get(name) for name in ("one", "other"))
    given = request.POST or (
        request.GET if is_pair or ("other" in request.GET and not request.htmx) else None
    )
    shown = _session_shown(request, tournament)
    # Who taps a seat means the session that is shown.
    session = request.GET.get("session", shown.number if shown else "")
    form = SwapForm(tournament, given, initial={"one": request.GET.get("one"), "session": session})
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
    return show(
        request,
        "seating/swap",
        tournament,
        "draw",
        context | _tables_shown(form, shown),
        status=status,
    )


def _session_shown(request: HttpRequest, tournament: Tournament) -> Session | None:
    """The session asked for, else the first still to play; None when no such session has seats."""
    seated = tournament.sessions.filter(state=Session.State.PLANNED, tables__isnull=False).distinct()
    texts = [request.GET.get(name, "") for name in ("shown", "session")]
    numbers = [int(text) for text in texts if text.isdecimal()]
    chosen = (seated.filter(number=number).first() for number in numbers)
    return next(filter(None, chosen), seated.first())


def _tables_shown(form: SwapForm, shown: Session | None) -> dict[str, Any]:
    """The tables to choose from, and whom of those chosen the form holds."""
    tables = shown.tables.prefetch_related("seats__player") if shown else []
    return {
        "shown": shown,
        "tables": [(table.number, by_wind(table.seats.all())) for table in tables],
        "chosen": [
            int(text) for name in ("one", "other") if (text := str(form[name].value() or "")).isdecimal()
        ],
    }


def _swap(request: HttpRequest, tournament: Tournament, form: SwapForm) -> HttpResponse:
    pair = form.cleaned_data["one"], form.cleaned_data["other"]
    seen = request.POST.get("seen", "")
    swap_players(tournament, actor_of(request), *pair, form.sessions(), seen=seen)
    messages.success(request, _("The two players have changed seats."))
    return redirect("organiser_draw", tournament.slug)


def _swap_effect(tournament: Tournament, form: SwapForm) -> dict[str, Any]:
    """Figures now and then, who moves, and who would meet again because of it."""
    people = people_of(tournament)
    again = exchanged(tournament, form.cleaned_data["one"], form.cleaned_data["other"], form.sessions())
    before, after = again.before, again.after
    figures = quality_rows(*(certificate_of(plan, people).quality for plan in (before, after)))
    return {
        "figures": figures,
        "changed": [(name, values) for name, values in figures if len(set(values)) > 1],
        "compared": compared(before, after, people),
        "again": [
            ([people[number] for number in pair], sessions) for pair, sessions in _new_repeats(before, after)
        ],
        "seen": fingerprint(after),
    }


def _new_repeats(before: Plan, after: Plan) -> list[tuple[tuple[int, int], tuple[int, ...]]]:
    """Pairs that meet more often after than before, with the sessions in which they then meet."""
    old = repeated_pairs(before)
    return [
        (pair, sessions)
        for pair, sessions in repeated_pairs(after).items()
        if len(sessions) > len(old.get(pair, (0,)))
    ]


@organiser_page
def stream_page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """`?players=&table=&sessions=` shows the effect, a POST of the same with what was `seen` does it."""
    given = request.POST or (request.GET if "players" in request.GET else None)
    form = StreamForm(tournament, given)
    context: dict[str, Any] = {"form": form}
    if form.is_valid():
        choice = (form.cleaned_data["players"], form.cleaned_data["table"], form.cleaned_data["sessions"])
        try:
            if request.method == "POST":
                seat_at_stream(tournament, actor_of(request), *choice, seen=request.POST.get("seen", ""))
                messages.success(request, _("The table that is filmed is seated."))
                return redirect("organiser_draw", tournament.slug)
            context |= _stream_effect(tournament, *choice)
        except Refused as refused:
            add_problems(form, refused)
    status = UNPROCESSABLE if form.errors else 200
    return show(request, "seating/stream", tournament, "draw", context, status=status)


def _stream_effect(
    tournament: Tournament, players: list[int], table: int, sessions: list[int]
) -> dict[str, Any]:
    people, again = people_of(tournament), streamed(tournament, players, table, sessions)
    figures = (certificate_of(plan, people).quality for plan in (again.before, again.after))
    return {
        "figures": quality_rows(*figures),
        "compared": compared(again.before, again.after, people),
        "seen": fingerprint(again.after),
    }


@organiser_page
def replan_page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Looking shows the effect; a POST with what was `seen` does it. What stands in the way is said either way."""
    try:
        if request.method == "POST":
            replan_seats(tournament, actor_of(request), seen=request.POST.get("seen", ""))
            messages.success(request, _("The sessions left are planned again."))
            return redirect("organiser_draw", tournament.slug)
        context, status = _replan_effect(tournament), 200
    except Refused as refused:
        problems = [{"text": sentence(problem)} for problem in refused.problems]
        context = {"problems": problems, "roll": roll_of(tournament)}
        status = UNPROCESSABLE if request.method == "POST" else 200
    return show(request, "seating/replan", tournament, "draw", context, status=status)


def _replan_effect(tournament: Tournament) -> dict[str, Any]:
    """Who sits elsewhere, and the figures of the whole event now and then."""
    people, again = people_of(tournament), replanned(tournament)
    figures = (certificate_of(plan, people).quality for plan in (again.before, again.after))
    return {
        "is_needed": draw_is_out_of_date(tournament),
        "first": again.sessions[0],
        "tables": (len(again.before[-1]), len(again.after[-1])),
        "compared": compared(again.before, again.after, people),
        "figures": quality_rows(*figures),
        "seen": fingerprint(again.after),
    }


@organiser_page
def plan_page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """GET: where to put the plan. POST of one: what it does, or what is wrong. POST with what was `seen`: take it."""
    if request.method != "POST":
        return show(request, "seating/plan", tournament, "draw", {"form": ListForm()})
    form, context = ListForm(request.POST, request.FILES), dict[str, Any]()
    if form.is_valid():
        content = form.content()
        try:
            plan = read_plan(content, list(tournament.players.all()))
            context = {"problems": [{"text": _line_sentence(problem)} for problem in plan.problems]}
            if not plan.problems:
                if "seen" in request.POST:
                    return _take_plan(request, tournament, plan.tables())
                context |= _plan_effect(tournament, plan.tables())
        except Refused as refused:
            add_problems(form, [p.at("file") for p in refused.problems])
    wrong = form.errors or context.get("problems")
    return show(
        request,
        "seating/plan",
        tournament,
        "draw",
        {"form": form} | context,
        status=UNPROCESSABLE if wrong else 200,
    )


def _take_plan(request: HttpRequest, tournament: Tournament, sessions: PlannedSessions) -> HttpResponse:
    take_plan(tournament, actor_of(request), sessions, seen=request.POST["seen"])
    messages.success(request, _("The seats are those of the plan."))
    return redirect("organiser_draw", tournament.slug)


def _plan_effect(tournament: Tournament, sessions: PlannedSessions) -> dict[str, Any]:
    """The plan with names, its figures beside those of the seats there are, who moves, and the plan to send back."""
    people, again = people_of(tournament), planned(tournament, sessions)
    then = certificate_of(again.after, people)
    now = [certificate_of(again.before, people).quality] if again.before else []
    return {
        "sessions": [
            (n, tables) for n, tables in enumerate(named(again.after, people), 1) if n in again.sessions
        ],
        "certificate": then,
        "figures": quality_rows(*now, then.quality),
        "compared": compared(again.before, again.after, people) if again.before else None,
        "sent": write_plan(again.after),
        "seen": fingerprint(again.after),
    }


def _line_sentence(problem: Problem) -> str:
    """The sentence, after the line that it is about."""
    text = sentence(problem)
    line = problem.where.removeprefix("line ")
    return _("Line %(n)s: %(sentence)s") % {"n": line, "sentence": text} if problem.where else text


@require_safe
@organiser_page
def plan_download(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The seats as they are, in the format that can be read again."""
    answer = HttpResponse(write_plan(seats_of_all(tournament)), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="seats-{tournament.slug}.csv"'
    return answer


@organiser_page
def wrong_seats_page(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """`?one=&other=` shows the effect, a POST of the same with what was `seen` does it."""
    session = get_object_or_404(tournament.sessions, number=number)
    given = request.POST or (request.GET if "other" in request.GET else None)
    form = WrongSeatsForm(session, given, initial={"one": request.GET.get("one")})
    last = last_correction(session)
    context: dict[str, Any] = {
        "form": form,
        "session": session,
        "is_running": session.state == Session.State.RUNNING,
        "undoable": log_words(tournament).sentence(last) if last else "",
    }
    if form.is_valid():
        one, other = form.cleaned_data["one"], form.cleaned_data["other"]
        try:
            if request.method == "POST":
                correct_seats(session, actor_of(request), one, other, seen=request.POST.get("seen", ""))
                messages.success(request, _("The names are mended; the hands stayed with the seats."))
                return redirect("organiser_session", tournament.slug, number)
            context |= _correction_effect(session, one, other)
        except Refused as refused:
            add_problems(form, refused)
    status = UNPROCESSABLE if form.errors else 200
    return show(request, "seating/wrong_seats", tournament, "session", context, status=status)


@require_POST
@organiser_page
def wrong_seats_undo(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """The newest correction of the session's seats is taken back."""
    session = get_object_or_404(tournament.sessions, number=number)
    done = _("The names are as they were before.")
    return press(
        request,
        lambda: undo_correction(session, actor_of(request)),
        done,
        "organiser_session",
        tournament.slug,
        number,
    )


def _correction_effect(session: Session, one: int, other: int) -> dict[str, Any]:
    """For each of the two the seat and the score by the record, and those that become theirs."""
    seats = seats_with(session, one, other) if one != other else None
    if seats is None:
        return {}
    pairs: list[tuple[Seat, Seat]] = [(seats[0], seats[1]), (seats[1], seats[0])]
    return {"changes": pairs, "seen": state_of(tables_with(session, one, other))}
