"""Public pages: the form, a registration's own page by its secret link, and the list of who is coming."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from config.front.addresses import rate_limit_key
from tournament.base import access
from tournament.base.countries import country_names
from tournament.base.engine.notices import Audience
from tournament.base.errors import Refused, TooMany
from tournament.base.models.registration import CANCELLED_STATES, Registration
from tournament.base.models.tournament import Tournament
from tournament.base.problems import sentence
from tournament.base.selectors import registration_by_token, registration_token, registration_url
from tournament.dues.selectors import ledger_of_registration
from tournament.messages.mail import delivery
from tournament.registration.forms import RegistrationForm
from tournament.registration.selectors.plan import (
    has_begun,
    is_over,
    list_attendees,
    plan_of,
    questions_of,
    registration_status,
)
from tournament.registration.selectors.registrations import is_expired, position_of, warnings_of
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
    add_refusal_messages,
    tournament_html,
    tournament_page,
    visible_tournament_or_404,
)

UNPROCESSABLE, GONE, TOO_MANY = 422, 410, 429
State = Registration.State
NO_PLACE = (State.UNCONFIRMED, State.PENDING, State.WAITING)
"""States of people who may still get a place."""


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def register_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the public form; 410 to a POST while registration is not open."""
    tournament = visible_tournament_or_404(request, slug)
    current = registration_status(tournament)
    if current.plan is None:
        raise Http404
    form = RegistrationForm(current.plan, request.POST if request.method == "POST" else None)
    refused = None
    status = 200 if request.method != "POST" else UNPROCESSABLE if current.is_open else GONE
    if request.method == "POST" and current.is_open:
        if form.is_spam:
            return redirect("registration_sent", tournament.slug)
        if form.is_valid():
            try:
                registration = _register(request, tournament, form)
            except Refused as error:
                add_problems(form, refused := error)
            else:
                return _registered(request, registration)
    context = {"form": form, "status": current, "countries": country_names()}
    return _with_retry_after(_show(request, "registration/register", tournament, context, status), refused)


def _with_retry_after(response: HttpResponse, refused: Refused | None) -> HttpResponse:
    """Turn the form's page into a 429 if a limit was exceeded."""
    if isinstance(refused, TooMany):
        response.status_code, response.headers["Retry-After"] = TOO_MANY, str(refused.wait)
    return response


def _register(request: HttpRequest, tournament: Tournament, form: RegistrationForm) -> Registration:
    return register(
        tournament,
        actor_of(request),
        form.instance,
        privacy_read=form.cleaned_data["privacy"],
        address=rate_limit_key(request),
        fee=form.fee,
    )


def _registered(request: HttpRequest, registration: Registration) -> HttpResponse:
    """Redirect after registering: to the registration's page only if its secret link is not sent by e-mail."""
    if delivery.is_configured():
        return redirect("registration_sent", registration.tournament.slug)
    messages.success(
        request, _("Your registration has been received. Keep the address of this page: no e-mail is sent.")
    )
    return _redirect_to(registration)


@never_cache
@require_safe
def sent(request: HttpRequest, slug: str) -> HttpResponse:
    """Say that a link was sent, whether the person was registered before or not."""
    tournament = visible_tournament_or_404(request, slug)
    if plan_of(tournament) is None:
        raise Http404
    if not delivery.is_configured():
        return redirect("register", tournament.slug)
    return _show(request, "registration/registered", tournament, {})


@tournament_page
def attendees(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """List who is coming, as far as they agree to be named."""
    current = registration_status(tournament)
    if current.plan is None or not current.plan.list_is_public:
        raise Http404
    people = list_attendees(tournament)
    has_initials = any(attendee.is_by_initials for attendee in people)
    context = {"status": current, "attendees": people, "has_initials": has_initials}
    return tournament_html(request, "registration/participants", tournament, audience, context)


def registration_by_link(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate a view `(request, registration, …)` to take a link's token; 404 if invalid, 410 if expired."""

    @never_cache
    @wraps(view)
    def answer(request: HttpRequest, slug: str, token: str, **kwargs: Any) -> HttpResponse:
        tournament = visible_tournament_or_404(request, slug)
        registration = registration_by_token(token, tournament)
        if registration is None or registration.erased_at or is_expired(registration):
            status = 404 if registration is None else GONE
            context = {"is_over": registration is not None, "status": registration_status(tournament)}
            return _show(request, "registration/registration_no_link", tournament, context, status)
        return view(request, registration, **kwargs)

    return answer


@registration_by_link
@require_safe
def page(request: HttpRequest, registration: Registration) -> HttpResponse:
    """Show a registration. This does not confirm it, since mail scanners open links too."""
    tournament = registration.tournament
    plan, has_no_place = plan_of(tournament), registration.state in NO_PLACE
    context = {
        "registration": registration,
        "has_ended_without_place": has_no_place and is_over(tournament),
        "token": registration_token(registration),
        "link": registration_url(registration),
        "position": position_of(registration),
        "answers": answers_of(registration, questions_of(plan) if plan else []),
        "warnings": [sentence(problem) for problem in warnings_of(registration)],
        "status": registration_status(tournament),
        "ledger": ledger_of_registration(registration),
        "sends_mail": bool(registration.email) and delivery.is_configured(),
        "can_change": registration.state not in CANCELLED_STATES,
        "can_cancel": _can_cancel(registration),
    }
    return _show(request, "registration/registration_public", tournament, context)


def _can_cancel(registration: Registration) -> bool:
    is_active = registration.state not in CANCELLED_STATES
    return is_active and not is_over(registration.tournament)


@registration_by_link
@require_POST
def confirm(request: HttpRequest, registration: Registration) -> HttpResponse:
    """Confirm a registration; the message depends on the state it got."""
    before = registration.state
    try:
        after = confirm_registration(registration, actor_of(request)).state
    except Refused as refused:
        add_refusal_messages(request, refused)
        return _redirect_to(registration)
    if before != State.UNCONFIRMED:
        messages.success(request, _("Your registration was confirmed before."))
    elif after == State.DECLINED:
        messages.warning(
            request, _("In the meantime all places were taken, and the waiting list is full too.")
        )
    else:
        messages.success(request, _("Thank you: your registration is confirmed."))
    return _redirect_to(registration)


@registration_by_link
@require_http_methods(["GET", "HEAD", "POST"])
def change(request: HttpRequest, registration: Registration) -> HttpResponse:
    """Change one's own registration."""
    tournament = registration.tournament
    data = request.POST if request.method == "POST" else None
    form = RegistrationForm(plan_of(tournament), data, instance=registration)
    refused = None
    if form.is_valid():
        try:
            change_registration(form.instance, actor_of(request))
        except Refused as error:
            add_problems(form, refused := error)
        else:
            messages.success(request, _("Saved."))
            return _redirect_to(registration)
    context = {
        "form": form,
        "registration": registration,
        "token": registration_token(registration),
        "countries": country_names(),
        "is_fixed": registration.player is not None and has_begun(tournament),
    }
    status = UNPROCESSABLE if form.errors else 200
    return _with_retry_after(
        _show(request, "registration/registration_change", tournament, context, status), refused
    )


@registration_by_link
@require_http_methods(["GET", "HEAD", "POST"])
def cancel(request: HttpRequest, registration: Registration) -> HttpResponse:
    """Ask for confirmation (GET), then cancel."""
    if request.method != "POST" and not _can_cancel(registration):
        return _redirect_to(registration)
    if request.method == "POST":
        try:
            cancel_registration(registration, actor_of(request))
        except Refused as refused:
            add_refusal_messages(request, refused)
        else:
            messages.success(request, _("Your registration is cancelled."))
        return _redirect_to(registration)
    context = {"registration": registration, "token": registration_token(registration)}
    return _show(request, "registration/registration_cancel", registration.tournament, context)


def _redirect_to(registration: Registration) -> HttpResponse:
    return redirect("registration", registration.tournament.slug, registration_token(registration))


def _show(
    request: HttpRequest, template: str, tournament: Tournament, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    audience = access.audience_of(actor_of(request), tournament)
    response = tournament_html(request, template, tournament, audience, context)
    response.status_code = status
    return response
