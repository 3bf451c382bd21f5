"""Pages of webhooks and their deliveries."""

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournament.base.access import Right
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.base.requests import site_address
from tournament.messages.webhooks.engine import Format
from tournament.messages.webhooks.forms import WebhookForm
from tournament.messages.webhooks.models import Delivery, Webhook
from tournament.messages.webhooks.selectors import deliveries_of, webhooks_of
from tournament.messages.webhooks.services import (
    add_webhook,
    change_webhook,
    pause_webhook,
    remove_webhook,
    renew_secret,
    resume_webhook,
    send_again,
    send_test,
)
from tournament.web.display import public_qr
from tournament.web.generic import EditView
from tournament.web.views import (
    actor_of,
    add_refusal_messages,
    idempotency_key,
    page_for,
    render_page,
    run_and_redirect,
)

SECTION = "connections"
PAGE_SIZE = 50


class Connections(EditView):
    """Show the address of the event's page and its webhooks, and add one. A program's secret is shown once."""

    template, section, success_page = "messages/connections", SECTION, "organiser_connections"
    form_class = WebhookForm

    def get_object(self) -> Webhook:
        return Webhook(tournament=self.tournament, language=get_language())

    def save(self, instance: Webhook, rows: list[Any]) -> None:
        add_webhook(instance, self.actor)

    def success(self, instance: Webhook) -> HttpResponse:
        messages.success(self.request, _("The webhook %(name)s has been added.") % {"name": instance.name})
        if instance.format == Format.HULE:
            context = {"webhook": instance}
            return render_page(self.request, "messages/webhook_secret", self.tournament, SECTION, context)
        return redirect("organiser_webhook", self.tournament.slug, instance.number)

    def extra_context(self) -> dict[str, Any]:
        address = site_address() + reverse("tournament", args=[self.tournament.slug])
        return {
            "address": address,
            "code": public_qr(address),
            "webhooks": webhooks_of(self.tournament),
        }


class WebhookPage(EditView):
    """Show a webhook with its deliveries, and change it."""

    template, section = "messages/webhook", SECTION
    form_class = WebhookForm

    def get_object(self) -> Webhook:
        return _webhook(self.tournament, self.kwargs["number"])

    def save(self, instance: Webhook, rows: list[Any]) -> None:
        change_webhook(instance, self.actor)

    def get_success_url(self) -> str:
        return reverse("organiser_webhook", kwargs=self.kwargs)

    def extra_context(self) -> dict[str, Any]:
        webhook = get_object_or_404(webhooks_of(self.tournament), number=self.kwargs["number"])
        return {
            "webhook": webhook,
            "page": Paginator(deliveries_of(webhook), PAGE_SIZE).get_page(self.request.GET.get("page")),
            "key": uuid4(),
            "is_program": webhook.format == Format.HULE,
        }


@page_for(Right.ORGANISE)
@require_POST
def secret(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Create a new secret and show it once."""
    try:
        webhook = renew_secret(_webhook(tournament, number), actor_of(request))
    except Refused as refused:
        add_refusal_messages(request, refused)
        return redirect("organiser_connections", tournament.slug)
    return render_page(
        request, "messages/webhook_secret", tournament, SECTION, {"webhook": webhook, "is_renewed": True}
    )


@page_for(Right.ORGANISE)
@require_POST
def pause(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    return _press_step(request, tournament, number, pause_webhook, _("Paused."))


@page_for(Right.ORGANISE)
@require_POST
def resume(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    return _press_step(
        request,
        tournament,
        number,
        resume_webhook,
        _("The webhook has resumed, starting with the waiting messages."),
    )


def _press_step(
    request: HttpRequest,
    tournament: Tournament,
    number: int,
    write: Callable[..., object],
    done: str,
) -> HttpResponse:
    webhook = _webhook(tournament, number)
    return run_and_redirect(
        request,
        lambda: write(webhook, actor_of(request)),
        done,
        "organiser_webhook",
        tournament.slug,
        number,
    )


@page_for(Right.ORGANISE)
@require_POST
def test(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Send a test, once for each form key however often the button is pressed."""
    webhook, key = _webhook(tournament, number), idempotency_key(request)
    try:
        sent = send_test(webhook, actor_of(request), key=key)
    except Refused as refused:
        add_refusal_messages(request, refused)
        return redirect("organiser_connections", tournament.slug)
    return redirect("organiser_delivery", tournament.slug, number, sent.key)


@page_for(Right.ORGANISE)
@require_POST
def remove(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    webhook = _webhook(tournament, number)
    return run_and_redirect(
        request,
        lambda: remove_webhook(webhook, actor_of(request)),
        _("Removed."),
        "organiser_connections",
        tournament.slug,
    )


@page_for(Right.ORGANISE)
@require_safe
def delivery(request: HttpRequest, tournament: Tournament, number: int, uuid: UUID) -> HttpResponse:
    """Show a delivery: what was sent, and the response."""
    message = _delivery(tournament, number, uuid)
    may_go_again = message.state not in (Delivery.State.SENDING, Delivery.State.WITHHELD)
    context = {"delivery": message, "webhook": message.webhook, "may_go_again": may_go_again}
    return render_page(request, "messages/webhook_delivery", tournament, SECTION, context)


@page_for(Right.ORGANISE)
@require_POST
def again(request: HttpRequest, tournament: Tournament, number: int, uuid: UUID) -> HttpResponse:
    delivery = _delivery(tournament, number, uuid)
    return run_and_redirect(
        request,
        lambda: send_again(delivery, actor_of(request)),
        _("It is being sent again."),
        "organiser_delivery",
        tournament.slug,
        number,
        uuid,
    )


def _delivery(tournament: Tournament, number: int, uuid: UUID) -> Delivery:
    deliveries = Delivery.objects.select_related("webhook__tournament")
    return get_object_or_404(deliveries, webhook__tournament=tournament, webhook__number=number, key=uuid)


def _webhook(tournament: Tournament, number: int) -> Webhook:
    return get_object_or_404(tournament.webhooks.select_related("tournament"), number=number)
