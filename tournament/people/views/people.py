"""The people of an event: who of the players is known from others, who may be, and who is new."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from tournament.base.errors import Refused
from tournament.base.models.people import Person
from tournament.base.models.tournament import Tournament
from tournament.people.selectors.known_people import newest_linking, people_of_event, visible_people
from tournament.people.services.people import link_several, refuse_person, undo_linking, unlink_player
from tournament.people.texts.persons import person_slug, proposed_lines
from tournament.web.views.common import actor_of, tell_refusal
from tournament.web.views.frame import UNPROCESSABLE, organiser_page, press, show

NEW, NOT_NOW = "new", ""


@organiser_page
def page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Each player with what is proposed; a POST takes all that was chosen, `player-<number>` for each."""
    status = 200
    if request.method == "POST":
        try:
            done = link_several(tournament, actor_of(request), _chosen(request))
        except Refused as refused:
            tell_refusal(request, refused)
            status = UNPROCESSABLE
        else:
            said = ngettext("%(n)s player is known now.", "%(n)s players are known now.", len(done))
            messages.success(request, said % {"n": len(done)})
            return redirect("organiser_people", tournament.slug)
    people = people_of_event(tournament, actor_of(request))
    context = {
        "proposed": [(one.player, proposed_lines(one.proposals)) for one in people if one.proposals],
        "unknown": [one.player for one in people if one.player.person is None and not one.proposals],
        "linked": [
            (one.player, one.player.person, person_slug(one.player.person))
            for one in people
            if one.player.person
        ],
        "undoes": newest_linking(tournament),
    }
    return show(request, "people/people", tournament, "people", context, status=status)


def _chosen(request: HttpRequest) -> dict[int, int | None]:
    """Number → person's key, None for somebody new; who was not said is left out."""
    found: dict[int, int | None] = {}
    for name, value in request.POST.items():
        number = name.removeprefix("player-")
        if number == name or not (number.isdecimal() and len(number) < 6):
            continue
        if value == NEW:
            found[int(number)] = None
        elif isinstance(value, str) and value.isdecimal() and len(value) < 10:
            found[int(number)] = int(value)
    return found


@organiser_page
@require_POST
def undo(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    return press(
        request,
        lambda: undo_linking(tournament, actor_of(request)),
        _("It is taken back."),
        "organiser_people",
        tournament.slug,
    )


@organiser_page
@require_POST
def not_them(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """`person`: the one who it is not. Linked, the link goes; proposed, they are not proposed again."""
    player = get_object_or_404(tournament.players.select_related("person"), number=number)
    if player.person is not None:
        return press(
            request,
            lambda: unlink_player(player, actor_of(request)),
            _("It is not said any more who this is."),
            "organiser_people",
            tournament.slug,
        )
    key = request.POST.get("person", "")
    people: dict[str, int] = {"pk": int(key) if key.isdecimal() and len(key) < 10 else 0}
    person: Person = get_object_or_404(visible_people(actor_of(request)), **people)
    return press(
        request,
        lambda: refuse_person(player, actor_of(request), person),
        _("They are not proposed again."),
        "organiser_people",
        tournament.slug,
    )
