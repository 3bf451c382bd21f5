"""All penalties: the list, giving one at any time, taking one back, and whether everybody sees them."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from penalties.models import Penalty
from penalties.texts import foul_name, foul_source, reason_text, sanction_text
from tournament.base.access import Audience, Right
from tournament.base.errors import Refused
from tournament.base.models.people import Player
from tournament.base.models.play import Table
from tournament.base.models.tournament import Tournament
from tournament.fouls.forms.penalties import CancelForm, FilterForm, PenaltyForm, WhoAndWhat
from tournament.fouls.selectors.assessments import Assessment, assess
from tournament.fouls.selectors.penalties import balances, list_penalties
from tournament.fouls.services.penalties import cancel_penalty, give_penalty, show_penalties
from tournament.web.forms.problems import add_problems
from tournament.web.texts.problems import sentence
from tournament.web.views.common import actor_of
from tournament.web.views.frame import UNPROCESSABLE, organiser_page, page_for, press, show

A_PAGE = 100


@page_for(Right.READ)
@require_safe
def listing(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """`?player=&foul=&session=` keep those."""
    form = FilterForm(tournament, Audience.STAFF, request.GET)
    wanted = form.wanted()
    page = Paginator(list_penalties(tournament, Audience.STAFF, wanted), A_PAGE).get_page(
        request.GET.get("page")
    )
    sums = balances(tournament, Audience.STAFF)
    context = {
        "form": form,
        "wanted": wanted,
        "page": page,
        "balances": sums,
        "unpaid": sum(each.unpaid for each in sums),
    }
    return show(request, "fouls/penalties", tournament, "penalties", context)


@organiser_page
def new(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """`?player=&session=&foul=`, then what that foul asks for. A POST gives; with `look` it only shows.

    `&minutes=`: how late, where it was measured.
    """
    chosen = WhoAndWhat(tournament, request.GET if "foul" in request.GET else None)
    if not chosen.is_valid():
        status = UNPROCESSABLE if chosen.is_bound else 200
        return show(request, "fouls/penalty_new", tournament, "penalties", {"chosen": chosen}, status=status)
    table = chosen.table()
    entry = tournament.rules.fouls.find(chosen.cleaned_data["foul"])
    assert table is not None
    assert entry is not None
    measured = {"minutes": request.GET.get("minutes", "")[:4]}
    form = PenaltyForm(entry, table, chosen.cleaned_data["player"], request.POST or None, initial=measured)
    context: dict[str, Any] = {
        "chosen": chosen,
        "form": form,
        "name": foul_name(entry),
        "source": foul_source(entry),
        "table": table,
        "player": get_object_or_404(Player, tournament=tournament, number=form.player),
    }
    if form.is_valid():
        if "look" not in request.POST:
            if (given := _give(request, table, form)) is not None:
                return given
        else:
            context["effect"] = _effect(form, table, assess(table, form.stated()))
    return show(
        request,
        "fouls/penalty_new",
        tournament,
        "penalties",
        context,
        status=UNPROCESSABLE if form.errors else 200,
    )


@organiser_page
def cancel(request: HttpRequest, tournament: Tournament, penalty: UUID) -> HttpResponse:
    """Say why, and the penalty counts no more."""
    found = get_object_or_404(Penalty, tournament=tournament, uuid=penalty)
    form = CancelForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            cancel_penalty(found, actor_of(request), reason=form.cleaned_data["reason"])
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, _("Penalty cancelled"))
            return redirect("organiser_penalties", tournament.slug)
    status = UNPROCESSABLE if form.errors else 200
    context = {"form": form, "penalty": found}
    return show(request, "fouls/penalty_cancel", tournament, "penalties", context, status=status)


@require_POST
@organiser_page
def visibility(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Everybody sees the penalties, or only those who run the tournament."""
    public = request.POST.get("public") == "1"
    done = (
        _("Everybody sees the penalties.") if public else _("Only organisers and umpires see the penalties.")
    )
    return press(
        request,
        lambda: show_penalties(tournament, actor_of(request), public=public),
        done,
        "organiser_penalties",
        tournament.slug,
    )


def _give(request: HttpRequest, table: Table, form: PenaltyForm) -> HttpResponse | None:
    try:
        give_penalty(table, actor_of(request), form.stated(), uuid=form.cleaned_data["uuid"])
    except Refused as refused:
        add_problems(form, refused)
        return None
    messages.success(request, _("Penalty given"))
    return redirect("organiser_penalties", table.session.tournament.slug)


def _effect(form: PenaltyForm, table: Table, ruling: Assessment) -> dict[str, Any] | None:
    """What is proposed, what is imposed and who gains or loses; None with the problems said in the form."""
    if ruling.problems or ruling.proposal is None or ruling.sanction is None:
        add_problems(form, ruling.problems)
        return None
    names = {seat.player.number: seat.player.name for seat in table.seats.select_related("player")}
    return {
        "sanction": capfirst(sanction_text(ruling.sanction)),
        "reason": reason_text(ruling.proposal, form.entry),
        "is_override": ruling.is_override,
        "warnings": [sentence(problem) for problem in ruling.warnings],
        "changes": [(names[number], change) for number, change in ruling.effects.items()],
    }
