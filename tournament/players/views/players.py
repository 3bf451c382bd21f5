"""Buttons of a player's page: withdraw, play again, delete; and substitutes for full tables."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournament.base.errors import Refused
from tournament.base.models.people import Player
from tournament.base.models.tournament import Tournament
from tournament.players.selectors.players import player_counts
from tournament.players.services.players import (
    add_substitutes,
    delete_player,
    reinstate_player,
    replace_player,
    withdraw_player,
)
from tournament.web.views import (
    actor_of,
    add_refusal_messages,
    organiser_page,
    person_url,
    run_and_redirect,
)


@organiser_page
@require_POST
def withdraw(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Withdraw a player; with `stand_in`, put that person on their seats."""
    player, stand_in = get_object_or_404(tournament.players, number=number), request.POST.get("stand_in")
    where = person_url(request, tournament, player.roster_key)
    return withdraw_and_redirect(request, player, None if stand_in is None else stand_in.strip(), where)


def withdraw_and_redirect(
    request: HttpRequest, player: Player, stand_in: str | None, to: str, *args: Any
) -> HttpResponse:
    """Withdraw a player, whose seats `stand_in` takes unless it is None; redirect with a message."""
    actor = actor_of(request)
    if stand_in is None:
        done = _("%(name)s has withdrawn.") % {"name": player.name}
        return run_and_redirect(request, lambda: withdraw_player(player, actor), done, to, *args)
    done = _("%(name)s has withdrawn, and %(stand_in)s plays in their seats.")
    return run_and_redirect(
        request,
        lambda: replace_player(player, actor, stand_in),
        done % {"name": player.name, "stand_in": stand_in},
        to,
        *args,
    )


@organiser_page
@require_POST
def reinstate(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    player = get_object_or_404(tournament.players, number=number)
    done = _("%(name)s plays again.") % {"name": player.name}
    where = person_url(request, tournament, player.roster_key)
    return run_and_redirect(request, lambda: reinstate_player(player, actor_of(request)), done, where)


@organiser_page
@require_POST
def delete(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Delete a player, or show on their page why it is not possible."""
    player = get_object_or_404(tournament.players, number=number)
    try:
        delete_player(player, actor_of(request))
    except Refused as refused:
        add_refusal_messages(request, refused)
        return redirect(person_url(request, tournament, player.roster_key))
    messages.success(request, _("%(name)s has been deleted.") % {"name": player.name})
    return redirect("organiser_people", tournament.slug)


@organiser_page
@require_POST
def substitutes(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Add as many substitutes as fill the tables."""
    drawn = player_counts(tournament).is_out_of_date
    return run_and_redirect(
        request,
        lambda: add_substitutes(tournament, actor_of(request), _("Substitute")),
        _("All tables can be filled now."),
        "organiser_replan" if drawn else "organiser_people",
        tournament.slug,
    )
