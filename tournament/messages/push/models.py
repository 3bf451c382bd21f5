"""Push subscriptions of players' phones."""

from django.db import models

from tournament.base.models.people import Player

MAX_ENDPOINT_LENGTH = 600
"""Characters; the longest in use have about 400."""


class Phone(models.Model):
    """A browser's push subscription (RFC 8030) to one player. Private: in no log, export or page."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="phones")
    endpoint = models.CharField(max_length=MAX_ENDPOINT_LENGTH, unique=True)
    """The URL at the push service; whoever knows it can send to this phone and unsubscribe it."""
    key = models.CharField(max_length=90)
    """The browser's public key in base64url (RFC 8291: p256dh)."""
    secret = models.CharField(max_length=30)
    """The browser's authentication secret in base64url (RFC 8291: auth)."""
    language = models.CharField(max_length=10)
    site = models.CharField(max_length=260)
    """The host of the page where the phone subscribed, named as the sender to push services."""
    last_situation = models.CharField(max_length=40, blank=True)
    """The code of the newest situation (`play.selectors.public`) that was sent, so that none is sent twice."""
    used_at = models.DateTimeField()
    """When the player's page last sent the subscription; an open page does so once a day."""
    is_reached = models.BooleanField(default=False)
    """Whether the push service has accepted a message; until then the endpoint may be invented."""

    class Meta:
        ordering = ["player_id", "id"]

    def __str__(self) -> str:
        return f"a phone of {self.player}"
