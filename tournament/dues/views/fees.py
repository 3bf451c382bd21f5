"""What it costs, and where the money goes to."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tournament.base.access.rights import Right
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.dues.forms import AccountForm, FeesForm
from tournament.dues.selectors.dues import account_of
from tournament.dues.services.fees import set_account, set_fees
from tournament.web.forms.problems import add_problems
from tournament.web.views.common import actor_of
from tournament.web.views.frame import UNPROCESSABLE, page_for, show


@page_for(Right.CASH)
def fees(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """All categories at once."""
    form = FeesForm(list(tournament.fees.all()), request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            set_fees(tournament, actor_of(request), form.wishes())
        except Refused as refused:
            form.say(refused)
        else:
            messages.success(request, _("Saved."))
            return redirect("organiser_dues", tournament.slug)
    context = {"form": form, "account": account_of(tournament)}
    return show(
        request, "dues/fees", tournament, "dues", context, status=UNPROCESSABLE if form.errors else 200
    )


@page_for(Right.CASH)
def account(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Currency, bank account, link."""
    known = AccountForm.of(account_of(tournament))
    form = AccountForm(request.POST if request.method == "POST" else None, initial=known)
    if form.is_valid():
        try:
            set_account(tournament, actor_of(request), form.wish())
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, _("Saved."))
            return redirect("organiser_dues", tournament.slug)
    status = UNPROCESSABLE if form.errors else 200
    return show(request, "dues/account", tournament, "dues", {"form": form}, status=status)
