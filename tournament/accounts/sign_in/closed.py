"""What somebody reads whose address or device has failed to sign in too often (AXES_LOCKOUT_CALLABLE)."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse

from scoring.engine.problems import Problem
from scoring.refusals import CONTENT_TYPE, faults, problem
from tournament.base.limits import QUARTER
from tournament.web.texts.problems import sentence

TOO_MANY = 429


def answer(
    request: HttpRequest, response: HttpResponse | None, credentials: dict[str, Any] | None
) -> HttpResponse:
    """429 and when to come back: a page for people, problem+json at the address of tokens."""
    said: HttpResponse
    if request.path == reverse("api_token"):
        fault = Problem("sign_in_closed", "", {"minutes": QUARTER // 60})
        body = problem(TOO_MANY, sentence(fault), faults([fault], sentence))
        said = JsonResponse(body, status=TOO_MANY, content_type=CONTENT_TYPE)
    else:
        said = render(request, "accounts/locked.html", {"minutes": QUARTER // 60}, status=TOO_MANY)
    said.headers["Retry-After"] = str(QUARTER)
    return said
