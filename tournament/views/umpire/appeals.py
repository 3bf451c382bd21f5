"""Appeals: opened at the desk, ruled on a page of their own."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from tournament import access
from tournament.access import Actor
from tournament.errors import Refused
from tournament.forms.appeals import LONGEST, RulingForm
from tournament.forms.problems import add_problems
from tournament.models import Appeal, Tournament
from tournament.selectors.appeals import appeals_of
from tournament.services.appeals import Objection, open_appeal, rule_appeal
from tournament.views.common import tournament_or_404
from tournament.views.umpire.table import Answer, Call, answers, written

UNPROCESSABLE = 422


@require_POST
@answers
def open_at_desk(call: Call) -> Answer:
    """Put an objection on record: {"uuid", "player", "hand_number", "text"}."""
    uuid, player = call.body.uuid(), call.body.whole("player") or 0
    text, hand = call.body.text("text", LONGEST), call.body.whole("hand_number")
    call.body.check()
    open_appeal(call.table, call.actor, Objection(player, text, hand), uuid=uuid)
    return written(call)


@require_safe
@login_required
@never_cache
def appeals(request: HttpRequest, slug: str) -> HttpResponse:
    """Every appeal at the tables one umpires, the open ones first."""
    return _page(request, _tournament(request, slug), None)


@require_POST
@login_required
def rule(request: HttpRequest, slug: str, appeal: UUID) -> HttpResponse:
    tournament = _tournament(request, slug)
    found = get_object_or_404(appeals_of(tournament), uuid=appeal)
    actor, form = Actor.of(request.user), RulingForm(request.POST, prefix=str(found.uuid))
    access.require_judge(actor, found.table)
    if form.is_valid():
        try:
            rule_appeal(found, actor, **form.cleaned_data)
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, _("The appeal is ruled."))
            return redirect("appeals", slug)
    return _page(request, tournament, form)


def _tournament(request: HttpRequest, slug: str) -> Tournament:
    tournament = tournament_or_404(slug)
    if not access.has_role(Actor.of(request.user), tournament):
        raise PermissionDenied
    return tournament


def _page(request: HttpRequest, tournament: Tournament, bound: RulingForm | None) -> HttpResponse:
    actor = Actor.of(request.user)
    mine = [one for one in appeals_of(tournament) if access.can_umpire(actor, one.table)]
    context = {
        "tournament": tournament,
        "open": [(one, _form(actor, one, bound)) for one in mine if one.is_open],
        "ruled": [one for one in reversed(mine) if not one.is_open],
        "appeal_minutes": tournament.rules.timing.appeals,
        "back_url": reverse("umpire_tables", args=[tournament.slug]),
    }
    return render(request, "umpire/appeals.html", context, status=UNPROCESSABLE if bound else 200)


def _form(actor: Actor, appeal: Appeal, bound: RulingForm | None) -> RulingForm | None:
    """The form to rule with; as it was sent, where it was sent. None for who may not rule."""
    if not access.can_judge(actor, appeal.table):
        return None
    prefix = str(appeal.uuid)
    return bound if bound is not None and bound.prefix == prefix else RulingForm(prefix=prefix)
