"""Who is checked in and who is missing; the code at the door, and the search there."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Final
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from tournament.accounts.setup_code import ALPHABET
from tournament.base.engine.money import ZERO
from tournament.base.engine.names import search_text
from tournament.base.log_actions import LogAction
from tournament.base.models.log import LogEntry
from tournament.base.models.people import Player
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.dues.selectors import Ledger, ledger_of_player, ledgers_by_player
from tournament.play.selectors.timetable import timetable
from tournament.players import texts as actions
from tournament.players.models import CheckIn
from tournament.web.selectors import matches_search

CHECK_IN_LEAD: Final = timedelta(minutes=15)
"""How long before the first session check-in ends by default."""
RECENT: Final = timedelta(minutes=2)
"""How long somebody stays in the list of the missing after check-in, where it can be undone."""
DESK_FILTERS: Final = ("missing", "here", "all")
"""The filters of the list at the desk, the default first."""


@dataclass(frozen=True)
class Line:
    """A row of the list at the desk."""

    player: Player
    ledger: Ledger | None

    @property
    def owes(self) -> Decimal | None:
        """The open amount; None if nothing is open."""
        open_amount = self.ledger.balance.open if self.ledger else ZERO
        return open_amount if open_amount > 0 else None

    @property
    def due_id(self) -> int | None:
        return self.ledger.due.pk if self.ledger else None

    @property
    def is_here(self) -> bool:
        return self.player.checked_in_at is not None

    @property
    def search_text(self) -> str:
        """The text that the page's script searches, as `web.selectors.matches_search` does."""
        player = self.player
        return search_text(str(player.number), player.name, player.second_name, player.team, player.club)


@dataclass(frozen=True)
class Desk:
    """The list at the desk, and counts of all players."""

    lines: tuple[Line, ...]
    here: int
    missing: int
    owing: int
    """How many owe something."""
    ends_at: datetime | None
    is_over: bool
    """Whether the time for check-in is over."""
    withdrawn: int

    @property
    def expected(self) -> int:
        return self.here + self.missing


def check_in_of(tournament: Tournament) -> CheckIn:
    """Return the settings of check-in, else an unsaved default."""
    return CheckIn.objects.filter(tournament=tournament).first() or CheckIn(tournament=tournament)


def check_in_ends(tournament: Tournament, plan: CheckIn | None = None) -> datetime | None:
    """Return when check-in ends, by the settings or the timetable; None if neither says."""
    plan = plan or check_in_of(tournament)
    if plan.ends_at is not None:
        return plan.ends_at
    first = timetable(tournament).of(1)
    return first.starts_at - CHECK_IN_LEAD if first and first.starts_at else None


def expected_players(tournament: Tournament) -> QuerySet[Player]:
    """Return who is expected: all but substitutes, who may have no name yet."""
    return tournament.players.filter(withdrawn_at=None, is_substitute=False)


def missing_players(tournament: Tournament) -> QuerySet[Player]:
    """Return who is expected and not checked in."""
    return expected_players(tournament).filter(checked_in_at=None)


def has_check_in(tournament: Tournament) -> bool:
    return tournament.players.exclude(checked_in_at=None).exists()


def check_in_desk(tournament: Tournament, show: str = DESK_FILTERS[0], query: str = "") -> Desk:
    """Return the filtered list, the missing first. Who was just checked in stays among the missing for a moment."""
    players = list(tournament.players.filter(withdrawn_at=None))
    ledgers = ledgers_by_player(tournament)
    ends_at, now = check_in_ends(tournament), timezone.now()
    lines = [Line(player, ledgers.get(player.pk)) for player in players]
    n_here = sum(line.is_here and not line.player.is_substitute for line in lines)
    if show == "all":
        lines.sort(key=lambda line: line.is_here)
    return Desk(
        lines=tuple(
            line
            for line in lines
            if _matches_filter(line, show, now) and (not query or matches_search(line.player, query))
        ),
        here=n_here,
        missing=sum(not player.is_substitute for player in players) - n_here,
        owing=sum(line.owes is not None for line in lines),
        ends_at=ends_at,
        is_over=ends_at is not None and ends_at <= now,
        withdrawn=tournament.players.exclude(withdrawn_at=None).count(),
    )


def _matches_filter(line: Line, show: str, now: datetime) -> bool:
    player = line.player
    if show == "missing":
        is_recent = player.checked_in_at is not None and now - player.checked_in_at < RECENT
        return is_recent or not (line.is_here or player.is_substitute)
    return line.is_here if show == "here" else True


def line_of(player: Player) -> Line:
    return Line(player, ledger_of_player(player))


def newest_withdrawal(tournament: Tournament) -> Sequence[Player]:
    """Return who was withdrawn by the last such step and is still withdrawn; empty if it cannot be undone."""
    entry = _newest_entry(tournament, actions.MISSING_PLAYERS_WITHDRAWN, actions.MISSING_PLAYERS_REINSTATED)
    if entry is None or entry.action != actions.MISSING_PLAYERS_WITHDRAWN.code or is_playing(tournament):
        return ()
    return list(tournament.players.filter(number__in=entry.data["players"]).exclude(withdrawn_at=None))


def newest_restart(tournament: Tournament) -> Sequence[Player]:
    """Return who was checked in before the last restart; empty once somebody has been checked in since."""
    entry = _newest_entry(
        tournament, actions.CHECK_IN_RESTARTED, actions.PLAYER_CHECKED_IN, actions.PLAYERS_CHECKED_IN
    )
    if entry is None or entry.action != actions.CHECK_IN_RESTARTED.code:
        return ()
    return list(tournament.players.filter(number__in=entry.data["players"], withdrawn_at=None))


def _newest_entry(tournament: Tournament, *actions: LogAction) -> LogEntry | None:
    return tournament.log.of(*actions).order_by("-seq").first()


def is_playing(tournament: Tournament) -> bool:
    return tournament.sessions.filter(state=Session.State.RUNNING).exists()


CODE_LENGTH: Final = 6
CODE_LIFETIME: Final = timedelta(minutes=5)
"""How long a code is shown; it stays valid for as long again."""


@dataclass(frozen=True)
class DoorCode:
    """A short code that screens in the hall show for a few minutes.

    It is derived from the tournament, the time and the site's secret, so it is not stored.
    """

    code: str
    until: datetime
    """When the next code replaces it."""

    @property
    def spaced(self) -> str:
        """The code as ABC DEF."""
        return f"{self.code[: CODE_LENGTH // 2]} {self.code[CODE_LENGTH // 2 :]}"


def door_code(tournament: Tournament, at: datetime | None = None) -> DoorCode:
    """Return the code that is shown now, or `at` a time."""
    period = _period_at(at or timezone.now())
    until = datetime.fromtimestamp((period + 1) * CODE_LIFETIME.total_seconds(), UTC)
    return DoorCode(_code_of_period(tournament, period), until)


def is_valid_code(tournament: Tournament, typed: str) -> bool:
    """Whether this is the current code or the one before, in either case, with or without spaces."""
    code = "".join(typed.upper().split())[: 2 * CODE_LENGTH]
    period = _period_at(timezone.now())
    return any(
        constant_time_compare(code, _code_of_period(tournament, shown)) for shown in (period, period - 1)
    )


def _period_at(at: datetime) -> int:
    return int(at.timestamp() // CODE_LIFETIME.total_seconds())


def _code_of_period(tournament: Tournament, period: int) -> str:
    message = f"{tournament.pk} {tournament.created_at.isoformat()} {period}"
    digest = salted_hmac("hule.door", message, algorithm="sha256").digest()
    return "".join(ALPHABET[byte % len(ALPHABET)] for byte in digest[:CODE_LENGTH])


MAX_RESULTS: Final = 8
"""Of a search at the door."""
MIN_LETTERS: Final = 2
"""Of a search by name."""


def search_players(tournament: Tournament, query: str) -> list[Player]:
    """Return the expected players that match a number or name; for an EMA number its owner alone."""
    players = list(expected_players(tournament))
    if len(query) == 8 and (owner := [player for player in players if player.ema_number == query]):
        return owner
    if len(query) < MIN_LETTERS and not query.isdecimal():
        return []
    return [player for player in players if matches_search(player, query)][:MAX_RESULTS]


def of_registration(tournament: Tournament, key: str) -> Player | None:
    """Return the player whose registration has this key, which only their own link knows."""
    try:
        uuid = UUID(key)
    except ValueError:
        return None
    registration = tournament.registrations.filter(key=uuid).select_related("player").first()
    player = registration.player if registration else None
    return player if player and not player.is_withdrawn else None
