"""Forms of the staff: naming and inviting somebody, passes, and the rota."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from datetime import date, datetime
from typing import Any

from django import forms
from django.contrib.auth.forms import BaseUserCreationForm
from django.contrib.auth.models import User
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.http import HttpRequest
from django.utils import timezone
from django.utils.text import capfirst, format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournament.accounts.forms import AGAIN
from tournament.base.access import Actor, can_give
from tournament.base.models.people import Player
from tournament.base.models.play import Session
from tournament.base.models.tournament import Membership, Role, Tournament
from tournament.base.problems import NAME_MISSING, NO_SUCH_ACCOUNT, NO_SUCH_TABLE, NOT_TABLE_NUMBERS
from tournament.base.selectors import drawn_in, scope_of, tables_of
from tournament.staff.models import Invitation
from tournament.staff.passes import Reach, good_until
from tournament.staff.selectors import TABLES_NOT_NAMED, RotaNow, field_name
from tournament.staff.services import PASS_ALREADY_OVER, USERNAME_TAKEN
from tournament.web.forms import DayInput, Form, Spoken, add_problems, numbers_in, numbers_text
from tournament.web.texts.fields import ACCOUNTS, USERNAME
from tournament.web.texts.words import ROLES

# --- Sessions and tables ---


MOST_UNKNOWN = 5
"""So many unknown tables are named at once."""


def sessions_field() -> forms.MultipleChoiceField:
    return forms.MultipleChoiceField(
        label=_("Sessions"),
        help_text=_("None ticked: all of them."),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )


def offer_sessions(form: forms.Form, sessions: Iterable[Session]) -> None:
    """Make these the form's sessions to tick."""
    chooser = form.fields["sessions"]
    assert isinstance(chooser, forms.MultipleChoiceField)
    chooser.choices = [(str(session.number), str(session.number)) for session in sessions]


def table_numbers(form: forms.Form, known: Collection[int]) -> list[int] | None:
    """Read the numbers in the form's tables; those that are not known are problems. None when they are no numbers."""
    try:
        numbers = numbers_in(form.cleaned_data["tables"])
    except ValueError as fault:
        add_problems(form, [NOT_TABLE_NUMBERS("tables", text=str(fault))])
        return None
    unknown = sorted(set(numbers) - set(known))[:MOST_UNKNOWN]
    add_problems(form, [NO_SUCH_TABLE("tables", table=number) for number in unknown])
    return numbers


def last_day(form: forms.Form) -> date:
    """Read the last day of a pass or an invitation, which must not be over."""
    day: date = form.cleaned_data["expires_on"]
    if day < timezone.localdate():
        add_problems(form, [PASS_ALREADY_OVER("expires_on")])
    return day


# --- Roles ---


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


_EMAIL: Any = Invitation._meta.get_field("email")


class InviteForm(RoleForm):
    """Whom to invite: by a link to pass on, or by e-mail."""

    email = _EMAIL.formfield(widget=forms.EmailInput(attrs={"autocomplete": "off"}))
    expires_on = forms.DateField(
        label=_("Good until the end of"),
        widget=DayInput(),
    )
    field_order = ["role", "email", "expires_on", "sessions", "tables"]

    def clean_expires_on(self) -> date:
        return last_day(self)

    def invitation(self) -> Invitation:
        """What they are invited to; call when the form is valid."""
        until = good_until(self.tournament, self.cleaned_data["expires_on"])
        return Invitation(tournament=self.tournament, role=self.chosen, expires_at=until, **self.numbers)


class PlaysForm(Form):
    """Who of the players somebody on the staff is."""

    player = forms.TypedChoiceField(label=_("Plays here as"), coerce=int, empty_value=None, required=False)

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.tournament = tournament
        chooser = self.fields["player"]
        assert isinstance(chooser, forms.ChoiceField)
        people = [(player.number, f"{player.number} {player.name}") for player in tournament.players.all()]
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
            add_problems(self, [NO_SUCH_ACCOUNT("username", username=username)])
        if username and self.makes_account and self.user() is not None:
            add_problems(self, [USERNAME_TAKEN("username", username=username)])
        return self.cleaned_data

    def user(self) -> User | None:
        """The account of the name given, whichever way it is capitalised."""
        return User.objects.filter(username__iexact=self.cleaned_data.get("username", "")).first()


# --- Invitations ---


class JoinForm(Spoken, BaseUserCreationForm):  # type: ignore[type-arg]
    """Name and password. Read only; a service writes."""

    full_name = forms.CharField(
        label=_("Your name"), help_text=_("The log shows it."), max_length=150, required=False
    )
    error_messages = {"password_mismatch": ACCOUNTS["password_mismatch"]}
    field_order = ["full_name", "username", "password1", "password2"]

    class Meta:
        model = User
        fields = ["username"]
        labels = {"username": _("Name to sign in with")}
        help_texts = {"username": ""}
        error_messages = {"username": {"invalid": USERNAME}}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password2"].label = AGAIN
        self.fields["password2"].help_text = ""


# --- Passes ---


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
        widget=DayInput(),
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
        }
        super().__init__(request.POST or None, initial=initial)
        self.known_sessions = list(tournament.sessions.all())
        offer_sessions(self, self.known_sessions)

    def clean_tables(self) -> list[int]:
        if self.data.get("kind") == UMPIRE:
            return []
        numbers = table_numbers(self, self.known_tables)
        if numbers == []:
            add_problems(self, [TABLES_NOT_NAMED("tables")])
        return numbers or []

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"].strip()
        if self.data.get("kind") == UMPIRE and not name:
            add_problems(self, [NAME_MISSING("name")])
        return name

    def clean_expires_on(self) -> date:
        return last_day(self)

    def reaches(self) -> list[Reach]:
        """Whom the passes are for; call when the form is valid."""
        if self.cleaned_data["kind"] == TABLES:
            return [
                Reach(gettext("Table {table}").format(table=number), table_number=number)
                for number in self.cleaned_data["tables"]
            ]
        chosen = set(self.cleaned_data["sessions"])
        sessions = [session for session in self.known_sessions if str(session.number) in chosen]
        return [Reach(self.cleaned_data["name"], sessions=sessions)]

    def expires_at(self) -> datetime:
        """Midnight after the last day, by the tournament's clock."""
        return good_until(self.tournament, self.cleaned_data["expires_on"])

    def printed(self) -> dict[str, Any]:
        """What goes on every card."""
        return {name: self.cleaned_data[name] for name in ("network", "network_password")}


# --- The rota ---


class RotaForm(Form):
    """The rota by hand: a line an umpire, a field a session, tables by number in each; none where they play."""

    def __init__(self, tournament: Tournament, rota: RotaNow, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.tournament, self.rota = tournament, rota
        self._places: dict[str, tuple[int, int]] = {}
        for line in rota.lines:
            for session, tables in line.tables.items():
                if tables is not None:
                    name = field_name(session, line.membership.pk)
                    self._places[name] = session, line.membership.pk
                    self.fields[name] = forms.CharField(
                        label=format_lazy(_("Session {session}"), session=session),
                        initial=numbers_text(tables),
                        max_length=200,
                        required=False,
                        widget=forms.TextInput(attrs={"autocomplete": "off"}),
                    )

    def clean(self) -> dict[str, Any]:
        """Each field becomes the numbers in it."""
        for name in self._places:
            try:
                self.cleaned_data[name] = numbers_in(self.cleaned_data.get(name, ""))
            except ValueError as fault:
                add_problems(self, [NOT_TABLE_NUMBERS(name, text=str(fault))])
        return self.cleaned_data

    def rows(self) -> dict[tuple[int, int], list[int]]:
        """As `set_rota` takes it; call when the form is valid."""
        rows: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
        for name, (session, umpire) in self._places.items():
            for table in self.cleaned_data[name]:
                rows[session, table].append(umpire)
        return dict(rows)

    @property
    def lines(self) -> list[tuple[str, list[tuple[int, forms.BoundField | None]]]]:
        """(name, (session, its field or None where the umpire plays)) for the page."""
        return [
            (
                line.name,
                [
                    (session, None if tables is None else self[field_name(session, line.membership.pk)])
                    for session, tables in line.tables.items()
                ],
            )
            for line in self.rota.lines
        ]
