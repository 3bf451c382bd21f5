"""Pages of the foul book, penalties and appeals, for organisers, umpires and the public."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from penalties.engine.sanctions import EXCLUDING_FLAGS
from penalties.models import Penalty
from penalties.texts import foul_name, reason_text, sanction_text
from penalties.views import search_context
from scoring.texts import translated
from tournament.base import access
from tournament.base.access import Actor, Right
from tournament.base.engine.notices import Audience
from tournament.base.errors import Refused
from tournament.base.models.play import Appeal, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.base.problems import sentence
from tournament.fouls.engine import Assessment
from tournament.fouls.exports import PENALTIES
from tournament.fouls.forms import (
    CancelForm,
    CommitteeForm,
    FilterForm,
    PenaltyForm,
    PenaltyTargetForm,
    RulingForm,
    WaiverForm,
)
from tournament.fouls.selectors import (
    COMMITTEE_SIZE,
    appeals_of,
    assess,
    balances,
    can_rule_on,
    committee_candidates,
    concerned_accounts,
    exclude_accounts,
    finalist_warning,
    is_among,
    list_penalties,
    require_can_rule_on,
    unfinished_seats,
)
from tournament.fouls.services.appeals import name_committee, rule_appeal, waive_ruling
from tournament.fouls.services.penalties import cancel_penalty, give_penalty, show_penalties
from tournament.play.views.desk import desk_url, tables_url
from tournament.web.exports.lists import Reader
from tournament.web.forms import add_problems
from tournament.web.generic import EditView, EventView
from tournament.web.lists import list_page
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


@tournament_page
def foul_book_public(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """Show the tournament's foul book to the public; `?q=` searches it."""
    context = search_context(request, tournament.rules.fouls)
    return tournament_html(request, "fouls/fouls_public", tournament, audience, context)


# --- Penalties ---


PAGE_SIZE = 100


@page_for(Right.READ)
@require_safe
def penalty_list(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """List the penalties for the staff; `?player=&foul=&session=` filters them."""
    context = _list_context(request, tournament, Audience.STAFF)
    reader = Reader.of(tournament, actor_of(request))
    context["list"] = list_page(request, PENALTIES, reader, context["penalties"], page_size=PAGE_SIZE)
    return render_page(request, "fouls/penalties", tournament, "penalties", context)


def _list_context(request: HttpRequest, tournament: Tournament, audience: Audience) -> dict[str, Any]:
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
    """List the penalties for the public, if the organiser shows them; `?player=&foul=&session=` filters them."""
    if not access.can_see_penalties(actor_of(request), tournament):
        raise Http404
    context = _list_context(request, tournament, audience)
    return tournament_html(request, "fouls/penalties_public", tournament, audience, context)


@organiser_page
def penalty_new(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Give a penalty, in two steps: the form for `?player=&session=&foul=`, then the form for that foul's facts.

    `&minutes=` fills in the measured lateness. A POST with `preview`, or with warnings whose codes are not in `seen`,
    shows the effect and gives nothing.
    """
    target = PenaltyTargetForm(tournament, request.GET if "foul" in request.GET else None)
    if not target.is_valid():
        status = UNPROCESSABLE if target.is_bound else 200
        return render_page(
            request, "fouls/penalty_new", tournament, "penalties", {"target": target}, status=status
        )
    seat, foul = target.cleaned_data["seat"], tournament.rules.fouls.find(target.cleaned_data["foul"])
    assert foul is not None
    measured = {"minutes": request.GET.get("minutes", "")[:4]}
    form = PenaltyForm(foul, seat.table, seat.player.number, request.POST or None, initial=measured)
    context: dict[str, Any] = {
        "target": target,
        "form": form,
        "name": foul_name(foul),
        "source": translated(foul.source),
        "table": seat.table,
        "player": seat.player,
    }
    if form.is_valid():
        assessment = assess(seat.table, form.to_accusation())
        unseen = {problem.code for problem in assessment.warnings} - set(request.POST.getlist("seen"))
        if "preview" in request.POST or unseen:
            context["preview"] = _preview_context(form, seat.table, assessment)
        elif (response := _give_or_add_problems(request, seat.table, form)) is not None:
            return response
    status = UNPROCESSABLE if form.errors else 200
    return render_page(request, "fouls/penalty_new", tournament, "penalties", context, status=status)


def _give_or_add_problems(request: HttpRequest, table: Table, form: PenaltyForm) -> HttpResponse | None:
    """Give the penalty and redirect; or add the problems to the form and return None."""
    try:
        penalty = give_penalty(table, actor_of(request), form.to_accusation(), uuid=form.cleaned_data["uuid"])
    except Refused as refused:
        add_problems(form, refused)
        return None
    messages.success(request, _("Penalty given"))
    if penalty.player.excluded_as:
        return redirect("organiser_penalty", table.session.tournament.slug, penalty.uuid)
    return redirect("organiser_penalties", table.session.tournament.slug)


def _preview_context(form: PenaltyForm, table: Table, assessment: Assessment) -> dict[str, Any] | None:
    """Return context for the preview of a penalty; or add the problems to the form and return None."""
    if assessment.problems or assessment.proposal is None or assessment.sanction is None:
        add_problems(form, assessment.problems)
        return None
    names = {seat.player.number: seat.player.name for seat in table.seats.select_related("player")}
    return {
        "sanction": capfirst(sanction_text(assessment.sanction)),
        "reason": reason_text(assessment.proposal, form.foul),
        "book": sanction_text(assessment.overridden) if assessment.overridden else "",
        "warnings": [(problem.code, sentence(problem)) for problem in assessment.warnings],
        "changes": [(names[number], change) for number, change in assessment.effects.items()],
        "finalist_warning": finalist_warning(table, assessment),
    }


class PenaltyPage(EditView):
    """Show a penalty and, if it excludes the player, their empty seats; POST cancels it, for a reason."""

    form_class = CancelForm
    template, section, success_page = "fouls/penalty", "penalties", "organiser_penalties"
    success_message = gettext_lazy("Penalty cancelled")

    def save(self, instance: CancelForm, rows: list[Any]) -> None:
        cancel_penalty(self._penalty(), self.actor, **instance.cleaned_data)

    def extra_context(self) -> dict[str, Any]:
        row = self._penalty()
        excludes = not row.is_cancelled and any(row.sanction.get(flag) for flag in EXCLUDING_FLAGS)
        return {
            "penalty": row,
            "excludes": excludes,
            "seats": unfinished_seats(row.player) if excludes else [],
            "stand_in": self.tournament.rules.attendance.stand_in,
            "cancels": "cancel" in self.request.GET,
        }

    def _penalty(self) -> Penalty:
        return get_object_or_404(list_penalties(self.tournament, Audience.STAFF), uuid=self.kwargs["penalty"])


@require_POST
@organiser_page
def penalty_visibility(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Set whether everybody sees the penalties, or only organisers and umpires."""
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
    """List the appeals at the tables that the user umpires: open, to be carried out, done."""

    rights = (Right.ENTER,)
    invalid_form: forms.Form | None = None
    """The posted form, to be shown again with its errors."""

    def get(self, request: HttpRequest, slug: str) -> HttpResponse:
        tournament, actor = self.tournament, self.actor
        candidates = committee_candidates(tournament) if access.may(actor, tournament, Right.RULE) else []
        appeals = [appeal for appeal in appeals_of(tournament) if access.can_umpire(actor, appeal.table)]
        context = {
            "tournament": tournament,
            "open": [self._open_context(appeal, candidates) for appeal in appeals if not appeal.is_ruled],
            "pending": [self._pending_context(appeal) for appeal in appeals if appeal.is_pending],
            "done": [appeal for appeal in reversed(appeals) if not appeal.is_open],
            "has_chief": access.has_chief(tournament),
            "appeal_minutes": tournament.appeal_minutes,
            "appeal_deposit": tournament.appeal_deposit,
            "back_url": tables_url(request, tournament),
        }
        status = UNPROCESSABLE if self.invalid_form else 200
        return render(request, "fouls/appeals.html", context, status=status)

    def _open_context(self, appeal: Appeal, candidates: list[User]) -> dict[str, Any]:
        """Return an open appeal, with the forms for its ruling and its committee if the user may use them."""
        excluded = concerned_accounts(appeal)
        is_own, eligible = is_among(self.actor, excluded), exclude_accounts(candidates, excluded)
        may_rule = can_rule_on(self.actor, appeal) and (
            not is_own or access.can_organise(self.actor, self.tournament)
        )
        form = RulingForm(prefix=str(appeal.uuid), is_own=is_own)
        initial = {"members": [user.pk for user in appeal.committee.all()]}
        committee = CommitteeForm(eligible, prefix=f"c-{appeal.uuid}", initial=initial)
        return {
            "appeal": appeal,
            "form": self._bound_or(form) if may_rule else None,
            "is_own": is_own,
            "committee": self._bound_or(committee) if len(eligible) >= COMMITTEE_SIZE else None,
        }

    def _pending_context(self, appeal: Appeal) -> dict[str, Any]:
        form = (
            self._bound_or(WaiverForm(prefix=str(appeal.uuid))) if can_rule_on(self.actor, appeal) else None
        )
        return {"appeal": appeal, "form": form, "change_url": _change_url(self.actor, appeal)}

    def _bound_or(self, form: forms.Form) -> forms.Form:
        """Return the posted form instead of `form` if it is the same one."""
        invalid = self.invalid_form
        return invalid if type(invalid) is type(form) and invalid.prefix == form.prefix else form


def _change_url(actor: Actor, appeal: Appeal) -> str:
    """Return where the user can carry out the ruling, or "" if they may no longer change the sheet."""
    session = appeal.table.session
    if session.state == Session.State.CLOSED and not access.may(actor, session.tournament, Right.RULE):
        return ""
    desk = desk_url(appeal.table)
    if appeal.penalty is not None:
        if access.can_organise(actor, session.tournament):
            page = reverse("organiser_penalty", args=[session.tournament.slug, appeal.penalty.uuid])
            return f"{page}?cancel#cancel"
        return f"{desk}#cancel-{appeal.penalty.uuid}"
    recorded = appeal.hand_number is not None and appeal.hand_number <= appeal.table.hands_played
    return f"{desk}#hand-{appeal.hand_number}" if recorded else f"{desk}#sheet"


class AppealAction(Appeals):
    """Base view of a form on the page of appeals: call the service, or show the page again with the errors."""

    http_method_names = ["post", "options"]
    service: Callable[..., object]
    success_message: Any

    def get_form(self, appeal: Appeal, data: Any) -> forms.Form:
        raise NotImplementedError

    def post(self, request: HttpRequest, slug: str, appeal: UUID) -> HttpResponse:
        row = get_object_or_404(appeals_of(self.tournament), uuid=appeal)
        form = self.get_form(row, request.POST)
        if form.is_valid():
            try:
                self.service(row, self.actor, **form.cleaned_data)
            except Refused as refused:
                add_problems(form, refused)
            else:
                messages.success(request, self.success_message)
                return redirect("appeals", slug)
        self.invalid_form = form
        return self.get(request, slug)


class RuleAppeal(AppealAction):
    service, success_message = staticmethod(rule_appeal), gettext_lazy("The appeal has been decided.")

    def get_form(self, appeal: Appeal, data: Any) -> RulingForm:
        require_can_rule_on(self.actor, appeal)
        return RulingForm(
            data, prefix=str(appeal.uuid), is_own=is_among(self.actor, concerned_accounts(appeal))
        )


class WaiveRuling(AppealAction):
    service, success_message = staticmethod(waive_ruling), gettext_lazy("The appeal has been closed.")

    def get_form(self, appeal: Appeal, data: Any) -> WaiverForm:
        require_can_rule_on(self.actor, appeal)
        return WaiverForm(data, prefix=str(appeal.uuid))


class NameCommittee(AppealAction):
    service, success_message = staticmethod(name_committee), gettext_lazy("Saved.")

    def get_form(self, appeal: Appeal, data: Any) -> CommitteeForm:
        access.require(self.actor, self.tournament, Right.RULE)
        people = exclude_accounts(committee_candidates(self.tournament), concerned_accounts(appeal))
        return CommitteeForm(people, data, prefix=f"c-{appeal.uuid}")
