"""Check players in, and withdraw those who have not come."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from django.core import signing
from django.utils import timezone

from scoring.engine.problems import problem_code
from tournament.base import access, log
from tournament.base.access import Actor, Right
from tournament.base.errors import Forbidden, Refused, TooMany
from tournament.base.limits import Limit
from tournament.base.models.log import Write
from tournament.base.models.people import Player
from tournament.base.models.tournament import Tournament
from tournament.base.validation import changed_fields, check
from tournament.people.services import NO_PLAYER_CHOSEN
from tournament.play.services.absences import clear_stand_ins
from tournament.play.services.tables import fresh
from tournament.players import texts as actions
from tournament.players.models import CheckIn
from tournament.players.selectors.check_in import check_in_of, is_playing, is_valid_code, newest_withdrawal

WITHDRAWN_NOT_CHECKED_IN = problem_code(
    "withdrawn_not_checked_in", "{name} has withdrawn. An organiser must let them play again first."
)
NOBODY_TO_CHECK_IN = problem_code("nobody_to_check_in", "No player with number {player} is expected here.")
CHECK_IN_AT_THE_DESK = problem_code("check_in_at_the_desk", "Players are checked in at the desk here.")
DOOR_CODE_WRONG = problem_code(
    "door_code_wrong", "This is not the code at the door. It changes every few minutes: check it again."
)
DOOR_CODE_GUESSED = problem_code(
    "door_code_guessed", "Too many wrong codes came from this address. Ask at the desk."
)
CHECK_IN_NOT_YOURS = problem_code("check_in_not_yours", "It is too late to undo this here. Ask at the desk.")
MISSING_WHILE_PLAYING = problem_code(
    "missing_while_playing",
    "A session is being played: its umpire records a missing player, or you withdraw the player individually.",
)
CAME_MEANWHILE = problem_code(
    "came_meanwhile", "{name} has come or withdrawn in the meantime. Reload the list."
)
NOBODY_TO_READMIT = problem_code("nobody_to_readmit", "There is nobody to restore.")

WRONG_CODES = Limit("door", maximum=40, within=600)
"""By IP address, counting only wrong codes; enough for 400 phones behind one router."""
UNDO_SALT = "hule.check-in"
"""The salt of signed player numbers that let people undo their own check-in."""
UNDO_LIFETIME = timedelta(minutes=10)


def check_in(player: Player, actor: Actor) -> Player:
    """Check a player in. Idempotent."""
    access.require(actor, player.tournament, Right.ADMIT)
    return _set_present(player, actor)


def undo_check_in(player: Player, actor: Actor) -> Player:
    """Undo a check-in. Idempotent."""
    access.require(actor, player.tournament, Right.ADMIT)
    return _set_absent(player, actor)


def check_in_several(tournament: Tournament, actor: Actor, numbers: Collection[int]) -> list[Player]:
    """Check players in; return those who were not before."""
    with log.write(tournament, actor, actions.PLAYERS_CHECKED_IN, Right.ADMIT) as entry:
        players = list(entry.tournament.players.filter(number__in=numbers, withdrawn_at=None))
        if unknown := sorted(set(numbers) - {player.number for player in players}):
            raise Refused(NOBODY_TO_CHECK_IN("players", player=unknown[0]))
        new = [player for player in players if player.checked_in_at is None]
        if not new:
            return entry.unchanged([])
        _set_checked_in(entry.tournament, new, timezone.now())
        entry.data = {"players": [player.number for player in new]}
    return new


def check_in_self(player: Player, actor: Actor, code: str, *, address: str) -> Player:
    """Check oneself in with the code at the door. `address`: the client's IP address, for limits."""
    if not access.can_see(actor, player.tournament):
        raise Forbidden("this tournament is not public")
    require_code(player.tournament, code, address=address)
    return _set_present(player, actor, by="themselves")


def undo_own_check_in(tournament: Tournament, actor: Actor, signed: str) -> Player:
    """Undo a check-in at the door with the `signed` player number that it returned, within UNDO_LIFETIME."""
    try:
        number = signing.loads(signed, salt=f"{UNDO_SALT}.{tournament.pk}", max_age=UNDO_LIFETIME)
    except signing.BadSignature:
        raise Refused(CHECK_IN_NOT_YOURS()) from None
    player = tournament.players.filter(number=number).first()
    if player is None:
        raise Refused(NOBODY_TO_CHECK_IN("players", player=number))
    return _set_absent(player, actor, by="themselves")


def require_code(tournament: Tournament, code: str, *, address: str) -> None:
    """Raise Refused for a wrong code, and TooMany after too many of them from an IP address."""
    if not check_in_of(tournament).self_check_in:
        raise Refused(CHECK_IN_AT_THE_DESK())
    if not is_valid_code(tournament, code):
        if WRONG_CODES.exceeded_by(address):
            raise TooMany(DOOR_CODE_GUESSED(), WRONG_CODES.within)
        raise Refused(DOOR_CODE_WRONG("code"))


def set_check_in(plan: CheckIn, actor: Actor) -> None:
    with log.write(plan.tournament, actor, actions.CHECK_IN_SET, Right.ORGANISE) as entry:
        plan.tournament, plan.pk = entry.tournament, check_in_of(entry.tournament).pk
        check(plan, exclude=["id", "tournament"])
        if plan.pk and not changed_fields(plan):
            entry.mark_unchanged()
            return
        plan.save()
        ends_at = plan.ends_at.isoformat() if plan.ends_at else ""
        entry.data = {"ends_at": ends_at, "by_themselves": plan.self_check_in}


def restart_check_in(tournament: Tournament, actor: Actor) -> list[Player]:
    """Undo every check-in, for example on the second morning; return who was checked in."""
    with log.write(tournament, actor, actions.CHECK_IN_RESTARTED, Right.ORGANISE) as entry:
        players = list(entry.tournament.players.exclude(checked_in_at=None))
        if not players:
            return entry.unchanged([])
        _set_checked_in(entry.tournament, players, None)
        entry.data = {"players": [player.number for player in players]}
    return players


def _set_present(player: Player, actor: Actor, **more: Any) -> Player:
    with log.write(player.tournament, actor, actions.PLAYER_CHECKED_IN, None) as entry:
        player = _fresh_player(entry, player)
        if player.is_withdrawn:
            raise Refused(WITHDRAWN_NOT_CHECKED_IN("player", name=player.name))
        if player.checked_in_at is not None:
            return entry.unchanged(player)
        _set_checked_in(entry.tournament, [player], timezone.now())
        entry.data = {"player": player.number, **more}
    return player


def _set_absent(player: Player, actor: Actor, **more: Any) -> Player:
    with log.write(player.tournament, actor, actions.CHECK_IN_UNDONE, None) as entry:
        player = _fresh_player(entry, player)
        if player.checked_in_at is None:
            return entry.unchanged(player)
        _set_checked_in(entry.tournament, [player], None)
        entry.data = {"player": player.number, **more}
    return player


def _fresh_player(entry: Write, player: Player) -> Player:
    current = fresh(Player.objects.all(), player)
    current.tournament = entry.tournament
    return current


def _set_checked_in(tournament: Tournament, players: Collection[Player], at: datetime | None) -> None:
    for player in players:
        player.checked_in_at = at
    tournament.players.filter(pk__in=[player.pk for player in players]).update(checked_in_at=at)


def withdraw_missing(tournament: Tournament, actor: Actor, numbers: Collection[int]) -> list[Player]:
    """Withdraw players who have not come. Raises Refused with everybody who has come meanwhile.

    Only between sessions: during one, the table's umpire notes who is absent.
    """
    with log.write(tournament, actor, actions.MISSING_PLAYERS_WITHDRAWN, Right.ORGANISE) as entry:
        players = list(entry.tournament.players.filter(number__in=numbers))
        if not players:
            raise Refused(NO_PLAYER_CHOSEN("players"))
        if is_playing(entry.tournament):
            raise Refused(MISSING_WHILE_PLAYING())
        if arrived := [player for player in players if player.checked_in_at or player.is_withdrawn]:
            raise Refused(CAME_MEANWHILE("players", name=player.name) for player in arrived)
        withdraw_players(players)
        entry.data = {"players": [player.number for player in players]}
    return players


def readmit_missing(tournament: Tournament, actor: Actor) -> list[Player]:
    """Reinstate the players of the newest `withdraw_missing` who are still withdrawn. Raises Refused if none are."""
    with log.write(tournament, actor, actions.MISSING_PLAYERS_REINSTATED, Right.ORGANISE) as entry:
        players = list(newest_withdrawal(entry.tournament))
        if not players:
            raise Refused(NOBODY_TO_READMIT())
        reinstate_players(players)
        entry.data = {"players": [player.number for player in players]}
    return players


def withdraw_players(players: Collection[Player]) -> None:
    """Withdraw players between sessions. Called within a write."""
    now = timezone.now()
    for player in players:
        player.withdrawn_at = now
    Player.objects.filter(pk__in=[player.pk for player in players]).update(withdrawn_at=now)


def reinstate_players(players: Collection[Player]) -> None:
    """Undo withdrawals between sessions. Called within a write."""
    for player in players:
        player.withdrawn_at = None
        player.save(update_fields=["withdrawn_at"])
        clear_stand_ins(player)
