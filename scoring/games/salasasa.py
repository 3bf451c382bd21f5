"""Records of salasasa (open_mahjong), JSON: `game_title` and `game_round`, in it `round_index_<n>`.

`action_ticks` are short words: `d`/`gd`/`bd` a draw (after a kong, after a flower), `bh` a flower, `c` a discard,
`cl`/`cm`/`cr` a chow with the two tiles of one's own, `p`, `g`, `ag`, `jg`, `hu_…`, `liuju`, `end`. Whose turn it is
follows from what came before. A call of hu that no `end` follows was false, and play went on.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from scoring.engine.problems import problem_code
from scoring.games.deal import (
    FLOWER,
    GAME_INCOMPLETE,
    GAME_LINE,
    SALASASA,
    SEATS,
    Act,
    Deal,
    Event,
    OneWall,
    RecordedScore,
    UnreadableGame,
    fans,
    tile,
    tiles,
    wind,
)

GAME_RULE = problem_code("game_rule", "This game was played by other rules: “{text}”.")

WHOLE: Final = 144
WITHOUT_FLOWERS: Final = 136
FALSE: Final = "错和"


def is_salasasa(data: object) -> bool:
    return isinstance(data, dict) and isinstance(data.get("game_round"), dict)


def read_salasasa(data: Mapping[str, Any], identity: str = "") -> list[Deal]:
    """Return the deals of a game. Raises UnreadableGame for other rules than MCR."""
    title = data.get("game_title")
    rule = title.get("rule", "guobiao") if isinstance(title, dict) else "guobiao"
    if rule != "guobiao":
        raise UnreadableGame(GAME_RULE(identity, text=str(rule)[:20]))
    deals, number = [], 1
    while isinstance(record := data["game_round"].get(f"round_index_{number}"), dict):
        where = f"{identity} {number}".strip()
        try:
            deals.append(_Round(record, where).deal())
        except (KeyError, TypeError, ValueError, IndexError):
            raise UnreadableGame(GAME_INCOMPLETE(where)) from None
        number += 1
    return deals


@dataclass
class _Round:
    """A deal while it is read. Seats are counted from East, unlike the record's players."""

    record: Mapping[str, Any]
    identity: str
    turn: int = 0
    events: list[Event] = field(default_factory=list)
    recorded: RecordedScore | None = None

    def deal(self) -> Deal:
        dealer = int(self.record["dealer_index"])
        dealt_hands = [
            list(tiles(self.record[f"p{(dealer + seat) % 4}_tiles"], SALASASA, self.identity))
            for seat in SEATS
        ]
        for seat in SEATS:
            if len(dealt_hands[seat]) > 13:  # East's fourteenth
                self.events.append(Event(Act.DRAW, seat, dealt_hands[seat].pop()))
        ticks = self.record["action_ticks"]
        for number, tick in enumerate(ticks):
            following = ticks[number + 1][0] if number + 1 < len(ticks) else "end"
            if self._read_tick(tick[0], tick[1:], dealer, str(following), f"{self.identity}, {number + 1}"):
                break
        hands = tuple(tuple(hand) for hand in dealt_hands)
        prevalent = wind((int(self.record["current_round"]) - 1) // 4, self.identity)
        return Deal(self.identity, prevalent, hands, OneWall(self._wall()), tuple(self.events), self.recorded)

    def _wall(self) -> int:
        flowers = any(event.act is Act.FLOWER for event in self.events) or any(
            number in range(51, 59) for number in self.record.get("tiles_list", ())
        )
        return (WHOLE if flowers else WITHOUT_FLOWERS) - 52

    def _read_tick(self, code: str, arguments: list[Any], dealer: int, following: str, where: str) -> bool:
        """Add the event of a tick. Return whether it ends the deal."""
        if code in ("liuju", "end"):
            return True
        if code.startswith("hu_"):
            return self._add_win(code, arguments, dealer, following)
        if code == "bh":
            self._add((int(arguments[1]) - dealer) % 4, Act.FLOWER, FLOWER)
        elif code in ("d", "gd", "bd"):
            self._add_draw(code, arguments, dealer, where)
        elif code == "c":
            self._add(self.turn, Act.DISCARD, tile(arguments[0], SALASASA, where))
        elif code in ("ag", "jg"):
            act = Act.CONCEALED_KONG if code == "ag" else Act.ADDED_KONG
            self._add(self.turn, act, tile(arguments[0], SALASASA, where))
        elif code in ("cl", "cm", "cr", "p", "g"):
            self._add_claim(code, arguments, dealer, where)
        elif code != "ca":
            raise UnreadableGame(GAME_LINE(where, text=code[:20]))
        return False

    def _add(self, seat: int, act: Act, tile_name: str, chow: tuple[str, ...] = ()) -> None:
        self.turn = seat
        self.events.append(Event(act, seat, tile_name, chow))

    def _add_draw(self, code: str, arguments: list[Any], dealer: int, where: str) -> None:
        seat = self.turn
        if code == "bd" and len(arguments) > 1:
            seat = (int(arguments[1]) - dealer) % 4
        elif code == "d" and self.events and self.events[-1].act is Act.DISCARD:
            seat = (self.turn + 1) % 4
        elif code == "d":
            seat = (int(self.record["start_player_index"]) - dealer) % 4
        self._add(seat, Act.DRAW, tile(arguments[0], SALASASA, where))

    def _add_claim(self, code: str, arguments: list[Any], dealer: int, where: str) -> None:
        claimed, seat = tile(arguments[0], SALASASA, where), (int(arguments[1]) - dealer) % 4
        if code.startswith("c"):
            own_tiles = tiles(arguments[2:4], SALASASA, where)
            self._add(seat, Act.CHOW, claimed, tuple(sorted((claimed, *own_tiles))))
        else:
            self._add(seat, Act.PUNG if code == "p" else Act.KONG, claimed)

    def _add_win(self, code: str, arguments: list[Any], dealer: int, following: str) -> bool:
        player, points, match_fans, changes = arguments[:4]
        if FALSE in match_fans or following != "end":
            return False
        recorded_fans = fans("+".join(match_fans), self.identity)
        payments = tuple(int(changes[(dealer + seat) % 4]) for seat in SEATS)
        self.recorded = RecordedScore(recorded_fans, int(points), payments)
        self.events.append(Event(Act.WIN, (int(player) - dealer) % 4))
        return True
