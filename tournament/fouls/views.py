"""Pages of the foul book, of penalties and of appeals, for organisers, umpires and everybody."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from penalties.engine import Foul, Names
from penalties.engine.sanctions import EXCLUDING
from penalties.models import Penalty
from penalties.texts import foul_name, reason_text, sanction_text
from penalties.views import entries
from scoring.texts import translated
from tournament.base import access
from tournament.base.access import Actor, Audience, Right
from tournament.base.errors import Refused
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
    appeals_of,
    assess,
    balances,
    candidates,
    concerned,
    is_among,
    list_penalties,
    outside,
    require_ruling_on,
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
from tournament.web.generic import EditView, EventView
from tournament.web.views import (
    UNPROCESSABLE,
    actor_of,
    organiser_page,
    page_for,
    render_page,
    run_and_redirect,
    tournament_html,
    tournament_page,
)

# --- Foul book ---


@organiser_page
@require_safe
def foul_book(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show every foul with what it costs here."""
    return render_page(
        request, "fouls/fouls", tournament, "fouls", {"fouls": entries(tournament.rules.fouls)}
    )


class EditFoul(EditView):
    """Change what a foul costs from now on."""

    template, section, success_page = "fouls/foul", "fouls", "organiser_fouls"

    @cached_property
    def foul(self) -> Foul:
        foul = self.tournament.rules.fouls.find(self.kwargs["key"])
        if foul is None:
            raise Http404
        return foul

    def get_form(self, data: Any = None, files: Any = None) -> FoulForm:
        return FoulForm(self.foul, data)

    def save(self, instance: FoulForm, rows: list[Any]) -> None:
        foul = change_foul(self.tournament, self.actor, self.foul.key, instance.rule(), instance.names())
        self.success_message = _("%(name)s: this applies from now on.") % {"name": foul_name(foul)}

    def extra_context(self) -> dict[str, Any]:
        return {"foul": self.foul, "name": foul_name(self.foul)}


class AddFoul(EditView):
    """Add a house foul."""

    form_class = HouseFoulForm
    template, section, success_page = "fouls/foul_new", "fouls", "organiser_fouls"

    def save(self, instance: HouseFoulForm, rows: list[Any]) -> None:
        description = Names.filled(instance.cleaned_data["description"])
        foul = add_foul(self.tournament, self.actor, instance.names(), description, instance.rule())
        self.success_message = _("%(name)s is in the foul book from now on.") % {"name": foul_name(foul)}


@require_POST
@organiser_page
def foul_restore(request: HttpRequest, tournament: Tournament, key: str) -> HttpResponse:
    """Restore a foul as in the rulebook; take a house foul out."""
    return run_and_redirect(
        request,
        lambda: restore_foul(tournament, actor_of(request), key),
        _("The foul book is changed."),
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
    context = _listed(request, tournament, Audience.STAFF)
    context["page"] = Paginator(context["penalties"], PAGE_SIZE).get_page(request.GET.get("page"))
    return render_page(request, "fouls/penalties", tournament, "penalties", context)


def _listed(request: HttpRequest, tournament: Tournament, audience: Audience) -> dict[str, Any]:
    form, sums = FilterForm(tournament, audience, request.GET), balances(tournament, audience)
    return {
        "form": form,
        "is_narrowed": bool(form.lookups()),
        "penalties": list_penalties(tournament, audience, **form.lookups()),
        "balances": sums,
        "unpaid": sum(balance.unpaid for balance in sums),
    }


@tournament_page
def penalties_public(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """List penalties for everybody, where the organiser lets them; `?player=&foul=&session=` narrows the list."""
    if not access.can_see_penalties(actor_of(request), tournament):
        raise Http404
    context = _listed(request, tournament, audience)
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
        return render_page(
            request, "fouls/penalty_new", tournament, "penalties", {"chosen": chosen}, status=status
        )
    seat, entry = chosen.cleaned_data["seat"], tournament.rules.fouls.find(chosen.cleaned_data["foul"])
    assert entry is not None
    measured = {"minutes": request.GET.get("minutes", "")[:4]}
    form = PenaltyForm(entry, seat.table, seat.player.number, request.POST or None, initial=measured)
    context: dict[str, Any] = {
        "chosen": chosen,
        "form": form,
        "name": foul_name(entry),
        "source": translated(entry.source),
        "table": seat.table,
        "player": seat.player,
    }
    if form.is_valid():
        ruling = assess(seat.table, form.stated())
        unseen = {problem.code for problem in ruling.warnings} - set(request.POST.getlist("seen"))
        if "look" in request.POST or unseen:
            context["effect"] = _effect(form, seat.table, ruling)
        elif (response := _give(request, seat.table, form)) is not None:
            return response
    status = UNPROCESSABLE if form.errors else 200
    return render_page(request, "fouls/penalty_new", tournament, "penalties", context, status=status)


def _give(request: HttpRequest, table: Table, form: PenaltyForm) -> HttpResponse | None:
    """Give the penalty; None with the problems added to the form."""
    try:
        penalty = give_penalty(table, actor_of(request), form.stated(), uuid=form.cleaned_data["uuid"])
    except Refused as refused:
        add_problems(form, refused)
        return None
    messages.success(request, _("Penalty given"))
    if penalty.player.excluded_as:
        return redirect("organiser_penalty", table.session.tournament.slug, penalty.uuid)
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
    row = get_object_or_404(list_penalties(tournament, Audience.STAFF), uuid=penalty)
    excludes = not row.is_cancelled and any(row.sanction.get(part) for part in EXCLUDING)
    context = {
        "penalty": row,
        "excludes": excludes,
        "seats": seats_left_by(row.player) if excludes else [],
        "stand_in_has_place": tournament.rules.attendance.has_place(stand_in=True, empty=False),
    }
    return render_page(request, "fouls/penalty", tournament, "penalties", context)


class CancelPenalty(EditView):
    """Cancel a penalty, for a reason."""

    form_class = CancelForm
    template, section, success_page = "fouls/penalty_cancel", "penalties", "organiser_penalties"
    success_message = gettext_lazy("Penalty cancelled")

    def save(self, instance: CancelForm, rows: list[Any]) -> None:
        cancel_penalty(self._penalty(), self.actor, **instance.cleaned_data)

    def extra_context(self) -> dict[str, Any]:
        return {"penalty": self._penalty()}

    def _penalty(self) -> Penalty:
        return get_object_or_404(self.tournament.penalties, uuid=self.kwargs["penalty"])


@require_POST
@organiser_page
def penalty_visibility(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Let everybody see the penalties, or only those who run the tournament."""
    public = request.POST.get("public") == "1"
    done = (
        _("Everybody sees the penalties.") if public else _("Only organisers and umpires see the penalties.")
    )
    return run_and_redirect(
        request,
        lambda: show_penalties(tournament, actor_of(request), public=public),
        done,
        "organiser_penalties",
        tournament.slug,
    )


# --- Appeals ---


class Appeals(EventView):
    """Every appeal at the tables one umpires: to be ruled, to be carried out, done."""

    rights = (Right.ENTER,)
    sent: forms.Form | None = None
    """What was sent with something wrong in it."""

    def get(self, request: HttpRequest, slug: str) -> HttpResponse:
        tournament, actor = self.tournament, self.actor
        people = candidates(tournament) if access.may(actor, tournament, Right.RULE) else []
        own = [appeal for appeal in appeals_of(tournament) if access.can_umpire(actor, appeal.table)]
        context = {
            "tournament": tournament,
            "open": [self._open(appeal, people) for appeal in own if not appeal.is_ruled],
            "pending": [self._pending(appeal) for appeal in own if appeal.is_pending],
            "done": [appeal for appeal in reversed(own) if not appeal.is_open],
            "has_chief": access.has_chief(tournament),
            "appeal_minutes": tournament.appeal_minutes,
            "back_url": reverse("umpire_tables", args=[slug]),
        }
        return render(request, "fouls/appeals.html", context, status=UNPROCESSABLE if self.sent else 200)

    def _open(self, appeal: Appeal, people: list[User]) -> dict[str, Any]:
        """Show an appeal with the forms for whoever may rule on it, or name three of these people who are to."""
        excluded = concerned(appeal)
        own, eligible = is_among(self.actor, excluded), outside(people, excluded)
        may_rule = rules_on(self.actor, appeal) and (
            not own or access.can_organise(self.actor, self.tournament)
        )
        form = RulingForm(prefix=str(appeal.uuid), own=own)
        named = {"members": [user.pk for user in appeal.committee.all()]}
        committee = CommitteeForm(eligible, prefix=f"c-{appeal.uuid}", initial=named)
        return {
            "appeal": appeal,
            "form": self._as_sent(form) if may_rule else None,
            "is_own": own,
            "committee": self._as_sent(committee) if len(eligible) >= COMMITTEE_SIZE else None,
        }

    def _pending(self, appeal: Appeal) -> dict[str, Any]:
        form = self._as_sent(WaiverForm(prefix=str(appeal.uuid))) if rules_on(self.actor, appeal) else None
        return {"appeal": appeal, "form": form, "change_url": _change_url(self.actor, appeal)}

    def _as_sent(self, form: forms.Form) -> forms.Form:
        sent = self.sent
        return sent if type(sent) is type(form) and sent.prefix == form.prefix else form


def _change_url(actor: Actor, appeal: Appeal) -> str:
    """Find where the ruling is carried out; empty once only organisers and the chief umpire may change the sheet."""
    session = appeal.table.session
    if session.state == Session.State.CLOSED and not access.may(actor, session.tournament, Right.RULE):
        return ""
    desk = desk_url(appeal.table)
    if appeal.penalty is not None:
        if access.can_organise(actor, session.tournament):
            return reverse("organiser_penalty_cancel", args=[session.tournament.slug, appeal.penalty.uuid])
        return f"{desk}#cancel-{appeal.penalty.uuid}"
    recorded = appeal.hand_number is not None and appeal.hand_number <= appeal.table.hands_played
    return f"{desk}#hand-{appeal.hand_number}" if recorded else f"{desk}#sheet"


class AppealStep(Appeals):
    """Write what the form of one appeal says; or show the page again, with what was typed and what is wrong with it."""

    http_method_names = ["post", "options"]
    write: Callable[..., object]
    done: Any

    def get_form(self, appeal: Appeal, data: Any) -> forms.Form:
        raise NotImplementedError

    def post(self, request: HttpRequest, slug: str, appeal: UUID) -> HttpResponse:
        row = get_object_or_404(appeals_of(self.tournament), uuid=appeal)
        self.sent = form = self.get_form(row, request.POST)
        if form.is_valid():
            try:
                self.write(row, self.actor, **form.cleaned_data)
            except Refused as refused:
                add_problems(form, refused)
            else:
                messages.success(request, self.done)
                return redirect("appeals", slug)
        return self.get(request, slug)


class RuleAppeal(AppealStep):
    write, done = staticmethod(rule_appeal), gettext_lazy("The appeal has been decided.")

    def get_form(self, appeal: Appeal, data: Any) -> RulingForm:
        require_ruling_on(self.actor, appeal)
        return RulingForm(data, prefix=str(appeal.uuid), own=is_among(self.actor, concerned(appeal)))


class WaiveRuling(AppealStep):
    write, done = staticmethod(waive_ruling), gettext_lazy("The appeal has been closed.")

    def get_form(self, appeal: Appeal, data: Any) -> WaiverForm:
        require_ruling_on(self.actor, appeal)
        return WaiverForm(data, prefix=str(appeal.uuid))


class NameCommittee(AppealStep):
    """Name three who rule on it together."""

    write, done = staticmethod(name_committee), gettext_lazy("Saved.")

    def get_form(self, appeal: Appeal, data: Any) -> CommitteeForm:
        access.require(self.actor, self.tournament, Right.RULE)
        people = outside(candidates(self.tournament), concerned(appeal))
        return CommitteeForm(people, data, prefix=f"c-{appeal.uuid}")
