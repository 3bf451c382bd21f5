"""Replay a recorded deal, and compare its recorded score with ours.

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
from scoring.games.deal import SEATS, Act, Deal, Event, UnreadableGame, match_fans

GAME_IMPOSSIBLE = problem_code("game_impossible", "This is impossible: {tile} was not available.")
GAME_HAND = problem_code("game_hand", "The tiles that were left cannot be a hand.", also=("fault",))


@dataclass(frozen=True, slots=True)
class Win:
    """How a deal was won; `discarder`: whose tile or kong it was, None when self-drawn."""

    winner: int
    discarder: int | None
    hand: Hand


def replay_deal(deal: Deal) -> Win | None:
    """Return the win that ends a deal, None for a draw. Raises `UnreadableGame` for impossible events."""
    table = _Table(deal)
    for number, event in enumerate(deal.events, 1):
        where = f"{deal.identity}, {number}"
        try:
            if event.act is Act.WIN:
                return table.win(event.seat)
            _HANDLERS[event.act](table, event)
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
    """The state of the table during a replay."""

    deal: Deal
    tiles: list[Counter[str]] = field(init=False)
    melds: list[list[Meld]] = field(default_factory=lambda: [[] for _ in SEATS])
    flowers: list[int] = field(default_factory=lambda: [0] * 4)
    drawn: list[int] = field(default_factory=lambda: [0] * 4)
    visible: Counter[str] = field(default_factory=Counter)
    """Discards, including the newest, and claimed sets."""
    claimable: Event | None = None
    """What may be claimed now: the newest discard, or the tile added to a pung."""
    last_draw: str = ""
    after_kong: bool = False
    """Whether the next draw replaces a kong, not a flower."""

    def __post_init__(self) -> None:
        self.tiles = [Counter(tiles) for tiles in self.deal.hands]

    # --- Events ---
    def draw(self, event: Event) -> None:
        self.tiles[event.seat][event.tile] += 1
        self.drawn[event.seat] += 1
        self.last_draw, self.claimable = event.tile, None

    def flower(self, event: Event) -> None:
        self.flowers[event.seat] += 1
        if self.tiles[event.seat][event.tile] > 0:
            self._remove(event.seat, [event.tile])
        self.after_kong = False

    def discard(self, event: Event) -> None:
        self._remove(event.seat, [event.tile])
        self.visible[event.tile] += 1
        self.claimable, self.after_kong = event, False

    def chow(self, event: Event) -> None:
        claimed = self._claimable_tile()
        if claimed not in event.chow:
            raise _Impossible(claimed)
        own = list(event.chow)
        own.remove(claimed)
        self._claim(event.seat, own, Meld("chow", event.chow))

    def pung(self, event: Event) -> None:
        claimed = self._claimable_tile()
        self._claim(event.seat, [claimed] * 2, Meld("pung", (claimed,) * 3))

    def kong(self, event: Event) -> None:
        claimed = self._claimable_tile()
        self._claim(event.seat, [claimed] * 3, Meld("kong", (claimed,) * 4))
        self.after_kong = True

    def concealed_kong(self, event: Event) -> None:
        self._remove(event.seat, [event.tile] * 4)
        self.melds[event.seat].append(Meld("kong", (event.tile,) * 4, concealed=True))
        self.after_kong = True

    def added_kong(self, event: Event) -> None:
        pung = Meld("pung", (event.tile,) * 3)
        if pung not in self.melds[event.seat]:
            raise _Impossible(event.tile)
        self._remove(event.seat, [event.tile])
        own = self.melds[event.seat]
        own[own.index(pung)] = Meld("kong", (event.tile,) * 4)
        self.visible[event.tile] += 1
        self.claimable, self.after_kong = event, True

    # --- The win ---
    def win(self, seat: int) -> Win:
        claimed = self.claimable
        if claimed is None:
            return Win(seat, None, self._hand(seat, self.last_draw, seat))
        self.tiles[seat][claimed.tile] += 1
        if claimed.act is Act.ADDED_KONG:
            self._undo_added_kong(claimed)
        return Win(seat, claimed.seat, self._hand(seat, claimed.tile, claimed.seat, claimed))

    def _hand(self, seat: int, tile: str, last_player: int, claimed: Event | None = None) -> Hand:
        robbing = claimed is not None and claimed.act is Act.ADDED_KONG
        visible_others = self.visible[tile] - (claimed is not None)
        is_last = self.deal.wall.is_used_up(self.drawn, last_player)
        return Hand(
            tuple(self.tiles[seat].elements()),
            tuple(self.melds[seat]),
            tile,
            claimed is None,
            WINDS[seat],
            self.deal.prevalent,
            # A robbed kong is neither drawn nor discarded, so it is no last tile of the wall.
            last_tile_of_wall=is_last and not robbing,
            last_of_kind=visible_others == 3,
            replacement=claimed is None and self.after_kong,
            robbing_kong=robbing,
            flowers=self.flowers[seat],
        )

    def _undo_added_kong(self, claimed: Event) -> None:
        own = self.melds[claimed.seat]
        kong = Meld("kong", (claimed.tile,) * 4)
        own[own.index(kong)] = Meld("pung", (claimed.tile,) * 3)

    # --- Tiles ---
    def _remove(self, seat: int, tiles: Iterable[str]) -> None:
        hand = self.tiles[seat]
        for tile in tiles:
            if hand[tile] < 1:
                raise _Impossible(tile)
            hand[tile] -= 1

    def _claimable_tile(self) -> str:
        if self.claimable is None or self.claimable.act is not Act.DISCARD:
            raise _Impossible("")
        return self.claimable.tile

    def _claim(self, seat: int, own: list[str], meld: Meld) -> None:
        self._remove(seat, own)
        self.visible.update(own)
        self.melds[seat].append(meld)
        self.claimable, self.after_kong = None, False


_HANDLERS: Final[Mapping[Act, Callable[[_Table, Event], None]]] = {
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
    """A recorded deal with our score; all None for a draw."""

    deal: Deal
    win: Win | None = None
    explanation: Explanation | None = None
    differences: tuple[Difference, ...] = ()
    unknown: tuple[str, ...] = ()
    """Recorded names that match no fan."""
    payments_differ: bool = False

    @property
    def agrees(self) -> bool:
        return not (self.differences or self.unknown or self.payments_differ)


def judge(deal: Deal, rulebook: Rulebook = BOTZONE) -> Judgement:
    """Replay a deal and score its win. Raises `UnreadableGame` for impossible events."""
    win = replay_deal(deal)
    if win is None:
        return Judgement(deal)
    explanation = explain(win.hand, rulebook)
    if deal.recorded is None:
        return Judgement(deal, win, explanation)
    matched, recorded = match_fans(deal.recorded.fans), deal.recorded.payments
    found_differences = differences(explanation, matched.fans, deal.recorded.points)
    paid = tuple(payments(explanation.score.points, win.winner, win.discarder))
    payments_differ = recorded is not None and recorded != paid
    return Judgement(deal, win, explanation, found_differences, matched.unknown, payments_differ)
