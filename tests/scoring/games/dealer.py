"""Deals that end with a hand one asks for: everything claimed in turn, the rest of the tiles thrown away."""

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
    """`wanted`: the hand's tiles and melds, as `random_record` gives them; who wins how follows from it."""

    record: dict[str, Any]
    random: Random
    wall: Wall
    spare: list[str] = field(init=False)
    """Tiles that the hand does not ask for."""
    held: list[Counter[str]] = field(init=False)
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
        junk = 13 - concealed.total()
        hands = [Counter(self._spare() for _ in range(13)) for _ in WINDS]
        hands[self.winner] = concealed + Counter(thrown := [self._spare() for _ in range(junk)])
        self.junk = thrown
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
        """What of a meld the winner is dealt: all but one tile."""
        return list(meld["tiles"][1:])

    def _spare(self) -> str:
        return self.spare.pop()

    def _turn(self, seat: int) -> int:
        """Somebody draws and throws it away; whose turn it is then."""
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
        giver = (winner + 3) % 4
        self._until(seat, giver)
        self.events += [Event(Act.DRAW, giver, tile), Event(Act.DISCARD, giver, tile)]
        if meld["type"] == "kong":
            self.events.append(Event(Act.KONG, winner, tile))
            return self._turn(winner)
        chow = tuple(meld["tiles"]) if meld["type"] == "chow" else ()
        claim = Event(Act.CHOW, winner, tile, chow) if chow else Event(Act.PUNG, winner, tile)
        self.events += [claim, Event(Act.DISCARD, winner, self.junk.pop())]
        return (winner + 1) % 4

    def _win(self, seat: int) -> int:
        tile, winner = self.record["winning_tile"], self.winner
        giver = winner if self.record["self_drawn"] else (winner + 2) % 4
        self._until(seat, giver)
        self.events.append(Event(Act.DRAW, giver, tile))
        if giver != winner:
            self.events.append(Event(Act.DISCARD, giver, tile))
        self.events.append(Event(Act.WIN, winner, tile))
        return winner
