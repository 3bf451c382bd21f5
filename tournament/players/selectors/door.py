"""The code at the door: short, good for minutes, known only to who stands before a screen in the hall.

It follows from the tournament, the time and the site's secret, so that nothing is stored and every process knows it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from tournament.accounts.setup_code import ALPHABET
from tournament.base.models.tournament import Tournament

LENGTH: Final = 6
STANDS: Final = timedelta(minutes=5)
"""So long a code is shown; it opens for as long again, for who has just read it."""


@dataclass(frozen=True)
class DoorCode:
    code: str
    until: datetime
    """When another takes its place."""

    @property
    def spaced(self) -> str:
        """As it is read: ABC DEF."""
        return f"{self.code[: LENGTH // 2]} {self.code[LENGTH // 2 :]}"


def door_code(tournament: Tournament, at: datetime | None = None) -> DoorCode:
    """The code that the door shows now."""
    turn = _turn(at or timezone.now())
    until = datetime.fromtimestamp((turn + 1) * STANDS.total_seconds(), UTC)
    return DoorCode(_code(tournament, turn), until)


def opens(tournament: Tournament, typed: str) -> bool:
    """Whether this is the code shown now or the one before it, in either case and with or without its space."""
    given = "".join(typed.upper().split())[: 2 * LENGTH]
    turn = _turn(timezone.now())
    return any(constant_time_compare(given, _code(tournament, one)) for one in (turn, turn - 1))


def _turn(at: datetime) -> int:
    return int(at.timestamp() // STANDS.total_seconds())


def _code(tournament: Tournament, turn: int) -> str:
    about = f"{tournament.pk} {tournament.created_at.isoformat()} {turn}"
    digest = salted_hmac("hule.door", about, algorithm="sha256").digest()
    return "".join(ALPHABET[byte % len(ALPHABET)] for byte in digest[:LENGTH])
