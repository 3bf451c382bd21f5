"""Programs and chats that are told what happens: which there are, a test, what became of each message."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final
from uuid import UUID, uuid4

from django.conf import settings
from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.base.access import Actor
from tournament.base.requests import own_address
from tournament.messages.webhooks.engine import OFFERED, Format, Kind
from tournament.messages.webhooks.models import Delivery, Webhook
from tournament.messages.webhooks.selectors import WebhookWish, deliveries_of
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
from tournament.web.api.base import NOT_KEPT, Endpoint, PageAsked, page_of

MOST_TEXT: Final = 1000
LANGUAGES: Final = [code for code, _name in settings.LANGUAGES]
STEPS: Final[Mapping[str, Callable[[Webhook, Actor], Webhook]]] = {
    "pause": pause_webhook,
    "resume": resume_webhook,
}


class WebhookRequest(serializers.Serializer[Any]):
    name = serializers.CharField(allow_blank=True, max_length=MOST_TEXT)
    target = serializers.CharField(allow_blank=True, max_length=MOST_TEXT, help_text="The address, by https.")
    format = serializers.ChoiceField([format.value for format in Format], default=Format.HULE.value)
    kinds = serializers.ListField(
        child=serializers.ChoiceField([kind.value for kind in OFFERED]), max_length=len(OFFERED)
    )
    language = serializers.ChoiceField(LANGUAGES, default=LANGUAGES[0])
    chat = serializers.CharField(
        allow_blank=True,
        default="",
        max_length=MOST_TEXT,
        help_text="Of Telegram, which chat. Of a DingTalk or Feishu robot, its own secret.",
    )

    def wish(self) -> WebhookWish:
        data = self.validated_data
        kinds = tuple(map(Kind, data["kinds"]))
        return WebhookWish(
            data["name"], data["target"], Format(data["format"]), kinds, data["language"], data["chat"]
        )


class WebhookStepRequest(serializers.Serializer[Any]):
    step = serializers.ChoiceField(list(STEPS))


class WebhookTestRequest(serializers.Serializer[Any]):
    key = serializers.UUIDField(required=False, help_text="The same key is the same test.")


class WebhookSerializer(serializers.Serializer[Any]):
    url = serializers.SerializerMethodField()
    number = serializers.IntegerField()
    name = serializers.CharField()
    target = serializers.CharField(source="url")
    format = serializers.CharField()
    kinds = serializers.ListField(child=serializers.CharField())
    language = serializers.CharField()
    chat = serializers.CharField()
    paused = serializers.CharField(
        source="pause", help_text="hand, failing or gone; empty while it is told what happens."
    )
    failing_since = serializers.DateTimeField(allow_null=True)
    old_secret_until = serializers.DateTimeField(source="old_until", allow_null=True)

    def get_url(self, webhook: Webhook) -> str:
        """Where it is changed and removed; with `steps/`, `secret/`, `test/` and `deliveries/` below it."""
        return reverse("api_webhook", args=[webhook.tournament.slug, webhook.number])


class WebhookSecretSerializer(WebhookSerializer):
    secret = serializers.CharField(help_text="Told this once.")


class DeliverySerializer(serializers.Serializer[Any]):
    """A message to a target, and what became of it."""

    id = serializers.CharField(source="message_id", help_text="As in the header webhook-id.")
    key = serializers.UUIDField()
    kind = serializers.CharField()
    state = serializers.ChoiceField(Delivery.State.values)
    tries = serializers.IntegerField()
    status = serializers.IntegerField(allow_null=True, help_text="Of the last answer.")
    milliseconds = serializers.IntegerField(allow_null=True)
    fault = serializers.CharField(help_text="Why the last try failed, by its code.")
    answer = serializers.CharField()
    posted_at = serializers.DateTimeField()
    try_at = serializers.DateTimeField(allow_null=True)
    done_at = serializers.DateTimeField(allow_null=True)
    body = serializers.CharField()


class _OfWebhooks(Endpoint):
    def webhook(self, slug: str, number: int) -> Webhook:
        webhook = self.organised(slug).webhooks.select_related("tournament").filter(number=number).first()
        if webhook is None:
            raise Http404
        return webhook


class Webhooks(_OfWebhooks):
    """All of them. POST adds one, and tells its secret."""

    @extend_schema(operation_id="webhooks", responses=WebhookSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        webhooks = self.organised(slug).webhooks.select_related("tournament")
        return Response(WebhookSerializer(webhooks, many=True).data, headers=NOT_KEPT)

    @extend_schema(
        operation_id="webhook_add", request=WebhookRequest, responses={201: WebhookSecretSerializer}
    )
    def post(self, request: Request, slug: str) -> Response:
        tournament, wanted = self.organised(slug), self.body(WebhookRequest).wish()
        webhook = add_webhook(tournament, self.actor, wanted, site=own_address(request))
        return Response(
            WebhookSecretSerializer(webhook).data, status=status.HTTP_201_CREATED, headers=NOT_KEPT
        )


class OneWebhook(_OfWebhooks):
    """PUT: all of it anew but the secret. DELETE: it is told nothing more, and its messages are gone."""

    @extend_schema(operation_id="webhook", responses=WebhookSerializer)
    def get(self, request: Request, slug: str, number: int) -> Response:
        return Response(WebhookSerializer(self.webhook(slug, number)).data, headers=NOT_KEPT)

    @extend_schema(operation_id="webhook_change", request=WebhookRequest, responses=WebhookSerializer)
    def put(self, request: Request, slug: str, number: int) -> Response:
        webhook = self.webhook(slug, number)
        changed = change_webhook(webhook, self.actor, self.body(WebhookRequest).wish())
        return Response(WebhookSerializer(changed).data, headers=NOT_KEPT)

    @extend_schema(operation_id="webhook_remove", responses={204: None})
    def delete(self, request: Request, slug: str, number: int) -> Response:
        remove_webhook(self.webhook(slug, number), self.actor)
        return Response(status=status.HTTP_204_NO_CONTENT)


class WebhookSteps(_OfWebhooks):
    """`pause`: what happens is not told. `resume`: it is again, beginning with what waits."""

    @extend_schema(operation_id="webhook_step", request=WebhookStepRequest, responses=WebhookSerializer)
    def post(self, request: Request, slug: str, number: int) -> Response:
        webhook = self.webhook(slug, number)
        step = STEPS[self.body(WebhookStepRequest).validated_data["step"]]
        return Response(WebhookSerializer(step(webhook, self.actor)).data, headers=NOT_KEPT)


class WebhookSecret(_OfWebhooks):
    """A new secret, told once. For a day messages are signed with the old one, too."""

    @extend_schema(operation_id="webhook_secret", request=None, responses=WebhookSecretSerializer)
    def post(self, request: Request, slug: str, number: int) -> Response:
        renewed = renew_secret(self.webhook(slug, number), self.actor)
        return Response(WebhookSecretSerializer(renewed).data, headers=NOT_KEPT)


class WebhookTest(_OfWebhooks):
    """A message that says that messages arrive, to a target that is paused, too."""

    @extend_schema(
        operation_id="webhook_test", request=WebhookTestRequest, responses={201: DeliverySerializer}
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        webhook, key = self.webhook(slug, number), self.body(WebhookTestRequest).validated_data.get("key")
        return _answer(send_test(webhook, self.actor, key=key or uuid4()), status.HTTP_201_CREATED)


class Deliveries(_OfWebhooks):
    """The messages of the last month, the newest first, a hundred a page."""

    @extend_schema(operation_id="deliveries", parameters=[PageAsked], responses=DeliverySerializer(many=True))
    def get(self, request: Request, slug: str, number: int) -> Response:
        deliveries, headers = page_of(deliveries_of(self.webhook(slug, number)), request)
        return Response(DeliverySerializer(deliveries, many=True).data, headers=headers | NOT_KEPT)


class DeliveryAgain(_OfWebhooks):
    """POST: the same message once more, under the same id."""

    @extend_schema(operation_id="delivery_again", request=None, responses=DeliverySerializer)
    def post(self, request: Request, slug: str, number: int, uuid: UUID) -> Response:
        deliveries = deliveries_of(self.webhook(slug, number)).select_related("webhook__tournament")
        delivery = deliveries.filter(key=uuid).first()
        if delivery is None:
            raise Http404
        return _answer(send_again(delivery, self.actor))


def _answer(delivery: Delivery, code: int = status.HTTP_200_OK) -> Response:
    return Response(DeliverySerializer(delivery).data, status=code, headers=NOT_KEPT)
