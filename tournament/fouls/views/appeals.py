"""Appeals: ruled on a page of their own, which also leads to what is still to be carried out."""

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
    SIZE,
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
from tournament.web.views.frame import actor_of, tournament_or_404

UNPROCESSABLE = 422


@require_safe
@login_required
@never_cache
def appeals(request: HttpRequest, slug: str) -> HttpResponse:
    """Every appeal at the tables one umpires: to be ruled, to be carried out, done."""
    return _page(request, _tournament(request, slug), None)


@require_POST
@login_required
def rule(request: HttpRequest, slug: str, appeal: UUID) -> HttpResponse:
    tournament, found, actor = _asked(request, slug, appeal)
    form = RulingForm(request.POST, prefix=str(found.uuid), own=is_among(actor, concerned(found)))
    return _written(
        request, tournament, form, lambda said: rule_appeal(found, actor, **said), _("The appeal is ruled.")
    )


@require_POST
@login_required
def waive(request: HttpRequest, slug: str, appeal: UUID) -> HttpResponse:
    tournament, found, actor = _asked(request, slug, appeal)
    form = WaiverForm(request.POST, prefix=str(found.uuid))
    return _written(
        request, tournament, form, lambda said: waive_ruling(found, actor, **said), _("The appeal is closed.")
    )


@require_POST
@login_required
def committee(request: HttpRequest, slug: str, appeal: UUID) -> HttpResponse:
    """Three who rule on it together."""
    tournament, actor = _tournament(request, slug), actor_of(request)
    found = get_object_or_404(appeals_of(tournament), uuid=appeal)
    access.require(actor, tournament, Right.RULE)
    form = CommitteeForm(eligible(found), request.POST, prefix=f"c-{found.uuid}")
    return _written(
        request,
        tournament,
        form,
        lambda said: name_committee(found, actor, form.named()),
        _("Saved."),
    )


def _asked(request: HttpRequest, slug: str, appeal: UUID) -> tuple[Tournament, Appeal, Actor]:
    tournament, actor = _tournament(request, slug), actor_of(request)
    found = get_object_or_404(appeals_of(tournament), uuid=appeal)
    if not rules_on(actor, found):
        raise PermissionDenied
    return tournament, found, actor


def _written(
    request: HttpRequest,
    tournament: Tournament,
    form: forms.Form,
    write: Callable[[dict[str, Any]], object],
    done: str,
) -> HttpResponse:
    """Write what the form says; or the page again, with what was typed and what is wrong with it."""
    if form.is_valid():
        try:
            write(form.cleaned_data)
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, done)
            return redirect("appeals", tournament.slug)
    return _page(request, tournament, form)


def _tournament(request: HttpRequest, slug: str) -> Tournament:
    tournament = tournament_or_404(slug)
    if not access.may(actor_of(request), tournament, Right.ENTER):
        raise PermissionDenied
    return tournament


def _page(request: HttpRequest, tournament: Tournament, bound: forms.Form | None) -> HttpResponse:
    actor = actor_of(request)
    people = candidates(tournament) if access.may(actor, tournament, Right.RULE) else []
    mine = [one for one in appeals_of(tournament) if access.can_umpire(actor, one.table)]
    context = {
        "tournament": tournament,
        "open": [_unruled(actor, one, people, bound) for one in mine if not one.is_ruled],
        "pending": [_pending(actor, one, bound) for one in mine if one.is_pending],
        "done": [one for one in reversed(mine) if not one.is_open],
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


def _unruled(actor: Actor, appeal: Appeal, people: list[User], bound: forms.Form | None) -> Shown:
    """`people`: who could be named for a committee."""
    out, tournament = concerned(appeal), appeal.table.session.tournament
    own = is_among(actor, out)
    may = rules_on(actor, appeal) and (not own or access.can_organise(actor, tournament))
    form = _as_sent(bound, RulingForm, appeal) or RulingForm(prefix=str(appeal.uuid), own=own)
    return Shown(appeal, form if may else None, own, _committee(appeal, outside(people, out), bound))


def _committee(appeal: Appeal, people: list[User], bound: forms.Form | None) -> forms.Form | None:
    """None where there are not three who could sit on it."""
    prefix = f"c-{appeal.uuid}"
    if isinstance(bound, CommitteeForm) and bound.prefix == prefix:
        return bound
    now = [user.pk for user in appeal.committee.all()]
    return CommitteeForm(people, prefix=prefix, initial={"members": now}) if len(people) >= SIZE else None


def _pending(actor: Actor, appeal: Appeal, bound: forms.Form | None) -> Shown:
    form = _as_sent(bound, WaiverForm, appeal) or WaiverForm(prefix=str(appeal.uuid))
    may = rules_on(actor, appeal)
    return Shown(appeal, form if may else None, change_url=_change_url(actor, appeal))


def _as_sent(bound: forms.Form | None, kind: type[forms.Form], appeal: Appeal) -> forms.Form | None:
    return bound if isinstance(bound, kind) and bound.prefix == str(appeal.uuid) else None


def _change_url(actor: Actor, appeal: Appeal) -> str:
    """Once the session is closed only organisers and the chief umpire change its sheets."""
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
