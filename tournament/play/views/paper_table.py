"""One table kept on paper: correct its totals, settle two readings, let its hands count, and what was typed before."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from tournament.base import access
from tournament.base.access import Actor
from tournament.base.errors import Refused
from tournament.base.models.play import Session, Table
from tournament.play.engine.totals import faults
from tournament.play.forms.totals import CorrectionForm
from tournament.play.models.totals import Totals
from tournament.play.selectors.totals import (
    beside_hands,
    differences,
    open_second,
    standing_totals,
    unpaid_at,
    versions_of_totals,
)
from tournament.play.services.paper import keep_on_paper
from tournament.play.services.second_readings import settle_totals
from tournament.play.services.totals import correct_totals, enter_totals, set_totals_aside
from tournament.play.views.paper import UNPROCESSABLE, session_or_404
from tournament.play.views.table import table_or_404
from tournament.web.views.common import actor_of, tell_refusal

KEPT = {"paper": True, "hands": False, "rest": None}
"""How the page says whether sheets are kept on paper."""


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def page(request: HttpRequest, slug: str, session: int, table: int) -> HttpResponse:
    """POST `choice`: which of two readings is right; else the totals, typed for the first time or corrected."""
    here, actor = table_or_404(slug, session, table), actor_of(request)
    access.require_umpire(actor, here)
    form = _form(here, request.POST if request.method == "POST" else None)
    if request.method == "POST":
        if not _is_read(form, here, request.POST.get("choice", "")):
            form.say(faults(form.entry(), [player.number for player in form.players], unpaid_at(here)))
            return _show(request, here, form)
        try:
            done = _write(here, actor, form, request.POST.get("choice", ""))
        except Refused as refused:
            form.say(refused)
        else:
            messages.success(request, done)
            return redirect("paper", slug, session)
    return _show(request, here, form)


@require_POST
@login_required
def set_aside(request: HttpRequest, slug: str, session: int, table: int) -> HttpResponse:
    """Let the hands count, or take totals back that were typed at the wrong table."""
    here = table_or_404(slug, session, table)
    try:
        set_totals_aside(here, actor_of(request), reason=request.POST.get("reason", ""))
    except Refused as refused:
        tell_refusal(request, refused)
    else:
        messages.success(request, _("The totals of table %(n)s are set aside.") % {"n": table})
    return redirect("paper_table", slug, session, table)


@require_POST
@login_required
def keep(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    """Say what is kept on paper: `of` the event, the session, or a table by number."""
    here, of = session_or_404(request, slug, session), request.POST.get("of", "")
    kept = KEPT.get(request.POST.get("kept", ""))
    place: dict[str, int] = {} if of == "event" else {"session": session}
    if of not in ("event", "session"):
        place["table"] = int(of) if of.isascii() and of.isdecimal() and len(of) < 6 else 0
    try:
        keep_on_paper(here.tournament, actor_of(request), kept, **place)
    except Refused as refused:
        tell_refusal(request, refused)
    else:
        messages.success(request, _("Saved."))
    return redirect("paper", slug, session)


def _form(table: Table, given: Any) -> CorrectionForm:
    players = [seat.player for seat in table.seats.select_related("player").order_by("id")]
    totals = standing_totals(table)
    form = CorrectionForm(
        players,
        table.number,
        given,
        version=table.version,
        more=True,
        has_to_say=totals is not None and open_second(table) is None,
    )
    if totals is not None:
        form.fill(totals)
    return form


def _is_read(form: CorrectionForm, table: Table, choice: str) -> bool:
    """Whether every figure that is asked for could be read: who chooses a reading types none."""
    return form.is_valid() or choice in (Totals.Settled.FIRST, Totals.Settled.SECOND)


def _write(table: Table, actor: Actor, form: CorrectionForm, choice: str) -> str:
    found = form.cleaned_data
    about: dict[str, Any] = {"uuid": found.get("uuid") or uuid4(), "expected_version": found.get("version")}
    if choice in Totals.Settled.values:
        reason = found.get("reason", "")
        settle_totals(table, actor, Totals.Settled(choice), entry=form.entry(), reason=reason, **about)
        return _("The two readings of table %(n)s are settled.") % {"n": table.number}
    if table.counts_totals:
        correct_totals(table, actor, form.entry(), reason=found["reason"], **about)
        return _("The totals of table %(n)s are corrected.") % {"n": table.number}
    enter_totals(table, actor, form.entry(), **about)
    return _("The totals of table %(n)s are saved.") % {"n": table.number}


def _show(request: HttpRequest, table: Table, form: CorrectionForm) -> HttpResponse:
    session, totals, second = table.session, standing_totals(table), open_second(table)
    names = {player.number: player.name for player in form.players}
    context = {
        "tournament": session.tournament,
        "session": session,
        "table": table,
        "form": form,
        "totals": totals,
        "versions": [
            (one, [one.points.get(str(player)) for player in names]) for one in versions_of_totals(table)
        ],
        "second": second,
        "differences": _named(differences(totals.entry, second.entry, list(names)), names)
        if totals and second
        else [],
        "beside": {names[player]: by for player, by in beside_hands(table, totals).items()}
        if totals and table.hands_played
        else {},
        "judges": access.can_judge(actor_of(request), table),
        "may_type": session.state != Session.State.PLANNED and (totals is not None or not table.hands_played),
        "unpaid": unpaid_at(table),
        "choice": request.POST.get("choice", ""),
        "back_url": reverse("paper", args=[session.tournament.slug, session.number]),
    }
    return render(request, "play/paper_table.html", context, status=UNPROCESSABLE if form.errors else 200)


def _named(found: Any, names: dict[int, str]) -> list[dict[str, Any]]:
    """The figures that differ, with whose they are."""
    return [vars(one) | {"name": names.get(one.player, "")} for one in found]
