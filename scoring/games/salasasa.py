"""Records of salasasa (open_mahjong), JSON: `game_title` and `game_round`, in it `round_index_<n>`.

`action_ticks` are short words: `d`/`gd`/`bd` a draw (after a kong, after a flower), `bh` a flower, `c` a discard,
`cl`/`cm`/`cr` a chow with the two tiles of one's own, `p`, `g`, `ag`, `jg`, `hu_…`, `liuju`, `end`. Whose turn it is
follows from what came before. A call of hu that no `end` follows was false, and play went on.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from scoring.engine.problems import problem_code
from scoring.games.botzone import GAME_INCOMPLETE, GAME_LINE, fans
from scoring.games.deal import (
    FLOWER,
    SALASASA,
    SEATS,
    Act,
    Deal,
    Event,
    OneWall,
    Recorded,
    UnreadableGame,
    tile,
    tiles,
    wind,
)

GAME_RULE = problem_code("game_rule", "This game was played by other rules: “{said}”.")

WHOLE: Final = 144
WITHOUT_FLOWERS: Final = 136
FALSE: Final = "错和"


def is_salasasa(data: object) -> bool:
    return isinstance(data, dict) and isinstance(data.get("game_round"), dict)


def read_salasasa(data: Mapping[str, Any], identity: str = "") -> list[Deal]:
    """The deals of a game; another rule than MCR is refused."""
    title = data.get("game_title")
    rule = title.get("rule", "guobiao") if isinstance(title, dict) else "guobiao"
    if rule != "guobiao":
        raise UnreadableGame(GAME_RULE(identity, said=str(rule)[:20]))
    deals, number = [], 1
    while isinstance(one := data["game_round"].get(f"round_index_{number}"), dict):
        where = f"{identity} {number}".strip()
        try:
            deals.append(_Round(one, where).deal())
        except (KeyError, TypeError, ValueError, IndexError):
            raise UnreadableGame(GAME_INCOMPLETE(where)) from None
        number += 1
    return deals


@dataclass
class _Round:
    """One deal while it is read. Seats are counted from East, the record's players are not."""

    written: Mapping[str, Any]
    identity: str
    turn: int = 0
    events: list[Event] = field(default_factory=list)
    recorded: Recorded | None = None

    def deal(self) -> Deal:
        dealer = int(self.written["dealer_index"])
        dealt = [
            list(tiles(self.written[f"p{(dealer + seat) % 4}_tiles"], SALASASA, self.identity))
            for seat in SEATS
        ]
        for seat in SEATS:
            if len(dealt[seat]) > 13:  # East's fourteenth
                self.events.append(Event(Act.DRAW, seat, dealt[seat].pop()))
        ticks = self.written["action_ticks"]
        for number, tick in enumerate(ticks):
            following = ticks[number + 1][0] if number + 1 < len(ticks) else "end"
            if self._take(tick[0], tick[1:], dealer, str(following), f"{self.identity}, {number + 1}"):
                break
        hands = tuple(tuple(hand) for hand in dealt)
        prevalent = wind((int(self.written["current_round"]) - 1) // 4, self.identity)
        return Deal(self.identity, prevalent, hands, OneWall(self._wall()), tuple(self.events), self.recorded)

    def _wall(self) -> int:
        played = any(event.act is Act.FLOWER for event in self.events)
        everything = [
            *self.written.get("tiles_list", ()),
            *(self.written[f"p{seat}_tiles"] for seat in SEATS),
        ]
        flowers = played or any(event in range(51, 59) for event in everything if isinstance(event, int))
        return (WHOLE if flowers else WITHOUT_FLOWERS) - 52

    def _take(self, code: str, said: list[Any], dealer: int, following: str, where: str) -> bool:
        """Add what a tick says; whether the deal is over with it."""
        if code in ("liuju", "end"):
            return True
        if code.startswith("hu_"):
            return self._won(code, said, dealer, following)
        if code == "bh":
            self._by((int(said[1]) - dealer) % 4, Act.FLOWER, FLOWER)
        elif code in ("d", "gd", "bd"):
            self._drawn(code, said, dealer, where)
        elif code == "c":
            self._by(self.turn, Act.DISCARD, tile(said[0], SALASASA, where))
        elif code in ("ag", "jg"):
            act = Act.CONCEALED_KONG if code == "ag" else Act.ADDED_KONG
            self._by(self.turn, act, tile(said[0], SALASASA, where))
        elif code in ("cl", "cm", "cr", "p", "g"):
            self._claimed(code, said, dealer, where)
        elif code != "ca":
            raise UnreadableGame(GAME_LINE(where, said=code[:20]))
        return False

    def _by(self, seat: int, act: Act, said: str, chow: tuple[str, ...] = ()) -> None:
        self.turn = seat
        self.events.append(Event(act, seat, said, chow))

    def _drawn(self, code: str, said: list[Any], dealer: int, where: str) -> None:
        seat = self.turn
        if code == "bd" and len(said) > 1:
            seat = (int(said[1]) - dealer) % 4
        elif code == "d" and self.events and self.events[-1].act is Act.DISCARD:
            seat = (self.turn + 1) % 4
        elif code == "d":
            seat = (int(self.written["start_player_index"]) - dealer) % 4
        self._by(seat, Act.DRAW, tile(said[0], SALASASA, where))

    def _claimed(self, code: str, said: list[Any], dealer: int, where: str) -> None:
        claimed, seat = tile(said[0], SALASASA, where), (int(said[1]) - dealer) % 4
        if code.startswith("c"):
            own = tiles(said[2:4], SALASASA, where)
            self._by(seat, Act.CHOW, claimed, tuple(sorted((claimed, *own))))
        else:
            self._by(seat, Act.PUNG if code == "p" else Act.KONG, claimed)

    def _won(self, code: str, said: list[Any], dealer: int, following: str) -> bool:
        player, points, named, paid = said[:4]
        if FALSE in named or following != "end":
            return False
        recorded_fans = fans("+".join(named), self.identity)
        payments = tuple(int(paid[(dealer + seat) % 4]) for seat in SEATS)
        self.recorded = Recorded(recorded_fans, int(points), payments)
        self.events.append(Event(Act.WIN, (int(player) - dealer) % 4))
        return True
