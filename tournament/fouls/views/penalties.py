"""Pages of the foul book and of penalties, for organisers and for everybody."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from penalties.engine import Origin
from penalties.models import Penalty
from penalties.texts import foul_name, foul_source, reason_text, sanction_text
from penalties.views import entries
from tournament.base import access
from tournament.base.access import Audience, Right
from tournament.base.errors import Refused
from tournament.base.models.people import Player
from tournament.base.models.play import Table
from tournament.base.models.tournament import Tournament
from tournament.fouls.forms.penalties import (
    CancelForm,
    FilterForm,
    FoulForm,
    HouseFoulForm,
    PenaltyForm,
    WhoAndWhat,
)
from tournament.fouls.selectors import Assessment, assess, balances, list_penalties
from tournament.fouls.services.penalties import (
    add_foul,
    cancel_penalty,
    change_foul,
    give_penalty,
    restore_foul,
    show_penalties,
)
from tournament.web.forms import add_problems
from tournament.web.texts.problems import sentence
from tournament.web.views.frame import (
    UNPROCESSABLE,
    actor_of,
    organiser_page,
    page_for,
    press,
    show,
    tournament_html,
    tournament_page,
)

# --- Foul book ---


@organiser_page
@require_safe
def foul_book(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show every foul with what it costs here."""
    return show(request, "fouls/fouls", tournament, "fouls", {"fouls": entries(tournament.rules.fouls)})


@organiser_page
def foul_edit(request: HttpRequest, tournament: Tournament, key: str) -> HttpResponse:
    """Change what a foul costs from now on."""
    entry = tournament.rules.fouls.find(key)
    if entry is None:
        raise Http404
    form = FoulForm(entry, request.POST or None)
    if form.is_valid():
        try:
            changed = change_foul(tournament, actor_of(request), key, form.rule(), form.names())
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, _("%(name)s: this holds from now on.") % {"name": foul_name(changed)})
            return redirect("organiser_fouls", tournament.slug)
    context = {
        "form": form,
        "foul": entry,
        "name": foul_name(entry),
        "is_house": entry.origin is Origin.HOUSE,
        "is_changed": entry.origin is Origin.CHANGED,
    }
    status = UNPROCESSABLE if form.errors else 200
    return show(request, "fouls/foul", tournament, "fouls", context, status=status)


@organiser_page
def foul_new(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Add a house foul."""
    form = HouseFoulForm(request.POST or None)
    if form.is_valid():
        try:
            added = add_foul(tournament, actor_of(request), form.names(), form.description(), form.rule())
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(
                request, _("%(name)s is in the foul book from now on.") % {"name": foul_name(added)}
            )
            return redirect("organiser_fouls", tournament.slug)
    status = UNPROCESSABLE if form.errors else 200
    return show(request, "fouls/foul_new", tournament, "fouls", {"form": form}, status=status)


@require_POST
@organiser_page
def foul_restore(request: HttpRequest, tournament: Tournament, key: str) -> HttpResponse:
    """Restore a foul as in the rulebook; take a house foul out."""
    if tournament.rules.fouls.find(key) is None:
        raise Http404
    done = _("The foul book is changed.")
    return press(
        request,
        lambda: restore_foul(tournament, actor_of(request), key),
        done,
        "organiser_fouls",
        tournament.slug,
    )


@tournament_page
def foul_book_public(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """Show everybody every foul, what it costs here, and what is this tournament's own."""
    context = {"fouls": entries(tournament.rules.fouls)}
    return tournament_html(request, "fouls/fouls_public", tournament, audience, context)


# --- Penalties ---


PAGE_SIZE = 100


@page_for(Right.READ)
@require_safe
def penalty_list(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """List all penalties; `?player=&foul=&session=` narrows the list."""
    form = FilterForm(tournament, Audience.STAFF, request.GET)
    wanted = form.wanted()
    page = Paginator(list_penalties(tournament, Audience.STAFF, wanted), PAGE_SIZE).get_page(
        request.GET.get("page")
    )
    sums = balances(tournament, Audience.STAFF)
    context = {
        "form": form,
        "wanted": wanted,
        "page": page,
        "balances": sums,
        "unpaid": sum(balance.unpaid for balance in sums),
    }
    return show(request, "fouls/penalties", tournament, "penalties", context)


@tournament_page
def penalties_public(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """List penalties for everybody, where the organiser lets them; `?player=&foul=&session=` narrows the list."""
    if not access.can_see_penalties(actor_of(request), tournament):
        raise Http404
    form = FilterForm(tournament, audience, request.GET)
    wanted = form.wanted()
    context = {
        "form": form,
        "wanted": wanted,
        "penalties": list_penalties(tournament, audience, wanted),
        "unpaid": sum(balance.unpaid for balance in balances(tournament, audience)),
    }
    return tournament_html(request, "fouls/penalties_public", tournament, audience, context)


@organiser_page
def penalty_new(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Give a penalty: first `?player=&session=&foul=`, then what that foul asks for. A POST with `look` only previews.

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
            if (response := _give(request, table, form)) is not None:
                return response
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


def _give(request: HttpRequest, table: Table, form: PenaltyForm) -> HttpResponse | None:
    """Give the penalty; None with the problems added to the form."""
    try:
        give_penalty(table, actor_of(request), form.stated(), uuid=form.cleaned_data["uuid"])
    except Refused as refused:
        add_problems(form, refused)
        return None
    messages.success(request, _("Penalty given"))
    return redirect("organiser_penalties", table.session.tournament.slug)


def _effect(form: PenaltyForm, table: Table, ruling: Assessment) -> dict[str, Any] | None:
    """Show what is imposed, why, and who gains or loses; None with the problems added to the form."""
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


@organiser_page
def penalty_cancel(request: HttpRequest, tournament: Tournament, penalty: UUID) -> HttpResponse:
    """Cancel a penalty, for a reason."""
    given = get_object_or_404(Penalty, tournament=tournament, uuid=penalty)
    form = CancelForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            cancel_penalty(given, actor_of(request), reason=form.cleaned_data["reason"])
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, _("Penalty cancelled"))
            return redirect("organiser_penalties", tournament.slug)
    status = UNPROCESSABLE if form.errors else 200
    context = {"form": form, "penalty": given}
    return show(request, "fouls/penalty_cancel", tournament, "penalties", context, status=status)


@require_POST
@organiser_page
def penalty_visibility(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Let everybody see the penalties, or only those who run the tournament."""
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
