"""Making a token for a program, on a page of one's own account."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables

from tournament.accounts.forms.tokens import TokenForm
from tournament.accounts.services.signed_in import name_token
from tournament.accounts.views.account import of_account
from tournament.accounts.views.signing_in import slowed
from tournament.base.errors import Refused
from tournament.web.forms.problems import add_problems


@sensitive_post_parameters()
@sensitive_variables()
@of_account
def token_new(request: HttpRequest, user: User) -> HttpResponse:
    """The form; and once it is right, the token, as the answer to that alone."""
    form = TokenForm(request, user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            made, told = name_token(user, form.wanted())
        except Refused as refused:
            add_problems(form, refused)
        else:
            return render(request, "accounts/token_made.html", {"token": made, "told": told})
    return slowed(render(request, "accounts/token_new.html", {"form": form}), form)
