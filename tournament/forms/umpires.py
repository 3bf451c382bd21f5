"""Naming an umpire: an account, and the sessions and tables it is for."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.utils.translation import gettext_lazy as _

from scoring.engine.problems import Problem
from tournament.forms.problems import add_problems
from tournament.forms.reach import offer_sessions, sessions_field, table_numbers
from tournament.forms.spoken import Form
from tournament.models import Membership, Tournament
from tournament.selectors.reach import drawn_in, scope_of
from tournament.words.fields import USERNAME

NEW, KNOWN = "new", "known"


class ScopeForm(Form):
    """Where an umpire may write. Nothing chosen means everywhere."""

    sessions = sessions_field()
    tables = forms.CharField(
        label=_("Tables"),
        help_text=_("For instance 1-5, 8. Left empty: all of them."),
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.tournament = tournament
        known_sessions = list(tournament.sessions.all())
        offer_sessions(self, known_sessions)
        if not known_sessions:
            # Before the draw there is nothing to choose from.
            del self.fields["sessions"], self.fields["tables"]

    @staticmethod
    def scope_of(membership: Membership) -> dict[str, Any]:
        """What an umpire's form starts from."""
        tables = membership.tables.select_related("session")
        named = [] if membership.every_session else [table.session for table in tables]
        sessions = {session.number for session in named or membership.sessions.all()}
        return {
            "sessions": [str(number) for number in sorted(sessions)],
            "tables": ", ".join(str(number) for number in sorted({table.number for table in tables})),
        }

    def clean_tables(self) -> list[int]:
        """The numbers of the tables. Each is drawn where it is to hold: none at all would mean everywhere."""
        return table_numbers(self, drawn_in(self.tournament, self._sessions())) or []

    def scope(self) -> dict[str, Any]:
        """The sessions and the tables to name, as `grant_umpire` takes them; call when the form is valid."""
        return scope_of(self.tournament, self._sessions(), self.cleaned_data.get("tables", []))

    def _sessions(self) -> list[int]:
        return [int(number) for number in self.cleaned_data.get("sessions", [])]


class UmpireForm(ScopeForm):
    """An umpire to be: a new account, or one that there is."""

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
    field_order = ["account", "username", "full_name", "sessions", "tables"]

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
