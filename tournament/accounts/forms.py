"""Forms of accounts: signing in, a password, the first visit, a token; and what a password has to be."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from typing import Any, Final

from django import forms
from django.contrib.auth import password_validation as checks
from django.contrib.auth.forms import AuthenticationForm, BaseUserCreationForm, PasswordChangeForm
from django.contrib.auth.models import User
from django.core.validators import MaxValueValidator
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.debug import sensitive_variables

from tournament.accounts import setup_code
from tournament.accounts.selectors import scopes_for
from tournament.accounts.services import WRONG_SETUP_CODE
from tournament.accounts.sign_in import check_code, check_password, who_signs_in
from tournament.base.access import Actor, tournaments_of
from tournament.base.errors import Invalid, TooMany
from tournament.base.models.people import DEFAULT_TOKEN_LIFETIME, ApiToken
from tournament.web.forms import DayInput, Form, LocalizedErrors, ModelForm, add_problems
from tournament.web.texts.fields import ACCOUNT_MESSAGES, USERNAME
from tournament.web.texts.words import role_choices

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
        return gettext("Too similar to your name and therefore easy to guess.")

    def get_help_text(self) -> str:
        return gettext("Not similar to your name.")


class NotCommon(checks.CommonPasswordValidator):
    def get_error_message(self) -> str:
        return gettext("Too common, and therefore easy to guess.")

    def get_help_text(self) -> str:
        return gettext("Not a common password.")


# --- Signing in ---


CODE = {"autocomplete": "one-time-code", "inputmode": "numeric", "spellcheck": "false"}
PASSWORD = {"autocomplete": "current-password"}


class Waits(forms.BaseForm):
    """A form with a secret in it. `wait`: seconds until the next attempt is looked at; None when this one was."""

    user: User
    wait: int | None = None

    @contextmanager
    def within_limits(self) -> Iterator[None]:
        """Say above the form that an attempt was not looked at."""
        try:
            yield
        except TooMany as slowed:
            self.wait = slowed.wait
            add_problems(self, slowed)

    @sensitive_variables()
    def require_password(self, name: str) -> None:
        """Check the password of who is signed in, asked once more in the field of that name."""
        with self.within_limits():
            if not check_password(self.user, self.cleaned_data[name]):
                raise forms.ValidationError(_("This is not your password."))


class SignInForm(LocalizedErrors, AuthenticationForm, Waits):
    """Django's own, within limits."""

    error_messages = {code: ACCOUNT_MESSAGES[code] for code in ("invalid_login", "inactive")}

    @sensitive_variables()
    def clean(self) -> dict[str, Any]:
        name, password = self.cleaned_data.get("username"), self.cleaned_data.get("password")
        if name and password and self.request:
            with self.within_limits():
                user = who_signs_in(self.request, name, password)
                if user is None:
                    raise self.get_invalid_login_error()
                self.user_cache = user
                self.confirm_login_allowed(user)
        return self.cleaned_data


class CodeForm(Form, Waits):
    """The code of the second factor, or a recovery code."""

    code = forms.CharField(
        label=_("Code"),
        help_text=_("Six digits from your authenticator app, or one of your recovery codes."),
        max_length=24,
        widget=forms.TextInput(attrs=CODE),
    )

    def __init__(self, request: HttpRequest, user: User, *args: Any, **kwargs: Any) -> None:
        self.request, self.user = request, user
        super().__init__(*args, **kwargs)

    @sensitive_variables()
    def clean_code(self) -> str:
        code: str = self.cleaned_data["code"]
        with self.within_limits():
            if not check_code(self.request, self.user, code):
                raise forms.ValidationError(_("This code is wrong or has already been used."))
        return code


class PasswordAndCodeForm(CodeForm):
    """Both once more: for what somebody at a device that was left signed in is not to do."""

    password = forms.CharField(label=_("Password"), strip=False, widget=forms.PasswordInput(attrs=PASSWORD))
    field_order = ["password", "code"]

    def clean_password(self) -> None:
        self.require_password("password")

    def clean_code(self) -> str:
        """Look at the code where the password is right: it counts once."""
        return "" if self.errors else super().clean_code()


class FirstCodeForm(PasswordAndCodeForm):
    """The password once more, and the first code of a new app, which the service checks."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].help_text = _("The six digits that the app shows now.")

    def clean_code(self) -> str:
        """Check nothing: it is no code of the account yet."""
        return str(self.cleaned_data["code"])


class NewPasswordForm(LocalizedErrors, PasswordChangeForm, Waits):
    """Django's own; the old password is not to be guessed here either."""

    error_messages = {"password_mismatch": ACCOUNT_MESSAGES["password_mismatch"]}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["old_password"].label = _("The password you have now")
        ask_again(self.fields["new_password2"])

    def clean_old_password(self) -> str:
        self.require_password("old_password")
        return ""


def ask_again(field: forms.Field) -> None:
    """Make it the field for the same password once more."""
    field.label, field.help_text = _("The same password again"), ""


# --- New accounts ---


class AccountForm(ModelForm):
    """Whose account it is. A service says where somebody has the name already, in capitals or not."""

    class Meta:
        model = User
        fields = ["first_name", "username"]
        labels = {"first_name": _("Your name"), "username": _("User name")}
        help_texts = {"first_name": _("The log shows it."), "username": ""}
        error_messages = {"username": {"invalid": USERNAME}}

    def validate_unique(self) -> None:
        """Do nothing: the service checks uniqueness."""


class NewAccountForm(AccountForm, BaseUserCreationForm):  # type: ignore[type-arg]
    """Name and password. Read only; a service writes."""

    error_messages = {"password_mismatch": ACCOUNT_MESSAGES["password_mismatch"]}
    field_order = ["code", "first_name", "username", "password1", "password2"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        ask_again(self.fields["password2"])


class SetupCodeForm(Form):
    """The printed code of a first visit, before anything is taken from anybody."""

    code = forms.CharField(
        label=_("Code"),
        help_text=_("It was printed where Hule was started."),
        max_length=40,
        widget=forms.TextInput(
            attrs={"autocomplete": "one-time-code", "autocapitalize": "characters", "spellcheck": "false"}
        ),
    )

    def clean_code(self) -> str:
        code: str = self.cleaned_data["code"]
        if not setup_code.check(code):
            raise Invalid(WRONG_SETUP_CODE())
        return code


class FirstOrganiserForm(SetupCodeForm, NewAccountForm):
    """The first account, guarded by that code."""


# --- Tokens ---


AFTERWARDS: Final = timedelta(days=7)
"""So long after the last of its tournaments, for who sends results late."""
HERE, EVERYWHERE = "here", "everywhere"
UNTIL, NEVER = "until", "never"


class TokenForm(ModelForm, Waits):
    """With the password once more: a token goes on where a device that was left signed in is signed out."""

    where = forms.ChoiceField(
        label=_("In which tournaments"),
        choices=[
            (HERE, _("In these tournaments")),
            (EVERYWHERE, _("In all my tournaments, including future ones")),
        ],
        initial=HERE,
        widget=forms.RadioSelect,
    )
    tournaments = forms.MultipleChoiceField(
        label=_("Tournaments"), required=False, widget=forms.CheckboxSelectMultiple
    )
    ends = forms.ChoiceField(
        label=_("How long"),
        choices=[(UNTIL, _("Until the end of a day")), (NEVER, _("Until I revoke it"))],
        initial=UNTIL,
        widget=forms.RadioSelect,
    )
    expires_on = forms.DateField(
        label=_("Valid through"),
        help_text=_("Left empty: a week after the last of these tournaments; for all of them, 90 days."),
        required=False,
        validators=[
            MaxValueValidator(date.max - timedelta(days=7))
        ],  # there is a day after it in any time zone
        widget=DayInput(),
    )
    password = forms.CharField(
        label=_("Your password, once more"), strip=False, widget=forms.PasswordInput(attrs=PASSWORD)
    )

    class Meta:
        model = ApiToken
        fields = ["name", "scope"]
        widgets = {"name": forms.TextInput(attrs={"autocomplete": "off"}), "scope": forms.RadioSelect}

    def __init__(self, user: User, data: Any = None) -> None:
        super().__init__(data, instance=ApiToken(user=user, scope=""))
        self.user = user
        self.choosable = list(tournaments_of(Actor.of(user)).order_by("-ends_on", "name"))
        fields: dict[str, Any] = self.fields
        fields["name"].required = True
        everything = (ApiToken.ALL, _("Everything that I may do, in my name."))
        fields["scope"].choices = [*role_choices(scopes_for(user)), everything]
        fields["tournaments"].choices = [(tournament.pk, tournament.name) for tournament in self.choosable]
        today = timezone.localdate()
        fields["tournaments"].initial = [
            tournament.pk for tournament in self.choosable if tournament.ends_on >= today
        ]
        if not self.choosable:
            fields["where"].initial = EVERYWHERE

    def clean_password(self) -> None:
        self.require_password("password")

    def clean(self) -> dict[str, Any]:
        """Say of the token where it opens something, and how long."""
        data, token = self.cleaned_data, self.instance
        keys, token.everywhere = data.get("tournaments", ()), data.get("where") == EVERYWHERE
        self.chosen = [each for each in self.choosable if str(each.pk) in keys and not token.everywhere]
        token.expiry = None if data.get("ends") == NEVER else self._until(data.get("expires_on"))
        return data

    def _until(self, day: date | None) -> datetime:
        if day is None and not self.chosen:
            return timezone.now() + DEFAULT_TOKEN_LIFETIME
        last_days = [tournament.ends_on for tournament in self.chosen]
        day = day or max(timezone.localdate(), *last_days) + AFTERWARDS
        return timezone.make_aware(datetime.combine(day + timedelta(days=1), time.min))
