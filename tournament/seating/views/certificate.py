"""The certificate of the draw: what it was drawn from, what it achieves, and how anybody can draw it again."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse

from tournament.base.access import Audience
from tournament.base.models.people import Player
from tournament.base.models.tournament import Tournament
from tournament.base.selectors.embargo import version_for
from tournament.play.selectors.public import seating_chart
from tournament.seating.engine import Inputs, Plan
from tournament.seating.selectors.certificate import Certificate
from tournament.seating.selectors.draws import certificate_of, origin_of, people_of, plan_of
from tournament.seating.selectors.finals import last_for_everybody
from tournament.seating.selectors.seatings import seated_alone
from tournament.seating.texts.log import HOW_SEATED
from tournament.web.views.frame_public import render_shared, tournament_html, tournament_page


@tournament_page
def page(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """For people. Before the draw it says so."""

    def context() -> dict[str, Any]:
        stored = seating_chart(tournament)
        people = people_of(tournament)
        plan = plan_of(stored)
        alone = seated_alone(tournament, audience, plan)
        origin = origin_of(tournament, stored, [one.session for one in alone])
        return {
            "certificate": _achieved(tournament, plan, people) if stored else None,
            "origin": origin,
            "alone": [(one, HOW_SEATED[one.how]) for one in alone],
            "command": _command(tournament, origin.inputs) if origin else "",
        }

    content = render_shared(tournament, audience, "seating/_certificate_public.html", context)
    return tournament_html(request, "seating/certificate", tournament, audience, {"content": content})


@tournament_page
def download(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """For programs: the shape `manage.py draw` prints, with what it was drawn from. 404 before the draw."""
    stored = seating_chart(tournament)
    if not stored:
        raise Http404
    plan = plan_of(stored)
    alone = seated_alone(tournament, audience, plan)
    origin = origin_of(tournament, stored, [one.session for one in alone])
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
            {"session": one.session, "how": one.how, "inputs": one.inputs.to_json() if one.inputs else None}
            for one in alone
        ],
        "fingerprint": origin.fingerprint if origin else None,
    }
    answer = JsonResponse(data, json_dumps_params={"ensure_ascii": False})
    answer["Content-Disposition"] = f'attachment; filename="{_file(tournament)}"'
    return answer


def _achieved(tournament: Tournament, plan: Plan, people: Mapping[int, Player]) -> Certificate:
    """The certificate of the sessions for everybody: in a final the same players meet by design."""
    return certificate_of(plan[: last_for_everybody(tournament)], people)


def _command(tournament: Tournament, inputs: Inputs) -> str:
    """The command line that draws the same again."""
    if not inputs.is_plain:
        return f"python manage.py draw --check {_file(tournament)}"
    seed = shlex.quote(inputs.seed)
    return f"python manage.py draw --players {len(inputs.players)} --sessions {inputs.sessions} --seed {seed}"


def _file(tournament: Tournament) -> str:
    return f"draw-{tournament.slug}.json"
