"""The players: the list of them, one by hand, and who has withdrawn."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournament.base.access import Right
from tournament.base.errors import Refused
from tournament.base.models.people import Player
from tournament.base.models.tournament import Tournament
from tournament.people.selectors import how_many_may_be_known, who_it_may_be
from tournament.people.texts import proposed_lines
from tournament.players.forms import PlayerForm
from tournament.players.selectors.check_in import awaited
from tournament.players.selectors.players import Entrant, newest_list, roll_of, what_keeps
from tournament.players.services.players import (
    add_player,
    add_substitutes,
    delete_player,
    edit_player,
    readmit_player,
    withdraw_player,
)
from tournament.web.exports.sheets import CONTENT_TYPE, CSV_TYPE, players_csv, players_sheet
from tournament.web.forms import add_problems
from tournament.web.selectors import fits
from tournament.web.texts import words
from tournament.web.texts.problems import sentence
from tournament.web.views import (
    UNPROCESSABLE,
    actor_of,
    organiser_page,
    page_for,
    press,
    show,
    tell_refusal,
)


@page_for(Right.READ, Right.ADMIT, Right.CASH)
@require_safe
def listing(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Everybody entered; `?q=` keeps those it fits."""
    wanted = request.GET.get("q", "").strip()
    people = [player for player in tournament.players.all() if fits(player, wanted)]
    context = {
        "people": people,
        "has_clubs": any(player.club for player in people),
        "wanted": wanted,
        "roll": roll_of(tournament),
        "undoable": newest_list(tournament) is not None,
        "may_be_known": how_many_may_be_known(tournament, actor_of(request)),
    }
    return show(request, "players/players", tournament, "players", context)


@organiser_page
@require_safe
def download(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Everybody who plays and is ranked, as an Excel sheet that can be imported again."""
    return _file(tournament, players_sheet(awaited(tournament)), CONTENT_TYPE, "xlsx")


@organiser_page
@require_safe
def download_csv(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The same as CSV."""
    return _file(tournament, players_csv(awaited(tournament)), CSV_TYPE, "csv")


def _file(tournament: Tournament, data: bytes, kind: str, ends: str) -> HttpResponse:
    name = f"{tournament.slug}-players.{ends}"
    return HttpResponse(
        data, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


@organiser_page
def new(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Enter one person by hand."""
    form = PlayerForm(tournament, request.POST or None)
    entered = _write(request, form, lambda entrant: add_player(tournament, actor_of(request), entrant))
    if entered is None:
        return _form(request, tournament, form, None)
    messages.success(
        request, _("%(name)s is entered, with number %(n)s.") % {"name": entered.name, "n": entered.number}
    )
    if "another" in request.POST:
        return redirect("organiser_player_new", tournament.slug)
    if who_it_may_be(entered, actor_of(request)):
        return redirect("organiser_player", tournament.slug, entered.number)
    return redirect("organiser_players", tournament.slug)


@organiser_page
def edit(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Change what is known of a player."""
    player = get_object_or_404(tournament.players, number=number)
    form = PlayerForm(tournament, request.POST or None, initial=PlayerForm.particulars_of(player))
    changed = _write(request, form, lambda entrant: edit_player(player, actor_of(request), entrant))
    if changed is None:
        player.refresh_from_db()
        return _form(request, tournament, form, player)
    messages.success(request, _("%(name)s is saved.") % {"name": changed.name})
    return redirect("organiser_players", tournament.slug)


@organiser_page
@require_POST
def withdraw(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    player = get_object_or_404(tournament.players, number=number)
    done = _("%(name)s has withdrawn.") % {"name": player.name}
    return press(
        request,
        lambda: withdraw_player(player, actor_of(request)),
        done,
        "organiser_players",
        tournament.slug,
    )


@organiser_page
@require_POST
def readmit(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    player = get_object_or_404(tournament.players, number=number)
    done = _("%(name)s plays again.") % {"name": player.name}
    return press(
        request, lambda: readmit_player(player, actor_of(request)), done, "organiser_players", tournament.slug
    )


@organiser_page
@require_POST
def delete(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Somebody entered by mistake is gone; who cannot be stays on their page, with the reason."""
    player = get_object_or_404(tournament.players, number=number)
    try:
        delete_player(player, actor_of(request))
    except Refused as refused:
        tell_refusal(request, refused)
        return redirect("organiser_player", tournament.slug, number)
    messages.success(request, _("%(name)s is deleted.") % {"name": player.name})
    return redirect("organiser_players", tournament.slug)


@organiser_page
@require_POST
def substitutes(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """As many as fill the tables; then the new plan, which gives them the seats of those who left."""
    drawn = roll_of(tournament).is_out_of_date
    return press(
        request,
        lambda: add_substitutes(tournament, actor_of(request), _("Substitute")),
        _("Every table can be filled now."),
        "organiser_replan" if drawn else "organiser_players",
        tournament.slug,
    )


def _write(request: HttpRequest, form: PlayerForm, service: Callable[[Entrant], Player]) -> Player | None:
    """The player written, or None with everything that is wrong said in the form."""
    if request.method != "POST" or not form.is_valid():
        return None
    try:
        return service(form.entrant())
    except Refused as refused:
        add_problems(form, refused)
        return None


def _form(
    request: HttpRequest, tournament: Tournament, form: PlayerForm, player: Player | None
) -> HttpResponse:
    context = {
        "form": form,
        "player": player,
        "proposed": proposed_lines(who_it_may_be(player, actor_of(request))) if player else (),
        "countries": [name for _code, name in words.choices()],
        "keeps": sentence(keeps) if player and (keeps := what_keeps(player)) else "",
    }
    status = UNPROCESSABLE if request.method == "POST" else 200
    return show(request, "players/player", tournament, "players", context, status=status)
