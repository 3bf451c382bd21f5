"""What an organiser's certificates say and look like."""

from __future__ import annotations

from django.db import models

from tournament.base.models.tournament import Tournament


class CertificateDesign(models.Model):
    """A tournament without one has Hule's words on white paper."""

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="certificate_design")
    text = models.TextField(blank=True)
    """In the organiser's words, as on every certificate; empty for none."""
    places = models.PositiveSmallIntegerField(default=3)
    """For which places there is one, from the first on."""
    best_hand = models.BooleanField(default=True)
    """Whether there is one for the best hand of the event."""
    file = models.FileField(upload_to="documents/", blank=True)
    """The picture behind it: a JPEG that was drawn anew from what was sent."""

    def __str__(self) -> str:
        return f"certificates of {self.tournament}"
