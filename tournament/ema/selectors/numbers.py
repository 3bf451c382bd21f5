"""Players' EMA numbers compared with a list of the association."""

from collections.abc import Iterable, Sequence

from tournament.base.models.tournament import Tournament
from tournament.ema.engine.numbers import Check, Holder, Member, check_numbers
from tournament.players.selectors.players import FieldChange


def check_players(tournament: Tournament, members: Iterable[Member]) -> list[Check]:
    """Compare everybody but substitutes with the list, the most urgent first."""
    players = tournament.players.filter(is_substitute=False, erased_at=None).order_by("number")
    return check_numbers(
        (Holder(player.number, player.full_name, player.ema_number) for player in players), members
    )


def changes_of(checks: Iterable[Check], chosen: Sequence[int]) -> list[FieldChange]:
    """Return what the list offers to the chosen players, by number."""
    return [
        FieldChange(check.holder.player, "ema_number", check.holder.ema_number, check.number)
        for check in checks
        if check.number and check.holder.player in chosen
    ]
