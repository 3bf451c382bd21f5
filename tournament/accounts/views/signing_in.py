"""Signing in, and where that leads when nothing else was asked for; before there is an account, to making one."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.views import LoginView
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from tournament.accounts import setup_code
from tournament.accounts.forms.sign_in import CodeForm, SignInForm, Waits
from tournament.accounts.selectors import has_second_factor
from tournament.accounts.sign_in import half, known
from tournament.base import access
from tournament.base.access import Right
from tournament.base.access.rights import roles_with
from tournament.web.views.common import actor_of

TOO_MANY = 429


@method_decorator(sensitive_post_parameters(), name="dispatch")
class SignIn(LoginView):
    """An organiser lands on the tournaments, the others on the staff where their role leads, anybody else on the start
    page."""

    form_class = SignInForm
    template_name = "accounts/login.html"
    redirect_authenticated_user = True

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """With no account to sign in with, the first visit leads to making one."""
        return redirect("setup") if setup_code.is_open() else super().dispatch(request, *args, **kwargs)

    def get_default_redirect_url(self) -> str:
        return landing(self.request)

    def form_valid(self, form: Any) -> HttpResponse:
        """The password is right: in, or on to the code where the account has a second factor."""
        user = form.get_user()
        if has_second_factor(user):
            half.begin(self.request, user, self.get_redirect_url())
            return redirect("login_code")
        login(self.request, user)
        response = HttpResponseRedirect(self.get_success_url())
        known.remember(self.request, response, user.get_username())
        return response

    def form_invalid(self, form: Any) -> HttpResponse:
        return slowed(super().form_invalid(form), form)


@sensitive_post_parameters()
@never_cache
def show_code(request: HttpRequest) -> HttpResponse:
    """The second page of signing in: the password is not asked for again, for ten minutes."""
    begun = half.half_of(request)
    if begun is None:
        half.end(request)
        if request.user.is_authenticated:
            return redirect(landing(request))
        messages.info(request, _("That took too long. Sign in again."))
        return redirect("login")
    form = CodeForm(request, begun.user, request.POST or None)
    if request.method != "POST" or not form.is_valid():
        return slowed(render(request, "accounts/login_code.html", {"form": form}), form)
    half.end(request)
    login(request, begun.user, backend=begun.backend)
    response = HttpResponseRedirect(begun.to or landing(request))
    known.remember(request, response, begun.user.get_username())
    return response


def landing(request: HttpRequest) -> str:
    """Where the role of who has signed in leads."""
    actor = actor_of(request)
    roles = set(access.memberships_of(actor).values_list("role", flat=True))
    if access.can_create(actor) or roles.intersection(roles_with(Right.ORGANISE)):
        return reverse("organiser_home")
    return reverse("umpire_home" if roles else "home")


def slowed(response: HttpResponse, form: BaseForm) -> HttpResponse:
    """The answer to a form whose secret was not looked at says when to come back, to programs too."""
    if isinstance(form, Waits) and form.wait is not None:
        response.status_code = TOO_MANY
        response.headers["Retry-After"] = str(form.wait)
    return response
