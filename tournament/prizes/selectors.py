"""The prizes of an event, and who gets them now."""

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from tournament.base.engine.names import name_key
from tournament.base.engine.notices import Audience
from tournament.base.engine.rules import CRITERIA
from tournament.base.models.people import Player
from tournament.base.models.play import Hand
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import event_page_of
from tournament.dues.models import TournamentAccount
from tournament.dues.selectors import account_of
from tournament.prizes.engine import ZERO, Award, Contestant, Ladder, PrizeInput, award
from tournament.prizes.models import Prize, PrizePlan
from tournament.prizes.texts import award_text, place_text, prize_text
from tournament.ranking.selectors.groups import group_rows
from tournament.ranking.selectors.ranking import Ranking, ranking
from tournament.ranking.selectors.statistics import event_statistics

HANDS = (Prize.Kind.BEST_HAND, Prize.Kind.LOWEST_HAND)


def prize_plan_of(tournament: Tournament) -> PrizePlan:
    """Return how prizes are given; an unsaved row with the defaults if nothing is stored."""
    stored = PrizePlan.objects.filter(tournament=tournament).first()
    return stored or PrizePlan(tournament=tournament)


def is_in_kind_only(tournament: Tournament) -> bool:
    """Return whether prizes are not money: the European ranking counts the event."""
    return bool(event_page_of(tournament).mers)


@dataclass(frozen=True)
class Winner:
    """Who gets what. `player`: None for a team."""

    award: Award
    player: Player | None
    account: TournamentAccount

    @property
    def name(self) -> str:
        return self.player.name if self.player else str(self.award.winner)

    @property
    def text(self) -> str:
        return award_text(self.award, self.account)

    @property
    def for_what(self) -> str:
        return place_text(self.award.ladder, self.award.place)

    @property
    def kind(self) -> str:
        return self.award.ladder[0]

    @property
    def value(self) -> str:
        return self.award.ladder[1]

    @property
    def is_for_hand(self) -> bool:
        return self.kind in HANDS


def prize_lines(tournament: Tournament) -> list[str]:
    """Return what is given for what: "Overall, place 1: trophy"."""
    if not (prizes := list(tournament.prizes.all())):
        return []
    account = account_of(tournament)
    return [prize_text(prize, account) for prize in prizes]


def winners_of(tournament: Tournament) -> list[Winner]:
    """Return who gets what by the standings and hands of now, those of hidden sessions among them."""
    prizes = list(tournament.prizes.prefetch_related("players"))
    if not prizes:
        return []
    plan, account = prize_plan_of(tournament), account_of(tournament)
    chosen: defaultdict[Ladder, set[int]] = defaultdict(set)
    for prize in prizes:
        chosen[prize.ladder].update(player.number for player in prize.players.all())
    current = ranking(tournament, Audience.STAFF)
    awards = award(
        [
            PrizeInput(prize.position, prize.ladder, prize.rank, prize.text, prize.amount or ZERO)
            for prize in prizes
        ],
        {ladder: list(_contestants(current, ladder, numbers)) for ladder, numbers in chosen.items()},
        one_per_person=plan.one_per_person,
        hort=plan.ties == PrizePlan.Ties.HORT,
    )
    players = {player.number: player for player in tournament.players.all()}
    return [
        Winner(result, players[result.winner] if isinstance(result.winner, int) else None, account)
        for result in awards
    ]


def _contestants(current: Ranking, ladder: Ladder, chosen: Collection[int]) -> Iterator[Contestant]:
    """Yield who can win in a ladder, best first. `chosen`: the numbers of the players whom the organiser chose."""
    kind, value = ladder
    if kind == Prize.Kind.TEAM:
        for group in group_rows(current, "teams"):
            yield Contestant(group.standing.name, group.standing.rank, group.standing.table_points)
    elif kind in HANDS:
        winners = dict.fromkeys(_winners_of_hands(current.tournament, kind))
        for place, number in enumerate(winners, 1):
            yield Contestant(number, place, place)
    else:
        criterion = CRITERIA[current.tournament.rules.criteria[0]]
        for row in current.rows:
            standing = row.standing
            if standing.rank is not None and _is_eligible(row.player, kind, value, chosen):
                points = standing.tier, criterion.value(standing.totals)
                yield Contestant(row.player.number, standing.rank, points)


def _is_eligible(player: Player, kind: str, value: str, chosen: Collection[int]) -> bool:
    match kind:
        case Prize.Kind.COUNTRY:
            return player.country == value
        case Prize.Kind.CLUB:
            return name_key(player.club) == name_key(value)
        case Prize.Kind.NEWCOMER if not chosen:
            return not player.ema_number
        case Prize.Kind.NEWCOMER | Prize.Kind.CATEGORY:
            return player.number in chosen
    return True


def _winners_of_hands(tournament: Tournament, kind: str) -> Iterator[int]:
    """Yield the winner of each hand, the best first, or the cheapest; the earliest of equals."""
    if kind == Prize.Kind.BEST_HAND:
        for best in event_statistics(tournament, Audience.STAFF).best:
            if best.winner is not None:
                yield best.winner.number
    else:
        won = Hand.objects.filter(table__session__tournament=tournament, is_current=True)
        won = won.filter(outcome=Hand.Outcome.WIN, winner__isnull=False)
        in_order = won.order_by("points", "table__session__number", "number", "table__number")
        yield from in_order.values_list("winner__number", flat=True)
