"""Every fan a player could point at in a reading, with the groups that make it."""

from collections.abc import Iterable
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
from scoring.engine.principles import Choice, highest_choice
from scoring.engine.reading import Form, Reading, Shape
from scoring.engine.rulebooks import Rulebook
from scoring.engine.tiles import KIND, NUMBERS, TILES, count

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
    """Every claim on the sets of a reading; none for a hand that is not made of sets."""
    if reading.shape not in (Shape.SETS, Shape.KNITTED_STRAIGHT):
        return Claims((), (), ())
    pair, chows = reading.pair(), reading.places(Form.CHOW)
    pungs = reading.places(Form.PUNG, Form.KONG)
    numbers = [place for place in pungs if reading.groups[place].kind < NUMBERS]

    def kinds(places: list[int]) -> list[int]:
        return [reading.groups[place].kind for place in places]

    chow_fans = _moved(chow_claims(kinds(chows), pair), chows)
    pung_fans = _moved(number_pung_claims(kinds(numbers)), numbers)
    chosen = [*highest_choice(chow_fans, rulebook.points), *highest_choice(pung_fans, rulebook.points)]
    winds = wind_claims(kinds(pungs), pair, KIND[hand.seat_wind], KIND[hand.prevalent_wind])
    single = [
        *_moved(terminal_pung_claims(kinds(numbers)), numbers),
        *_moved(winds, pungs),
        *_moved(dragon_claims(kinds(pungs), pair), pungs),
    ]
    return Claims((*chow_fans, *pung_fans), tuple(chosen), tuple(single))


def _moved(claims: Iterable[Claim], places: list[int]) -> list[Claim]:
    """Claims on a list of sets as claims on the places of those sets in the reading."""
    return [
        Claim(claim.fan, bits(*(place for at, place in enumerate(places) if claim.sets >> at & 1)))
        for claim in claims
    ]


def parts_of(fan: Fan, hand: Hand, reading: Reading) -> list[tuple[int, ...]]:
    """The places of the groups that make a fan that is no relation of sets, for each time it can be claimed.

    Nothing for a fan of the hand as a whole.
    """
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
    hogs = [kind for kind in range(len(TILES)) if count(hand.held, kind) == 4 and kind not in kongs]
    return [
        tuple(place for place, group in enumerate(reading.groups) if TILES[kind] in group.tiles)
        for kind in hogs
    ]


def _waiting_chow(fan: Fan, hand: Hand, reading: Reading) -> tuple[int, ...]:
    """The concealed chow that the winning tile completed in the middle (Closed Wait) or at the end (Edge
    Wait).
    """
    for place in reading.places(Form.CHOW):
        group = reading.groups[place]
        in_middle = hand.winning_tile == group.tiles[1]
        if group.concealed and hand.winning_tile in group.tiles and in_middle == (fan is Fan.CLOSED_WAIT):
            return (place,)
    return ()


def concealed_pung_places(hand: Hand, reading: Reading) -> tuple[int, ...]:
    """The pungs and kongs made without claiming; see `scoring.engine.score.concealed_pungs`."""
    completed = pung_completed_by_discard(hand, reading)
    places = reading.places(Form.PUNG, Form.KONG)
    return tuple(place for place in places if reading.groups[place].concealed and place != completed)


def pung_completed_by_discard(hand: Hand, reading: Reading) -> int | None:
    """The place of the pung that the winning discard completed, if it has to be read there."""
    own = {place for place in reading.places(Form.CHOW, Form.PUNG) if reading.groups[place].concealed}
    with_tile = [place for place in own if hand.winning_tile in reading.groups[place].tiles]
    if hand.self_drawn or any(reading.groups[place].form is Form.CHOW for place in with_tile):
        return None
    return next(iter(with_tile), None)
