"""Signing in, and where that leads when nothing else was asked for."""

from __future__ import annotations

from django.contrib.auth.views import LoginView
from django.urls import reverse

from tournament import access
from tournament.access import Actor
from tournament.models import Role


class SignIn(LoginView):
    """An organiser lands on the tournaments, an umpire on the tables, anybody else on the start page."""

    redirect_authenticated_user = True

    def get_default_redirect_url(self) -> str:
        actor = Actor.of(self.request.user)
        roles = set(access.memberships_of(actor).values_list("role", flat=True))
        if access.can_create(actor) or Role.ORGANISER in roles:
            return reverse("organiser_home")
        return reverse("umpire_home" if roles else "home")
