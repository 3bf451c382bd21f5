"""Naming and inviting staff: a role, an account, and the sessions and tables it is for."""

from __future__ import annotations

from datetime import date
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.utils import timezone
from django.utils.text import capfirst, format_lazy
from django.utils.translation import gettext_lazy as _

from scoring.engine.problems import Problem
from tournament.base.access import Actor, can_give
from tournament.base.models.people import Player
from tournament.base.models.tournament import Membership, Role, Tournament
from tournament.base.selectors.reach import drawn_in, scope_of
from tournament.staff.forms.reach import offer_sessions, sessions_field, table_numbers
from tournament.staff.invitations import Offer
from tournament.staff.passes import good_until
from tournament.web.forms.problems import add_problems
from tournament.web.forms.spoken import Form
from tournament.web.texts.fields import USERNAME
from tournament.web.texts.roles import ROLES

NEW, KNOWN = "new", "known"


class RoleForm(Form):
    """Which role, of those one may give, and where it is for. Nothing chosen means everywhere."""

    role = forms.ChoiceField(label=_("Role"), widget=forms.RadioSelect)

    sessions = sessions_field()
    tables = forms.CharField(
        label=_("Tables"),
        help_text=_("For instance 1-5, 8. Left empty: all of them."),
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, tournament: Tournament, actor: Actor, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.tournament = tournament
        chooser = self.fields["role"]
        assert isinstance(chooser, forms.ChoiceField)
        chooser.choices = [
            (role.value, format_lazy("{}: {}", capfirst(role.label), ROLES[role]))
            for role in Role
            if can_give(actor, tournament, role)
        ]
        known_sessions = list(tournament.sessions.all())
        offer_sessions(self, known_sessions)
        if not known_sessions:
            # Before the draw there is nothing to choose from.
            del self.fields["sessions"], self.fields["tables"]

    @property
    def chosen(self) -> Role:
        return Role(self.cleaned_data["role"])

    @staticmethod
    def of(membership: Membership) -> dict[str, Any]:
        """What a member's form starts from."""
        tables = membership.tables.select_related("session")
        named = [] if membership.every_session else [table.session for table in tables]
        sessions = {session.number for session in named or membership.sessions.all()}
        return {
            "role": membership.role,
            "sessions": [str(number) for number in sorted(sessions)],
            "tables": ", ".join(str(number) for number in sorted({table.number for table in tables})),
        }

    @property
    def numbers(self) -> dict[str, list[int]]:
        """The sessions and the tables by their numbers."""
        return {"sessions": self._sessions(), "tables": self.cleaned_data.get("tables", [])}

    def clean_tables(self) -> list[int]:
        """The numbers of the tables. Each is drawn where it is to hold: none at all would mean everywhere."""
        return table_numbers(self, drawn_in(self.tournament, self._sessions())) or []

    def scope(self) -> dict[str, Any]:
        """The sessions and the tables to name, as `give_role` takes them; call when the form is valid."""
        return scope_of(self.tournament, self._sessions(), self.cleaned_data.get("tables", []))

    def _sessions(self) -> list[int]:
        return [int(number) for number in self.cleaned_data.get("sessions", [])]


class MemberForm(RoleForm):
    """Another role, or another reach, of somebody who has one."""


class InviteForm(RoleForm):
    """Whom to invite: by a link to pass on, or by e-mail."""

    email = forms.EmailField(
        label=_("E-mail address"),
        help_text=_("Left empty: you get a link to pass on."),
        required=False,
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )
    expires_on = forms.DateField(
        label=_("Good until the end of"),
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
    )
    field_order = ["role", "email", "expires_on", "sessions", "tables"]

    def clean_expires_on(self) -> date:
        day: date = self.cleaned_data["expires_on"]
        if day < timezone.localdate():
            add_problems(self, [Problem("pass_already_over", "expires_on")])
        return day

    def offer(self) -> Offer:
        """What they are invited to; call when the form is valid."""
        until = good_until(self.tournament, self.cleaned_data["expires_on"])
        return Offer(self.chosen, until, **self.numbers)


class PlaysForm(Form):
    """Who of the players somebody on the staff is."""

    player = forms.TypedChoiceField(label=_("Plays here as"), coerce=int, empty_value=None, required=False)

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.tournament = tournament
        chooser = self.fields["player"]
        assert isinstance(chooser, forms.ChoiceField)
        people = [(one.number, f"{one.number} {one.name}") for one in tournament.players.all()]
        chooser.choices = [("", _("nobody")), *people]

    def player_chosen(self) -> Player | None:
        number = self.cleaned_data["player"]
        return None if number is None else self.tournament.players.get(number=number)


class NewMemberForm(RoleForm):
    """Somebody to be on the staff: a new account, or one that there is."""

    account = forms.ChoiceField(
        label=_("Account"),
        choices=[(NEW, _("Make a new one")), (KNOWN, _("There is one already"))],
        widget=forms.RadioSelect,
        initial=NEW,
    )
    username = forms.CharField(
        label=_("Name to sign in with"),
        max_length=150,
        validators=[UnicodeUsernameValidator()],
        error_messages={"invalid": USERNAME},
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )
    full_name = forms.CharField(
        label=_("Full name"),
        help_text=_("For a new account. The log shows it."),
        max_length=150,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    field_order = ["role", "account", "username", "full_name", "sessions", "tables"]

    @property
    def makes_account(self) -> bool:
        return self.cleaned_data.get("account") == NEW

    def clean(self) -> dict[str, Any]:
        username = self.cleaned_data.get("username")
        if username and not self.makes_account and self.user() is None:
            add_problems(self, [Problem("no_such_account", "username", {"username": username})])
        if username and self.makes_account and self.user() is not None:
            add_problems(self, [Problem("username_taken", "username", {"username": username})])
        return self.cleaned_data

    def user(self) -> User | None:
        """The account of the name given, whichever way it is capitalised."""
        return User.objects.filter(username__iexact=self.cleaned_data.get("username", "")).first()
