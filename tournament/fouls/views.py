"""Pages of the foul book, of penalties and of appeals, for organisers, umpires and everybody."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from penalties.engine import Origin
from penalties.engine.sanctions import EXCLUDING
from penalties.models import Penalty
from penalties.texts import foul_name, foul_source, reason_text, sanction_text
from penalties.views import entries
from tournament.base import access
from tournament.base.access import Actor, Audience, Right
from tournament.base.errors import Refused
from tournament.base.models.people import Player
from tournament.base.models.play import Appeal, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.base.problems import sentence
from tournament.fouls.engine import Assessment
from tournament.fouls.forms import (
    CancelForm,
    CommitteeForm,
    FilterForm,
    FoulForm,
    HouseFoulForm,
    PenaltyForm,
    RulingForm,
    WaiverForm,
    WhoAndWhat,
)
from tournament.fouls.selectors import (
    COMMITTEE_SIZE,
    PenaltyFilter,
    appeals_of,
    assess,
    balances,
    candidates,
    concerned,
    eligible,
    is_among,
    list_penalties,
    outside,
    rules_on,
    seats_left_by,
)
from tournament.fouls.services import (
    add_foul,
    cancel_penalty,
    change_foul,
    give_penalty,
    name_committee,
    restore_foul,
    rule_appeal,
    show_penalties,
    waive_ruling,
)
from tournament.play.views.desk import desk_url
from tournament.web.forms import add_problems
from tournament.web.views import (
    UNPROCESSABLE,
    actor_of,
    organiser_page,
    page_for,
    press,
    show,
    tournament_html,
    tournament_or_404,
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

    `&minutes=`: how late, where it was measured. Warnings are shown before anything is given; `seen`: the codes of
    those that were shown.
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
        ruling = assess(table, form.stated())
        unseen = {problem.code for problem in ruling.warnings} - set(request.POST.getlist("seen"))
        if "look" in request.POST or unseen:
            context["effect"] = _effect(form, table, ruling)
        elif (response := _give(request, table, form)) is not None:
            return response
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
        given = give_penalty(table, actor_of(request), form.stated(), uuid=form.cleaned_data["uuid"])
    except Refused as refused:
        add_problems(form, refused)
        return None
    messages.success(request, _("Penalty given"))
    if given.player.excluded_as:
        return redirect("organiser_penalty", table.session.tournament.slug, given.uuid)
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
        "warnings": [(problem.code, sentence(problem)) for problem in ruling.warnings],
        "changes": [(names[number], change) for number, change in ruling.effects.items()],
    }


@organiser_page
@require_safe
def penalty_page(request: HttpRequest, tournament: Tournament, penalty: UUID) -> HttpResponse:
    """Show a penalty and, where it excludes the player, what follows for their seats and for the other three."""
    given = get_object_or_404(list_penalties(tournament, Audience.STAFF, PenaltyFilter()), uuid=penalty)
    excludes = not given.is_cancelled and any(given.sanction.get(part) for part in EXCLUDING)
    context = {
        "penalty": given,
        "excludes": excludes,
        "seats": seats_left_by(given.player) if excludes else [],
        "stand_in_has_place": tournament.rules.attendance.has_place(stand_in=True, empty=False),
    }
    return show(request, "fouls/penalty", tournament, "penalties", context)


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


@require_safe
@login_required
@never_cache
def appeals(request: HttpRequest, slug: str) -> HttpResponse:
    """Every appeal at the tables one umpires: to be ruled, to be carried out, done."""
    return _page(request, _tournament_or_403(request, slug), None)


def _tournament_or_403(request: HttpRequest, slug: str) -> Tournament:
    tournament = tournament_or_404(slug)
    if not access.may(actor_of(request), tournament, Right.ENTER):
        raise PermissionDenied
    return tournament


def _page(request: HttpRequest, tournament: Tournament, bound: forms.Form | None) -> HttpResponse:
    actor = actor_of(request)
    people = candidates(tournament) if access.may(actor, tournament, Right.RULE) else []
    own = [appeal for appeal in appeals_of(tournament) if access.can_umpire(actor, appeal.table)]
    context = {
        "tournament": tournament,
        "open": [_show_open(actor, appeal, people, bound) for appeal in own if not appeal.is_ruled],
        "pending": [_show_pending(actor, appeal, bound) for appeal in own if appeal.is_pending],
        "done": [appeal for appeal in reversed(own) if not appeal.is_open],
        "has_chief": access.has_chief(tournament),
        "appeal_minutes": tournament.appeal_minutes,
        "back_url": reverse("umpire_tables", args=[tournament.slug]),
    }
    return render(request, "fouls/appeals.html", context, status=UNPROCESSABLE if bound else 200)


@dataclass(frozen=True)
class Shown:
    """An appeal on the page, with the form for whoever may say what comes next."""

    appeal: Appeal
    form: forms.Form | None
    is_own: bool = False
    """Against a decision of the reader's."""
    committee: forms.Form | None = None
    """For whoever may name three to rule on it."""
    change_url: str = ""
    """Where what was granted is carried out; empty for who cannot."""


def _show_open(actor: Actor, appeal: Appeal, people: list[User], bound: forms.Form | None) -> Shown:
    """`people`: who could be named for a committee."""
    excluded, tournament = concerned(appeal), appeal.table.session.tournament
    own = is_among(actor, excluded)
    may_rule = rules_on(actor, appeal) and (not own or access.can_organise(actor, tournament))
    form = _bound_form(bound, RulingForm, appeal) or RulingForm(prefix=str(appeal.uuid), own=own)
    committee = _committee_form(appeal, outside(people, excluded), bound)
    return Shown(appeal, form if may_rule else None, own, committee)


def _committee_form(appeal: Appeal, people: list[User], bound: forms.Form | None) -> forms.Form | None:
    """Build the form for the committee; None where there are not three who could sit on it."""
    prefix = f"c-{appeal.uuid}"
    if isinstance(bound, CommitteeForm) and bound.prefix == prefix:
        return bound
    now = [user.pk for user in appeal.committee.all()]
    return (
        CommitteeForm(people, prefix=prefix, initial={"members": now})
        if len(people) >= COMMITTEE_SIZE
        else None
    )


def _show_pending(actor: Actor, appeal: Appeal, bound: forms.Form | None) -> Shown:
    form = _bound_form(bound, WaiverForm, appeal) or WaiverForm(prefix=str(appeal.uuid))
    change_url = _change_url(actor, appeal)
    return Shown(appeal, form if rules_on(actor, appeal) else None, change_url=change_url)


def _bound_form(bound: forms.Form | None, kind: type[forms.Form], appeal: Appeal) -> forms.Form | None:
    return bound if isinstance(bound, kind) and bound.prefix == str(appeal.uuid) else None


def _change_url(actor: Actor, appeal: Appeal) -> str:
    """Find where the ruling is carried out; empty once only organisers and the chief umpire may change the sheet."""
    session = appeal.table.session
    organiser = access.can_organise(actor, session.tournament)
    if session.state == Session.State.CLOSED and not access.may(actor, session.tournament, Right.RULE):
        return ""
    desk = desk_url(appeal.table)
    if appeal.penalty is not None:
        if organiser:
            return reverse("organiser_penalty_cancel", args=[session.tournament.slug, appeal.penalty.uuid])
        return f"{desk}#cancel-{appeal.penalty.uuid}"
    recorded = appeal.hand_number is not None and appeal.hand_number <= appeal.table.hands_played
    return f"{desk}#hand-{appeal.hand_number}" if recorded else f"{desk}#sheet"


@require_POST
@login_required
def rule(request: HttpRequest, slug: str, appeal: UUID) -> HttpResponse:
    tournament, unruled, actor = _to_rule_on(request, slug, appeal)
    form = RulingForm(request.POST, prefix=str(unruled.uuid), own=is_among(actor, concerned(unruled)))
    return _save(
        request, tournament, form, lambda data: rule_appeal(unruled, actor, **data), _("The appeal is ruled.")
    )


@require_POST
@login_required
def waive(request: HttpRequest, slug: str, appeal: UUID) -> HttpResponse:
    tournament, granted, actor = _to_rule_on(request, slug, appeal)
    form = WaiverForm(request.POST, prefix=str(granted.uuid))
    return _save(
        request,
        tournament,
        form,
        lambda data: waive_ruling(granted, actor, **data),
        _("The appeal is closed."),
    )


@require_POST
@login_required
def committee(request: HttpRequest, slug: str, appeal: UUID) -> HttpResponse:
    """Name three who rule on it together."""
    tournament, actor = _tournament_or_403(request, slug), actor_of(request)
    unruled = get_object_or_404(appeals_of(tournament), uuid=appeal)
    access.require(actor, tournament, Right.RULE)
    form = CommitteeForm(eligible(unruled), request.POST, prefix=f"c-{unruled.uuid}")
    return _save(
        request,
        tournament,
        form,
        lambda _data: name_committee(unruled, actor, form.named()),
        _("Saved."),
    )


def _to_rule_on(request: HttpRequest, slug: str, uuid: UUID) -> tuple[Tournament, Appeal, Actor]:
    tournament, actor = _tournament_or_403(request, slug), actor_of(request)
    appeal = get_object_or_404(appeals_of(tournament), uuid=uuid)
    if not rules_on(actor, appeal):
        raise PermissionDenied
    return tournament, appeal, actor


def _save(
    request: HttpRequest,
    tournament: Tournament,
    form: forms.Form,
    write: Callable[[dict[str, Any]], object],
    done: str,
) -> HttpResponse:
    """Write what the form says; or show the page again, with what was typed and what is wrong with it."""
    if form.is_valid():
        try:
            write(form.cleaned_data)
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, done)
            return redirect("appeals", tournament.slug)
    return _page(request, tournament, form)
