"""The page of appeals: to be ruled, by one or a committee, to be carried out, and done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from tournament.base import access
from tournament.base.access import Actor, Right
from tournament.base.errors import Refused
from tournament.base.models.play import Appeal, Session
from tournament.base.models.tournament import Tournament
from tournament.fouls.forms.appeals import CommitteeForm, RulingForm, WaiverForm
from tournament.fouls.selectors import (
    COMMITTEE_SIZE,
    appeals_of,
    candidates,
    concerned,
    eligible,
    is_among,
    outside,
    rules_on,
)
from tournament.fouls.services.appeals import name_committee, rule_appeal, waive_ruling
from tournament.play.views.desk import desk_url
from tournament.web.forms import add_problems
from tournament.web.views.frame import UNPROCESSABLE, actor_of, tournament_or_404


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
