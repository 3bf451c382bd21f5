"""Forms for roles, invitations, passes and the umpires' tables."""

from datetime import datetime
from typing import Any, Final

from django import forms
from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from tournament.accounts.forms import AccountForm
from tournament.base.access import Actor, can_assign_role
from tournament.base.errors import Invalid
from tournament.base.models.people import Player
from tournament.base.models.tournament import Membership, Role, Tournament
from tournament.base.problems import NOT_TABLE_NUMBERS
from tournament.staff.models import Invitation
from tournament.staff.passes import PassScope, end_of_day
from tournament.staff.selectors import RotaEntry, RotaTable, field_name, scope_of, tables_of
from tournament.web.forms import DayInput, Form, adding_problems, numbers_text, parse_numbers
from tournament.web.texts.words import role_choices

_EMAIL: Any = Invitation._meta.get_field("email")
VERBATIM_ATTRS = {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}

# --- Sessions and tables ---


class TablesField(forms.CharField):
    """Table numbers as text, "1-5, 8", that cleans to a list of integers."""

    widget = forms.TextInput(attrs={"autocomplete": "off"})

    def prepare_value(self, value: Any) -> Any:
        """Return the text of the numbers that a model or `initial` has; what was sent stays as it is."""
        return value if value is None or isinstance(value, str) else numbers_text(value)

    def clean(self, value: Any) -> Any:
        try:
            return parse_numbers(super().clean(value))
        except ValueError as error:
            raise Invalid(NOT_TABLE_NUMBERS(text=str(error))) from None


class ScopeForm(Form):
    """The sessions and tables for which a role or a pass is valid."""

    sessions = forms.TypedMultipleChoiceField(
        label=_("Sessions"),
        help_text=_("Tick none for all of them."),
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    tables = TablesField(
        label=_("Tables"), help_text=_("For instance 1-5, 8. Leave empty for all."), required=False
    )

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.tournament = tournament
        sessions: Any = self.fields["sessions"]
        sessions.choices = [(session.number, str(session.number)) for session in tournament.sessions.all()]


class ExpiringScopeForm(ScopeForm):
    """The same with a last day. `expires_on` cleans to the moment after it."""

    expires_on = forms.DateField(label=_("Valid through"), widget=DayInput())

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        super().__init__(tournament, *args, **kwargs)
        self.fields["expires_on"].initial = max(tournament.ends_on, timezone.localdate())

    def clean_expires_on(self) -> datetime | None:
        with adding_problems(self):
            return end_of_day(self.tournament, self.cleaned_data["expires_on"])
        return None


# --- Roles ---


LINK, NEW, KNOWN = "link", "new", "known"
"""Whether somebody is invited by a link, gets a new account, or has one."""
COMMON_ROLES: Final = {Role.ORGANISER, Role.UMPIRE, Role.SCORER, Role.DESK}
"""The roles that are offered first."""


class RoleForm(ScopeForm):
    """One of the roles that the actor may give, and its scope. Sets `scope` when it is cleaned."""

    role = forms.TypedChoiceField(
        label=_("Role"), choices=Role.choices, coerce=Role, widget=forms.RadioSelect
    )

    def __init__(self, tournament: Tournament, actor: Actor, *args: Any, **kwargs: Any) -> None:
        super().__init__(tournament, *args, **kwargs)
        fields: Any = self.fields
        fields["role"].choices = role_choices(
            role for role in Role if can_assign_role(actor, tournament, role)
        )
        if not fields["sessions"].choices:
            # Before the draw there are no sessions.
            del fields["sessions"], fields["tables"]

    @staticmethod
    def of(membership: Membership) -> dict[str, Any]:
        """Return the initial values of a member's form."""
        tables = membership.tables.select_related("session")
        table_sessions = [] if membership.every_session else [table.session for table in tables]
        sessions = {session.number for session in table_sessions or membership.sessions.all()}
        return {
            "role": membership.role,
            "sessions": [str(number) for number in sorted(sessions)],
            "tables": numbers_text({table.number for table in tables}),
        }

    def clean(self) -> dict[str, Any]:
        """Set `scope` to the `Scope` of the sessions and tables."""
        data = self.cleaned_data
        with adding_problems(self):
            self.scope = scope_of(self.tournament, data.get("sessions", []), data.get("tables", []))
        return data


class InviteForm(RoleForm, ExpiringScopeForm, AccountForm):
    """A role for somebody: by an invitation, by e-mail or as a link to pass on, or for a new or an existing account."""

    email = _EMAIL.formfield(widget=forms.EmailInput(attrs={"autocomplete": "off"}))
    account = forms.ChoiceField(
        label=_("Account"),
        choices=[
            (LINK, _("They open the link, and sign in or create an account")),
            (NEW, _("Create an account for them now")),
            (KNOWN, _("They have an account here")),
        ],
        widget=forms.RadioSelect,
        initial=LINK,
    )

    class Meta(AccountForm.Meta):
        labels = AccountForm.Meta.labels | {"first_name": _("Full name")}
        help_texts = {"first_name": _("For a new account. The log shows it."), "username": ""}
        widgets = {
            "first_name": forms.TextInput(attrs={"autocomplete": "off"}),
            "username": forms.TextInput(attrs=VERBATIM_ATTRS),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: Any = self.fields
        fields["role"].initial = Role.UMPIRE
        fields["username"].required = self.data.get("account", LINK) != LINK
        fields["username"].says_optional = False

    def roles(self) -> dict[str, list[Any]]:
        """Return the choices of the role: the common ones, and the others."""
        roles: dict[str, list[Any]] = {"common": [], "others": []}
        for choice in self["role"].subwidgets:
            roles["common" if choice.data["value"] in COMMON_ROLES else "others"].append(choice)
        return roles

    def has_other_role(self) -> bool:
        return self["role"].value() not in COMMON_ROLES

    def has_details(self) -> bool:
        """Return whether the form differs from an invitation to all tables through the proposed day."""
        names = {"expires_on", "account", "username", "first_name", "sessions", "tables"}
        return self.is_bound and not names.isdisjoint([*self.errors, *self.changed_data])

    def clean(self) -> dict[str, Any]:
        """Ignore errors in the fields of the other ways."""
        data = super().clean()
        is_by_link = data.get("account") == LINK
        for name in ("username", "first_name") if is_by_link else ("email", "expires_on"):
            self.errors.pop(name, None)
        return data

    def to_invitation(self) -> Invitation:
        """Return the invitation of a valid form."""
        data = self.cleaned_data
        names = ("role", "email", "sessions", "tables")
        values = {name: data[name] for name in names if name in data}
        return Invitation(tournament=self.tournament, expires_at=data["expires_on"], **values)


class LinkedPlayerForm(Form):
    """The player that a member of the staff plays as."""

    player = forms.ModelChoiceField(
        Player.objects.none(),
        label=_("Plays here as"),
        to_field_name="number",
        empty_label=_("nobody"),
        required=False,
    )

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        player: Any = self.fields["player"]
        player.queryset = tournament.players.all()
        player.label_from_instance = lambda player: f"{player.number} {player.full_name}"


# --- Passes ---


TABLES, UMPIRE = "tables", "umpire"
_NAME: Any = User._meta.get_field("first_name")


class PassForm(ExpiringScopeForm):
    """Passes for tables or for an umpire, and the text on their cards."""

    kind = forms.ChoiceField(
        label=_("For"),
        choices=[(TABLES, _("Tables: a card on each, all day")), (UMPIRE, _("One umpire"))],
        widget=forms.RadioSelect,
        initial=TABLES,
    )
    tables = TablesField(label=_("Tables"), help_text=_("For instance 1-5, 8."), required=False)
    name = _NAME.formfield(
        label=_("Umpire’s name"),
        help_text=_("The log shows it with everything recorded through this access link."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    network = forms.CharField(
        label=_("Wi-Fi network"),
        help_text=_("Printed on the cards, with a code to join it."),
        max_length=32,
        required=False,
        widget=forms.TextInput(attrs=VERBATIM_ATTRS),
    )
    network_password = forms.CharField(
        label=_("Wi-Fi password"), max_length=63, required=False, widget=forms.TextInput(attrs=VERBATIM_ATTRS)
    )

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        super().__init__(tournament, *args, **kwargs)
        self.fields["tables"].initial = numbers_text(tables_of(tournament))

    def clean(self) -> dict[str, Any]:
        """Ignore errors in the tables if the pass is for an umpire."""
        if self.cleaned_data.get("kind") == UMPIRE:
            self.errors.pop("tables", None)
        return self.cleaned_data

    def scopes(self) -> list[PassScope]:
        """Return the scopes of the passes of a valid form."""
        data = self.cleaned_data
        if data["kind"] == UMPIRE:
            return [PassScope(data["name"], sessions=data["sessions"])]
        return [PassScope(table_number=number) for number in data["tables"]]


# --- The umpires' tables ---


class RotaForm(Form):
    """The umpires' tables: a line for each umpire, with a field for each session in which they do not play."""

    def __init__(self, rota: RotaTable, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._sessions_and_umpires: dict[str, tuple[int, int]] = {}
        self.lines: list[tuple[str, list[tuple[int, forms.BoundField | None]]]] = []
        """For the template: (umpire's name, [(session, its field or None if the umpire plays)])."""
        for line in rota.lines:
            cells = []
            for session, tables in line.tables.items():
                name = field_name(session, line.membership.pk)
                if tables is not None:
                    label = format_lazy(_("Session {session}"), session=session)
                    self.fields[name] = TablesField(label=label, initial=numbers_text(tables), required=False)
                    self._sessions_and_umpires[name] = session, line.membership.pk
                cells.append((session, self[name] if name in self.fields else None))
            self.lines.append((line.name, cells))

    def rows(self) -> list[RotaEntry]:
        """Return the entries of a valid form."""
        return [
            (session, table, umpire)
            for name, (session, umpire) in self._sessions_and_umpires.items()
            for table in self.cleaned_data[name]
        ]
