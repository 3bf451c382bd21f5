"""Drawing the seats, their certificate, the draw for everybody, and the finals."""

import shlex
from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tournament.base.access import Audience
from tournament.base.errors import Refused
from tournament.base.models.people import LEFT, Player
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import version_for
from tournament.play.selectors.public import seating_chart
from tournament.players.selectors.players import roll_of
from tournament.seating.engine.draw import DrawInputs
from tournament.seating.engine.plans import Plan, fingerprint
from tournament.seating.forms import DrawForm, FinalsForm, proposed_seed
from tournament.seating.selectors.changes import planned_final, seat_answers
from tournament.seating.selectors.draws import (
    Certificate,
    certificate,
    certificate_of,
    compared,
    draw_inputs,
    drawn,
    inputs_behind,
    last_for_everybody,
    may_have_finals,
    named,
    origin_of,
    people_of,
    places_with,
    plan_of,
    quality_rows,
    reseating_to_undo,
    seated_alone,
)
from tournament.seating.services.seatings import draw_seats, set_up_final
from tournament.seating.texts import HOW_SEATED
from tournament.web.forms import add_problems
from tournament.web.selectors import log_words
from tournament.web.views import (
    UNPROCESSABLE,
    actor_of,
    organiser_page,
    render_part,
    render_shared,
    show,
    tournament_html,
    tournament_page,
)


@organiser_page
def draw_page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The draw as it is, `?by=table` (as usual) or `?by=player`; until a session has begun it can be drawn anew."""
    form = DrawForm(
        tournament, request.POST or None, initial={"seed": proposed_seed()} | _last_wishes(tournament)
    )
    if request.method == "POST" and form.is_valid():
        seed, seen = form.cleaned_data["seed"], request.POST.get("seen", "")
        try:
            draw_seats(tournament, actor_of(request), seed=seed, wish=form.wanted(), seen=seen)
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, _("The seats are drawn."))
            return redirect("organiser_draw", tournament.slug)
    stored = seating_chart(tournament)
    states = [seats.session.state for seats in stored.sessions]
    context = {
        "form": form,
        "drawn": stored,
        "certificate": certificate(tournament),
        "roll": roll_of(tournament),
        "by_player": request.GET.get("by") == "player",
        "can_swap": Session.State.PLANNED in states,
        "can_have_finals": may_have_finals(tournament),
        "undoable": _undoable(tournament),
        "has_begun": any(state != Session.State.PLANNED for state in states),
    }
    return show(
        request, "seating/draw", tournament, "draw", context, status=UNPROCESSABLE if form.errors else 200
    )


def _last_wishes(tournament: Tournament) -> dict[str, Any]:
    """What the last draw was asked for, to start the next from."""
    if not (last := inputs_behind(tournament)):
        return {}
    here = tournament.players.exclude(LEFT)
    last = last.for_players([player.number for player in here])
    return {
        "seed": last.seed,
        "sessions": last.sessions if last.sessions < tournament.sessions_planned else "",
        "teams": last.teams_first,
        "clubs": bool(last.clubs),
        "countries": bool(last.countries),
        "forbidden": ", ".join(f"{one}-{other}" for one, other in last.forbidden),
        "stay": ", ".join(f"{player}:{table}" for player, table in last.stay.items()),
    }


def _undoable(tournament: Tournament) -> str:
    """The change of seats that can be taken back, in the words of the log; "" when there is none."""
    last = reseating_to_undo(tournament)
    return log_words(tournament).sentence(last) if last else ""


@organiser_page
def draw_preview(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """A draw before anything is stored: `?seed=` and the wishes; `&other=` another seed to lay beside it."""
    given = request.GET if "seed" in request.GET else None
    form = DrawForm(tournament, given, initial={"seed": proposed_seed()} | _last_wishes(tournament))
    context: dict[str, Any] = {"form": form, "another": proposed_seed(), "roll": roll_of(tournament)}
    if form.is_valid():
        try:
            context |= _preview(tournament, form, request.GET.get("other", "").strip()[:80])
        except Refused as refused:
            add_problems(form, refused)
    status = UNPROCESSABLE if form.errors else 200
    return show(request, "seating/draw_preview", tournament, "draw", context, status=status)


def _preview(tournament: Tournament, form: DrawForm, other: str) -> dict[str, Any]:
    """The draw with its certificate; beside it the other seed's, or the seats that are stored."""
    people = people_of(tournament)
    all_inputs = [
        draw_inputs(tournament, seed, form.wanted()) for seed in (form.cleaned_data["seed"], other) if seed
    ]
    draws = [drawn(inputs) for inputs in all_inputs]
    plan, quality = draws[0].sessions, certificate_of(draws[0].sessions, people)
    stored = plan_of(seating_chart(tournament))
    beside = draws[1].sessions if other else stored
    context: dict[str, Any] = {
        "draws": [{"seed": draw.seed, "seen": fingerprint(draw.sessions)} for draw in draws],
        "inputs": all_inputs[0],
        "certificate": quality,
        "sessions": named(plan, people),
        "other": other,
    }
    if beside:
        figures = quality_rows(quality.quality, certificate_of(beside, people).quality)
        context |= {"figures": figures, "compared": compared(plan, beside, people)}
    return context


_WAYS = ("player", "table")


@tournament_page
def draw_page_public(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """Show the draw, `?by=player` (as usual) or `?by=table`.

    `?q=` keeps the players it fits and their tables, and answers for a few of them where they sit next.
    """
    by = request.GET.get("by", "")
    choice = {"by": by if by in _WAYS else _WAYS[0], "wanted": request.GET.get("q", "").strip()}

    def context() -> dict[str, Any]:
        draw = seating_chart(tournament, choice["wanted"])
        return choice | {
            "draw": draw,
            "answers": seat_answers(tournament, draw.players) if choice["wanted"] else (),
            "has_players": tournament.players.exists(),
        }

    if choice["wanted"]:
        content = render_part(tournament, audience, "seating/_draw.html", context)
    else:
        content = render_shared(tournament, audience, "seating/_draw.html", context, choice["by"])
    return tournament_html(request, "seating/draw_public", tournament, audience, {"content": content})


@tournament_page
def certificate_page(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """Show what the draw came from, what it achieves, and how anybody can draw it again. Before the draw it says so."""

    def context() -> dict[str, Any]:
        stored = seating_chart(tournament)
        people = people_of(tournament)
        plan = plan_of(stored)
        alone = seated_alone(tournament, audience, plan)
        origin = origin_of(tournament, stored, [seated.session for seated in alone])
        return {
            "certificate": _achieved(tournament, plan, people) if stored else None,
            "origin": origin,
            "alone": [(seated, HOW_SEATED[seated.how]) for seated in alone],
            "command": _command(tournament, origin.inputs) if origin else "",
        }

    content = render_shared(tournament, audience, "seating/_certificate_public.html", context)
    return tournament_html(request, "seating/certificate", tournament, audience, {"content": content})


@tournament_page
def certificate_download(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """For programs: the shape `manage.py draw` prints, with what it was drawn from. 404 before the draw."""
    stored = seating_chart(tournament)
    if not stored:
        raise Http404
    plan = plan_of(stored)
    alone = seated_alone(tournament, audience, plan)
    origin = origin_of(tournament, stored, [seated.session for seated in alone])
    quality = _achieved(tournament, plan, people_of(tournament)).quality
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
                "session": seated.session,
                "how": seated.how,
                "inputs": seated.inputs.to_json() if seated.inputs else None,
            }
            for seated in alone
        ],
        "fingerprint": origin.fingerprint if origin else None,
    }
    answer = JsonResponse(data, json_dumps_params={"ensure_ascii": False})
    answer["Content-Disposition"] = f'attachment; filename="{_file_name(tournament)}"'
    return answer


def _achieved(tournament: Tournament, plan: Plan, people: Mapping[int, Player]) -> Certificate:
    """The certificate of the sessions for everybody: in a final the same players meet by design."""
    return certificate_of(plan[: last_for_everybody(tournament)], people)


def _command(tournament: Tournament, inputs: DrawInputs) -> str:
    """The command line that draws the same again."""
    if not inputs.is_plain:
        return f"python manage.py draw --check {_file_name(tournament)}"
    seed = shlex.quote(inputs.seed)
    return f"python manage.py draw --players {len(inputs.players)} --sessions {inputs.sessions} --seed {seed}"


def _file_name(tournament: Tournament) -> str:
    return f"draw-{tournament.slug}.json"


@organiser_page
def finals_page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """`?size=&carry=&sessions=&seed=` shows the final as it would be; a POST with what was `seen` takes it."""
    given = request.POST or (request.GET if "size" in request.GET else None)
    left = tournament.sessions.filter(state=Session.State.PLANNED).count()
    initial = {"size": "16", "carry": "full", "sessions": left or 1, "seed": proposed_seed()}
    form = FinalsForm(tournament.players.exclude(LEFT), given, initial=initial)
    context: dict[str, Any] = {"form": form}
    if form.is_valid():
        try:
            if "seen" in request.POST:
                return _set_up(request, tournament, form)
            context |= _final_effect(tournament, form)
        except Refused as refused:
            add_problems(form, refused)
    status = UNPROCESSABLE if form.errors else 200
    return show(request, "seating/finals", tournament, "draw", context, status=status)


def _set_up(request: HttpRequest, tournament: Tournament, form: FinalsForm) -> HttpResponse:
    set_up_final(tournament, actor_of(request), form.wish(), seen=request.POST["seen"])
    messages.success(request, _("The final is set up."))
    return redirect("organiser_draw", tournament.slug)


def _final_effect(tournament: Tournament, form: FinalsForm) -> dict[str, Any]:
    """Who goes on, from which place and in which group, which place everybody else has, and where they sit."""
    people, final = people_of(tournament), planned_final(tournament, form.wish())
    tied = [people[number] for number in final.tied]
    form.offer(tied)
    seats = named(final.again.after, people)
    drawn = tournament.sessions.filter(number__in=final.again.sessions, tables__isnull=False)
    return {
        "cut": final.cut,
        "places": [(people[place.now.number], place) for place in places_with(tournament, final.cut)],
        "tied": tied,
        "sessions": [(number, seats[number - 1]) for number in final.sessions],
        "replaced": sorted(set(drawn.values_list("number", flat=True))),
        "emptied": final.again.sessions[len(final.sessions) :],
        "seen": fingerprint(final.again.after),
    }
