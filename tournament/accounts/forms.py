"""Forms of accounts: signing in, a password, the first visit, a token; and what a password has to be."""

from datetime import datetime, time, timedelta
from typing import Any, Final

from django import forms
from django.contrib.auth import password_validation as checks
from django.contrib.auth.forms import AuthenticationForm, BaseUserCreationForm, PasswordChangeForm
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils import timezone
from django.utils.text import capfirst, format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.debug import sensitive_variables

from tournament.accounts import setup_code
from tournament.accounts.selectors import scopes_for
from tournament.accounts.services import WRONG_SETUP_CODE
from tournament.accounts.sign_in import check_code, check_password, who_signs_in
from tournament.base.access import Actor, Wanted, tournaments_of
from tournament.base.errors import Invalid, TooMany
from tournament.base.models.people import USUALLY, ApiToken
from tournament.base.models.tournament import Tournament
from tournament.web.forms import DayInput, Form, Spoken, add_problems
from tournament.web.texts.fields import ACCOUNTS, USERNAME
from tournament.web.texts.words import ROLES

# --- Passwords ---


class LongEnough(checks.MinimumLengthValidator):
    """Django's check of the length, in our words. It and those below are named in AUTH_PASSWORD_VALIDATORS."""

    def get_error_message(self) -> str:
        return self.get_help_text()

    def get_help_text(self) -> str:
        least = self.min_length
        return ngettext("At least %(n)s character.", "At least %(n)s characters.", least) % {"n": least}


class NotOnesName(checks.UserAttributeSimilarityValidator):
    def get_error_message(self) -> str:
        return _("It is too much like your name: whoever guesses begins with that.")

    def get_help_text(self) -> str:
        return _("Not your name, nor much like it.")


class NotCommon(checks.CommonPasswordValidator):
    def get_error_message(self) -> str:
        return _("Many people have this password: whoever guesses begins with those.")

    def get_help_text(self) -> str:
        return _("Not one that many people have.")


# --- Signing in ---


AGAIN = gettext_lazy("The same password again")
CODE = {"autocomplete": "one-time-code", "inputmode": "numeric", "spellcheck": "false"}


class Waits(forms.BaseForm):
    """A form with a secret in it. `wait`: seconds until the next attempt is looked at; None when this one was."""

    wait: int | None = None

    def slowed(self, by: TooMany) -> None:
        self.wait = by.wait
        add_problems(self, by)


class SignInForm(Spoken, AuthenticationForm, Waits):
    """Django's own, within limits."""

    error_messages = {code: ACCOUNTS[code] for code in ("invalid_login", "inactive")}

    @sensitive_variables()
    def clean(self) -> dict[str, Any]:
        name, password = self.cleaned_data.get("username"), self.cleaned_data.get("password")
        if not (name and password and self.request):
            return self.cleaned_data
        try:
            user = who_signs_in(self.request, name, password)
        except TooMany as slowed:
            self.slowed(slowed)
            return self.cleaned_data
        if user is None:
            raise self.get_invalid_login_error()
        self.user_cache = user
        self.confirm_login_allowed(user)
        return self.cleaned_data


class CodeForm(Form, Waits):
    """The code of the second factor, or a recovery code."""

    code = forms.CharField(
        label=gettext_lazy("Code"),
        help_text=gettext_lazy("Six digits from your authenticator app, or one of your recovery codes."),
        max_length=24,
        widget=forms.TextInput(attrs=CODE),
    )

    def __init__(self, request: HttpRequest, user: User, *args: Any, **kwargs: Any) -> None:
        self.request, self.user = request, user
        super().__init__(*args, **kwargs)

    @sensitive_variables()
    def clean(self) -> dict[str, Any]:
        if code := self.cleaned_data.get("code"):
            try:
                self.check(code)
            except TooMany as slowed:
                self.slowed(slowed)
        return self.cleaned_data

    @sensitive_variables()
    def check(self, code: str) -> None:
        self.check_code(code)

    @sensitive_variables()
    def check_code(self, code: str) -> None:
        if not check_code(self.request, self.user, code):
            self.add_error("code", gettext_lazy("This code is wrong, or it was used already."))


class PasswordAndCodeForm(CodeForm):
    """Both once more: for what somebody at a device that was left signed in is not to do."""

    password = forms.CharField(
        label=gettext_lazy("Password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    field_order = ["password", "code"]

    @sensitive_variables()
    def check(self, code: str) -> None:
        password = self.cleaned_data.get("password")
        if password is None:
            return
        if not check_password(self.user, password):
            self.add_error("password", gettext_lazy("This is not your password."))
        else:
            self.check_code(code)


class FirstCodeForm(PasswordAndCodeForm):
    """The password once more, and the first code of a new app, which the service checks."""

    field_order = ["password", "code"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].help_text = gettext_lazy("The six digits that the app shows now.")

    def check_code(self, code: str) -> None:
        """Not here: it is no code of the account yet."""


class NewPasswordForm(Spoken, PasswordChangeForm, Waits):
    """Django's own; the old password is not to be guessed here either."""

    error_messages = {code: ACCOUNTS[code] for code in ("password_mismatch", "password_incorrect")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["old_password"].label = gettext_lazy("The password you have now")
        self.fields["new_password2"].label = AGAIN
        self.fields["new_password2"].help_text = ""

    @sensitive_variables()
    def clean_old_password(self) -> str:
        given: str = self.cleaned_data["old_password"]
        try:
            if not check_password(self.user, given):
                self.add_error("old_password", gettext_lazy("This is not your password."))
        except TooMany as slowed:
            self.slowed(slowed)
        return given


# --- The first visit ---


class FirstOrganiserForm(Spoken, BaseUserCreationForm):  # type: ignore[type-arg]
    """Name and password, guarded by the code that was printed when Hule started. Read only; a service writes."""

    code = forms.CharField(
        label=gettext_lazy("Code"),
        help_text=gettext_lazy("It was printed where Hule was started."),
        max_length=40,
        widget=forms.TextInput(
            attrs={"autocomplete": "one-time-code", "autocapitalize": "characters", "spellcheck": "false"}
        ),
    )
    full_name = forms.CharField(
        label=gettext_lazy("Your name"),
        help_text=gettext_lazy("The log shows it."),
        max_length=150,
        required=False,
    )
    error_messages = {"password_mismatch": ACCOUNTS["password_mismatch"]}
    field_order = ["code", "full_name", "username", "password1", "password2"]

    class Meta:
        model = User
        fields = ["username"]
        labels = {"username": gettext_lazy("Name to sign in with")}
        help_texts = {"username": ""}
        error_messages = {"username": {"invalid": USERNAME}}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password2"].label = AGAIN
        self.fields["password2"].help_text = ""

    def clean_code(self) -> str:
        code: str = self.cleaned_data["code"]
        if not setup_code.check(code):
            raise Invalid(WRONG_SETUP_CODE())
        return code


# --- Tokens ---


AFTERWARDS: Final = timedelta(days=7)
"""So long after the last of its tournaments, for who sends results late."""
HERE, EVERYWHERE = "here", "everywhere"
UNTIL, NEVER = "until", "never"


class TokenForm(Form, Waits):
    """With the password once more: a token goes on where a device that was left signed in is signed out."""

    name = forms.CharField(
        label=gettext_lazy("Which program it is for"),
        help_text=gettext_lazy("For instance: scoreboard of the stream."),
        max_length=60,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    scope = forms.ChoiceField(label=gettext_lazy("What it may do"), widget=forms.RadioSelect)
    where = forms.ChoiceField(
        label=gettext_lazy("In which tournaments"),
        choices=[
            (HERE, gettext_lazy("In these tournaments")),
            (EVERYWHERE, gettext_lazy("In all of mine, those to come too")),
        ],
        initial=HERE,
        widget=forms.RadioSelect,
    )
    tournaments = forms.MultipleChoiceField(
        label=gettext_lazy("Tournaments"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    ends = forms.ChoiceField(
        label=gettext_lazy("How long"),
        choices=[(UNTIL, gettext_lazy("Until the end of a day")), (NEVER, gettext_lazy("Until I end it"))],
        initial=UNTIL,
        widget=forms.RadioSelect,
    )
    expires_on = forms.DateField(
        label=gettext_lazy("Good until the end of"),
        help_text=gettext_lazy(
            "Left empty: a week after the last of these tournaments; for all of them, 90 days."
        ),
        required=False,
        widget=DayInput(),
    )
    password = forms.CharField(
        label=gettext_lazy("Your password, once more"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, request: HttpRequest, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        tournaments = list(tournaments_of(Actor.of(user)).order_by("-ends_on", "name"))
        self.choosable = {str(tournament.pk): tournament for tournament in tournaments}
        chooser = self.fields["tournaments"]
        assert isinstance(chooser, forms.MultipleChoiceField)
        chooser.choices = [(key, tournament.name) for key, tournament in self.choosable.items()]
        chooser.initial = [
            key for key, tournament in self.choosable.items() if tournament.ends_on >= timezone.localdate()
        ]
        if not tournaments:
            self.fields["where"].initial = EVERYWHERE
        scope = self.fields["scope"]
        assert isinstance(scope, forms.ChoiceField)
        scope.choices = [
            *(
                (role.value, format_lazy("{}: {}", capfirst(role.label), ROLES[role]))
                for role in scopes_for(user)
            ),
            (ApiToken.ALL, gettext_lazy("Everything that I may do, in my name.")),
        ]

    @sensitive_variables()
    def clean(self) -> dict[str, Any]:
        password = self.cleaned_data.get("password")
        if password is None or self.errors:
            return self.cleaned_data
        try:
            if not check_password(self.user, password):
                self.add_error("password", gettext_lazy("This is not your password."))
        except TooMany as slowed:
            self.slowed(slowed)
        return self.cleaned_data

    def wanted(self) -> Wanted:
        """The token that is asked for; call when the form is valid."""
        data = self.cleaned_data
        chosen = tuple(self.choosable[key] for key in data["tournaments"])
        tournaments = chosen if data["where"] == HERE else None
        return Wanted(data["name"], data["scope"], tournaments, self._until(tournaments or ()))

    def _until(self, tournaments: tuple[Tournament, ...]) -> datetime | None:
        if self.cleaned_data["ends"] == NEVER:
            return None
        day = self.cleaned_data["expires_on"]
        if day is None:
            if not tournaments:
                return timezone.now() + USUALLY
            day = max(timezone.localdate(), *(tournament.ends_on for tournament in tournaments)) + AFTERWARDS
        return timezone.make_aware(datetime.combine(day + timedelta(days=1), time.min))
