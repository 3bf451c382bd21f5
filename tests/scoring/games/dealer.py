"""Generate game records that end with a given hand: its melds are claimed in turn, all other tiles discarded."""

from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any

from scoring.engine import TILES, WINDS, Hand, score
from scoring.engine.rulebooks import BOTZONE
from scoring.games import Act, Deal, Event, RecordedScore
from scoring.games.deal import FourWalls, OneWall

Wall = FourWalls | OneWall


@dataclass
class Dealer:
    """Generates the record of a deal that ends with the hand of `record`, in the form of `random_record`."""

    record: dict[str, Any]
    random: Random
    wall: Wall
    spare: list[str] = field(init=False)
    """The tiles that are not in the hand."""
    events: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        record = self.record
        needed = Counter(record["concealed"])
        for meld in record["melds"]:
            needed.update(meld["tiles"])
        spare = Counter(dict.fromkeys(TILES, 4)) - needed
        self.spare = list(spare.elements())
        self.random.shuffle(self.spare)
        self.winner = WINDS.index(record["seat_wind"])
        concealed = Counter(record["concealed"]) - Counter([record["winning_tile"]])
        for meld in record["melds"]:
            concealed.update(self._concealed_part(meld))
        hands = [Counter(self._spare() for _ in range(13)) for _ in WINDS]
        self.junk = [self._spare() for _ in range(13 - concealed.total())]
        hands[self.winner] = concealed + Counter(self.junk)
        self.hands = tuple(tuple(hand.elements()) for hand in hands)

    def deal(self) -> Deal:
        seat = 0
        for meld in self.record["melds"]:
            seat = self._meld(seat, meld)
        seat = self._win(seat)
        record = self.record | {"last_of_kind": False, "robbing_kong": False, "last_tile_of_wall": False}
        hand = Hand.from_json(record | {"replacement": False, "flowers": 0})
        result = score(hand, BOTZONE)
        recorded = RecordedScore({line.fan.zh_hans: line.count for line in result.fans}, result.points)
        prevalent = record["prevalent_wind"]
        return Deal("made", prevalent, self.hands, self.wall, tuple(self.events), recorded)

    def _concealed_part(self, meld: dict[str, Any]) -> list[str]:
        """Return the tiles of a meld that the winner is dealt: all but one."""
        return list(meld["tiles"][1:])

    def _spare(self) -> str:
        return self.spare.pop()

    def _turn(self, seat: int) -> int:
        """Add a draw and discard of a seat; return the next seat."""
        tile = self._spare()
        self.events += [Event(Act.DRAW, seat, tile), Event(Act.DISCARD, seat, tile)]
        return (seat + 1) % 4

    def _until(self, seat: int, whose: int) -> None:
        while seat != whose:
            seat = self._turn(seat)

    def _meld(self, seat: int, meld: dict[str, Any]) -> int:
        tile, winner = meld["tiles"][0], self.winner
        if meld["concealed"]:
            self._until(seat, winner)
            self.events += [Event(Act.DRAW, winner, tile), Event(Act.CONCEALED_KONG, winner, tile)]
            return self._turn(winner)
        discarder = (winner + 3) % 4
        self._until(seat, discarder)
        self.events += [Event(Act.DRAW, discarder, tile), Event(Act.DISCARD, discarder, tile)]
        if meld["type"] == "kong":
            self.events.append(Event(Act.KONG, winner, tile))
            return self._turn(winner)
        chow = tuple(meld["tiles"]) if meld["type"] == "chow" else ()
        claim = Event(Act.CHOW, winner, tile, chow) if chow else Event(Act.PUNG, winner, tile)
        self.events += [claim, Event(Act.DISCARD, winner, self.junk.pop())]
        return (winner + 1) % 4

    def _win(self, seat: int) -> int:
        tile, winner = self.record["winning_tile"], self.winner
        source = winner if self.record["self_drawn"] else (winner + 2) % 4
        self._until(seat, source)
        self.events.append(Event(Act.DRAW, source, tile))
        if source != winner:
            self.events.append(Event(Act.DISCARD, source, tile))
        self.events.append(Event(Act.WIN, winner, tile))
        return winner
