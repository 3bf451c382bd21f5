"""One's own account: its password, its second factor, the browsers and the programs that are signed in."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.contrib.auth.views import PasswordChangeView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from tournament.accounts.forms.sign_in import NewPasswordForm
from tournament.accounts.selectors import has_second_factor, recovery_codes_left, tokens_of, visits_of
from tournament.accounts.services.signed_in import end_other_visits, end_token, end_visit
from tournament.accounts.views.signing_in import slowed
from tournament.base.errors import Forbidden

View = Callable[[HttpRequest, User], HttpResponse]


def of_account(view: View) -> Callable[[HttpRequest], HttpResponse]:
    """A page of one's own account. Who came in by a card has none."""

    @wraps(view)
    def asked(request: HttpRequest) -> HttpResponse:
        user = request.user
        if not (isinstance(user, User) and user.has_usable_password()):
            raise Forbidden("a pass has no account of its own")
        return view(request, user)

    return never_cache(login_required(asked))


@require_safe
@of_account
def account(request: HttpRequest, user: User) -> HttpResponse:
    context = {
        "second_factor": has_second_factor(user),
        "codes_left": recovery_codes_left(user),
        "visits": visits_of(user, request.session.session_key),
        "tokens": tokens_of(user),
    }
    return render(request, "accounts/account.html", context)


@require_POST
@of_account
def visit_end(request: HttpRequest, user: User) -> HttpResponse:
    end_visit(user, request.POST.get("name", ""))
    messages.success(request, _("That device is signed out."))
    return redirect("account")


@require_POST
@of_account
def visits_end_others(request: HttpRequest, user: User) -> HttpResponse:
    end_other_visits(user, request.session.session_key)
    messages.success(request, _("You are signed out everywhere else."))
    return redirect("account")


@require_POST
@of_account
def token_end(request: HttpRequest, user: User) -> HttpResponse:
    end_token(user, request.POST.get("name", ""))
    messages.success(request, _("That token opens nothing any more."))
    return redirect("account")


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
