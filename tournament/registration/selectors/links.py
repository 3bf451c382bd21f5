"""Where somebody's own page is, for letters."""

from __future__ import annotations

from django.urls import reverse

from tournament.base.models.registration import Registration, RegistrationPlan
from tournament.registration.selectors.registration_link import token_of
from tournament.registration.selectors.registration_plan import plan_of


def link_of(registration: Registration) -> str:
    """The address of their page."""
    return link_by(plan_of(registration.tournament), registration)


def link_by(plan: RegistrationPlan | None, registration: Registration) -> str:
    """The same where the plan is known. It begins with what the organiser's browser said, never with a visitor's."""
    path = reverse("registration", args=[registration.tournament.slug, token_of(registration)])
    return f"{plan.site.rstrip('/') if plan else ''}{path}"
