"""The first visit: make the organiser's account, with the code that was printed when Hule started."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables

from scoring.engine.problems import Problem
from tournament.accounts import setup_code
from tournament.accounts.forms.setup import FirstOrganiserForm
from tournament.accounts.services.accounts import make_first_organiser
from tournament.accounts.sign_in import known
from tournament.base.access.address import place_of
from tournament.base.errors import Refused, TooMany
from tournament.base.limits import Guesses
from tournament.web.forms.problems import add_problems
from tournament.web.views.common import turned_away
from tournament.web.views.frame import UNPROCESSABLE

CODES = Guesses.at("setup", freely=10, seconds=5)


@sensitive_post_parameters()
@sensitive_variables()
@never_cache
def setup(request: HttpRequest) -> HttpResponse:
    """Once the first account exists there is no such page."""
    if not setup_code.is_open():
        raise Http404
    if request.method != "POST":
        return render(request, "accounts/setup.html", {"form": FirstOrganiserForm()})
    if (later := guessed_too_often(request)) is not None:
        return later
    form = FirstOrganiserForm(request.POST)
    if "code" not in form.errors:
        CODES.was_right(place_of(request))
    if form.is_valid():
        data = form.cleaned_data
        try:
            user = make_first_organiser(
                code=data["code"],
                username=data["username"],
                password=data["password1"],
                full_name=data["full_name"],
            )
        except Refused as refused:
            add_problems(form, refused)
        else:
            login(request, user, backend="django.contrib.auth.backends.ModelBackend")
            messages.success(request, _("Your account is made. Now make your tournament."))
            response = redirect("organiser_new")
            known.remember(request, response, user.username)
            return response
    return render(request, "accounts/setup.html", {"form": form}, status=UNPROCESSABLE)


def guessed_too_often(request: HttpRequest) -> HttpResponse | None:
    """Count a guess at the code; the answer when it is not looked at. A right one is given back: `CODES.was_right`."""
    try:
        CODES.require(place_of(request), Problem("guessed_too_often", "", {"seconds": CODES.pace.within}))
    except TooMany as many:
        return turned_away(request, many)
    return None
