"""Store the prizes of an event."""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from scoring.engine.problems import Problem, problem_code
from tournament.base import log
from tournament.base.access import Actor, Right
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.base.validation import changed_fields, problems_of
from tournament.prizes.models import Prize, PrizePlan
from tournament.prizes.selectors import is_in_kind_only, prize_plan_of
from tournament.prizes.texts import PRIZES_SET
from tournament.seating.engine.plans import UNKNOWN_PLAYER

MAX_PRIZES: Final = 100
PRIZES_TOO_MANY = problem_code("prizes_too_many", "At most {maximum} prizes.")
NO_SUCH_PRIZE = problem_code("no_such_prize", "Someone else has removed this prize in the meantime.")
PRIZE_IN_MONEY = problem_code(
    "prize_in_money", "The European ranking counts this event: its prizes are not money (EMA, clause 3.12)."
)


def set_prizes(
    plan: PrizePlan, actor: Actor, prizes: Sequence[Prize], numbers: Sequence[Collection[int]] = ()
) -> list[Prize]:
    """Store how prizes are given and all of them, in this order; delete the others. Idempotent.

    `prizes`: new ones, and stored ones of this event with changed values; `numbers`: of the players who can win each of
    them, where the organiser chooses. Raises Refused with every problem, at "prizes.0.text".
    """
    with log.write(plan.tournament, actor, PRIZES_SET, Right.ORGANISE) as entry:
        tournament = entry.tournament
        plan.pk = prize_plan_of(tournament).pk
        stored = {
            prize.pk: set(prize.players.all()) for prize in tournament.prizes.prefetch_related("players")
        }
        players = {player.number: player for player in tournament.players.all()}
        chosen = [
            numbers[n] if n < len(numbers) and prize.kind in Prize.LISTED else ()
            for n, prize in enumerate(prizes)
        ]
        for position, prize in enumerate(prizes, 1):
            prize.tournament, prize.position = tournament, position
        problems = problems_of(plan, exclude=["tournament"])
        if problems := [*problems, *_prize_problems(tournament, prizes, chosen, stored, players)]:
            raise Refused(problems)
        eligible = [{players[number] for number in of_prize} for of_prize in chosen]
        removed = stored.keys() - {prize.pk for prize in prizes}
        if (
            not removed
            and not any(changed_fields(row) for row in (plan, *prizes))
            and eligible == [stored[prize.pk] for prize in prizes]
        ):
            return entry.unchanged(list(prizes))
        tournament.prizes.filter(pk__in=removed).delete()
        plan.save()
        for prize, of_prize in zip(prizes, eligible, strict=True):
            prize.save()
            prize.players.set(of_prize)
        entry.data = {"prizes": len(prizes)}
    return list(prizes)


def _prize_problems(
    tournament: Tournament,
    prizes: Sequence[Prize],
    chosen: Sequence[Collection[int]],
    stored: Collection[int],
    players: Collection[int],
) -> Iterator[Problem]:
    if len(prizes) > MAX_PRIZES:
        yield PRIZES_TOO_MANY(maximum=MAX_PRIZES)
    in_kind_only = is_in_kind_only(tournament)
    for n, prize in enumerate(prizes[:MAX_PRIZES]):
        if prize.pk is not None and prize.pk not in stored:
            yield NO_SUCH_PRIZE(f"prizes.{n}.kind")
            continue
        yield from problems_of(prize, f"prizes.{n}")
        if unknown := sorted(set(chosen[n]).difference(players)):
            yield UNKNOWN_PLAYER(f"prizes.{n}.players", player=unknown[0])
        if prize.amount and in_kind_only:
            yield PRIZE_IN_MONEY(f"prizes.{n}.amount")
