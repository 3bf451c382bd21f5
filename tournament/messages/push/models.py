"""Phones that are told what concerns their player, while no page is open."""

from django.db import models

from tournament.base.models.people import Player

LONGEST_ENDPOINT = 600
"""Characters; the longest in use have about 400."""


class Phone(models.Model):
    """A browser's push subscription (RFC 8030), made on a player's page. Private: in no log, export or page."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="phones")
    endpoint = models.CharField(max_length=LONGEST_ENDPOINT, unique=True)
    """The address at the browser's push service. Whoever knows it may write to this phone, and may stop it."""
    key = models.CharField(max_length=90)
    """The browser's public key, base64url (RFC 8291: p256dh)."""
    secret = models.CharField(max_length=30)
    """The browser's authentication secret, base64url (RFC 8291: auth)."""
    language = models.CharField(max_length=10)
    site = models.CharField(max_length=260)
    """The host on which the page was opened: a push service is told it as the sender."""
    told = models.CharField(max_length=40, blank=True)
    """The newest of the player's situations that was told (`play.selectors.public`), so that none is told twice."""
    since = models.DateTimeField()
    is_reached = models.BooleanField(default=False)
    """Whether its push service has taken a message: until then the endpoint may be made up."""

    class Meta:
        ordering = ["player_id", "id"]

    def __str__(self) -> str:
        return f"a phone of {self.player}"
