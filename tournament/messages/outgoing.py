"""What mails and deliveries of webhooks share: a worker claims a message, sends it at least once, or tries again."""

from datetime import datetime
from typing import Final, Self, TypeVar

from django.db import models
from django.db.models import F

WAITING: Final = "waiting"
SENDING: Final = "sending"


Message = TypeVar("Message", bound="Outgoing")


class OutgoingQuerySet(models.QuerySet[Message]):
    def due(self, now: datetime) -> Self:
        return self.filter(state=WAITING, try_at__lte=now)

    def claim(self, pk: int, until: datetime, **cleared: str) -> bool:
        """Claim a waiting message for this worker; return False if another one was quicker."""
        waiting = self.filter(pk=pk, state=WAITING)
        return bool(waiting.update(state=SENDING, tries=F("tries") + 1, try_at=until, **cleared))

    def expired(self, now: datetime) -> Self:
        """Return those whose worker stopped while sending."""
        return self.filter(state=SENDING, try_at__lt=now)

    def wait_again(self, now: datetime, **changes: str) -> int:
        """Make them due again; return how many."""
        return self.update(state=WAITING, try_at=now, **changes)


class Outgoing(models.Model):
    """A message with its tries; `state` begins with WAITING and SENDING, further ones are the subclass’s."""

    tries = models.PositiveSmallIntegerField(default=0)
    posted_at = models.DateTimeField()
    try_at = models.DateTimeField(null=True, blank=True)
    """When the next try is due; while it is being sent, when the claim expires; None if it is not tried again."""

    class Meta:
        abstract = True
