"""Registering for a tournament, and the page that whoever registered gets: nobody needs an account.

These pages are for one person, or change with what is typed, so no cache keeps them; the list of who is coming is.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament.base import access
from tournament.base.access import Audience
from tournament.base.countries import country_names
from tournament.base.errors import Refused, TooMany
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament
from tournament.base.problems import sentence
from tournament.base.requests import place_of
from tournament.base.selectors import link_of, registration_by_token, token_of
from tournament.dues.selectors import ledger_of_registration
from tournament.messages.mail import delivery
from tournament.registration.forms import RegistrationForm
from tournament.registration.selectors.plan import asked_by, plan_of, registering, who_is_coming
from tournament.registration.selectors.registrations import has_begun, is_expired, position_of, warnings_of
from tournament.registration.services.registrations import (
    cancel_registration,
    change_registration,
    confirm_registration,
    register,
)
from tournament.registration.texts import answers_of
from tournament.web.forms import add_problems
from tournament.web.views import (
    actor_of,
    tell_refusal,
    tournament_html,
    tournament_page,
    visible_tournament_or_404,
)

UNPROCESSABLE, GONE, TOO_MANY = 422, 410, 429
State = Registration.State


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def form(request: HttpRequest, slug: str) -> HttpResponse:
    """The public form; 410 to what is sent while registration is not open."""
    tournament = visible_tournament_or_404(request, slug)
    now = registering(tournament)
    if now.plan is None:
        raise Http404
    filled = RegistrationForm(now.plan, request.POST if request.method == "POST" else None)
    refused = None
    status = 200 if request.method != "POST" else UNPROCESSABLE if now.is_open else GONE
    if request.method == "POST" and now.is_open:
        if filled.is_robots:
            return redirect("registration_sent", tournament.slug)
        if filled.is_valid():
            try:
                registration = _register(request, tournament, filled)
            except Refused as fault:
                add_problems(filled, refused := fault)
            else:
                return _registered(request, registration)
    context = {"form": filled, "now": now, "countries": _countries()}
    return _slowed(_show(request, "registration/register", tournament, context, status), refused)


def _slowed(response: HttpResponse, refused: Refused | None) -> HttpResponse:
    """Too often from there: 429, and when to come back. The page has all that was typed."""
    if isinstance(refused, TooMany):
        response.status_code, response.headers["Retry-After"] = TOO_MANY, str(refused.wait)
    return response


def _register(request: HttpRequest, tournament: Tournament, filled: RegistrationForm) -> Registration:
    return register(
        tournament,
        actor_of(request),
        filled.instance,
        privacy_read=filled.cleaned_data["privacy"],
        address=place_of(request),
    )


def _registered(request: HttpRequest, registration: Registration) -> HttpResponse:
    """The link goes by letter, to whose address it is; without a mail server there is no other way than this one."""
    if delivery.is_configured():
        return redirect("registration_sent", registration.tournament.slug)
    messages.success(
        request, _("Your registration has come. Keep the address of this page: no letter is sent.")
    )
    return _back(registration)


@never_cache
@require_safe
def sent(request: HttpRequest, slug: str) -> HttpResponse:
    """What happens now: the same for whoever registered, and for whoever had before. Without letters there is nothing
    to wait for."""
    tournament = visible_tournament_or_404(request, slug)
    if plan_of(tournament) is None:
        raise Http404
    if not delivery.is_configured():
        return redirect("register", tournament.slug)
    return _show(request, "registration/registered", tournament, {})


@tournament_page
def coming(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """Who is coming, as far as they agree."""
    now = registering(tournament)
    if now.plan is None or not now.plan.list_is_public:
        raise Http404
    context = {"now": now, "people": who_is_coming(tournament)}
    return tournament_html(request, "registration/coming", tournament, audience, context)


def by_link(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A view `(request, registration, …)` for whoever has the link; every link that opens nothing has its sentence."""

    @never_cache
    @wraps(view)
    def answer(request: HttpRequest, slug: str, token: str, **where: Any) -> HttpResponse:
        tournament = visible_tournament_or_404(request, slug)
        registration = registration_by_token(token, tournament)
        if registration is None or registration.erased_at or is_expired(registration):
            status = 404 if registration is None else GONE
            context = {"is_over": registration is not None, "now": registering(tournament)}
            return _show(request, "registration/registration_no_link", tournament, context, status)
        return view(request, registration, **where)

    return answer


@by_link
@require_safe
def page(request: HttpRequest, registration: Registration) -> HttpResponse:
    """Where they stand. Opening it confirms nothing: programs that look through letters open links, too."""
    tournament = registration.tournament
    plan = plan_of(tournament)
    context = {
        "registration": registration,
        "token": token_of(registration),
        "link": link_of(registration),
        "position": position_of(registration),
        "answers": answers_of(registration, asked_by(plan) if plan else []),
        "warnings": [sentence(problem) for problem in warnings_of(registration)],
        "now": registering(tournament),
        "ledger": ledger_of_registration(registration),
        "writes": bool(registration.email) and delivery.is_configured(),
        "can_cancel": registration.state not in (State.CANCELLED, State.DECLINED),
    }
    return _show(request, "registration/registration_public", tournament, context)


@by_link
@require_POST
def confirm(request: HttpRequest, registration: Registration) -> HttpResponse:
    """The page says where that brought them: it may be nowhere."""
    before = registration.state
    after = confirm_registration(registration, actor_of(request)).state
    if before != State.UNCONFIRMED:
        messages.success(request, _("Your registration was confirmed before."))
    elif after == State.DECLINED:
        messages.warning(request, _("Meanwhile all places were taken, and the waiting list is full, too."))
    else:
        messages.success(request, _("Thank you: your registration is confirmed."))
    return _back(registration)


@by_link
@require_http_methods(["GET", "HEAD", "POST"])
def change(request: HttpRequest, registration: Registration) -> HttpResponse:
    """What they said, to be said anew."""
    tournament = registration.tournament
    data = request.POST if request.method == "POST" else None
    filled = RegistrationForm(plan_of(tournament), data, instance=registration)
    refused = None
    if filled.is_valid():
        try:
            change_registration(filled.instance, actor_of(request))
        except Refused as fault:
            add_problems(filled, refused := fault)
        else:
            messages.success(request, _("Saved."))
            return _back(registration)
    context = {
        "form": filled,
        "registration": registration,
        "token": token_of(registration),
        "countries": _countries(),
        "is_fixed": registration.player is not None and has_begun(tournament),
    }
    status = UNPROCESSABLE if filled.errors else 200
    return _slowed(_show(request, "registration/registration_change", tournament, context, status), refused)


@by_link
@require_http_methods(["GET", "HEAD", "POST"])
def cancel(request: HttpRequest, registration: Registration) -> HttpResponse:
    """GET asks whether they mean it; what is over already is not asked about."""
    if registration.state in (State.CANCELLED, State.DECLINED):
        return _back(registration)
    if request.method == "POST":
        try:
            cancel_registration(registration, actor_of(request))
        except Refused as refused:
            tell_refusal(request, refused)
        else:
            messages.success(request, _("Your registration is cancelled."))
        return _back(registration)
    context = {"registration": registration, "token": token_of(registration)}
    return _show(request, "registration/registration_cancel", registration.tournament, context)


def _back(registration: Registration) -> HttpResponse:
    return redirect("registration", registration.tournament.slug, token_of(registration))


def _countries() -> list[str]:
    return country_names()


def _show(
    request: HttpRequest, template: str, tournament: Tournament, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    audience = access.audience_of(actor_of(request), tournament)
    response = tournament_html(request, template, tournament, audience, context)
    response.status_code = status
    return response
