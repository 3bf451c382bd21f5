"""Signing in, and where that leads when nothing else was asked for; before there is an account, to making one."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.views import LoginView, PasswordChangeView
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse, reverse_lazy

from tournament import access
from tournament.access import Actor, setup_code
from tournament.forms.accounts import NewPasswordForm, SignInForm
from tournament.models import Role


class SignIn(LoginView):
    """An organiser lands on the tournaments, an umpire on the tables, anybody else on the start page."""

    form_class = SignInForm
    redirect_authenticated_user = True

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """With no account to sign in with, the first visit leads to making one."""
        return redirect("setup") if setup_code.is_open() else super().dispatch(request, *args, **kwargs)

    def get_default_redirect_url(self) -> str:
        actor = Actor.of(self.request.user)
        roles = set(access.memberships_of(actor).values_list("role", flat=True))
        if access.can_create(actor) or Role.ORGANISER in roles:
            return reverse("organiser_home")
        return reverse("umpire_home" if roles else "home")


class NewPassword(PasswordChangeView):
    """Another password for whoever is signed in."""

    form_class = NewPasswordForm
    success_url = reverse_lazy("home")
