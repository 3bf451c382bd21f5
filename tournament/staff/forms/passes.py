"""Asking for passes: a card for each table, or a link for one umpire."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from django import forms
from django.core.validators import URLValidator
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.engine.problems import Problem
from tournament.base.access.own_address import own_address
from tournament.base.models.tournament import Tournament
from tournament.base.selectors.reach import tables_of
from tournament.staff.forms.reach import offer_sessions, sessions_field, table_numbers
from tournament.staff.passes import Reach, good_until
from tournament.web.forms.numbers import numbers_text
from tournament.web.forms.problems import add_problems
from tournament.web.forms.spoken import Form
from tournament.web.texts.fields import ADDRESS

TABLES, UMPIRE = "tables", "umpire"


class PassForm(Form):
    """What is printed on the cards, and whom they let in where."""

    kind = forms.ChoiceField(
        label=_("For"),
        choices=[(TABLES, _("Tables: a card lies on each, all day")), (UMPIRE, _("One umpire"))],
        widget=forms.RadioSelect,
        initial=TABLES,
    )
    tables = forms.CharField(
        label=_("Tables"),
        help_text=_("For instance 1-5, 8."),
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "text"}),
    )
    name = forms.CharField(
        label=_("Umpire’s name"),
        help_text=_("The log shows it with everything written under this pass."),
        max_length=80,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    sessions = sessions_field()
    expires_on = forms.DateField(
        label=_("Good until the end of"),
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
    )
    address = forms.CharField(
        label=_("Address of this server"),
        help_text=_("As the phones in the hall reach it."),
        max_length=200,
        validators=[URLValidator(schemes=["http", "https"])],
        error_messages={"invalid": ADDRESS},
        widget=forms.URLInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    network = forms.CharField(
        label=_("Wi-Fi network"),
        help_text=_("Printed on the cards, with a code to join it."),
        max_length=32,
        required=False,
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )
    network_password = forms.CharField(
        label=_("Wi-Fi password"),
        max_length=63,
        required=False,
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )

    def __init__(self, tournament: Tournament, request: HttpRequest) -> None:
        self.tournament, self.known_tables = tournament, tables_of(tournament)
        initial = {
            "tables": numbers_text(self.known_tables),
            "expires_on": max(tournament.ends_on, timezone.localdate()),
            "address": own_address(request),
        }
        super().__init__(request.POST or None, initial=initial)
        self.known_sessions = list(tournament.sessions.all())
        offer_sessions(self, self.known_sessions)

    def clean_tables(self) -> list[int]:
        if self.data.get("kind") == UMPIRE:
            return []
        found = table_numbers(self, self.known_tables)
        if found == []:
            add_problems(self, [Problem("tables_not_named", "tables")])
        return found or []

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"].strip()
        if self.data.get("kind") == UMPIRE and not name:
            add_problems(self, [Problem("name_missing", "name")])
        return name

    def clean_expires_on(self) -> date:
        day: date = self.cleaned_data["expires_on"]
        if day < timezone.localdate():
            add_problems(self, [Problem("pass_already_over", "expires_on")])
        return day

    def clean_address(self) -> str:
        return str(self.cleaned_data["address"]).rstrip("/")

    def reaches(self) -> list[Reach]:
        """Whom the passes are for; call when the form is valid."""
        if self.cleaned_data["kind"] == TABLES:
            return [
                Reach(gettext("Table {table}").format(table=number), table_number=number)
                for number in self.cleaned_data["tables"]
            ]
        chosen = set(self.cleaned_data["sessions"])
        sessions = [one for one in self.known_sessions if str(one.number) in chosen]
        return [Reach(self.cleaned_data["name"], sessions=sessions)]

    def expires_at(self) -> datetime:
        """Midnight after the last day, by the tournament's clock."""
        return good_until(self.tournament, self.cleaned_data["expires_on"])

    def printed(self) -> dict[str, Any]:
        """What goes on every card."""
        return {name: self.cleaned_data[name] for name in ("address", "network", "network_password")}
