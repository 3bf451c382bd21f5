"""The API of webhooks and their deliveries."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final
from uuid import UUID, uuid4

from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.base.access import Actor
from tournament.messages.webhooks.engine import SUBSCRIBABLE_KINDS
from tournament.messages.webhooks.models import Delivery, Webhook
from tournament.messages.webhooks.selectors import deliveries_of
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
from tournament.web.api.base import Endpoint, ModelSerializer, ShortPages, no_store

STEPS: Final[Mapping[str, Callable[[Webhook, Actor], Webhook]]] = {
    "pause": pause_webhook,
    "resume": resume_webhook,
}


class WebhookStepRequest(serializers.Serializer[Any]):
    step = serializers.ChoiceField(list(STEPS))


class WebhookTestRequest(serializers.Serializer[Any]):
    key = serializers.UUIDField(required=False, help_text="Idempotency key.")


class WebhookSerializer(ModelSerializer[Webhook]):
    url = serializers.SerializerMethodField()
    kinds = serializers.ListField(
        child=serializers.ChoiceField([kind.value for kind in SUBSCRIBABLE_KINDS]),
        max_length=len(SUBSCRIBABLE_KINDS),
    )

    class Meta:
        model = Webhook
        read_only_fields = ("number", "paused", "failing_since", "old_secret_until")
        fields: tuple[str, ...] = (
            *("url", "number", "name", "target", "format", "kinds", "language", "chat"),
            *("paused", "failing_since", "old_secret_until"),
        )
        extra_kwargs: ClassVar[Any] = {
            "target": {"source": "url", "help_text": "The https URL that messages are sent to."},
            "chat": {"help_text": "For Telegram the chat; for a DingTalk or Feishu robot its own secret."},
            "paused": {
                "source": "pause",
                "help_text": "hand, failing or gone; empty while it is active.",
            },
            "old_secret_until": {"source": "old_until"},
        }

    def get_url(self, webhook: Webhook) -> str:
        """Return the URL of this webhook; below it are `steps/`, `secret/`, `test/` and `deliveries/`."""
        return reverse("api_webhook", args=[webhook.tournament.slug, webhook.number])


class WebhookSecretSerializer(WebhookSerializer):
    class Meta(WebhookSerializer.Meta):
        fields = (*WebhookSerializer.Meta.fields, "secret")
        extra_kwargs: ClassVar[Any] = WebhookSerializer.Meta.extra_kwargs | {
            "secret": {"read_only": True, "help_text": "Returned only here."}
        }


class DeliverySerializer(ModelSerializer[Delivery]):
    """A message to a target, and what became of it."""

    id = serializers.CharField(source="message_id", help_text="The value of the header webhook-id.")
    body = serializers.CharField()

    class Meta:
        model = Delivery
        fields = (
            *("id", "key", "kind", "state", "tries", "status", "milliseconds", "fault", "answer"),
            *("posted_at", "try_at", "done_at", "body"),
        )


@no_store
class _WebhookEndpoint(Endpoint):
    def webhook(self, slug: str, number: int) -> Webhook:
        return get_object_or_404(self.organised(slug).webhooks.select_related("tournament"), number=number)


class Webhooks(_WebhookEndpoint):
    """The webhooks. POST adds one and returns its secret."""

    @extend_schema(responses=WebhookSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        return self.list_response(
            WebhookSerializer, self.organised(slug).webhooks.select_related("tournament")
        )

    @extend_schema(request=WebhookSerializer, responses={201: WebhookSecretSerializer})
    def post(self, request: Request, slug: str) -> Response:
        webhook = self.deserialize(WebhookSerializer, Webhook(tournament=self.organised(slug)))
        add_webhook(webhook, self.actor)
        return Response(WebhookSecretSerializer(webhook).data, status=status.HTTP_201_CREATED)


class WebhookDetail(_WebhookEndpoint):
    """PUT leaves omitted fields unchanged. DELETE removes the webhook with its deliveries."""

    @extend_schema(responses=WebhookSerializer)
    def get(self, request: Request, slug: str, number: int) -> Response:
        return Response(WebhookSerializer(self.webhook(slug, number)).data)

    @extend_schema(request=WebhookSerializer, responses=WebhookSerializer)
    def put(self, request: Request, slug: str, number: int) -> Response:
        webhook = self.deserialize(WebhookSerializer, self.webhook(slug, number))
        return Response(WebhookSerializer(change_webhook(webhook, self.actor)).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, slug: str, number: int) -> Response:
        remove_webhook(self.webhook(slug, number), self.actor)
        return Response(status=status.HTTP_204_NO_CONTENT)


class WebhookSteps(_WebhookEndpoint):
    """`pause` stops deliveries. `resume` starts them again, beginning with those that wait."""

    @extend_schema(
        operation_id="webhook_step_perform", request=WebhookStepRequest, responses=WebhookSerializer
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        webhook = self.webhook(slug, number)
        step = STEPS[self.body(WebhookStepRequest).validated_data["step"]]
        return Response(WebhookSerializer(step(webhook, self.actor)).data)


class WebhookSecret(_WebhookEndpoint):
    """POST creates a new secret and returns it once. For a day messages are signed with the old one too."""

    @extend_schema(operation_id="webhook_secret_renew", request=None, responses=WebhookSecretSerializer)
    def post(self, request: Request, slug: str, number: int) -> Response:
        renewed = renew_secret(self.webhook(slug, number), self.actor)
        return Response(WebhookSecretSerializer(renewed).data)


class WebhookTest(_WebhookEndpoint):
    """POST sends a test message, also to a paused webhook."""

    @extend_schema(request=WebhookTestRequest, responses={201: DeliverySerializer})
    def post(self, request: Request, slug: str, number: int) -> Response:
        webhook, key = self.webhook(slug, number), self.body(WebhookTestRequest).validated_data.get("key")
        return _answer(send_test(webhook, self.actor, key=key or uuid4()), status.HTTP_201_CREATED)


class Deliveries(_WebhookEndpoint):
    """The deliveries of the last month, newest first, a hundred per page."""

    pagination_class = ShortPages

    @extend_schema(responses=DeliverySerializer(many=True))
    def get(self, request: Request, slug: str, number: int) -> Response:
        return self.list_response(DeliverySerializer, deliveries_of(self.webhook(slug, number)))


class DeliveryAgain(_WebhookEndpoint):
    """POST sends the same message again, with the same id."""

    @extend_schema(operation_id="webhook_delivery_retry", request=None, responses=DeliverySerializer)
    def post(self, request: Request, slug: str, number: int, uuid: UUID) -> Response:
        deliveries = deliveries_of(self.webhook(slug, number)).select_related("webhook__tournament")
        delivery = get_object_or_404(deliveries, key=uuid)
        return _answer(send_again(delivery, self.actor))


def _answer(delivery: Delivery, code: int = status.HTTP_200_OK) -> Response:
    return Response(DeliverySerializer(delivery).data, status=code)
