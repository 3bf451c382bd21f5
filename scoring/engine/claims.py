"""Find every fan that a player could claim for a reading, and choose those that count by MCR's principles.

They are the five of MCR ("Principles for counting the basic points"); the first, that what a fan always includes is
not counted beside it, is in `scoring.engine.exclusions`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from scoring.engine.detectors import (
    Claim,
    bits,
    chow_claims,
    dragon_claims,
    number_pung_claims,
    terminal_pung_claims,
    wind_claims,
)
from scoring.engine.fans import Fan
from scoring.engine.hand import Hand
from scoring.engine.reading import Form, Reading, Shape
from scoring.engine.rulebooks import Rulebook
from scoring.engine.tiles import KIND, NUMBERS, TILES, count

Choice = tuple[Claim, ...]
Groups = tuple[int, ...]
"""Sets that fans already tie together, a bit mask a group; a set on its own is in none."""


def account_once(groups: Groups, sets: int) -> Groups | None:
    """Return the groups after counting a fan of these sets, or None where principle 5 forbids it.

    A fan may tie sets together only where no two of them are tied already: a fan of four sets stands alone, a fan of
    three leaves one tie to the fourth, and fans of two sets never close a circle.
    """
    joined, apart = sets, []
    for group in groups:
        shared = group & sets
        if shared.bit_count() > 1:
            return None
        if shared:
            joined |= group
        else:
            apart.append(group)
    return (*apart, joined)


def non_identical(chosen: Iterable[Claim], claim: Claim) -> bool:
    """Return whether principle 3 allows a claim: no set of it already counts in the same fan."""
    return not any(other.fan is claim.fan and other.sets & claim.sets for other in chosen)


def highest_choice(claims: Iterable[Claim], points: Mapping[Fan, int]) -> Choice:
    """Return the claims worth most among all choices that principles 3 and 5 allow (principle 4), highest fans first.

    Of choices worth the same, the one whose fans come first in the rule book.
    """
    ranked = [claim for claim in claims if claim.fan in points]
    if len(ranked) < 2:
        return tuple(ranked)
    ranked.sort(key=lambda claim: (-points[claim.fan], claim.fan.number))

    def rank(choice: Choice) -> tuple[int, list[int]]:
        return sum(points[claim.fan] for claim in choice), [-claim.fan.number for claim in choice]

    return max(_legal_choices(ranked, (), ()), key=rank)


def _legal_choices(claims: Sequence[Claim], chosen: Choice, groups: Groups) -> Iterator[Choice]:
    """Yield every maximal choice of claims, highest fans first."""
    complete = True
    for place, claim in enumerate(claims):
        joined = account_once(groups, claim.sets)
        if joined is not None and non_identical(chosen, claim):
            complete = False
            yield from _legal_choices(claims[place + 1 :], (*chosen, claim), joined)
    if complete:
        yield chosen


NON_REPEAT: Final = "non_repeat"
NON_SEPARATION: Final = "non_separation"
NON_IDENTICAL: Final = "non_identical"
HIGHEST: Final = "highest"
ACCOUNT_ONCE: Final = "account_once"

_KONGS: Final = (
    Fan.CONCEALED_KONG,
    Fan.MELDED_KONG,
    Fan.TWO_MELDED_KONGS,
    Fan.TWO_CONCEALED_KONGS,
    Fan.MELDED_KONG_AND_CONCEALED_KONG,
    Fan.THREE_KONGS,
    Fan.FOUR_KONGS,
)
_CONCEALED_PUNGS: Final = (Fan.TWO_CONCEALED_PUNGS, Fan.THREE_CONCEALED_PUNGS, Fan.FOUR_CONCEALED_PUNGS)


class Claims(NamedTuple):
    """The claims on the sets of a reading; their bits are places in `Reading.groups`."""

    related: Choice
    """Fans of several sets of suit tiles, which compete for those sets."""
    chosen: Choice
    """Those of ``related`` that count by the principles."""
    single: Choice
    """Fans of honours and of single pungs."""


def claims_on(hand: Hand, reading: Reading, rulebook: Rulebook) -> Claims:
    """Return every claim on the sets of a reading. Empty for a hand that is not made of sets."""
    if reading.shape not in (Shape.SETS, Shape.KNITTED_STRAIGHT):
        return Claims((), (), ())
    pair, chows = reading.pair(), reading.places(Form.CHOW)
    pungs = reading.places(Form.PUNG, Form.KONG)
    numbers = [place for place in pungs if reading.groups[place].kind < NUMBERS]

    def kinds(places: list[int]) -> list[int]:
        return [reading.groups[place].kind for place in places]

    chow_fans = _reindexed(chow_claims(kinds(chows), pair), chows)
    pung_fans = _reindexed(number_pung_claims(kinds(numbers)), numbers)
    chosen = [*highest_choice(chow_fans, rulebook.points), *highest_choice(pung_fans, rulebook.points)]
    winds = wind_claims(kinds(pungs), pair, KIND[hand.seat_wind], KIND[hand.prevalent_wind])
    single = [
        *_reindexed(terminal_pung_claims(kinds(numbers)), numbers),
        *_reindexed(winds, pungs),
        *_reindexed(dragon_claims(kinds(pungs), pair), pungs),
    ]
    return Claims((*chow_fans, *pung_fans), tuple(chosen), tuple(single))


def _reindexed(claims: Iterable[Claim], places: list[int]) -> list[Claim]:
    """Translate claims on a list of sets into claims on the places of those sets in the reading."""
    return [
        Claim(claim.fan, bits(*(place for at, place in enumerate(places) if claim.sets >> at & 1)))
        for claim in claims
    ]


def groups_of_fan(fan: Fan, hand: Hand, reading: Reading) -> list[tuple[int, ...]]:
    """Return the groups of a fan that relates no sets, for each time it can be claimed; empty for a whole hand."""
    groups = reading.groups
    match fan:
        case Fan.KNITTED_STRAIGHT:
            return [tuple(reading.places(Form.KNITTED))]
        case Fan.TILE_HOG:
            return _hogs(hand, reading)
        case Fan.SINGLE_WAIT:
            return [(len(groups) - 1,)]
        case Fan.EDGE_WAIT | Fan.CLOSED_WAIT:
            return [_waiting_chow(fan, hand, reading)]
        case Fan.MELDED_KONG | Fan.TWO_MELDED_KONGS:
            return [tuple(place for place in reading.places(Form.KONG) if not groups[place].concealed)]
        case Fan.CONCEALED_KONG | Fan.TWO_CONCEALED_KONGS:
            return [tuple(place for place in reading.places(Form.KONG) if groups[place].concealed)]
    if fan in _KONGS:
        return [tuple(reading.places(Form.KONG))]
    return [concealed_pung_places(hand, reading)] if fan in _CONCEALED_PUNGS else []


def _hogs(hand: Hand, reading: Reading) -> list[tuple[int, ...]]:
    kongs = {reading.groups[place].kind for place in reading.places(Form.KONG)}
    hogs = [kind for kind in range(len(TILES)) if count(hand.all_packed, kind) == 4 and kind not in kongs]
    return [
        tuple(place for place, group in enumerate(reading.groups) if TILES[kind] in group.tiles)
        for kind in hogs
    ]


def _waiting_chow(fan: Fan, hand: Hand, reading: Reading) -> tuple[int, ...]:
    """Return the concealed chow that the winning tile completed, in the middle (Closed Wait) or at the end (Edge
    Wait).
    """
    for place in reading.places(Form.CHOW):
        group = reading.groups[place]
        in_middle = hand.winning_tile == group.tiles[1]
        if group.concealed and hand.winning_tile in group.tiles and in_middle == (fan is Fan.CLOSED_WAIT):
            return (place,)
    return ()


def concealed_pung_places(hand: Hand, reading: Reading) -> tuple[int, ...]:
    """Return the places of the pungs and kongs made without claiming; see `count_concealed_pungs`."""
    completed = pung_completed_by_discard(hand, reading)
    places = reading.places(Form.PUNG, Form.KONG)
    return tuple(place for place in places if reading.groups[place].concealed and place != completed)


def pung_completed_by_discard(hand: Hand, reading: Reading) -> int | None:
    """Return the place of the pung that the winning discard must have completed, or None."""
    own = {place for place in reading.places(Form.CHOW, Form.PUNG) if reading.groups[place].concealed}
    with_tile = [place for place in own if hand.winning_tile in reading.groups[place].tiles]
    if hand.self_drawn or any(reading.groups[place].form is Form.CHOW for place in with_tile):
        return None
    return next(iter(with_tile), None)
