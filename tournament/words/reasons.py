"""Why fans were not counted, said with the names of the tiles."""

from __future__ import annotations

from dataclasses import replace

from scoring.engine import Difference, Rejection
from scoring.texts import difference_sentence, reason_sentence
from tournament.words.tiles import tile_name


def reason(rejection: Rejection) -> str:
    """Why a fan was not counted."""
    return reason_sentence(_named(rejection))


def difference(found: Difference) -> str:
    """How an announcement differs from the score, with the reason where there is one."""
    return difference_sentence(replace(found, because=_named(found.because)) if found.because else found)


def _named(rejection: Rejection) -> Rejection:
    return replace(rejection, tiles=tuple(tile_name(tile) for tile in rejection.tiles))
