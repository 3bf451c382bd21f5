"""How long is waited after a try that failed."""

from typing import Final

_MINUTE, _HOUR = 60, 3600
PAUSES: Final = (
    *(_MINUTE, 5 * _MINUTE, 15 * _MINUTE),
    *(_HOUR, 2 * _HOUR, 4 * _HOUR, 6 * _HOUR, 6 * _HOUR, 6 * _HOUR),
)
"""Seconds after each try: more than a day together. After the one that follows the last a message is given up."""
JITTER: Final = 0.25
"""By so much of itself a pause is longer at the most, so that a target that comes back is not run over."""
LONGEST_ASKED: Final = _HOUR
"""For so long the other side may ask to be left alone (Retry-After)."""


def pause_after(tries: int, chance: float, asked: int | None = None) -> int | None:
    """Seconds until the next try, after so many; None when it is given up. `chance`: from 0 to 1."""
    if tries > len(PAUSES):
        return None
    pause = round(PAUSES[tries - 1] * (1 + JITTER * chance))
    return max(pause, min(asked or 0, LONGEST_ASKED))


def asked_for(retry_after: str | None) -> int | None:
    """The seconds of a Retry-After header; None for a date, or none."""
    return int(retry_after) if retry_after and retry_after.isascii() and retry_after.isdigit() else None
