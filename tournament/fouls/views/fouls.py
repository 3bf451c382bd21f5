"""The tournament's own foul book: what is changed, what is added, and the rulebook's again."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from penalties.engine import Origin
from penalties.texts import foul_name
from penalties.views import entries
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.fouls.forms.fouls import FoulForm, HouseFoulForm
from tournament.fouls.services.fouls import add_foul, change_foul, restore_foul
from tournament.web.forms.problems import add_problems
from tournament.web.views.common import actor_of
from tournament.web.views.frame import UNPROCESSABLE, organiser_page, press, show


@organiser_page
@require_safe
def listing(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Every foul with what it costs here."""
    return show(request, "fouls/fouls", tournament, "fouls", {"fouls": entries(tournament.rules.fouls)})


@organiser_page
def edit(request: HttpRequest, tournament: Tournament, key: str) -> HttpResponse:
    """Another amount from now on."""
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
def new(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """A house foul."""
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
def restore(request: HttpRequest, tournament: Tournament, key: str) -> HttpResponse:
    """As in the rulebook again; a house foul is taken out."""
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
