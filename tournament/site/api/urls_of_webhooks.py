"""Addresses of the programs and chats that are told what happens, under those of their event."""

from django.urls import path

from tournament.messages.webhooks import api as webhooks
from tournament.site.api.urls_of_people import Addresses

webhook_urls: Addresses = [
    path("", webhooks.Webhooks.as_view(), name="api_webhooks"),
    path("<int:number>/", webhooks.OneWebhook.as_view(), name="api_webhook"),
    path("<int:number>/steps/", webhooks.WebhookSteps.as_view(), name="api_webhook_steps"),
    path("<int:number>/secret/", webhooks.WebhookSecret.as_view(), name="api_webhook_secret"),
    path("<int:number>/test/", webhooks.WebhookTest.as_view(), name="api_webhook_test"),
    path("<int:number>/deliveries/", webhooks.Deliveries.as_view(), name="api_deliveries"),
    path(
        "<int:number>/deliveries/<uuid:uuid>/again/",
        webhooks.DeliveryAgain.as_view(),
        name="api_delivery_again",
    ),
]
