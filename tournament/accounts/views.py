"""Pages for signing in, the user's account with its second factor and tokens, and the first account."""

from base64 import b32encode
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.contrib.auth.views import (
    LoginView,
    PasswordChangeView,
    PasswordResetConfirmView,
    PasswordResetView,
)
from django.forms import BaseForm
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse, reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_POST, require_safe
from django_otp.plugins.otp_static.models import StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from config.front.addresses import rate_limit_key
from tournament.accounts import setup_code, sign_in
from tournament.accounts.forms import (
    CodeForm,
    FirstCodeForm,
    FirstOrganiserForm,
    ForgottenNewPasswordForm,
    ForgottenPasswordForm,
    NewPasswordForm,
    PasswordAndCodeForm,
    RateLimitedForm,
    SignInForm,
    TokenForm,
)
from tournament.accounts.selectors import has_second_factor, tokens_of, visits_of
from tournament.accounts.services import (
    begin_second_factor,
    confirm_second_factor,
    end_other_visits,
    end_second_factor,
    end_token,
    end_visit,
    make_first_organiser,
    make_named_token,
    renew_recovery_codes,
    request_password_link,
)
from tournament.base import access
from tournament.base.access import Right, roles_with
from tournament.base.database import can_restore_in_browser
from tournament.base.errors import Forbidden
from tournament.base.limits import GuessLimit
from tournament.messages.mail import delivery
from tournament.web.display import qr_of
from tournament.web.forms import adding_problems
from tournament.web.views import UNPROCESSABLE, actor_of, count_guess, run_and_redirect

# --- The first account ---


SETUP_LIMIT = GuessLimit.named("setup", burst=10, seconds=5)


@sensitive_post_parameters()
@sensitive_variables()
@never_cache
def setup(request: HttpRequest) -> HttpResponse:
    """Create the first organiser's account, with the setup code. 404 once there is one."""
    if not setup_code.is_open():
        raise Http404
    context = {"can_restore": can_restore_in_browser()}
    if request.method != "POST":
        return render(request, "accounts/setup.html", {"form": FirstOrganiserForm(), **context})
    if (refusal := count_guess(request, SETUP_LIMIT)) is not None:
        return refusal
    form = FirstOrganiserForm(request.POST)
    if "code" not in form.errors:
        SETUP_LIMIT.forgive(rate_limit_key(request))
    if form.is_valid():
        user, data = form.instance, form.cleaned_data
        with adding_problems(form):
            make_first_organiser(user, data["password1"], code=data["code"])
            login(request, user, backend="django.contrib.auth.backends.ModelBackend")
            messages.success(request, _("Your account has been created. Now create your event."))
            return sign_in.remember_device(request, redirect("organiser_new"), user.username)
    return render(request, "accounts/setup.html", {"form": form, **context}, status=UNPROCESSABLE)


# --- Signing in ---


@method_decorator(sensitive_post_parameters(), name="dispatch")
class SignIn(LoginView):
    """The first page of signing in, with username and password."""

    form_class = SignInForm
    template_name = "accounts/login.html"
    redirect_authenticated_user = True

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Redirect to creating the first account if there is none."""
        return redirect("setup") if setup_code.is_open() else super().dispatch(request, *args, **kwargs)

    def get_default_redirect_url(self) -> str:
        return landing_page(self.request)

    def form_valid(self, form: Any) -> HttpResponse:
        """Sign in, or ask for the code if the account has a second factor."""
        user = form.get_user()
        if has_second_factor(user):
            sign_in.begin_code_step(self.request, user, self.get_redirect_url())
            return redirect("login_code")
        login(self.request, user)
        return sign_in.remember_device(self.request, redirect(self.get_success_url()), user.username)

    def form_invalid(self, form: Any) -> HttpResponse:
        return add_retry_after(super().form_invalid(form), form)


@sensitive_post_parameters()
@never_cache
def show_code(request: HttpRequest) -> HttpResponse:
    """Show the second page of signing in, with the code; it is available for ten minutes after the first."""
    user, next_url = sign_in.pending_sign_in(request)
    if user is None:
        sign_in.end_code_step(request)
        if request.user.is_authenticated:
            return redirect(landing_page(request))
        messages.info(request, _("That took too long. Sign in again."))
        return redirect("login")
    form = CodeForm(request, user, request.POST or None)
    if not form.is_valid():
        return add_retry_after(render(request, "accounts/login_code.html", {"form": form}), form)
    sign_in.end_code_step(request)
    login(request, user)
    return sign_in.remember_device(request, redirect(next_url or landing_page(request)), user.username)


def landing_page(request: HttpRequest) -> str:
    """Return the user's start page: the tournaments for organisers, the tables for other staff, else the home page."""
    actor = actor_of(request)
    roles = set(access.memberships_of(actor).values_list("role", flat=True))
    if access.can_create(actor) or roles.intersection(roles_with(Right.ORGANISE)):
        return reverse("organiser_home")
    return reverse("umpire_home" if roles else "home")


def add_retry_after(response: HttpResponse, form: BaseForm) -> HttpResponse:
    """Turn the response to a form whose secret was not checked into 429 with Retry-After."""
    if isinstance(form, RateLimitedForm) and form.wait is not None:
        response.status_code = sign_in.TOO_MANY
        response.headers["Retry-After"] = str(form.wait)
    return response


PASSWORD_LINK_LIMIT = GuessLimit.named("password-link", burst=10, seconds=60)


class ForgottenPassword(PasswordResetView):
    """Say how to get a new password; a POST has a link sent, whether or not an account has the address."""

    form_class = ForgottenPasswordForm
    template_name = "accounts/password_forgotten.html"
    extra_context = {"command": "hule manage changepassword"}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(sends_mail=delivery.is_configured(), **kwargs)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not delivery.is_configured():
            return self.get(request, *args, **kwargs)
        return count_guess(request, PASSWORD_LINK_LIMIT) or super().post(request, *args, **kwargs)

    def form_valid(self, form: Any) -> HttpResponse:
        for user in form.get_users(form.cleaned_data["email"]):
            request_password_link(user, get_language() or "en")
        messages.success(
            self.request,
            _("If an account has this address, the link is on its way. It is valid for three days."),
        )
        return redirect("login")


class NewForgottenPassword(PasswordResetConfirmView):
    """Set a new password by the link, and sign out all devices."""

    form_class = ForgottenNewPasswordForm
    template_name = "accounts/password_new.html"
    success_url = reverse_lazy("login")

    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        end_other_visits(form.user, None)
        messages.success(self.request, _("Your password is changed. Sign in with it."))
        return response


# --- The user's account ---


View = Callable[[HttpRequest, User], HttpResponse]


def account_view(view: View) -> Callable[[HttpRequest], HttpResponse]:
    """Decorate a page of the user's account: keep it out of error reports, refuse passes (404), pass the user."""

    @sensitive_post_parameters()
    @never_cache
    @login_required
    @sensitive_variables()
    @wraps(view)
    def wrapped(request: HttpRequest) -> HttpResponse:
        user = request.user
        if not (isinstance(user, User) and user.has_usable_password()):
            raise Forbidden("a pass has no account of its own")
        return view(request, user)

    return wrapped


@require_safe
@account_view
def account(request: HttpRequest, user: User) -> HttpResponse:
    context = {
        "second_factor": has_second_factor(user),
        "codes_left": StaticToken.objects.filter(device__user=user).count(),
        "visits": visits_of(user, request.session.session_key),
        "tokens": tokens_of(user),
    }
    return render(request, "accounts/account.html", context)


@require_POST
@account_view
def visit_end(request: HttpRequest, user: User) -> HttpResponse:
    name = request.POST.get("name", "")
    return run_and_redirect(
        request, lambda: end_visit(user, name), _("That device is signed out."), "account"
    )


@require_POST
@account_view
def visits_end_others(request: HttpRequest, user: User) -> HttpResponse:
    key, message = request.session.session_key, _("You are signed out everywhere else.")
    return run_and_redirect(request, lambda: end_other_visits(user, key), message, "account")


@require_POST
@account_view
def token_revoke(request: HttpRequest, user: User) -> HttpResponse:
    name = request.POST.get("name", "")
    return run_and_redirect(
        request, lambda: end_token(user, name), _("That token no longer works."), "account"
    )


@account_view
def token_new(request: HttpRequest, user: User) -> HttpResponse:
    """Create a token, and show its text in the response to the POST alone."""
    form = TokenForm(user, request.POST or None)
    if form.is_valid():
        with adding_problems(form):
            text = make_named_token(form.instance, form.chosen_tournaments)
            return render(request, "accounts/token_made.html", {"token": form.instance, "text": text})
    return add_retry_after(render(request, "accounts/token_new.html", {"form": form}), form)


class ChangePassword(PasswordChangeView):
    """Change the password. Django signs all other devices out; their sessions are deleted here."""

    form_class = NewPasswordForm
    template_name = "accounts/password_change_form.html"
    success_url = reverse_lazy("account")

    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        end_other_visits(form.user, self.request.session.session_key)
        messages.success(self.request, _("Your password is changed, and you are signed out everywhere else."))
        return response

    def form_invalid(self, form: Any) -> HttpResponse:
        return add_retry_after(super().form_invalid(form), form)


# --- The second factor ---


@require_POST
@account_view
def second_factor_begin(request: HttpRequest, user: User) -> HttpResponse:
    """Create a secret for an authenticator app, which the next page shows until it is confirmed."""
    if has_second_factor(user):
        return redirect("account")
    begin_second_factor(user)
    return redirect("second_factor")


@account_view
def second_factor_confirm(request: HttpRequest, user: User) -> HttpResponse:
    """Show the secret as a QR code and as text; turn the second factor on with a code of the app."""
    device = TOTPDevice.objects.filter(user=user, confirmed=False).first()
    if device is None:
        return redirect("account")
    form = FirstCodeForm(request, user, request.POST or None)
    if form.is_valid():
        with adding_problems(form):
            return _show_codes(request, confirm_second_factor(user, form.cleaned_data["code"]))
    # Base 32, as authenticator apps expect it, in groups of four to be typed.
    letters = b32encode(device.bin_key).decode()
    secret = " ".join(letters[start : start + 4] for start in range(0, len(letters), 4))
    context = {"form": form, "qr": qr_of(device.config_url), "secret": secret}
    return add_retry_after(render(request, "accounts/second_factor.html", context), form)


def _show_codes(request: HttpRequest, codes: list[str]) -> HttpResponse:
    """Show the recovery codes, in the response to the POST that created them alone."""
    return render(request, "accounts/recovery_codes.html", {"codes": codes})


def _run_confirmed(
    request: HttpRequest, user: User, template: str, action: Callable[[], HttpResponse]
) -> HttpResponse:
    """Ask for the password and a code, then return `action()`. Without a second factor, redirect to the account."""
    if not has_second_factor(user):
        return redirect("account")
    form = PasswordAndCodeForm(request, user, request.POST or None)
    return action() if form.is_valid() else add_retry_after(render(request, template, {"form": form}), form)


@account_view
def second_factor_disable(request: HttpRequest, user: User) -> HttpResponse:
    def turn_off() -> HttpResponse:
        end_second_factor(user)
        messages.success(request, _("Two-step sign-in is off: your password alone is enough again."))
        return redirect("account")

    return _run_confirmed(request, user, "accounts/second_factor_off.html", turn_off)


@account_view
def recovery_codes_new(request: HttpRequest, user: User) -> HttpResponse:
    """Replace the recovery codes by new ones."""
    return _run_confirmed(
        request,
        user,
        "accounts/recovery_codes_new.html",
        lambda: _show_codes(request, renew_recovery_codes(user)),
    )
