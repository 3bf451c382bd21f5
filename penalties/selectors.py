"""Reads of penalties: their effect on scores and ranks, and a player's earlier fouls."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Set
from datetime import datetime
from typing import Any

from django.db.models import Model, QuerySet

from penalties.engine import EarlierFoul, PointScope, Sanction
from penalties.engine.sanctions import AT_TABLE, EXCLUDING_FLAGS, UNRANKING_FLAGS
from penalties.models import Penalty


def effects_at_table(penalties: Iterable[Penalty]) -> dict[int, int]:
    """Map player numbers to the changes of the session's game points by a table's `penalties`."""
    return _sum_effects(((penalty.sanction, penalty.effects) for penalty in penalties), AT_TABLE)


def effects_beyond_table(
    tournament: Model, scope: PointScope, until: int | None = None, without: Collection[int] = ()
) -> dict[int, int]:
    """Map player numbers to the changes of points in `scope`, TOURNAMENT or TABLE_POINTS.

    `until`: the last session that counts. `without`: sessions that do not count.
    """
    return _sum_effects(
        _penalties_until(tournament, until, without).values_list("sanction", "effects"), {scope}
    )


def penalties_in_force(table: Model) -> QuerySet[Penalty]:
    """Return the table's penalties that are not cancelled."""
    return Penalty.objects.filter(table_id=table.pk, cancelled_at=None).select_related("player", "victim")


def dead_hands(penalties: Iterable[Penalty]) -> dict[int, dict[int, Penalty]]:
    """Map hand numbers to the penalties for a dead hand by player number."""
    by_hand: defaultdict[int, dict[int, Penalty]] = defaultdict(dict)
    for penalty in penalties:
        if penalty.hand_number is not None and penalty.sanction.get("dead_hand"):
            by_hand[penalty.hand_number][penalty.player.number] = penalty
    return dict(by_hand)


def exclusion_from(penalties: Iterable[Penalty]) -> tuple[str, datetime | None]:
    """Return the most severe of the `EXCLUDING_FLAGS` in a player's `penalties`, and since when; or "" and None."""
    excluding = [
        (EXCLUDING_FLAGS.index(flag), penalty.given_at)
        for penalty in penalties
        for flag in EXCLUDING_FLAGS
        if not penalty.is_cancelled and penalty.sanction.get(flag)
    ]
    if not excluding:
        return "", None
    return EXCLUDING_FLAGS[min(excluding)[0]], min(given_at for _flag, given_at in excluding)


def fines(tournament: Model) -> Iterator[tuple[int, int, str, int | None, int]]:
    """Yield the penalties in force that cost the offender game points at the table.

    As (session, player number, foul, hand, change of points).
    """
    rows = _penalties_until(tournament, None).values_list(
        "table__session__number", "player__number", "foul", "hand_number", "sanction", "effects"
    )
    for session, player, foul, hand, sanction, effects in rows:
        points = Sanction.from_json(sanction).points
        if points and points.scope in AT_TABLE and str(player) in effects:
            yield session, player, foul, hand, effects[str(player)]


def forfeited_sessions(tournament: Model) -> set[tuple[int, int]]:
    """Return (session, player number) of every session that counts as played with score 0."""
    rows = _penalties_until(tournament, None).values_list(
        "table__session__number", "player__number", "sanction"
    )
    return {(session, player) for session, player, sanction in rows if sanction.get("session_forfeited")}


def _penalties_until(
    tournament: Model, session: int | None, without: Collection[int] = ()
) -> QuerySet[Penalty]:
    """Return the penalties in force of all sessions, or up to one, except those in `without`."""
    penalties = Penalty.objects.filter(tournament_id=tournament.pk, cancelled_at=None)
    penalties = penalties.exclude(table__session__number__in=without)
    return penalties if session is None else penalties.filter(table__session__number__lte=session)


def unranked_players(
    tournament: Model, until: int | None = None, without: Collection[int] = ()
) -> dict[int, str]:
    """Map the numbers of players without a rank to the most severe of their `UNRANKING_FLAGS`."""
    rows = list(_penalties_until(tournament, until, without).values_list("player__number", "sanction"))
    return {
        player: flag for flag in reversed(UNRANKING_FLAGS) for player, sanction in rows if sanction.get(flag)
    }


def _sum_effects(
    rows: Iterable[tuple[dict[str, Any], dict[str, int]]], scopes: Set[PointScope]
) -> dict[int, int]:
    total: Counter[int] = Counter()
    for sanction, effects in rows:
        points = Sanction.from_json(sanction).points
        if points and points.scope in scopes:
            for player, change in effects.items():
                total[int(player)] += change
    return dict(total)


def earlier_fouls(player: Model) -> list[EarlierFoul]:
    """Return the player's fouls in the tournament for which a penalty is in force, the oldest first."""
    rows = Penalty.objects.filter(player_id=player.pk, cancelled_at=None).values_list(
        "foul", "hand_number", "table__session__number"
    )
    return [EarlierFoul(foul=foul, hand_number=hand, session=session) for foul, hand, session in rows]
