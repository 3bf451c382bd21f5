"""A recorded deal played over, and what another program made of its win, held against the score.

So the winner's hand is what lay on the table and not what was written about it.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from scoring.engine import (
    BOTZONE,
    WINDS,
    Difference,
    Explanation,
    Hand,
    InvalidHand,
    Meld,
    Rulebook,
    differences,
    explain,
    payments,
)
from scoring.engine.problems import problem_code
from scoring.games.deal import SEATS, Act, Deal, Event, UnreadableGame, named

GAME_IMPOSSIBLE = problem_code("game_impossible", "This cannot have happened: {tile} was not there.")
GAME_HAND = problem_code("game_hand", "The tiles that were left cannot be a hand.", also=("fault",))


@dataclass(frozen=True, slots=True)
class Won:
    """How a deal was won; `discarder`: whose tile or kong it was, None of a self-drawn one."""

    winner: int
    discarder: int | None
    hand: Hand


def play_over(deal: Deal) -> Won | None:
    """The win that a deal ends with, None of a draw; raises `UnreadableGame` where it cannot have been so."""
    table = _Table(deal)
    for number, event in enumerate(deal.events, 1):
        where = f"{deal.identity}, {number}"
        try:
            if event.act is Act.WIN:
                return table.win(event.seat)
            _PLAY[event.act](table, event)
        except _Impossible as impossible:
            raise UnreadableGame(GAME_IMPOSSIBLE(where, tile=impossible.tile)) from None
        except InvalidHand as refused:
            raise UnreadableGame(GAME_HAND(where, fault=refused.problems[0].code)) from None
    return None


class _Impossible(Exception):
    def __init__(self, tile: str) -> None:
        self.tile = tile


@dataclass
class _Table:
    """What lies where while a deal is played over."""

    deal: Deal
    held: list[Counter[str]] = field(init=False)
    melds: list[list[Meld]] = field(default_factory=lambda: [[] for _ in SEATS])
    flowers: list[int] = field(default_factory=lambda: [0] * 4)
    drawn: list[int] = field(default_factory=lambda: [0] * 4)
    in_sight: Counter[str] = field(default_factory=Counter)
    """Discards and claimed sets: what everybody has seen. The newest discard is among them."""
    offered: Event | None = None
    """What may be claimed now: the newest discard, or the tile added to a pung."""
    last_draw: str = ""
    on_kong: bool = False
    """The tile drawn now replaces a kong, not a flower."""

    def __post_init__(self) -> None:
        self.held = [Counter(tiles) for tiles in self.deal.hands]

    # --- what can happen ----------------------------------------------------------------------------------------------
    def draw(self, event: Event) -> None:
        self.held[event.seat][event.tile] += 1
        self.drawn[event.seat] += 1
        self.last_draw, self.offered = event.tile, None

    def flower(self, event: Event) -> None:
        self.flowers[event.seat] += 1
        if self.held[event.seat][event.tile] > 0:
            self._take(event.seat, [event.tile])
        self.on_kong = False

    def discard(self, event: Event) -> None:
        self._take(event.seat, [event.tile])
        self.in_sight[event.tile] += 1
        self.offered, self.on_kong = event, False

    def chow(self, event: Event) -> None:
        claimed = self._claimed()
        if claimed not in event.chow:
            raise _Impossible(claimed)
        own = list(event.chow)
        own.remove(claimed)
        self._claim(event.seat, own, Meld("chow", event.chow))

    def pung(self, event: Event) -> None:
        claimed = self._claimed()
        self._claim(event.seat, [claimed] * 2, Meld("pung", (claimed,) * 3))

    def kong(self, event: Event) -> None:
        claimed = self._claimed()
        self._claim(event.seat, [claimed] * 3, Meld("kong", (claimed,) * 4))
        self.on_kong = True

    def concealed_kong(self, event: Event) -> None:
        self._take(event.seat, [event.tile] * 4)
        self.melds[event.seat].append(Meld("kong", (event.tile,) * 4, concealed=True))
        self.on_kong = True

    def added_kong(self, event: Event) -> None:
        pung = Meld("pung", (event.tile,) * 3)
        if pung not in self.melds[event.seat]:
            raise _Impossible(event.tile)
        self._take(event.seat, [event.tile])
        own = self.melds[event.seat]
        own[own.index(pung)] = Meld("kong", (event.tile,) * 4)
        self.in_sight[event.tile] += 1
        self.offered, self.on_kong = event, True

    # --- how it ends --------------------------------------------------------------------------------------------------
    def win(self, seat: int) -> Won:
        offer = self.offered
        if offer is None:
            return Won(seat, None, self._hand(seat, self.last_draw, seat))
        self.held[seat][offer.tile] += 1
        if offer.act is Act.ADDED_KONG:
            self._take_back_kong(offer)
        return Won(seat, offer.seat, self._hand(seat, offer.tile, offer.seat, offer))

    def _hand(self, seat: int, tile: str, whose: int, offer: Event | None = None) -> Hand:
        robbing = offer is not None and offer.act is Act.ADDED_KONG
        others = self.in_sight[tile] - (offer is not None)
        last = self.deal.wall.is_used_up(self.drawn, whose)
        return Hand(
            tuple(self.held[seat].elements()),
            tuple(self.melds[seat]),
            tile,
            offer is None,
            WINDS[seat],
            self.deal.prevalent,
            # A robbed kong is neither drawn nor discarded, so it is no last tile of the wall.
            last_tile_of_wall=last and not robbing,
            last_of_kind=others == 3,
            replacement=offer is None and self.on_kong,
            robbing_kong=robbing,
            flowers=self.flowers[seat],
        )

    def _take_back_kong(self, offer: Event) -> None:
        own = self.melds[offer.seat]
        kong = Meld("kong", (offer.tile,) * 4)
        own[own.index(kong)] = Meld("pung", (offer.tile,) * 3)

    # --- tiles --------------------------------------------------------------------------------------------------------
    def _take(self, seat: int, tiles: Iterable[str]) -> None:
        held = self.held[seat]
        for tile in tiles:
            if held[tile] < 1:
                raise _Impossible(tile)
            held[tile] -= 1

    def _claimed(self) -> str:
        if self.offered is None or self.offered.act is not Act.DISCARD:
            raise _Impossible("")
        return self.offered.tile

    def _claim(self, seat: int, own: list[str], meld: Meld) -> None:
        self._take(seat, own)
        self.in_sight.update(own)
        self.melds[seat].append(meld)
        self.offered, self.on_kong = None, False


_PLAY: Final[Mapping[Act, Callable[[_Table, Event], None]]] = {
    Act.DRAW: _Table.draw,
    Act.FLOWER: _Table.flower,
    Act.DISCARD: _Table.discard,
    Act.CHOW: _Table.chow,
    Act.PUNG: _Table.pung,
    Act.KONG: _Table.kong,
    Act.CONCEALED_KONG: _Table.concealed_kong,
    Act.ADDED_KONG: _Table.added_kong,
}


@dataclass(frozen=True, slots=True)
class Judgement:
    """A recorded deal as it is scored here; all None of a draw."""

    deal: Deal
    won: Won | None = None
    explanation: Explanation | None = None
    differences: tuple[Difference, ...] = ()
    unknown: tuple[str, ...] = ()
    """Names of fans that we do not have."""
    payments_differ: bool = False

    @property
    def agrees(self) -> bool:
        return not (self.differences or self.unknown or self.payments_differ)


def judge(deal: Deal, rulebook: Rulebook = BOTZONE) -> Judgement:
    """Play a deal over and score its win; raises `UnreadableGame` where it cannot have been so."""
    won = play_over(deal)
    if won is None:
        return Judgement(deal)
    explanation = explain(won.hand, rulebook)
    if deal.recorded is None:
        return Judgement(deal, won, explanation)
    recorded = named(deal.recorded.fans)
    slips = differences(explanation, recorded.fans, deal.recorded.points)
    return Judgement(deal, won, explanation, slips, recorded.unknown, _pay_otherwise(deal, won, explanation))


def _pay_otherwise(deal: Deal, won: Won, explanation: Explanation) -> bool:
    recorded = deal.recorded.payments if deal.recorded else None
    return recorded is not None and recorded != _payments(won, explanation.score.points)


def _payments(won: Won, points: int) -> tuple[int, ...]:
    return tuple(payments(points, won.winner, won.discarder))
