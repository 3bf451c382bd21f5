"""Score a hand: the fans that count, their points, and who pays them."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from scoring.engine.claims import claims_on, groups_of_fan
from scoring.engine.codes import (
    ANY_PUNG,
    CHOWS_AND_FIVES,
    CHOWS_WITH,
    COUNT_SHIFT,
    DRAGON_PUNGS,
    DRAGONS,
    KONGS_SHIFT,
    LACKS_SHIFT,
    NUMBER_PUNGS,
    PUNG,
    WAITED_FOR,
    WIND_PUNGS,
    WINDS,
)
from scoring.engine.compiled import NO_FANS, CompiledRulebook, Counts, compile_rulebook
from scoring.engine.detectors import NOT_GREEN, is_nine_gates, places_of, special_fans, wait_fan
from scoring.engine.fans import Fan
from scoring.engine.hand import Hand
from scoring.engine.notation import to_text
from scoring.engine.reading import (
    KNITTED_STRAIGHT,
    SETS,
    SEVEN_PAIRS,
    Arrangement,
    Form,
    Reading,
    arrangements_of,
    is_lone_wait,
    knitted_straight_in,
    reading_of,
    six_pairs_wait_elsewhere,
)
from scoring.engine.rulebooks import MCR, Rulebook
from scoring.engine.tiles import FOUR, HONOUR_SHIFT

WAITS: Final = (Fan.EDGE_WAIT, Fan.CLOSED_WAIT, Fan.SINGLE_WAIT)
_BY_FORM: Final = tuple(Form)


@dataclass(frozen=True, slots=True)
class CountedFan:
    fan: Fan
    count: int
    points: int
    """Points each time."""
    groups: tuple[tuple[int, ...], ...] = ()
    """For each time counted, the places in `Reading.groups` that make it; empty for a fan of the whole hand.
    """

    @property
    def total(self) -> int:
        return self.count * self.points

    def to_json(self) -> dict[str, object]:
        return {
            "key": self.fan.key,
            "name": self.fan.en,
            "points": self.points,
            "count": self.count,
            "clause": self.fan.clause,
            "groups": [list(groups) for groups in self.groups],
        }


def counted_fans(hand: Hand, reading: Reading, rulebook: Rulebook, counts: Counts) -> tuple[CountedFan, ...]:
    """Return the counted fans of a reading with the groups that make them, Flower Tiles last."""
    claims = claims_on(hand, reading, rulebook)
    counted = []
    for fan, times in counts:
        made_of = [places_of(claim.sets) for claim in (*claims.chosen, *claims.single) if claim.fan is fan]
        groups = made_of or groups_of_fan(fan, hand, reading)
        counted.append(CountedFan(fan, times, rulebook.points[fan], tuple(groups[:times])))
    if hand.flowers and Fan.FLOWER_TILES in rulebook.points:
        counted.append(CountedFan(Fan.FLOWER_TILES, hand.flowers, rulebook.points[Fan.FLOWER_TILES]))
    return tuple(counted)


def completed_place(hand: Hand, reading: Reading, fans: Iterable[CountedFan]) -> int | None:
    """Return the place of the group that the winning tile completed: that of the counted wait, else the likeliest."""
    for line in fans:
        if line.fan in WAITS and line.groups and line.groups[0]:
            return line.groups[0][0]
    groups = reading.groups
    candidates = [
        place
        for place, group in enumerate(groups)
        if group.concealed and group.form is not Form.KONG and hand.winning_tile in group.tiles
    ]
    return min(candidates, key=lambda place: _BY_FORM.index(groups[place].form), default=None)


class Score(NamedTuple):
    """The score of a hand under a rulebook: the highest total over all readings and legal choices of fans."""

    hand: Hand
    rulebook: Rulebook
    arrangement: Arrangement | None
    """The reading that scores most, coded; None when the tiles are no winning hand."""
    points: int = 0
    """The basic points: what the fans are worth, flowers included; 0 when the tiles are no winning hand."""
    counts: Counts = ()
    """The fans counted and how often, highest first, without Flower Tiles."""

    @property
    def win(self) -> bool:
        """Whether the tiles are a winning hand, whatever it is worth."""
        return self.arrangement is not None

    @property
    def flower_points(self) -> int:
        if self.arrangement is None or not self.hand.flowers:
            return 0
        return self.hand.flowers * self.rulebook.points.get(Fan.FLOWER_TILES, 0)

    @property
    def points_without_flowers(self) -> int:
        """The fan total that the minimum is measured against."""
        return self.points - self.flower_points

    @property
    def qualifying_points(self) -> int:
        """The points that are compared with the minimum."""
        return self.rulebook.against_minimum(self.points, self.points_without_flowers)

    @property
    def meets_minimum(self) -> bool:
        """Whether the hand may be declared (MCR rule 2: 8 points, and by MCR 39 flowers don't help)."""
        return self.win and self.qualifying_points >= self.rulebook.minimum

    @property
    def counted_points(self) -> int:
        """The points of the hand: flowers count only when it may be declared (MCR 39)."""
        return self.points if self.meets_minimum else self.points_without_flowers

    @property
    def reading(self) -> Reading | None:
        """The sets and the pair of the reading that scores most."""
        return reading_of(self.hand, self.arrangement) if self.arrangement else None

    @property
    def fans(self) -> tuple[CountedFan, ...]:
        """The fans counted with the sets that make them, highest first, Flower Tiles last."""
        reading = self.reading
        return counted_fans(self.hand, reading, self.rulebook, self.counts) if reading else ()

    def summary(self) -> dict[str, object]:
        """Return the score as plain data without its fans."""
        return {
            "rulebook": self.rulebook.key,
            "win": self.win,
            "points": self.points,
            "points_without_flowers": self.points_without_flowers,
            "counted_points": self.counted_points,
            "minimum": self.rulebook.minimum,
            "meets_minimum": self.meets_minimum,
            "notation": to_text(self.hand),
        }

    def to_json(self) -> dict[str, object]:
        """Return the score as plain data, in codes, as desk, calculator, REST and command line show it.

        A fan's "groups" are places in the reading's groups, and so is "completed", the group that the winning tile
        completed.
        """
        reading = self.reading
        fans = counted_fans(self.hand, reading, self.rulebook, self.counts) if reading else ()
        return self.summary() | {
            "flowers": self.hand.flowers,
            "fans": [fan.to_json() for fan in fans],
            "reading": reading.to_json() if reading else None,
            "completed": completed_place(self.hand, reading, fans) if reading else None,
        }


_new: Final = tuple.__new__
"""Makes a named tuple without the second call of its constructor."""


def score(hand: Hand, rulebook: Rulebook = MCR) -> Score:
    """Return the highest legal score of a hand; ``win`` is False when its tiles are no winning hand."""
    compiled = compile_rulebook(rulebook)
    hand_tally = _hand_tally(hand, compiled)
    best: Arrangement | None = None
    best_points, best_fans = -1, NO_FANS
    for arrangement in arrangements_of(hand.packed, len(hand.concealed)):
        points, counts = compiled.scored[hand_tally + _reading_tally(hand, arrangement, compiled)]
        if points > best_points:
            best, best_points, best_fans = arrangement, points, counts
    if best is None:
        return Score(hand, rulebook, None)
    if not best_points:  # MCR 39: a hand that would otherwise earn nothing, whatever its reading
        best_points, best_fans = compiled.scored[compiled.weight[Fan.CHICKEN_HAND]]
    return _new(Score, (hand, rulebook, best, best_points + hand.flowers * compiled.flower, best_fans))


def score_reading(hand: Hand, arrangement: Arrangement, rulebook: Rulebook) -> tuple[int, Counts]:
    """Return points without flowers and counted fans of one reading of a hand."""
    compiled = compile_rulebook(rulebook)
    return compiled.scored[tally_of(hand, arrangement, compiled)]


def tally_of(hand: Hand, arrangement: Arrangement, compiled: CompiledRulebook) -> int:
    """Return every fan that can be claimed for a reading, before exclusions; 0 for a Chicken Hand."""
    return _hand_tally(hand, compiled) + _reading_tally(hand, arrangement, compiled)


def _hand_tally(hand: Hand, compiled: CompiledRulebook) -> int:
    """Return the tally of the fans that are the same in every reading."""
    all_packed = hand.all_packed
    tally = compiled.circumstances[
        hand.self_drawn,
        hand.last_tile_of_wall,
        hand.last_of_kind,
        hand.replacement,
        hand.robbing_kong,
        hand.melded >> COUNT_SHIFT,
        (all_packed & FOUR).bit_count(),
    ]
    if not all_packed & compiled.plain:
        if not all_packed & NOT_GREEN:
            tally += compiled.weight[Fan.ALL_GREEN]
        if not all_packed & compiled.irreversible:
            tally += compiled.weight[Fan.REVERSIBLE_TILES]
    if not hand.melded and is_nine_gates(hand.packed, hand.winning):
        tally += compiled.weight[Fan.NINE_GATES]
    return tally


def _reading_tally(hand: Hand, arrangement: Arrangement, compiled: CompiledRulebook) -> int:
    shape, code = arrangement
    traits = hand.traits & ~(code >> LACKS_SHIFT)
    if shape is not SETS and shape is not KNITTED_STRAIGHT:
        tally = compiled.tally(special_fans(shape, hand.packed))
        if shape is SEVEN_PAIRS:
            tally += (
                compiled.by_traits[traits]
                - count_honour_hogs(hand, compiled.rulebook) * compiled.weight[Fan.TILE_HOG]
            )
        return tally
    sets, winning, knitted = code + hand.melded, hand.winning, 0
    tally = compiled.chows[sets & CHOWS_AND_FIVES] + compiled.by_traits[traits]
    if shape is KNITTED_STRAIGHT:
        knitted = knitted_straight_in(hand.packed)
        tally += compiled.weight[Fan.KNITTED_STRAIGHT]
    if sets & ANY_PUNG:
        tally += (
            compiled.pungs[sets & NUMBER_PUNGS] + compiled.concealed_pungs[count_concealed_pungs(hand, code)]
        )
        if sets & WIND_PUNGS:
            tally += compiled.winds[sets & WINDS, hand.seat_wind, hand.prevalent_wind]
        if sets & DRAGON_PUNGS:
            tally += compiled.dragons[sets & DRAGONS]
    if code & WAITED_FOR[winning] and is_only_wait(hand, compiled.rulebook, knitted):
        tally += compiled.waits[wait_fan(code, winning)]
    return tally


def count_honour_hogs(hand: Hand, rulebook: Rulebook) -> int:
    """Return how many honours held four times do not count as Tile Hog. Only seven pairs hold four without a kong."""
    return 0 if rulebook.honour_hogs else (hand.packed >> HONOUR_SHIFT & FOUR).bit_count()


def count_concealed_pungs(hand: Hand, code: int) -> int:
    """Return how many pungs and kongs were made without claiming (MCR 21, 54, 73).

    A pung completed by the winning discard does not count, unless the discard can belong to a chow of the reading.
    """
    winning = hand.winning
    concealed = (code & ANY_PUNG).bit_count() + (hand.melded >> KONGS_SHIFT)
    completed = not hand.self_drawn and code & PUNG[winning] and not code & CHOWS_WITH[winning]
    return concealed - 1 if completed else concealed


def is_only_wait(hand: Hand, rulebook: Rulebook, knitted: int = 0) -> bool:
    """Return whether no other kind would have completed the hand. `knitted`: a packed straight to set aside."""
    packed, winning = hand.packed, hand.winning
    if not is_lone_wait(packed - knitted, winning, hand.all_packed, rulebook.held_out_waits):
        return False
    return bool(knitted or hand.melded) or not six_pairs_wait_elsewhere(packed, winning)


SEATS = range(4)


def payments(
    points: int, winner: int, discarder: int | None, rulebook: Rulebook = MCR
) -> tuple[int, int, int, int]:
    """Return what each of seats 0…3 gains (or, negative, pays) for one hand; the four sum to zero.

    ``points`` is the winner's fan total with flowers. ``discarder`` is the seat that discarded the winning tile or
    had its kong robbed, None when the winner drew it. Self-drawn, every loser pays points + extra; by discard, the
    discarder pays points + extra and the other two pay the extra only.

    >>> payments(12, winner=0, discarder=2)
    (36, -8, -20, -8)
    >>> payments(12, winner=3, discarder=None)
    (-20, -20, -20, 60)
    """
    if points < 0:
        raise ValueError(f"points must not be negative, not {points}")
    if winner not in SEATS or discarder not in (None, *SEATS) or winner == discarder:
        raise ValueError(f"winner {winner} and discarder {discarder} must be two different seats of 0…3")
    changes = [
        0 if seat == winner else -rulebook.extra - (points if discarder in (None, seat) else 0)
        for seat in SEATS
    ]
    changes[winner] = -sum(changes)
    east, south, west, north = changes
    return east, south, west, north
