"""URLs of the organiser's pages about webhooks."""

from django.urls import path

from tournament.messages.webhooks import views as webhooks

WEBHOOK = "<slug:slug>/webhooks/<int:number>/"
DELIVERY = f"{WEBHOOK}<uuid:uuid>/"

urlpatterns = [
    path("<slug:slug>/webhooks/", webhooks.listing, name="organiser_webhooks"),
    path("<slug:slug>/webhooks/new/", webhooks.AddWebhook.as_view(), name="organiser_webhook_new"),
    path(WEBHOOK, webhooks.page, name="organiser_webhook"),
    path(f"{WEBHOOK}change/", webhooks.ChangeWebhook.as_view(), name="organiser_webhook_change"),
    path(f"{WEBHOOK}secret/", webhooks.secret, name="organiser_webhook_secret"),
    path(f"{WEBHOOK}pause/", webhooks.pause, name="organiser_webhook_pause"),
    path(f"{WEBHOOK}resume/", webhooks.resume, name="organiser_webhook_resume"),
    path(f"{WEBHOOK}test/", webhooks.test, name="organiser_webhook_test"),
    path(f"{WEBHOOK}remove/", webhooks.remove, name="organiser_webhook_remove"),
    path(DELIVERY, webhooks.delivery, name="organiser_delivery"),
    path(f"{DELIVERY}retry/", webhooks.again, name="organiser_delivery_retry"),
]
