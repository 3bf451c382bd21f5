"""What a restore would take away: the tournaments of now against those of a backup, entry by entry of their logs."""

from __future__ import annotations

from dataclasses import dataclass

from tournament.backup.manifest import Event, Manifest
from tournament.base.models.tournament import Tournament

RECORDED = (
    *("hand_recorded", "hand_corrected", "penalty_given"),
    *("table_totals_entered", "table_totals_corrected"),
)


@dataclass(frozen=True)
class Loss:
    """One tournament. `entries` of its log would be gone, `hands` of them recorded or corrected at a table.

    kind: `same` (nothing), `back` (goes back to how it stood), `other` (another course of it comes), `gone` (is not in
    the backup), `comes` (is in it alone).
    """

    name: str
    slug: str
    kind: str
    entries: int = 0
    hands: int = 0

    @property
    def is_loss(self) -> bool:
        return self.kind in ("back", "other", "gone")


def losses(said: Manifest) -> list[Loss]:
    """Every tournament of now and of the backup, those that lose something first."""
    then = {event.slug: event for event in said.tournaments}
    now = list(Tournament.objects.order_by("pk"))
    found = [_loss(each, then.get(each.slug)) for each in now]
    comes = then.keys() - {each.slug for each in now}
    found += [Loss(event.name, slug, "comes") for slug, event in then.items() if slug in comes]
    return sorted(found, key=lambda loss: not loss.is_loss)


def _loss(now: Tournament, then: Event | None) -> Loss:
    if then is None:
        return _lost(now, "gone", 0)
    if _last_hash(now, then.version) != then.last_hash:
        # Where the two part is not known from the backup's last entry: all of it counts as lost.
        return _lost(now, "other", 0)
    return _lost(now, "back" if now.version > then.version else "same", then.version)


def _lost(now: Tournament, kind: str, after: int) -> Loss:
    hands = now.log.filter(seq__gt=after, action__in=RECORDED).count()
    return Loss(now.name, now.slug, kind, now.version - after, hands)


def _last_hash(now: Tournament, version: int) -> str:
    return now.log.filter(seq=version).values_list("hash", flat=True).first() or ""
