"""Forms for signing in, passwords, new accounts and API tokens; password validators."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from typing import Any, Final

from django import forms
from django.contrib.auth import password_validation as checks
from django.contrib.auth.forms import (
    AuthenticationForm,
    BaseUserCreationForm,
    PasswordChangeForm,
    PasswordResetForm,
    SetPasswordForm,
    UsernameField,
)
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
from tournament.accounts.sign_in import authenticate_within_limits, check_code, check_password
from tournament.base.access import Actor, tournaments_of
from tournament.base.errors import Invalid, TooMany
from tournament.base.models.people import DEFAULT_TOKEN_LIFETIME, ApiToken
from tournament.messages.mail import delivery
from tournament.web.forms import DayInput, Form, LocalizedErrors, ModelForm, add_problems
from tournament.web.texts.fields import ACCOUNT_MESSAGES, USERNAME
from tournament.web.texts.words import role_choices

# --- Passwords ---


class LengthValidator(checks.MinimumLengthValidator):
    """Django's validator with texts of our own, as the two below (AUTH_PASSWORD_VALIDATORS)."""

    def get_error_message(self) -> str:
        return self.get_help_text()

    def get_help_text(self) -> str:
        minimum = self.min_length
        return ngettext("At least %(n)s character.", "At least %(n)s characters.", minimum) % {"n": minimum}


class NameSimilarityValidator(checks.UserAttributeSimilarityValidator):
    def get_error_message(self) -> str:
        return gettext("Too similar to your name and therefore easy to guess.")

    def get_help_text(self) -> str:
        return gettext("Not similar to your name.")


class CommonPasswordValidator(checks.CommonPasswordValidator):
    def get_error_message(self) -> str:
        return gettext("Too common, and therefore easy to guess.")

    def get_help_text(self) -> str:
        return gettext("Not a common password.")


# --- Signing in ---


CODE_ATTRS = {"autocomplete": "one-time-code", "inputmode": "numeric", "spellcheck": "false"}
PASSWORD_ATTRS = {"autocomplete": "current-password"}


class RateLimitedForm(forms.BaseForm):
    """A form with a secret. `wait`: seconds until the next attempt is checked; None if this one was checked."""

    user: User
    wait: int | None = None

    @contextmanager
    def within_limits(self) -> Iterator[None]:
        """Add the problem to the form if an attempt was not checked because there were too many."""
        try:
            yield
        except TooMany as error:
            self.wait = error.wait
            add_problems(self, error)

    @sensitive_variables()
    def require_password(self, name: str) -> None:
        """Check the password of the signed-in user in the field `name`. Raises ValidationError if it is wrong."""
        with self.within_limits():
            if not check_password(self.user, self.cleaned_data[name]):
                raise forms.ValidationError(_("This is not your password."))


class SignInForm(LocalizedErrors, AuthenticationForm, RateLimitedForm):
    """Django's form, with limits on attempts."""

    error_messages = {code: ACCOUNT_MESSAGES[code] for code in ("invalid_login", "inactive")}
    username = UsernameField(label=_("User name"), widget=forms.TextInput(attrs={"autofocus": True}))

    @sensitive_variables()
    def clean(self) -> dict[str, Any]:
        name, password = self.cleaned_data.get("username"), self.cleaned_data.get("password")
        if name and password and self.request:
            with self.within_limits():
                user = authenticate_within_limits(self.request, name, password)
                if user is None:
                    raise self.get_invalid_login_error()
                self.user_cache = user
                self.confirm_login_allowed(user)
        return self.cleaned_data


class CodeForm(Form, RateLimitedForm):
    """A code of the second factor, or a recovery code."""

    code = forms.CharField(
        label=_("Code"),
        help_text=_("Six digits from your authenticator app, or one of your recovery codes."),
        max_length=24,
        widget=forms.TextInput(attrs=CODE_ATTRS),
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
    """Password and code again, for changes that nobody else at a device left signed in may make."""

    password = forms.CharField(
        label=_("Password"), strip=False, widget=forms.PasswordInput(attrs=PASSWORD_ATTRS)
    )
    field_order = ["password", "code"]

    def clean_password(self) -> None:
        self.require_password("password")

    def clean_code(self) -> str:
        """Check the code only if the password is right, because a code can be used only once."""
        return "" if self.errors else super().clean_code()


class FirstCodeForm(PasswordAndCodeForm):
    """The password again, and the first code of a new authenticator app, which the service checks."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].help_text = _("The six digits that the app shows now.")

    def clean_code(self) -> str:
        """Return the code unchecked: the account does not use it yet."""
        return str(self.cleaned_data["code"])


class NewPasswordForm(LocalizedErrors, PasswordChangeForm, RateLimitedForm):
    """Django's form, with limits on attempts at the old password."""

    error_messages = {"password_mismatch": ACCOUNT_MESSAGES["password_mismatch"]}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["old_password"].label = _("Current password")
        set_repetition_label(self.fields["new_password2"])

    def clean_old_password(self) -> str:
        self.require_password("old_password")
        return ""


class ForgottenPasswordForm(LocalizedErrors, PasswordResetForm):
    """The address to which the link to a new password goes, if an account has it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = _("E-mail")


class ForgottenNewPasswordForm(LocalizedErrors, SetPasswordForm):  # type: ignore[type-arg]
    """A new password, by the link."""

    error_messages = {"password_mismatch": ACCOUNT_MESSAGES["password_mismatch"]}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_repetition_label(self.fields["new_password2"])


def set_repetition_label(field: forms.Field) -> None:
    """Label the second field for a new password."""
    field.label, field.help_text = _("Repeat the password"), ""


# --- New accounts ---


class AccountForm(ModelForm):
    """The names of an account. The service checks that the username is unique, ignoring case."""

    class Meta:
        model = User
        fields = ["first_name", "username"]
        labels = {"first_name": _("Your name"), "username": _("User name")}
        help_texts = {"first_name": _("The log shows it."), "username": ""}
        error_messages = {"username": {"invalid": USERNAME}}

    def validate_unique(self) -> None:
        """Do nothing: the service checks uniqueness."""


class NewAccountForm(AccountForm, BaseUserCreationForm):  # type: ignore[type-arg]
    """Names and password of a new account, which a service saves."""

    error_messages = {"password_mismatch": ACCOUNT_MESSAGES["password_mismatch"]}
    field_order = ["code", "first_name", "username", "password1", "password2"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_repetition_label(self.fields["password2"])
        del self.fields["username"].widget.attrs["autofocus"]  # set by Django, but it is not the first field
        next(iter(self.fields.values())).widget.attrs["autofocus"] = True


class SetupCodeForm(Form):
    """The setup code that was printed when Hule started."""

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
    """The first account, protected by the setup code."""

    field_order = ["code", "first_name", "username", "email", "password1", "password2"]

    class Meta(NewAccountForm.Meta):
        fields = [*AccountForm.Meta.fields, "email"]
        labels = AccountForm.Meta.labels | {"email": _("E-mail")}
        help_texts = AccountForm.Meta.help_texts | {
            "email": _("If you forget your password, you can have a link to a new one sent there.")
        }
        widgets = {"email": forms.EmailInput(attrs={"autocomplete": "email"})}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not delivery.is_configured():
            self.fields["email"].help_text = _(
                "If you forget your password, a link to a new one can be sent there. This site cannot send e-mail yet; "
                "until then a new password is set on the server."
            )


# --- Tokens ---


GRACE_PERIOD: Final = timedelta(days=7)
"""How long a token is valid after its last tournament, for results that are sent late."""
HERE, EVERYWHERE = "here", "everywhere"
UNTIL, NEVER = "until", "never"


class TokenForm(ModelForm, RateLimitedForm):
    """A new token. Asks for the password again, because a token outlives the browser session."""

    where = forms.ChoiceField(
        label=_("Scope"),
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
        label=_("Validity"),
        choices=[(UNTIL, _("Until the end of a day")), (NEVER, _("Until I revoke it"))],
        initial=UNTIL,
        widget=forms.RadioSelect,
    )
    expires_on = forms.DateField(
        label=_("Valid through"),
        help_text=_("Left empty: a week after the last of these tournaments; for all of them, 90 days."),
        required=False,
        # Leaves room for the day after it in any time zone.
        validators=[MaxValueValidator(date.max - timedelta(days=7))],
        widget=DayInput(),
    )
    password = forms.CharField(
        label=_("Your password, to confirm"), strip=False, widget=forms.PasswordInput(attrs=PASSWORD_ATTRS)
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
        """Set the token's tournaments and expiry."""
        data, token = self.cleaned_data, self.instance
        keys, token.everywhere = data.get("tournaments", ()), data.get("where") == EVERYWHERE
        self.chosen_tournaments = [
            tournament for tournament in self.choosable if str(tournament.pk) in keys and not token.everywhere
        ]
        token.expiry = None if data.get("ends") == NEVER else self._expiry(data.get("expires_on"))
        return data

    def _expiry(self, day: date | None) -> datetime:
        if day is None and not self.chosen_tournaments:
            return timezone.now() + DEFAULT_TOKEN_LIFETIME
        last_days = [tournament.ends_on for tournament in self.chosen_tournaments]
        day = day or max(timezone.localdate(), *last_days) + GRACE_PERIOD
        return timezone.make_aware(datetime.combine(day + timedelta(days=1), time.min))
