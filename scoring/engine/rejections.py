"""Why claimable fans were not counted."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from scoring.engine.claims import claims_on, concealed_pung_places, groups_of_fan, pung_completed_by_discard
from scoring.engine.codes import WAITED_FOR
from scoring.engine.compiled import BITS, compile_rulebook
from scoring.engine.detectors import Claim, concealed_pung_fans, places_of, wait_fan
from scoring.engine.exclusions import Exclusion
from scoring.engine.fans import Fan
from scoring.engine.hand import KONG
from scoring.engine.reading import Arrangement, Form, Reading, Shape, completing_kinds, knitted_straight_in
from scoring.engine.score import Score, count_honour_hogs, is_only_wait, tally_of
from scoring.engine.tiles import NUMBERS, TILES


class Reason(Enum):
    """What prevented a fan from counting."""

    EXCLUDED = "excluded"
    """The rules name the two fans as not combining."""
    PARTLY_EXCLUDED = "partly_excluded"
    """The rules name the two fans as not combining, which takes one away and leaves another."""
    NON_REPEAT = "non_repeat"
    """Principle 1: it is inevitably part of a fan that counts."""
    NON_SEPARATION = "non_separation"
    """Principle 2: it would take apart and rearrange sets that already make a fan."""
    NON_IDENTICAL = "non_identical"
    """Principle 3: one of its sets already made the same fan with another set."""
    HIGHEST = "highest"
    """Principle 4: it belongs to another reading, which is worth less."""
    ACCOUNT_ONCE = "account_once"
    """Principle 5: its sets are already tied together by the fans that count."""
    OTHER_WAITS = "other_waits"
    """Other tiles would have completed the hand too."""
    COMPLETED_BY_DISCARD = "completed_by_discard"
    """One of the pungs was completed by the winning discard, so it is not concealed."""
    NOT_DISCARDED = "not_discarded"
    """Every set is melded, but the winning tile was drawn."""
    HONOURS = "honours"
    """Its tiles are honours, and this rulebook asks for suit tiles."""
    NOT_IN_RULEBOOK = "not_in_rulebook"
    """This rulebook does not have the fan."""


PRINCIPLES: Final = {
    Reason.NON_REPEAT: "MCR principle 1",
    Reason.NON_SEPARATION: "MCR principle 2",
    Reason.NON_IDENTICAL: "MCR principle 3",
    Reason.HIGHEST: "MCR principle 4",
    Reason.ACCOUNT_ONCE: "MCR principle 5",
}


@dataclass(frozen=True, slots=True)
class Rejection:
    """A claimable fan that was not counted."""

    fan: Fan
    count: int
    reason: Reason
    clause: str
    by: Fan | None = None
    """The counted fan that bars it or uses its sets."""
    groups: tuple[tuple[int, ...], ...] = ()
    """For each time, the places in `Reading.groups` that would have made it; empty for a fan of the whole hand."""
    tiles: tuple[str, ...] = ()
    """For `OTHER_WAITS` the tiles that would have won as well."""
    also_counted: bool = False
    """Whether the fan counts once or more all the same, so that this is a further one."""

    def to_json(self) -> dict[str, object]:
        return {
            "key": self.fan.key,
            "name": self.fan.en,
            "count": self.count,
            "reason": self.reason.value,
            "clause": self.clause,
            "by": self.by.key if self.by else None,
            "groups": [list(groups) for groups in self.groups],
            "tiles": list(self.tiles),
            "also_counted": self.also_counted,
        }


def rejections(score: Score) -> tuple[Rejection, ...]:
    """Return every claimable fan of the chosen reading that was not counted, highest first."""
    arrangement, reading = score.arrangement, score.reading
    if arrangement is None or reading is None:
        return ()
    rejected = [
        *_lost_claims(score, reading),
        *_excluded(score, arrangement, reading),
        *_scored_honour_pungs(score, reading),
        *_waits(score, arrangement, reading),
        *_concealed_pungs(score, reading),
        *_melded_hand(score),
        *_honour_hogs(score, arrangement[0], reading),
    ]
    return _merge(rejected, score)


def _merge(rejected: list[Rejection], score: Score) -> tuple[Rejection, ...]:
    """Return the rejections with equal reasons merged, the highest-scoring fan first."""
    counted, merged = dict(score.counts), dict[object, Rejection]()
    for rejection in rejected:
        key = (rejection.fan, rejection.reason, rejection.clause, rejection.by)
        previous = merged.get(key)
        merged[key] = (
            replace(
                previous, count=previous.count + rejection.count, groups=previous.groups + rejection.groups
            )
            if previous
            else replace(rejection, also_counted=rejection.fan in counted)
        )
    points = score.rulebook.points
    return tuple(sorted(merged.values(), key=lambda r: (-points.get(r.fan, r.fan.points), r.fan.number)))


def _exclusion(score: Score, fan: Fan) -> Exclusion | None:
    """Return the exclusion by which a counted fan excludes another, the highest one's first."""
    for counted, _ in score.counts:
        for exclusion in score.rulebook.exclusions:
            if (exclusion.fan, exclusion.bars) == (counted, fan):
                return exclusion
    return None


def _excluded_by(
    exclusion: Exclusion, score: Score, count: int, groups: tuple[tuple[int, ...], ...]
) -> Rejection:
    reason = Reason.NON_REPEAT if exclusion.implied else Reason.EXCLUDED
    if exclusion.at_most and exclusion.bars in dict(score.counts):
        reason = Reason.PARTLY_EXCLUDED
    return Rejection(exclusion.bars, count, reason, exclusion.clause, exclusion.fan, groups)


def _lost_claims(score: Score, reading: Reading) -> Iterator[Rejection]:
    """Yield fans of several sets that lost these sets to other fans."""
    claims = claims_on(score.hand, reading, score.rulebook)
    for claim in claims.related:
        if claim not in claims.chosen:
            yield _reject_claim(claim, claims.chosen, score)


def _reject_claim(claim: Claim, chosen: Iterable[Claim], score: Score) -> Rejection:
    groups = (places_of(claim.sets),)
    if claim.fan not in score.rulebook.points:
        return Rejection(claim.fan, 1, Reason.NOT_IN_RULEBOOK, "", None, groups)
    if exclusion := _exclusion(score, claim.fan):
        return _excluded_by(exclusion, score, 1, groups)
    for other in chosen:
        if other.sets & claim.sets == claim.sets:
            reason = Reason.NON_REPEAT if other.sets != claim.sets else Reason.NON_SEPARATION
            return Rejection(claim.fan, 1, reason, PRINCIPLES[reason], other.fan, groups)
    touching = [other for other in chosen if other.sets & claim.sets]
    same = [other for other in touching if other.fan is claim.fan]
    reason = Reason.NON_IDENTICAL if same else Reason.ACCOUNT_ONCE
    by = (same or touching)[0].fan
    return Rejection(claim.fan, 1, reason, PRINCIPLES[reason], by, groups)


def _excluded(score: Score, arrangement: Arrangement, reading: Reading) -> Iterator[Rejection]:
    """Yield fans of the hand that an exclusion removes, and fans this rulebook lacks."""
    compiled, counted = compile_rulebook(score.rulebook), dict(score.counts)
    tally = tally_of(score.hand, arrangement, compiled)
    for rank, fan in enumerate(compiled.ranked):
        lost = (tally >> BITS * rank & 7) - counted.get(fan, 0)
        exclusion = _exclusion(score, fan) if lost > 0 else None
        if exclusion:
            yield _excluded_by(exclusion, score, lost, _claimed_groups(fan, score, reading)[-lost:])
    fan = Fan.MELDED_KONG_AND_CONCEALED_KONG
    kongs = [meld.concealed for meld in score.hand.melds if meld.type == KONG]
    if sorted(kongs) == [False, True] and fan not in score.rulebook.points:
        yield Rejection(fan, 1, Reason.NOT_IN_RULEBOOK, "", None, (tuple(reading.places(Form.KONG)),))


def _claimed_groups(fan: Fan, score: Score, reading: Reading) -> tuple[tuple[int, ...], ...]:
    """Return the groups that make a fan, for each time it can be claimed."""
    claims = claims_on(score.hand, reading, score.rulebook)
    made_of = [places_of(claim.sets) for claim in (*claims.chosen, *claims.single) if claim.fan is fan]
    return tuple(made_of or groups_of_fan(fan, score.hand, reading))


def _scored_honour_pungs(score: Score, reading: Reading) -> Iterator[Rejection]:
    """Yield wind and dragon pungs that score as a higher fan and so not as Pung of Terminals or Honors."""
    dearer = [
        (counted.fan, {place for groups in counted.groups for place in groups})
        for counted in score.fans
        if counted.fan in _HONOUR_FANS
    ]
    for place in reading.places(Form.PUNG, Form.KONG):
        by = next((fan for fan, places in dearer if place in places), None)
        if (
            by
            and reading.groups[place].kind >= NUMBERS
            and not _exclusion(score, Fan.PUNG_OF_TERMINALS_OR_HONORS)
        ):
            reason = Reason.NON_REPEAT
            yield Rejection(Fan.PUNG_OF_TERMINALS_OR_HONORS, 1, reason, PRINCIPLES[reason], by, ((place,),))


def _honour_hogs(score: Score, shape: Shape, reading: Reading) -> Iterator[Rejection]:
    """Yield four equal honours in pairs where the rulebook counts a Tile Hog of suit tiles only."""
    count = count_honour_hogs(score.hand, score.rulebook) if shape is Shape.SEVEN_PAIRS else 0
    if count:
        groups = tuple(groups_of_fan(Fan.TILE_HOG, score.hand, reading)[-count:])
        yield Rejection(Fan.TILE_HOG, count, Reason.HONOURS, Fan.TILE_HOG.clause, None, groups)


_HONOUR_FANS: Final = frozenset(
    {
        Fan.BIG_THREE_DRAGONS,
        Fan.LITTLE_FOUR_WINDS,
        Fan.LITTLE_THREE_DRAGONS,
        Fan.BIG_THREE_WINDS,
        Fan.TWO_DRAGONS,
        Fan.DRAGON_PUNG,
        Fan.PREVALENT_WIND,
        Fan.SEAT_WIND,
    }
)


def _waits(score: Score, arrangement: Arrangement, reading: Reading) -> Iterator[Rejection]:
    """Yield a wait that was not the only one."""
    hand = score.hand
    shape, code = arrangement
    if shape not in (Shape.SETS, Shape.KNITTED_STRAIGHT):
        return
    if not code & WAITED_FOR[hand.winning]:
        return
    knitted = knitted_straight_in(hand.packed) if shape is Shape.KNITTED_STRAIGHT else 0
    fan = wait_fan(code, hand.winning)
    if not is_only_wait(hand, score.rulebook, knitted):
        others = tuple(TILES[kind] for kind in completing_kinds(hand) if kind != hand.winning)
        groups = groups_of_fan(fan, hand, reading)
        yield Rejection(fan, 1, Reason.OTHER_WAITS, fan.clause, None, tuple(groups), others)


def _concealed_pungs(score: Score, reading: Reading) -> Iterator[Rejection]:
    """Yield the fan that would count had the winning discard not completed one of the pungs."""
    completed = pung_completed_by_discard(score.hand, reading)
    if completed is not None:
        places = (*concealed_pung_places(score.hand, reading), completed)
        for fan in concealed_pung_fans(len(places)):
            yield Rejection(fan, 1, Reason.COMPLETED_BY_DISCARD, fan.clause, None, (tuple(sorted(places)),))


def _melded_hand(score: Score) -> Iterator[Rejection]:
    claimed = [meld for meld in score.hand.melds if not meld.concealed]
    if len(claimed) == 4 and score.hand.self_drawn:
        yield Rejection(Fan.MELDED_HAND, 1, Reason.NOT_DISCARDED, Fan.MELDED_HAND.clause)
