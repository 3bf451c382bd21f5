"""Pages of players: the list, and adding, editing, withdrawing and deleting one."""

from collections.abc import Callable, Sequence

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournament.base.access import Actor, Right
from tournament.base.countries import country_names
from tournament.base.errors import Refused
from tournament.base.models.people import Player
from tournament.base.models.tournament import Tournament
from tournament.base.problems import sentence
from tournament.people.selectors import censured_lines, count_players_with_proposals, proposals_for_player
from tournament.people.texts import proposed_lines
from tournament.players.exports.lists import PLAYERS
from tournament.players.forms import PlayerForm
from tournament.players.selectors.players import newest_list_entry, player_counts, removal_blocker
from tournament.players.services.players import (
    add_player,
    add_substitutes,
    delete_player,
    edit_player,
    readmit_player,
    replace_player,
    withdraw_player,
)
from tournament.web.exports.lists import Reader
from tournament.web.lists import list_page
from tournament.web.selectors import matches_search
from tournament.web.views import (
    UNPROCESSABLE,
    actor_of,
    add_refusal_messages,
    organiser_page,
    page_for,
    render_page,
    run_and_redirect,
)


@page_for(Right.READ, Right.ADMIT, Right.CASH)
@require_safe
def listing(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """List players, filtered by `?q=`."""
    query = request.GET.get("q", "").strip()
    players = [player for player in tournament.players.all() if matches_search(player, query)]
    context = {
        "list": list_page(request, PLAYERS, Reader.of(tournament, actor_of(request)), players),
        "query": query,
        "roll": player_counts(tournament),
        "undoable": newest_list_entry(tournament) is not None,
        "may_be_known": count_players_with_proposals(tournament, actor_of(request)),
        "censured": _censured(request, tournament, players),
    }
    return render_page(request, "players/players", tournament, "players", context)


def _censured(
    request: HttpRequest, tournament: Tournament, players: Sequence[Player]
) -> list[tuple[str, str, list[str]]]:
    def url_of(player: Player) -> str:
        return reverse("organiser_player", args=[tournament.slug, player.number])

    return censured_lines(players, url_of, actor_of(request), tournament)


@organiser_page
def new(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Enter one player by hand."""
    form = PlayerForm(request.POST or None, instance=Player(tournament=tournament))
    entered = _write(
        request,
        form,
        lambda player, actor: add_player(
            player, actor, is_another_person=form.cleaned_data["is_another_person"]
        ),
    )
    if entered is None:
        return _form(request, tournament, form, None)
    messages.success(
        request, _("%(name)s is entered, with number %(n)s.") % {"name": entered.name, "n": entered.number}
    )
    if "another" in request.POST:
        return redirect("organiser_player_new", tournament.slug)
    if proposals_for_player(entered, actor_of(request)) or _censured(request, tournament, [entered]):
        return redirect("organiser_player", tournament.slug, entered.number)
    return redirect("organiser_players", tournament.slug)


@organiser_page
def edit(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    player = get_object_or_404(tournament.players, number=number)
    form = PlayerForm(request.POST or None, instance=player)
    changed = _write(request, form, edit_player)
    if changed is None:
        player.refresh_from_db()
        return _form(request, tournament, form, player)
    messages.success(request, _("%(name)s is saved.") % {"name": changed.name})
    return redirect("organiser_players", tournament.slug)


@organiser_page
@require_POST
def withdraw(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Withdraw a player; with `stand_in`, put that person on their seats."""
    player = get_object_or_404(tournament.players, number=number)
    if "stand_in" in request.POST:
        return _replace(request, player, request.POST["stand_in"].strip())
    done = _("%(name)s has withdrawn.") % {"name": player.name}
    return run_and_redirect(
        request,
        lambda: withdraw_player(player, actor_of(request)),
        done,
        "organiser_players",
        tournament.slug,
    )


def _replace(request: HttpRequest, player: Player, stand_in: str) -> HttpResponse:
    done = _("%(name)s has withdrawn, and %(stand_in)s plays in their seats.")
    return run_and_redirect(
        request,
        lambda: replace_player(player, actor_of(request), stand_in),
        done % {"name": player.name, "stand_in": stand_in},
        "organiser_player",
        player.tournament.slug,
        player.number,
    )


@organiser_page
@require_POST
def readmit(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    player = get_object_or_404(tournament.players, number=number)
    done = _("%(name)s plays again.") % {"name": player.name}
    return run_and_redirect(
        request, lambda: readmit_player(player, actor_of(request)), done, "organiser_players", tournament.slug
    )


@organiser_page
@require_POST
def delete(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Delete a player, or show on their page why it is not possible."""
    player = get_object_or_404(tournament.players, number=number)
    try:
        delete_player(player, actor_of(request))
    except Refused as refused:
        add_refusal_messages(request, refused)
        return redirect("organiser_player", tournament.slug, number)
    messages.success(request, _("%(name)s has been deleted.") % {"name": player.name})
    return redirect("organiser_players", tournament.slug)


@organiser_page
@require_POST
def substitutes(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Add as many substitutes as fill the tables."""
    drawn = player_counts(tournament).is_out_of_date
    return run_and_redirect(
        request,
        lambda: add_substitutes(tournament, actor_of(request), _("Substitute")),
        _("All tables can be filled now."),
        "organiser_replan" if drawn else "organiser_players",
        tournament.slug,
    )


def _write(
    request: HttpRequest, form: PlayerForm, service: Callable[[Player, Actor], Player]
) -> Player | None:
    """Call the service with a valid form; return the player, or None with the problems in the form."""
    if request.method != "POST" or not form.is_valid():
        return None
    try:
        return service(form.instance, actor_of(request))
    except Refused as refused:
        form.add_problems(refused.problems)
        return None


def _form(
    request: HttpRequest, tournament: Tournament, form: PlayerForm, player: Player | None
) -> HttpResponse:
    context = {
        "form": form,
        "player": player,
        "proposed": proposed_lines(proposals_for_player(player, actor_of(request))) if player else (),
        "countries": country_names(),
        "censured": _censured(request, tournament, [player]) if player else [],
        "blocker": sentence(blocker) if player and (blocker := removal_blocker(player)) else "",
    }
    status = UNPROCESSABLE if request.method == "POST" else 200
    return render_page(request, "players/player", tournament, "players", context, status=status)
