"""Reading penalties: what they did to the scores, and what a player has done before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from penalties.engine import EarlierFoul, PointScope, Sanction
from penalties.models import Penalty

if TYPE_CHECKING:
    from django.db.models import Model, QuerySet


def standing(tournament: Model) -> QuerySet[Penalty]:
    """The penalties that count, with the people in them."""
    return Penalty.objects.filter(tournament_id=tournament.pk, cancelled_at=None).select_related(
        "player", "victim"
    )


def effects_at(table: Model) -> dict[int, int]:
    """Player number → game points of the session that the table's standing penalties gave or took."""
    rows = Penalty.objects.filter(table_id=table.pk, cancelled_at=None).values_list("sanction", "effects")
    return _summed(rows, {PointScope.HAND, PointScope.SESSION})


def effects_beyond_the_table(tournament: Model, scope: PointScope) -> dict[int, int]:
    """Player number → points of a wider scope (tournament game points, or table points) given or taken."""
    rows = Penalty.objects.filter(tournament_id=tournament.pk, cancelled_at=None).values_list(
        "sanction", "effects"
    )
    return _summed(rows, {scope})


def out_of_the_ranking(tournament: Model) -> set[int]:
    """The numbers of those who lost their rank or were disqualified."""
    rows = Penalty.objects.filter(tournament_id=tournament.pk, cancelled_at=None).values_list(
        "player__number", "sanction"
    )
    return {
        player
        for player, sanction in rows
        if sanction.get("loss_of_rank") or sanction.get("disqualification")
    }


def _summed(rows: Iterable[tuple[dict[str, Any], dict[str, int]]], scopes: set[PointScope]) -> dict[int, int]:
    total: Counter[int] = Counter()
    for sanction, effects in rows:
        points = Sanction.from_json(sanction).points
        if points and points.scope in scopes:
            for player, change in effects.items():
                total[int(player)] += change
    return dict(total)


def earlier_fouls(player: Model) -> list[EarlierFoul]:
    """What the player has been penalised for so far in the tournament, in the order given."""
    rows = Penalty.objects.filter(player_id=player.pk, cancelled_at=None).values_list(
        "foul", "hand_number", "table__session__number"
    )
    return [EarlierFoul(foul=foul, hand_number=hand, session=session) for foul, hand, session in rows]
