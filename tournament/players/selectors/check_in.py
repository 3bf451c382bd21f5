"""Who has come and who is missing; the code at the door, and how people find themselves there."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Final
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from scoring.texts import folded
from tournament.accounts.setup_code import ALPHABET
from tournament.base.log_actions import LogAction
from tournament.base.models.log import LogEntry
from tournament.base.models.people import Player
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.dues.selectors import Ledger, ledger_of_player, ledgers_by_player
from tournament.play.selectors.timetable import timetable
from tournament.players import texts as actions
from tournament.players.models import CheckIn
from tournament.web.selectors import fits

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
        """What a search finds them by, as `web.selectors.fits` does."""
        player = self.player
        return folded(
            f"{player.number} {player.name} {player.first_name} {player.last_name} {player.team} {player.club}"
        )


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
    """Who plays and is ranked, and so is expected: nobody waits for a substitute, who may have no name yet."""
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
    open_amounts = {pk: _still_open(ledger) for pk, ledger in ledgers_by_player(tournament).items()}
    ends_at, now = check_in_ends(tournament), timezone.now()
    lines = [Line(player, open_amounts.get(player.pk)) for player in people]
    n_here = sum(line.is_here and not line.player.is_substitute for line in lines)
    return Desk(
        lines=tuple(
            line for line in lines if _is_shown(line, show, now) and (not wanted or fits(line.player, wanted))
        ),
        here=n_here,
        missing=sum(not player.is_substitute for player in people) - n_here,
        owing=sum(line.owes is not None for line in lines),
        ends_at=ends_at,
        is_over=ends_at is not None and ends_at <= now,
        withdrawn=tournament.players.exclude(withdrawn_at=None).count(),
    )


def _is_shown(line: Line, show: str, now: datetime) -> bool:
    player = line.player
    if show == "missing":
        is_fresh = player.checked_in_at is not None and now - player.checked_in_at < FRESH
        return is_fresh or not (line.is_here or player.is_substitute)
    return line.is_here if show == "here" else True


def line_of(player: Player) -> Line:
    ledger = ledger_of_player(player)
    return Line(player, _still_open(ledger) if ledger else None)


def _still_open(ledger: Ledger) -> Decimal | None:
    return ledger.balance.open if ledger.balance.open > 0 else None


def newest_withdrawal(tournament: Tournament) -> Sequence[Player]:
    """Who was withdrawn at the last deadline and has not come back, as long as it can be undone in one step."""
    entry = _newest_entry(tournament, actions.MISSING_WITHDRAWN, actions.MISSING_READMITTED)
    if entry is None or entry.action != actions.MISSING_WITHDRAWN.code or is_playing(tournament):
        return ()
    return list(tournament.players.filter(number__in=entry.data["players"]).exclude(withdrawn_at=None))


def newest_restart(tournament: Tournament) -> Sequence[Player]:
    """Who was there when check-in began anew; nobody once somebody has been checked in since."""
    entry = _newest_entry(
        tournament, actions.CHECK_IN_RESTARTED, actions.CHECKED_IN, actions.CHECKED_IN_SEVERAL
    )
    if entry is None or entry.action != actions.CHECK_IN_RESTARTED.code:
        return ()
    return list(tournament.players.filter(number__in=entry.data["players"], withdrawn_at=None))


def _newest_entry(tournament: Tournament, *actions: LogAction) -> LogEntry | None:
    return tournament.log.of(*actions).order_by("-seq").first()


def is_playing(tournament: Tournament) -> bool:
    return tournament.sessions.filter(state=Session.State.RUNNING).exists()


LENGTH: Final = 6
STANDS: Final = timedelta(minutes=5)
"""So long a code is shown; it opens for as long again, for who has just read it."""


@dataclass(frozen=True)
class DoorCode:
    """Short, good for minutes, known only to who stands before a screen in the hall.

    It follows from the tournament, the time and the site's secret, so that nothing is stored and every process knows
    it.
    """

    code: str
    until: datetime
    """When another takes its place."""

    @property
    def spaced(self) -> str:
        """As it is read: ABC DEF."""
        return f"{self.code[: LENGTH // 2]} {self.code[LENGTH // 2 :]}"


def door_code(tournament: Tournament, at: datetime | None = None) -> DoorCode:
    """The code that the door shows now."""
    turn = _turn_at(at or timezone.now())
    until = datetime.fromtimestamp((turn + 1) * STANDS.total_seconds(), UTC)
    return DoorCode(_code_of_turn(tournament, turn), until)


def opens(tournament: Tournament, typed: str) -> bool:
    """Whether this is the code shown now or the one before it, in either case and with or without its space."""
    given = "".join(typed.upper().split())[: 2 * LENGTH]
    turn = _turn_at(timezone.now())
    return any(constant_time_compare(given, _code_of_turn(tournament, shown)) for shown in (turn, turn - 1))


def _turn_at(at: datetime) -> int:
    return int(at.timestamp() // STANDS.total_seconds())


def _code_of_turn(tournament: Tournament, turn: int) -> str:
    message = f"{tournament.pk} {tournament.created_at.isoformat()} {turn}"
    digest = salted_hmac("hule.door", message, algorithm="sha256").digest()
    return "".join(ALPHABET[byte % len(ALPHABET)] for byte in digest[:LENGTH])


MOST: Final = 8
"""So many are shown: who sees more types on."""
FEWEST: Final = 2
"""Letters to look for a name by."""


def found_by(tournament: Tournament, wanted: str) -> list[Player]:
    """Return whom it fits, nobody for less than two letters or a figure; by an EMA number its owner alone."""
    people = list(awaited(tournament))
    if len(wanted) == 8 and (own := [player for player in people if player.ema_number == wanted]):
        return own
    if len(wanted) < FEWEST and not wanted.isdecimal():
        return []
    return [player for player in people if fits(player, wanted)][:MOST]


def of_registration(tournament: Tournament, key: str) -> Player | None:
    """Return the player whose registration has this key, which only their own link knows."""
    try:
        uuid = UUID(key)
    except ValueError:
        return None
    registration = tournament.registrations.filter(key=uuid).select_related("player").first()
    player = registration.player if registration else None
    return player if player and not player.is_withdrawn else None
