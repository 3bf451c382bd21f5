"""Reading penalties: what they did to the scores, and what a player has done before."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Set
from datetime import datetime
from typing import Any

from django.db.models import Model, QuerySet

from penalties.engine import EarlierFoul, PointScope, Sanction
from penalties.engine.sanctions import AT_TABLE, EXCLUDING, UNRANKING
from penalties.models import Penalty


def effects_at_table(penalties: Iterable[Penalty]) -> dict[int, int]:
    """Map player numbers to game points of the session that a table's `penalties` gave or took."""
    return _summed(((penalty.sanction, penalty.effects) for penalty in penalties), AT_TABLE)


def effects_beyond_the_table(
    tournament: Model, scope: PointScope, until: int | None = None, without: Collection[int] = ()
) -> dict[int, int]:
    """Map player numbers to points of a wider scope (tournament game points, or table points) given or taken.

    `until`, `without`: the last session that counts, and those that don't.
    """
    return _summed(_until(tournament, until, without).values_list("sanction", "effects"), {scope})


def standing_at(table: Model) -> QuerySet[Penalty]:
    """Return the table's penalties that are not cancelled, with their players."""
    return Penalty.objects.filter(table_id=table.pk, cancelled_at=None).select_related("player", "victim")


def dead_hands(penalties: Iterable[Penalty]) -> dict[int, dict[int, Penalty]]:
    """Map hand number → player number → the penalty that cost the hand."""
    by_hand: defaultdict[int, dict[int, Penalty]] = defaultdict(dict)
    for penalty in penalties:
        if penalty.hand_number is not None and penalty.sanction.get("dead_hand"):
            by_hand[penalty.hand_number][penalty.player.number] = penalty
    return dict(by_hand)


def exclusion(penalties: Iterable[Penalty]) -> tuple[str, datetime | None]:
    """What a player's `penalties` exclude them as (of `EXCLUDING`, the graver first), and since when; "" for not at
    all."""
    excluding = [
        (EXCLUDING.index(part), penalty.given_at)
        for penalty in penalties
        for part in EXCLUDING
        if not penalty.is_cancelled and penalty.sanction.get(part)
    ]
    if not excluding:
        return "", None
    return EXCLUDING[min(excluding)[0]], min(at for _part, at in excluding)


def fines(tournament: Model) -> Iterator[tuple[int, int, str, int | None, int]]:
    """(session, player number, foul, hand, change of the player's own game points at the table) of each standing
    penalty that costs some."""
    rows = _until(tournament, None).values_list(
        "table__session__number", "player__number", "foul", "hand_number", "sanction", "effects"
    )
    for session, player, foul, hand, sanction, effects in rows:
        points = Sanction.from_json(sanction).points
        if points and points.scope in AT_TABLE and str(player) in effects:
            yield session, player, foul, hand, effects[str(player)]


def forfeits(tournament: Model) -> set[tuple[int, int]]:
    """Return session and player number of every session that counts as played with score 0."""
    rows = _until(tournament, None).values_list("table__session__number", "player__number", "sanction")
    return {(session, player) for session, player, sanction in rows if sanction.get("session_forfeited")}


def _until(tournament: Model, session: int | None, without: Collection[int] = ()) -> QuerySet[Penalty]:
    """Return the penalties that are not cancelled, of all sessions or up to one, without some."""
    penalties = Penalty.objects.filter(tournament_id=tournament.pk, cancelled_at=None)
    penalties = penalties.exclude(table__session__number__in=without)
    return penalties if session is None else penalties.filter(table__session__number__lte=session)


def out_of_the_ranking(
    tournament: Model, until: int | None = None, without: Collection[int] = ()
) -> dict[int, str]:
    """Map player numbers to the part of `UNRANKING` that costs them their rank, in the sessions of `_until`."""
    rows = list(_until(tournament, until, without).values_list("player__number", "sanction"))
    return {player: part for part in reversed(UNRANKING) for player, sanction in rows if sanction.get(part)}


def _summed(rows: Iterable[tuple[dict[str, Any], dict[str, int]]], scopes: Set[PointScope]) -> dict[int, int]:
    total: Counter[int] = Counter()
    for sanction, effects in rows:
        points = Sanction.from_json(sanction).points
        if points and points.scope in scopes:
            for player, change in effects.items():
                total[int(player)] += change
    return dict(total)


def earlier_fouls(player: Model) -> list[EarlierFoul]:
    """Return the player's earlier fouls in the tournament, in the order given."""
    rows = Penalty.objects.filter(player_id=player.pk, cancelled_at=None).values_list(
        "foul", "hand_number", "table__session__number"
    )
    return [EarlierFoul(foul=foul, hand_number=hand, session=session) for foul, hand, session in rows]
