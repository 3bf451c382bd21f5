"""What a token is to be for: which program, how much, where and until when."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import Any, Final

from django import forms
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils import timezone
from django.utils.text import capfirst, format_lazy
from django.utils.translation import gettext_lazy as _
from django.views.decorators.debug import sensitive_variables

from tournament.accounts.forms.sign_in import Waits
from tournament.accounts.selectors import scopes_for
from tournament.accounts.sign_in.attempts import check_password
from tournament.base.access import Actor, tournaments_of
from tournament.base.access.grants import Wanted
from tournament.base.errors import TooMany
from tournament.base.models.signed_in import USUALLY, ApiToken
from tournament.base.models.tournament import Tournament
from tournament.web.forms.spoken import Form
from tournament.web.texts.roles import ROLES

AFTERWARDS: Final = timedelta(days=7)
"""So long after the last of its tournaments, for who sends results late."""
HERE, EVERYWHERE = "here", "everywhere"
UNTIL, NEVER = "until", "never"


class TokenForm(Form, Waits):
    """With the password once more: a token goes on where a device that was left signed in is signed out."""

    name = forms.CharField(
        label=_("Which program it is for"),
        help_text=_("For instance: scoreboard of the stream."),
        max_length=60,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    scope = forms.ChoiceField(label=_("What it may do"), widget=forms.RadioSelect)
    where = forms.ChoiceField(
        label=_("In which tournaments"),
        choices=[
            (HERE, _("In these tournaments")),
            (EVERYWHERE, _("In all of mine, those to come too")),
        ],
        initial=HERE,
        widget=forms.RadioSelect,
    )
    tournaments = forms.MultipleChoiceField(
        label=_("Tournaments"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    ends = forms.ChoiceField(
        label=_("How long"),
        choices=[(UNTIL, _("Until the end of a day")), (NEVER, _("Until I end it"))],
        initial=UNTIL,
        widget=forms.RadioSelect,
    )
    expires_on = forms.DateField(
        label=_("Good until the end of"),
        help_text=_("Left empty: a week after the last of these tournaments; for all of them, 90 days."),
        required=False,
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
    )
    password = forms.CharField(
        label=_("Your password, once more"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, request: HttpRequest, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        mine = list(tournaments_of(Actor.of(user)).order_by("-ends_on", "name"))
        self.mine = {str(one.pk): one for one in mine}
        there = self.fields["tournaments"]
        assert isinstance(there, forms.MultipleChoiceField)
        there.choices = [(key, one.name) for key, one in self.mine.items()]
        there.initial = [key for key, one in self.mine.items() if one.ends_on >= timezone.localdate()]
        if not mine:
            self.fields["where"].initial = EVERYWHERE
        scope = self.fields["scope"]
        assert isinstance(scope, forms.ChoiceField)
        scope.choices = [
            *(
                (role.value, format_lazy("{}: {}", capfirst(role.label), ROLES[role]))
                for role in scopes_for(user)
            ),
            (ApiToken.ALL, _("Everything that I may do, in my name.")),
        ]

    @sensitive_variables()
    def clean(self) -> dict[str, Any]:
        password = self.cleaned_data.get("password")
        if password is None or self.errors:
            return self.cleaned_data
        try:
            if not check_password(self.user, password):
                self.add_error("password", _("This is not your password."))
        except TooMany as slowed:
            self.slowed(slowed)
        return self.cleaned_data

    def wanted(self) -> Wanted:
        """The token that is asked for; call when the form is valid."""
        given = self.cleaned_data
        chosen = tuple(self.mine[key] for key in given["tournaments"])
        there = chosen if given["where"] == HERE else None
        return Wanted(given["name"], given["scope"], there, self._until(there or ()))

    def _until(self, there: tuple[Tournament, ...]) -> datetime | None:
        if self.cleaned_data["ends"] == NEVER:
            return None
        day = self.cleaned_data["expires_on"]
        if day is None:
            if not there:
                return timezone.now() + USUALLY
            day = max(timezone.localdate(), *(one.ends_on for one in there)) + AFTERWARDS
        return timezone.make_aware(datetime.combine(day + timedelta(days=1), time.min))
