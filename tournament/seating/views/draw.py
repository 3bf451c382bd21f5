"""Pages of the draw: drawing, its preview, the draw and its certificate for everybody, and finals."""

import shlex
from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournament.base.engine.finals import Carry
from tournament.base.engine.notices import Audience
from tournament.base.errors import Refused
from tournament.base.models.people import HAS_LEFT, Player
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import version_for
from tournament.play.selectors.public import seating_chart
from tournament.players.selectors.players import player_counts
from tournament.ranking.engine.finals import SIZES
from tournament.registration.selectors.plan import closes_at_draw
from tournament.seating.engine.draw import DrawInputs
from tournament.seating.engine.plans import Plan, fingerprint
from tournament.seating.forms import DrawForm, FinalsForm, random_seed
from tournament.seating.selectors.changes import seat_answers
from tournament.seating.selectors.draws import (
    Certificate,
    compare_plans,
    draw_certificate,
    draw_inputs,
    draw_origin,
    last_draw_inputs,
    last_session_before_finals,
    plan_certificate,
    plan_from_chart,
    players_by_number,
    quality_rows,
    run_draw,
    single_sessions,
    undoable_plan_change,
    with_players,
)
from tournament.seating.selectors.finals import (
    can_set_up_final,
    coming_final,
    final_placements,
    finalist_change,
    preview_final,
)
from tournament.seating.services.seatings import confirm_finalists, draw_seats, set_up_final
from tournament.seating.texts import HOW_SEATED
from tournament.web.forms import add_problems
from tournament.web.selectors import log_words
from tournament.web.views import (
    UNPROCESSABLE,
    actor_of,
    organiser_page,
    render_page,
    render_part,
    render_shared,
    run_and_redirect,
    tournament_html,
    tournament_page,
)


@organiser_page
def draw_page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the stored draw, `?by=table` (default) or `?by=player`; a POST draws, until a session has begun."""
    form = DrawForm(
        tournament, request.POST or None, initial={"seed": random_seed()} | _initial_options(tournament)
    )
    if request.method == "POST" and form.is_valid():
        seed, seen = form.cleaned_data["seed"], request.POST.get("seen", "")
        try:
            draw_seats(tournament, actor_of(request), seed=seed, options=form.to_options(), seen=seen)
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, _("The seats are drawn."))
            return redirect("organiser_draw", tournament.slug)
    chart = seating_chart(tournament)
    planned = [seats for seats in chart.sessions if seats.session.state == Session.State.PLANNED]
    context = {
        "form": form,
        "chart": chart,
        "certificate": draw_certificate(tournament),
        "roll": player_counts(tournament),
        "drawn": [seats.session.number for seats in chart.sessions if seats.tables],
        "next_session": planned[0].session.number if planned else None,
        "by_player": request.GET.get("by") == "player",
        "can_swap": any(seats.tables for seats in planned),
        "can_have_finals": can_set_up_final(tournament),
        "finalist_change": finalist_change(tournament),
        "undoable": _undoable(tournament),
        "closes_registration": closes_at_draw(tournament),
        "has_begun": len(planned) < len(chart.sessions),
    }
    return render_page(
        request, "seating/draw", tournament, "draw", context, status=UNPROCESSABLE if form.errors else 200
    )


def _initial_options(tournament: Tournament) -> dict[str, Any]:
    """Return the options of the last draw as initial values of the form."""
    if not (last := last_draw_inputs(tournament)):
        return {}
    present = tournament.players.exclude(HAS_LEFT)
    last = last.for_players([player.number for player in present])
    return {
        "seed": last.seed,
        "sessions": last.sessions if last.sessions < tournament.sessions_planned else "",
        "teams": last.teams_first,
        "clubs": bool(last.clubs),
        "countries": bool(last.countries),
        "forbidden": ", ".join(f"{a}-{b}" for a, b in last.forbidden),
        "stay": ", ".join(f"{player}:{table}" for player, table in last.stay.items()),
    }


def _undoable(tournament: Tournament) -> str:
    """Return the change of seats that can be undone as the log's sentence; "" when there is none."""
    last = undoable_plan_change(tournament)
    return log_words(tournament).sentence(last) if last else ""


@organiser_page
def draw_preview(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show a draw that is not stored: `?seed=` and its options; `&other=` another seed to compare with."""
    data = request.GET if "seed" in request.GET else None
    form = DrawForm(tournament, data, initial={"seed": random_seed()} | _initial_options(tournament))
    context: dict[str, Any] = {
        "form": form,
        "another": random_seed(),
        "roll": player_counts(tournament),
        "closes_registration": closes_at_draw(tournament),
    }
    if form.is_valid():
        try:
            context |= _preview(tournament, form, request.GET.get("other", "").strip()[:80])
        except Refused as refused:
            add_problems(form, refused)
    status = UNPROCESSABLE if form.errors else 200
    return render_page(request, "seating/draw_preview", tournament, "draw", context, status=status)


def _preview(tournament: Tournament, form: DrawForm, other: str) -> dict[str, Any]:
    """Draw, and compare with the draw of the other seed, or else with the stored seats."""
    players = players_by_number(tournament)
    all_inputs = [
        draw_inputs(tournament, seed, form.to_options())
        for seed in (form.cleaned_data["seed"], other)
        if seed
    ]
    draws = [run_draw(inputs) for inputs in all_inputs]
    plan, certificate = draws[0].sessions, plan_certificate(draws[0].sessions, players)
    stored = plan_from_chart(seating_chart(tournament))
    compared_plan = draws[1].sessions if other else stored
    context: dict[str, Any] = {
        "draws": [{"seed": draw.seed, "seen": fingerprint(draw.sessions)} for draw in draws],
        "inputs": all_inputs[0],
        "certificate": certificate,
        "sessions": with_players(plan, players),
        "other": other,
    }
    if compared_plan:
        figures = quality_rows(certificate.quality, plan_certificate(compared_plan, players).quality)
        context |= {"figures": figures, "compared": compare_plans(plan, compared_plan, players)}
    return context


_GROUPINGS = ("player", "table")


@tournament_page
def draw_page_public(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """Show the draw, `?by=player` (default) or `?by=table`.

    `?q=` keeps matching players and their tables; for a few players it answers where they sit next.
    """
    by = request.GET.get("by", "")
    choice = {"by": by if by in _GROUPINGS else _GROUPINGS[0], "query": request.GET.get("q", "").strip()}

    def context() -> dict[str, Any]:
        draw = seating_chart(tournament, choice["query"])
        return choice | {
            "draw": draw,
            "answers": seat_answers(tournament, draw.players) if choice["query"] else (),
            "has_players": tournament.players.exists(),
        }

    if choice["query"]:
        content = render_part(tournament, audience, "seating/_draw.html", context)
    else:
        content = render_shared(tournament, audience, "seating/_draw.html", context, choice["by"])
    return tournament_html(request, "seating/draw_public", tournament, audience, {"content": content})


@tournament_page
def certificate_page(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """Show the inputs of the draw, its quality, and how anybody can draw it again; before the draw an empty page."""

    def context() -> dict[str, Any]:
        chart = seating_chart(tournament)
        players = players_by_number(tournament)
        plan = plan_from_chart(chart)
        single = single_sessions(tournament, audience, plan)
        origin = draw_origin(tournament, chart, [session.number for session in single])
        return {
            "certificate": _certificate_without_finals(tournament, plan, players) if chart else None,
            "origin": origin,
            "single_sessions": [(session, HOW_SEATED[session.method]) for session in single],
            "command": _command(tournament, origin.inputs) if origin else "",
        }

    content = render_shared(tournament, audience, "seating/_certificate_public.html", context)
    return tournament_html(request, "seating/certificate", tournament, audience, {"content": content})


@tournament_page
def certificate_download(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """Return the draw as `manage.py draw` prints it, with its inputs; 404 before the draw."""
    chart = seating_chart(tournament)
    if not chart:
        raise Http404
    plan = plan_from_chart(chart)
    single = single_sessions(tournament, audience, plan)
    origin = draw_origin(tournament, chart, [session.number for session in single])
    quality = _certificate_without_finals(tournament, plan, players_by_number(tournament)).quality
    data = {
        "tournament": tournament.slug,
        "version": version_for(audience, tournament),
        "players": len({number for session in plan for table in session for number in table.values()}),
        "seed": origin.inputs.seed if origin else "",
        "sessions": [{"tables": session} for session in plan],
        "quality": quality.to_json(),
        "inputs": origin.inputs.to_json() if origin else None,
        "as_drawn": origin.is_as_drawn if origin else None,
        "seated_alone": [
            {
                "session": session.number,
                "how": session.method,
                "inputs": session.inputs.to_json() if session.inputs else None,
            }
            for session in single
        ],
        "fingerprint": origin.fingerprint if origin else None,
    }
    response = JsonResponse(data, json_dumps_params={"ensure_ascii": False})
    response["Content-Disposition"] = f'attachment; filename="{_file_name(tournament)}"'
    return response


def _certificate_without_finals(
    tournament: Tournament, plan: Plan, players: Mapping[int, Player]
) -> Certificate:
    """Return the certificate without the sessions of finals, where the same players meet by design."""
    return plan_certificate(plan[: last_session_before_finals(tournament)], players)


def _command(tournament: Tournament, inputs: DrawInputs) -> str:
    """Return the command line that draws the same again."""
    if not inputs.is_plain:
        return f"python manage.py draw --check {_file_name(tournament)}"
    seed = shlex.quote(inputs.seed)
    return f"python manage.py draw --players {len(inputs.players)} --sessions {inputs.sessions} --seed {seed}"


def _file_name(tournament: Tournament) -> str:
    return f"draw-{tournament.slug}.json"


@organiser_page
def finals_page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Preview the final of `?size=&carry=&sessions=&seed=`; a POST with the fingerprint `seen` sets it up."""
    data = request.POST or (request.GET if "size" in request.GET else None)
    players = tournament.players.exclude(HAS_LEFT)
    form = FinalsForm(players, data, initial=_initial_final(tournament))
    context: dict[str, Any] = {"form": form, "finalist_change": finalist_change(tournament)}
    if form.is_valid():
        try:
            if "seen" in request.POST:
                return _set_up_final(request, tournament, form)
            context |= _final_effect(tournament, form)
        except Refused as refused:
            add_problems(form, refused)
    status = UNPROCESSABLE if form.errors else 200
    return render_page(request, "seating/finals", tournament, "draw", context, status=status)


def _initial_final(tournament: Tournament) -> dict[str, Any]:
    """Return initial values: those of the final that is set up, or a usual final for the number of players."""
    planned = tournament.sessions.filter(state=Session.State.PLANNED)
    initial = {"seed": random_seed(), "carry": Carry.FULL.value, "sessions": planned.count() or 1}
    if (final := coming_final(tournament)) is not None:
        shape, seated = (len(final.numbers), len(final.groups[0])), planned.filter(tables__isnull=False)
        return initial | {
            "size": next((size for size, numbers in SIZES.items() if numbers == shape), "4"),
            "carry": final.carry,
            "sessions": seated.distinct().count() or 1,
            "replace": True,
        }
    ranked = tournament.players.exclude(HAS_LEFT).filter(is_substitute=False).count()
    return initial | {"size": next((size for size in ("16", "8") if int(size) <= ranked), "4")}


@organiser_page
@require_POST
def finalists_confirm(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Keep the finalists although others would qualify."""
    return run_and_redirect(
        request,
        lambda: confirm_finalists(tournament, actor_of(request), seen=request.POST.get("seen", "")),
        _("The finalists stay."),
        "organiser_board",
        tournament.slug,
    )


def _set_up_final(request: HttpRequest, tournament: Tournament, form: FinalsForm) -> HttpResponse:
    set_up_final(tournament, actor_of(request), form.to_options(), seen=request.POST["seen"])
    messages.success(request, _("The final is set up."))
    return redirect("organiser_draw", tournament.slug)


def _final_effect(tournament: Tournament, form: FinalsForm) -> dict[str, Any]:
    """Return the players' placements and the seats of the final; limits the form to the players who tie."""
    players, final = players_by_number(tournament), preview_final(tournament, form.to_options())
    tied = [players[number] for number in final.tied]
    form.limit_first_to(tied)
    seats = with_players(final.change.after, players)
    seated_sessions = tournament.sessions.filter(number__in=final.change.sessions, tables__isnull=False)
    return {
        "cut": final.cut,
        "places": [
            (players[place.before.number], place) for place in final_placements(tournament, final.cut)
        ],
        "tied": tied,
        "sessions": [(number, seats[number - 1]) for number in final.sessions],
        "replaced": sorted(set(seated_sessions.values_list("number", flat=True))),
        "emptied": final.change.sessions[len(final.sessions) :],
        "seen": fingerprint(final.change.after),
    }
