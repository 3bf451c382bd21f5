"""Every way to hold sets and to win, by the fans it makes."""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from scoring.engine.codes import CLAIMED, CONCEALED_KONG, COUNT_SHIFT, MELDED_KONG
from scoring.engine.fans import Fan
from scoring.engine.witness.atlas import Frame
from scoring.engine.witness.wanted import OF_THE_WAY, Wanted


class Holding(NamedTuple):
    """How many chows and pungs are kept, and what was made of the others."""

    kept_chows: int
    claimed_chows: int
    kept_pungs: int
    claimed_pungs: int
    melded_kongs: int
    concealed_kongs: int

    @property
    def kongs(self) -> int:
        return self.melded_kongs + self.concealed_kongs

    @property
    def melds(self) -> int:
        """As they are coded above `codes.COUNT_SHIFT`."""
        claimed = self.claimed_chows + self.claimed_pungs
        counts = claimed * CLAIMED + self.melded_kongs * (CLAIMED + MELDED_KONG)
        return counts + self.concealed_kongs * CONCEALED_KONG >> COUNT_SHIFT


class Way(NamedTuple):
    """A holding, and what the winning tile makes of it."""

    holding: Holding
    concealed: int
    """Pungs and kongs made without claiming."""
    wait: Fan | None


def ways_of(frame: Frame, wanted: Wanted) -> dict[int, list[Way]]:
    """The ways that make the fans wanted of a way, by all that they make."""
    tallies, found = wanted.tallies, dict[int, list[Way]]()
    needed = [(tallies.one[fan], times) for fan, times in wanted.fans.items() if fan in OF_THE_WAY]
    for way in _ways(frame, wanted.won.self_drawn):
        if (wanted.won.replacement and not way.holding.kongs) or (
            wanted.lone_tile and not _ends_chow(frame, way)
        ):
            continue
        tally = wanted.circumstances(way.holding.melds, way.holding.kongs, wanted.hogs)
        tally += tallies.concealed_pungs[way.concealed] + (tallies.one[way.wait] if way.wait else 0)
        found.setdefault(tally, []).append(way)
    return {tally: ways for tally, ways in found.items() if all(tally // one & 7 >= n for one, n in needed)}


def _ends_chow(frame: Frame, way: Way) -> bool:
    holding = way.holding
    all_concealed = way.concealed == holding.kept_pungs + holding.concealed_kongs
    return bool(holding.kept_chows or frame.knitted) and all_concealed and way.wait is not Fan.SINGLE_WAIT


@cache
def _ways(frame: Frame, self_drawn: bool) -> tuple[Way, ...]:
    return tuple(way for holding in _holdings(frame) for way in _won(frame, holding, self_drawn))


def _holdings(frame: Frame) -> Iterator[Holding]:
    for chows in range(frame.chows + 1):
        for kept in range(frame.pungs + 1):
            for melded in range(frame.pungs - kept + 1):
                for concealed in range(frame.pungs - kept - melded + 1):
                    claimed = frame.pungs - kept - melded - concealed
                    yield Holding(chows, frame.chows - chows, kept, claimed, melded, concealed)


def _won(frame: Frame, holding: Holding, self_drawn: bool) -> Iterator[Way]:
    """What the winning tile may complete: the pair, a chow, part of a knitted straight, or a pung."""
    own = holding.kept_pungs + holding.concealed_kongs
    yield Way(holding, own, Fan.SINGLE_WAIT)
    if holding.kept_chows:
        yield Way(holding, own, Fan.EDGE_WAIT)
        yield Way(holding, own, Fan.CLOSED_WAIT)
    if holding.kept_chows or holding.kept_pungs or frame.knitted:
        yield Way(holding, own, None)
    if holding.kept_pungs and not self_drawn:
        yield Way(holding, own - 1, None)
