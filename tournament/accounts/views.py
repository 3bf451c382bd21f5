"""Signing in, one's own account, its second factor and tokens, and the first visit."""

from base64 import b32encode
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView, PasswordChangeView
from django.forms import BaseForm
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse, reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_POST, require_safe
from django_otp.plugins.otp_static.models import StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from tournament.accounts import setup_code, sign_in
from tournament.accounts.forms import (
    CodeForm,
    FirstCodeForm,
    FirstOrganiserForm,
    NewPasswordForm,
    PasswordAndCodeForm,
    SignInForm,
    TokenForm,
    Waits,
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
    name_token,
    renew_recovery_codes,
)
from tournament.base import access
from tournament.base.access import Right, roles_with
from tournament.base.errors import Forbidden
from tournament.base.limits import GuessLimit
from tournament.base.requests import rate_limit_key
from tournament.web.display import qr_of
from tournament.web.forms import adding_problems
from tournament.web.views import UNPROCESSABLE, actor_of, count_guess, run_and_redirect

# --- The first visit ---


CODES = GuessLimit.named("setup", burst=10, seconds=5)


@sensitive_post_parameters()
@sensitive_variables()
@never_cache
def setup(request: HttpRequest) -> HttpResponse:
    """Make the first organiser's account, with the code that was printed when Hule started; 404 once there is one."""
    if not setup_code.is_open():
        raise Http404
    if request.method != "POST":
        return render(request, "accounts/setup.html", {"form": FirstOrganiserForm()})
    if (later := count_guess(request, CODES)) is not None:
        return later
    form = FirstOrganiserForm(request.POST)
    if "code" not in form.errors:
        CODES.forgive(rate_limit_key(request))
    if form.is_valid():
        user, data = form.instance, form.cleaned_data
        with adding_problems(form):
            make_first_organiser(user, data["password1"], code=data["code"])
            login(request, user, backend="django.contrib.auth.backends.ModelBackend")
            messages.success(request, _("Your account has been created. Now create your tournament."))
            return sign_in.remember(request, redirect("organiser_new"), user.username)
    return render(request, "accounts/setup.html", {"form": form}, status=UNPROCESSABLE)


# --- Signing in ---


@method_decorator(sensitive_post_parameters(), name="dispatch")
class SignIn(LoginView):
    """The first page of signing in.

    An organiser lands on the tournaments, the others on the staff where their role leads, anybody else on the start
    page.
    """

    form_class = SignInForm
    template_name = "accounts/login.html"
    redirect_authenticated_user = True

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Redirect to creating the first account if there is none."""
        return redirect("setup") if setup_code.is_open() else super().dispatch(request, *args, **kwargs)

    def get_default_redirect_url(self) -> str:
        return landing(self.request)

    def form_valid(self, form: Any) -> HttpResponse:
        """Sign in, or ask for the code if the account has a second factor."""
        user = form.get_user()
        if has_second_factor(user):
            sign_in.begin(self.request, user, self.get_redirect_url())
            return redirect("login_code")
        login(self.request, user)
        return sign_in.remember(self.request, redirect(self.get_success_url()), user.username)

    def form_invalid(self, form: Any) -> HttpResponse:
        return slowed(super().form_invalid(form), form)


@sensitive_post_parameters()
@never_cache
def show_code(request: HttpRequest) -> HttpResponse:
    """Show the second page of signing in; the password is remembered for ten minutes."""
    user, then = sign_in.half_of(request)
    if user is None:
        sign_in.end(request)
        if request.user.is_authenticated:
            return redirect(landing(request))
        messages.info(request, _("That took too long. Sign in again."))
        return redirect("login")
    form = CodeForm(request, user, request.POST or None)
    if not form.is_valid():
        return slowed(render(request, "accounts/login_code.html", {"form": form}), form)
    sign_in.end(request)
    login(request, user)
    return sign_in.remember(request, redirect(then or landing(request)), user.username)


def landing(request: HttpRequest) -> str:
    """Return the page that the signed-in user's role leads to."""
    actor = actor_of(request)
    roles = set(access.memberships_of(actor).values_list("role", flat=True))
    if access.can_create(actor) or roles.intersection(roles_with(Right.ORGANISE)):
        return reverse("organiser_home")
    return reverse("umpire_home" if roles else "home")


def slowed(response: HttpResponse, form: BaseForm) -> HttpResponse:
    """Add Retry-After to the answer to a form whose secret was not checked."""
    if isinstance(form, Waits) and form.wait is not None:
        response.status_code = sign_in.TOO_MANY
        response.headers["Retry-After"] = str(form.wait)
    return response


# --- One's own account ---


View = Callable[[HttpRequest, User], HttpResponse]


def of_account(view: View) -> Callable[[HttpRequest], HttpResponse]:
    """Decorate a page of the user's own account: hidden from error reports, and 404 for a table's card."""

    @sensitive_post_parameters()
    @never_cache
    @login_required
    @sensitive_variables()
    @wraps(view)
    def for_account(request: HttpRequest) -> HttpResponse:
        user = request.user
        if not (isinstance(user, User) and user.has_usable_password()):
            raise Forbidden("a pass has no account of its own")
        return view(request, user)

    return for_account


@require_safe
@of_account
def account(request: HttpRequest, user: User) -> HttpResponse:
    context = {
        "second_factor": has_second_factor(user),
        "codes_left": StaticToken.objects.filter(device__user=user).count(),
        "visits": visits_of(user, request.session.session_key),
        "tokens": tokens_of(user),
    }
    return render(request, "accounts/account.html", context)


@require_POST
@of_account
def visit_end(request: HttpRequest, user: User) -> HttpResponse:
    name = request.POST.get("name", "")
    return run_and_redirect(
        request, lambda: end_visit(user, name), _("That device is signed out."), "account"
    )


@require_POST
@of_account
def visits_end_others(request: HttpRequest, user: User) -> HttpResponse:
    here, done = request.session.session_key, _("You are signed out everywhere else.")
    return run_and_redirect(request, lambda: end_other_visits(user, here), done, "account")


@require_POST
@of_account
def token_end(request: HttpRequest, user: User) -> HttpResponse:
    name = request.POST.get("name", "")
    return run_and_redirect(
        request, lambda: end_token(user, name), _("That token no longer works."), "account"
    )


@of_account
def token_new(request: HttpRequest, user: User) -> HttpResponse:
    """Show the form; and once it is right, the token, as the answer to that alone."""
    form = TokenForm(user, request.POST or None)
    if form.is_valid():
        with adding_problems(form):
            text = name_token(form.instance, form.chosen)
            return render(request, "accounts/token_made.html", {"token": form.instance, "text": text})
    return slowed(render(request, "accounts/token_new.html", {"form": form}), form)


class ChangePassword(PasswordChangeView):
    """Every other device is signed out: Django sees to that, and here they are forgotten."""

    form_class = NewPasswordForm
    template_name = "accounts/password_change_form.html"
    success_url = reverse_lazy("account")

    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        end_other_visits(form.user, self.request.session.session_key)
        messages.success(self.request, _("Your password is changed, and you are signed out everywhere else."))
        return response

    def form_invalid(self, form: Any) -> HttpResponse:
        return slowed(super().form_invalid(form), form)


# --- The second factor ---


@require_POST
@of_account
def second_factor_begin(request: HttpRequest, user: User) -> HttpResponse:
    """Make a secret for the app, shown on the next page until it is confirmed."""
    if has_second_factor(user):
        return redirect("account")
    begin_second_factor(user)
    return redirect("second_factor")


@of_account
def second_factor_confirm(request: HttpRequest, user: User) -> HttpResponse:
    """Show the secret as a picture and as text; a code from it turns the second factor on."""
    device = TOTPDevice.objects.filter(user=user, confirmed=False).first()
    if device is None:
        return redirect("account")
    form = FirstCodeForm(request, user, request.POST or None)
    if form.is_valid():
        with adding_problems(form):
            return _show_codes(request, confirm_second_factor(user, form.cleaned_data["code"]))
    # As an app takes it, in groups of four to be typed.
    letters = b32encode(device.bin_key).decode()
    secret = " ".join(letters[at : at + 4] for at in range(0, len(letters), 4))
    context = {"form": form, "qr": qr_of(device.config_url), "secret": secret}
    return slowed(render(request, "accounts/second_factor.html", context), form)


def _show_codes(request: HttpRequest, codes: list[str]) -> HttpResponse:
    """Show the recovery codes once: in the answer to what made them, and to nothing else."""
    return render(request, "accounts/recovery_codes.html", {"codes": codes})


def _guarded(
    request: HttpRequest, user: User, template: str, done: Callable[[], HttpResponse]
) -> HttpResponse:
    """Ask for the password and a code before it is done; for who has a second factor."""
    if not has_second_factor(user):
        return redirect("account")
    form = PasswordAndCodeForm(request, user, request.POST or None)
    return done() if form.is_valid() else slowed(render(request, template, {"form": form}), form)


@of_account
def second_factor_off(request: HttpRequest, user: User) -> HttpResponse:
    def done() -> HttpResponse:
        end_second_factor(user)
        messages.success(request, _("Two-step sign-in is off: your password alone is enough again."))
        return redirect("account")

    return _guarded(request, user, "accounts/second_factor_off.html", done)


@of_account
def recovery_codes_new(request: HttpRequest, user: User) -> HttpResponse:
    """Make new recovery codes. Those before open nothing any more."""
    return _guarded(
        request,
        user,
        "accounts/recovery_codes_new.html",
        lambda: _show_codes(request, renew_recovery_codes(user)),
    )
