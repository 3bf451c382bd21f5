"""Forms that import a tournament file, and how large it may be."""

from typing import Any, Final

from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import AuthenticationFailed

from tournament.accounts.sign_in import SCHEMES, TokenAuthentication
from tournament.base import access
from tournament.base.access import Actor
from tournament.exchange.event_file.reading import MAX_BYTES
from tournament.exchange.selectors import SLUG
from tournament.web.forms import Form

FORM_OVERHEAD: Final = 1024 * 1024
"""Allowance for a form's other fields, so that the form reports a file that is a little too large."""


def largest_file(request: HttpRequest, **_url: Any) -> int | None:
    """Return how many bytes may be sent by who may create tournaments, by session or token; None for others."""
    user, api_token = request.user, None
    scheme, _separator, token = request.META["HTTP_AUTHORIZATION"].partition(" ")
    if scheme.lower() in SCHEMES:
        try:
            user, api_token = TokenAuthentication().authenticate_credentials(token.strip().encode())
        except AuthenticationFailed:
            return None
    may_send = access.can_create(Actor.of(user, access.token_grant(api_token)))
    return MAX_BYTES + FORM_OVERHEAD if may_send else None


class TournamentFileForm(Form):
    file = forms.FileField(
        label=_("The tournament’s file"),
        help_text=_("As its owner downloaded it; its name ends in .hule.json."),
        widget=forms.FileInput(attrs={"accept": ".json,application/json"}),
    )

    def content(self) -> bytes:
        """Return the file's content; one byte more than allowed is enough for `parse_json` to refuse it."""
        content: bytes = self.cleaned_data["file"].read(MAX_BYTES + 1)
        return content


class ImportForm(Form):
    slug = forms.RegexField(
        SLUG,
        label=_("Address"),
        help_text=_("The page of the tournament is /t/…/."),
        max_length=60,
        error_messages={"invalid": _("An address has letters a to z, digits and hyphens.")},
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "spellcheck": "false", "autocapitalize": "none"}
        ),
    )
