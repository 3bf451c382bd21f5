"""Judging hands at a table, who may not win them, the figures of a sheet, and the effect of a correction."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from penalties.engine import FoulBook, Sanction
from penalties.models import Penalty
from penalties.selectors import dead_hands, effects_at_table, penalties_in_force
from scoring.engine.problems import Problem, problem_code
from tournament.base import hooks
from tournament.base.engine.entries import HandEntry
from tournament.base.engine.notices import Audience
from tournament.base.engine.rules import HANDS_PER_SESSION, table_points
from tournament.base.models.people import Exclusion, Player
from tournament.base.models.play import Hand, Seat, Session, Table
from tournament.base.models.tournament import Publication, Tournament
from tournament.base.selectors import publications_for
from tournament.play.engine.judge import (
    DEAD_HAND,
    EXCLUDED_DISQUALIFICATION,
    EXCLUDED_MAY_NOT_CONTINUE,
    NO_SUCH_HAND,
    Verdict,
    judge,
)
from tournament.play.models import Totals
from tournament.play.selectors.absences import (
    absent_players,
    place_flags,
    with_current_absences,
    with_recorded_absences,
)
from tournament.play.selectors.tables import current_hand, seats_of
from tournament.play.selectors.totals import standing_totals

HAND_NOT_BEGUN = problem_code("hand_not_begun", "Hand {number} has not begun: hand {under_way} is under way.")
NO_HAND_UNDER_WAY = problem_code(
    "no_hand_under_way", "Hand {number} was not played: no hand is under way at table {table}."
)
DEAD_HAND_HAS_WON = problem_code(
    "dead_hand_has_won",
    "Hand {hand} is recorded as won by {name}, which is impossible with a dead hand. Correct the hand.",
)

Barred = dict[int, Problem]
"""Player number → the problem if this player wins the hand."""


def judge_at(table: Table, number: int, entry: HandEntry) -> Verdict:
    """Judge `entry` as hand `number` of the table, for a preview."""
    too_early: tuple[Problem, ...]
    recorded, standing = current_hand(table, number), penalties_in_force(table)
    if recorded is not None:
        entry, too_early = with_recorded_absences(recorded, entry), ()
    else:
        entry, too_early = with_current_absences(table, entry)
        entry = with_vacated_seats(table, number, entry, standing)
    verdict = verdict_on(table, seats_of(table), number, entry, standing)
    return replace(verdict, problems=(*too_early, *verdict.problems))


def verdict_on(
    table: Table, seats: dict[str, int], number: int, entry: HandEntry, standing: Iterable[Penalty]
) -> Verdict:
    """Judge by the tournament's rules and the `standing` penalties."""
    barred = barred_from_winning(table, standing).get(number)
    return judge(table.session.tournament.rules, seats, number, entry, barred)


def adds_detail(old: Hand, entry: HandEntry, verdict: Verdict) -> bool:
    """Whether `entry` only adds detail to the old hand (fans, tiles) and scores the same."""
    before = old.entry
    same = (before.outcome, before.winner, before.discarder) == (entry.outcome, entry.winner, entry.discarder)
    same = same and (entry.absent is None or set(entry.absent) == set(absent_players(old)))
    counts = verdict.is_legal and verdict.points == old.points and not verdict.overridden
    return same and counts and entry.depth > before.depth and before.claimants == entry.claimants


def barred_from_winning(table: Table, penalties: Iterable[Penalty]) -> dict[int, Barred]:
    """Map hand numbers, played or not, to the players who may not win them.

    Because of the standing `penalties` at the table, or because a penalty given anywhere excludes the player.
    """
    standing = list(penalties)
    barred: dict[int, Barred] = {}
    for seat in table.seated:
        for hand in excluded_hands(table, seat, standing):
            barred.setdefault(hand, {})[seat.player.number] = exclusion_problem(seat.player)
    book = table.session.tournament.rules.fouls
    for hand, by_player in dead_hands(standing).items():
        for number, penalty in by_player.items():
            barred.setdefault(hand, {})[number] = dead_hand_problem(penalty, book)
    return barred


def excluded_hands(table: Table, seat: Seat, standing: Iterable[Penalty]) -> range:
    """Return the hands an excluded player may not win: from that of the penalty until a stand-in plays.

    Hands recorded before the penalty was given stay the player's (000: "disqualified from the competition").
    """
    player = seat.player
    if player.excluded_at is None:
        return range(0)
    recorded = [
        hand.number
        for hand in table.hands.all()
        if hand.recorded_at <= player.excluded_at and not hand.replaces_id
    ]
    first = max([1, *(1 + hand for hand in recorded), *_excluded_in(player, standing)])
    return range(first, seat.stand_in_from or HANDS_PER_SESSION + 1)


def _excluded_in(player: Player, standing: Iterable[Penalty]) -> list[int]:
    """Return the numbers of the hands for which the penalties that exclude the player were given."""
    return [
        penalty.hand_number or 0
        for penalty in standing
        if penalty.player_id == player.pk and penalty.sanction.get(player.excluded_as)
    ]


def vacated_hands(table: Table, seat: Seat, standing: Iterable[Penalty]) -> range:
    """Return the hands in which an excluded player's seat is empty: those without a stand-in after the penalty's.

    The hand under way when the penalty was given is played out; the player may discard in it.
    """
    penalties = list(standing)
    hands = excluded_hands(table, seat, penalties)
    is_over = any(0 < hand < hands.start for hand in _excluded_in(seat.player, penalties))
    return hands if is_over else hands[1:]


def with_vacated_seats(table: Table, number: int, entry: HandEntry, standing: Iterable[Penalty]) -> HandEntry:
    """Add the seats of excluded players without a stand-in to `absent` of a new hand."""
    penalties = list(standing)
    vacated = {seat.player.number for seat in table.seated if number in vacated_hands(table, seat, penalties)}
    return replace(entry, absent=tuple(sorted({*(entry.absent or ()), *vacated})))


def exclusion_problem(player: Player, where: str = "winner") -> Problem:
    """Return the problem if an excluded player wins."""
    if player.excluded_as == Exclusion.DISQUALIFIED:
        return EXCLUDED_DISQUALIFICATION(where, name=player.name)
    return EXCLUDED_MAY_NOT_CONTINUE(where, name=player.name)


def dead_hand_problem(penalty: Penalty, book: FoulBook) -> Problem:
    """Return the problem if a player wins the hand that a penalty cost, with the foul's key and names."""
    assert penalty.hand_number is not None
    foul = book.find(penalty.foul)
    names = {f"foul_{language}": name for language, name in foul.names.to_json().items()} if foul else {}
    params: dict[str, str | int] = {
        "name": penalty.player.name,
        "hand": penalty.hand_number,
        "foul": penalty.foul,
    }
    return DEAD_HAND("winner", **(params | names))


def unplayed_hand_problems(table: Table, hand: int) -> tuple[Problem, ...]:
    """Return a problem if the hand of a foul does not exist or has not begun."""
    if not 1 <= hand <= HANDS_PER_SESSION:
        return (NO_SUCH_HAND("hand_number", number=hand, hands=HANDS_PER_SESSION),)
    if hand <= table.hands_begun:
        return ()
    if table.hand_under_way is None:
        return (NO_HAND_UNDER_WAY("hand_number", number=hand, table=table.number),)
    return (HAND_NOT_BEGUN("hand_number", number=hand, under_way=table.hand_under_way),)


def contradictions(table: Table, player: Player, hand: int | None, sanction: Sanction) -> tuple[Problem, ...]:
    """Warn when a dead hand is given for a hand that the player has won on record, which needs correcting then."""
    if not sanction.dead_hand or hand is None:
        return ()
    if not table.hands.filter(number=hand, is_current=True, winner=player).exists():
        return ()
    return (DEAD_HAND_HAS_WON("hand_number", name=player.name, hand=hand),)


FIGURES = ("game_points", "hands_won", "wins_by_discard", "deal_ins")
"""The fields of a seat that are derived from its table's sheet."""


def figures_at(
    table: Table, hands: Sequence[Hand], penalties: Iterable[Penalty]
) -> dict[int, dict[str, int]]:
    """Compute the figures of the seats, by player number, from the current `hands` and standing `penalties`.

    Totals from paper count in place of hands.
    """
    effects = effects_at_table(penalties)
    if (totals := standing_totals(table)) is not None:
        return _figures_from_totals(table, totals, effects)
    figures_of = {}
    for seat in table.seated:
        number = seat.player.number
        won = [hand for hand in hands if hand.winner_id == seat.player_id]
        paid = sum(hand.payments.get(str(number), 0) for hand in hands)
        by_discard = sum(hand.discarder_id is not None for hand in won)
        deal_ins = sum(hand.discarder_id == seat.player_id for hand in hands)
        figures = (paid + effects.get(number, 0), len(won), by_discard, deal_ins)
        figures_of[number] = dict(zip(FIGURES, figures, strict=True))
    return figures_of


def _figures_from_totals(table: Table, totals: Totals, effects: dict[int, int]) -> dict[int, dict[str, int]]:
    """Compute the figures from totals and the penalties standing now. Totals do not tell wins by discard."""
    figures_of = {}
    for seat in table.seated:
        number = seat.player.number
        points = totals.payments.get(str(number), 0) + effects.get(number, 0)
        wins, deal_ins = ((counts or {}).get(str(number), 0) for counts in (totals.wins, totals.deal_ins))
        figures_of[number] = dict(zip(FIGURES, (points, wins, 0, deal_ins), strict=True))
    return figures_of


@dataclass(frozen=True)
class SeatEffect:
    """Score and table points of a player of the table, (before, after)."""

    player: Player
    score: tuple[int, int]
    table_points: tuple[Fraction, Fraction]


@dataclass(frozen=True)
class RankEffect:
    """A player, at any table, whose rank changes."""

    player: Player
    before: int | None
    after: int | None


@dataclass(frozen=True)
class Effect:
    """What a correction would change."""

    seats: tuple[SeatEffect, ...]
    """In the order of the starting winds."""
    ranks: tuple[RankEffect, ...] | None
    """Only those that change, best new rank first; None where ranks are withheld from the audience."""
    published: Publication | None
    """The newest published standings, where this session counts in them."""
    seated_ahead: tuple[int, ...]
    """Sessions to come that have seats."""
    seated_by_standing: tuple[int, ...]
    """Later sessions, begun or not, seated by the standings before the correction."""
    finalist_warning: str
    """Who would be in the coming final instead of whom, or ""."""

    @property
    def moves_table_points(self) -> bool:
        return any(before != after for before, after in (seat.table_points for seat in self.seats))


def effect_of(table: Table, audience: Audience, number: int, entry: HandEntry, verdict: Verdict) -> Effect:
    """Compute what changes at the table and in the standings if `entry` becomes hand `number`; store nothing.

    Ranks are included only where the audience may see them.
    """
    tournament = table.session.tournament
    figures = figures_at(table, _hands_with(table, number, entry, verdict), penalties_in_force(table))
    seats = table.seated
    scale, has_place = tournament.rules.scale, place_flags(table, seats)
    before = table_points([seat.game_points for seat in seats], scale, has_place)
    after = table_points([figures[seat.player.number]["game_points"] for seat in seats], scale, has_place)
    [ranks] = hooks.ranks_after(table, audience, figures)
    [seated_by_standing] = hooks.seated_by_standing(table.session)
    [finalist_warning] = hooks.finalist_warnings(table, audience, figures)
    return Effect(
        seats=tuple(
            SeatEffect(
                seat.player,
                (seat.game_points, figures[seat.player.number]["game_points"]),
                (points_before, points_after),
            )
            for seat, points_before, points_after in zip(seats, before, after, strict=True)
        ),
        ranks=None if ranks is None else tuple(RankEffect(player, *moved) for player, moved in ranks.items()),
        published=publications_for(audience, tournament)
        .filter(after_session__gte=table.session.number)
        .first(),
        seated_ahead=_seated_ahead(tournament),
        seated_by_standing=tuple(seated_by_standing),
        finalist_warning=finalist_warning,
    )


def _hands_with(table: Table, number: int, entry: HandEntry, verdict: Verdict) -> list[Hand]:
    """List the table's current hands, with `entry` as hand `number`."""
    player_of = {seat.player.number: seat.player for seat in table.seated}
    replacement = Hand(
        table=table,
        number=number,
        outcome=entry.outcome,
        winner=player_of.get(entry.winner or 0),
        discarder=player_of.get(entry.discarder or 0),
        payments={str(player): points for player, points in verdict.payments.items()},
    )
    others = table.hands.filter(is_current=True).exclude(number=number)
    return [*others, replacement]


def _seated_ahead(tournament: Tournament) -> tuple[int, ...]:
    planned = tournament.sessions.filter(state=Session.State.PLANNED, tables__isnull=False)
    return tuple(planned.order_by("number").distinct().values_list("number", flat=True))


@dataclass(frozen=True)
class Statistics:
    """Counts over the hands a player has played."""

    hands: int
    won: int
    self_drawn: int
    dealt_in: int
    won_points: int
    """The fan totals of the hands won, summed."""
    dealt_in_points: int

    @classmethod
    def of(cls, hands: Sequence[Hand], won: Sequence[Hand], keys: Collection[int]) -> Statistics:
        """Count the hands somebody played and won. `keys`: primary keys of that person's players."""
        dealt_in = [hand for hand in hands if hand.discarder_id in keys]
        return cls(
            hands=len(hands),
            won=len(won),
            self_drawn=sum(hand.discarder_id is None for hand in won),
            dealt_in=len(dealt_in),
            won_points=sum(hand.points for hand in won),
            dealt_in_points=sum(hand.points for hand in dealt_in),
        )

    @property
    def neither(self) -> int:
        return self.hands - self.won - self.dealt_in

    @property
    def average_won(self) -> int | None:
        return round(self.won_points / self.won) if self.won else None

    @property
    def average_dealt_in(self) -> int | None:
        return round(self.dealt_in_points / self.dealt_in) if self.dealt_in else None
