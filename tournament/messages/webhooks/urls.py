"""URLs of the organiser's pages about webhooks."""

from django.urls import path

from tournament.messages.webhooks import views as webhooks

WEBHOOK = "<slug:slug>/webhooks/<int:number>/"
DELIVERY = f"{WEBHOOK}<uuid:uuid>/"

urlpatterns = [
    path("<slug:slug>/settings/connections/", webhooks.Connections.as_view(), name="organiser_connections"),
    path(WEBHOOK, webhooks.WebhookPage.as_view(), name="organiser_webhook"),
    path(f"{WEBHOOK}secret/", webhooks.secret, name="organiser_webhook_secret"),
    path(f"{WEBHOOK}pause/", webhooks.pause, name="organiser_webhook_pause"),
    path(f"{WEBHOOK}resume/", webhooks.resume, name="organiser_webhook_resume"),
    path(f"{WEBHOOK}test/", webhooks.test, name="organiser_webhook_test"),
    path(f"{WEBHOOK}remove/", webhooks.remove, name="organiser_webhook_remove"),
    path(DELIVERY, webhooks.delivery, name="organiser_delivery"),
    path(f"{DELIVERY}retry/", webhooks.again, name="organiser_delivery_retry"),
]
