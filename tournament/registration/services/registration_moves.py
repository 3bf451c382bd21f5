"""From one state to another: who moves, what they are told, and who gets the place that becomes free."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.utils import timezone

from tournament.base import log
from tournament.base.errors import Refused
from tournament.base.models.people import Player
from tournament.base.models.registration import Registration
from tournament.dues.services.dues import come_to_owe
from tournament.players.services.vacancies import forget_stand_ins
from tournament.registration.engine import moving_up
from tournament.registration.selectors.registration_plan import holders, limits_of, line_of, plan_of
from tournament.registration.selectors.registrations import by_numbers, has_begun, plays_already
from tournament.registration.services.letters import tell

State = Registration.State


def move(
    entry: log.Write, people: Sequence[Registration], to: Registration.State, *, tells: bool = True
) -> None:
    """Put people into a state, note where they came from, and tell them. A player who loses the place withdraws."""
    if found := [problem for one in people if (problem := plays_already(one, to))]:
        raise Refused(found)
    came_from, now = {}, timezone.now()
    for one in people:
        came_from[str(one.number)] = [one.state, one.waits_since and one.waits_since.isoformat()]
        one.state, one.waits_since = to, now if to == State.WAITING else None
        one.confirmed_at = one.confirmed_at or now
    Registration.objects.bulk_update(people, ["state", "waits_since", "confirmed_at"])
    entry.data["came_from"] = entry.data.get("came_from", {}) | came_from
    if to == State.ACCEPTED:
        come_to_owe(entry.tournament, people)
    _take_players_along(entry, [one.player for one in people if one.player], to)
    if tells:
        waited = {number for number, (state, _since) in came_from.items() if state == State.WAITING}
        tell(people, moved_up={int(number) for number in waited} if to == State.ACCEPTED else set())


def _take_players_along(entry: log.Write, players: Iterable[Player], to: Registration.State) -> None:
    is_here = to == State.ACCEPTED
    changing = [player for player in players if player.is_withdrawn == is_here]
    if not changing:
        return
    for player in changing:
        player.withdrawn_at = None if is_here else timezone.now()
        player.save(update_fields=["withdrawn_at"])
        if is_here:
            forget_stand_ins(player)
    entry.data["players_back" if is_here else "players_gone"] = [player.number for player in changing]
    if entry.action.startswith("registration_"):
        entry.becomes("registered_left")


def fill_up(entry: log.Write) -> None:
    """Who waits gets what has become free, where the plan says so; nobody once play has begun."""
    plan = plan_of(entry.tournament)
    if plan is None or not plan.moves_up_itself or has_begun(entry.tournament):
        return
    numbers = moving_up(limits_of(plan), holders(entry.tournament), line_of(entry.tournament))
    if numbers:
        entry.data["moved_up"] = numbers
        move(entry, by_numbers(entry.tournament, numbers), State.ACCEPTED)
