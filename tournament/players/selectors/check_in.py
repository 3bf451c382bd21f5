"""Who has come: the list at the desk, who is missing, and until when they have time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final

from django.db.models import QuerySet
from django.utils import timezone

from scoring.texts.folding import folded
from tournament.base.models.log_entry import LogEntry
from tournament.base.models.people import Player
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.dues.selectors.dues import Owes, owed_by_player, owes_of
from tournament.events.selectors.timetable import timetable
from tournament.players.models import CheckIn
from tournament.web.selectors.search import fits

BEFORE: Final = timedelta(minutes=15)
"""So long before the first session everybody is to be there, unless the organiser says otherwise."""
FRESH: Final = timedelta(minutes=2)
"""So long somebody who was just checked in keeps their place in the list, where it can be undone."""
SHOWN: Final = ("missing", "here", "all")
"""What the list at the desk can be narrowed to, the usual one first."""


@dataclass(frozen=True)
class Line:
    """Somebody in the list at the desk."""

    player: Player
    owes: Decimal | None
    """Nothing where they owe nothing."""

    @property
    def is_here(self) -> bool:
        return self.player.checked_in_at is not None

    @property
    def find(self) -> str:
        """What a search finds them by, as `web.selectors.search.fits` does."""
        one = self.player
        return folded(f"{one.number} {one.name} {one.first_name} {one.last_name} {one.team} {one.club}")


@dataclass(frozen=True)
class Desk:
    """The list at the desk, and the counts of everybody."""

    lines: tuple[Line, ...]
    here: int
    missing: int
    owing: int
    """How many owe something and are not there yet, or are."""
    ends_at: datetime | None
    is_over: bool
    """Whether the time is up."""
    withdrawn: int

    @property
    def expected(self) -> int:
        return self.here + self.missing


def check_in_of(tournament: Tournament) -> CheckIn:
    """How people are checked in; not saved where nobody has said anything about it."""
    return CheckIn.objects.filter(tournament=tournament).first() or CheckIn(tournament=tournament)


def check_in_ends(tournament: Tournament, plan: CheckIn | None = None) -> datetime | None:
    """Until when everybody is to be there; None where neither the organiser nor the timetable says."""
    plan = plan or check_in_of(tournament)
    if plan.ends_at is not None:
        return plan.ends_at
    first = timetable(tournament).of(1)
    return first.starts_at - BEFORE if first and first.starts_at else None


def awaited(tournament: Tournament) -> QuerySet[Player]:
    """Who is expected: nobody waits for a substitute, who may have no name yet, nor for who has withdrawn."""
    return tournament.players.filter(withdrawn_at=None, is_substitute=False)


def missing_players(tournament: Tournament) -> QuerySet[Player]:
    """Who is expected and has not come."""
    return awaited(tournament).filter(checked_in_at=None)


def has_check_in(tournament: Tournament) -> bool:
    """Whether anybody was checked in: without it nobody is said to be missing."""
    return tournament.players.exclude(checked_in_at=None).exists()


def check_in_desk(tournament: Tournament, show: str = SHOWN[0], wanted: str = "") -> Desk:
    """The list as somebody at the desk narrows it. Who was just checked in stays in it for a moment."""
    people = list(tournament.players.filter(withdrawn_at=None))
    owed = {pk: _open(one) for pk, one in owed_by_player(tournament).items()}
    ends_at, now = check_in_ends(tournament), timezone.now()
    lines = [Line(player, owed.get(player.pk)) for player in people]
    here = sum(line.is_here and not line.player.is_substitute for line in lines)
    return Desk(
        lines=tuple(
            line for line in lines if _is_shown(line, show, now) and (not wanted or fits(line.player, wanted))
        ),
        here=here,
        missing=sum(not player.is_substitute for player in people) - here,
        owing=sum(line.owes is not None for line in lines),
        ends_at=ends_at,
        is_over=ends_at is not None and ends_at <= now,
        withdrawn=tournament.players.exclude(withdrawn_at=None).count(),
    )


def line_of(player: Player) -> Line:
    owed = owes_of(player)
    return Line(player, _open(owed) if owed else None)


def _is_shown(line: Line, show: str, now: datetime) -> bool:
    player = line.player
    if show == "missing":
        is_fresh = player.checked_in_at is not None and now - player.checked_in_at < FRESH
        return is_fresh or not (line.is_here or player.is_substitute)
    return line.is_here if show == "here" else True


def _open(owed: Owes) -> Decimal | None:
    return owed.balance.open if owed.balance.open > 0 else None


def newest_withdrawal(tournament: Tournament) -> Sequence[Player]:
    """Who was withdrawn at the last deadline and has not come back, as long as it can be undone in one step."""
    entry = _newest(tournament, "missing_withdrawn", "missing_readmitted")
    if entry is None or entry.action != "missing_withdrawn" or is_playing(tournament):
        return ()
    return list(tournament.players.filter(number__in=entry.data["players"]).exclude(withdrawn_at=None))


def newest_restart(tournament: Tournament) -> Sequence[Player]:
    """Who was there when check-in began anew; nobody once somebody has been checked in since."""
    entry = _newest(tournament, "check_in_restarted", "checked_in", "checked_in_several")
    if entry is None or entry.action != "check_in_restarted":
        return ()
    return list(tournament.players.filter(number__in=entry.data["players"], withdrawn_at=None))


def is_playing(tournament: Tournament) -> bool:
    return tournament.sessions.filter(state=Session.State.RUNNING).exists()


def _newest(tournament: Tournament, *actions: str) -> LogEntry | None:
    return tournament.log.filter(action__in=actions).order_by("-seq").first()
