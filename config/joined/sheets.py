"""Style sheets become one. The sheets for the dark and for high contrast ask in it what their links' `media` asked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import Final

from rcssmin import cssmin

from config.joined.kinds import TOKENS
from tournament.base.requests import ASKED_FOR, DEVICE, SHEETS

Read = Callable[[str], str]
ROOT: Final = re.compile(r":root(?= \{)")
INSIDE: Final = re.compile(r"(?<=[\w\])]) (?=::?[a-z])")
"""In a container's rules rcssmin takes the blank of `.a :is(b)` away, another thing then; `.a *:is(b)` it leaves."""


def joined(names: Iterable[str], read: Read) -> str:
    """The tokens, what is laid over them, and these sheets, without comments."""
    themes = (themed(read(f"css/{sheet}.css"), asked) for sheet, asked in SHEETS.items())
    return str(cssmin(INSIDE.sub(" *", "\n".join([read(TOKENS), *themes, *(read(name) for name in names)]))))


def themed(text: str, asked: tuple[str, ...]) -> str:
    """A sheet of tokens, for whoever has chosen all that it stands for, or left it to a device that asks for it.

    Its rules weigh no more than before: `:where()` counts for nothing.
    """
    return "\n".join(_in_case(text, dict(zip(asked, case, strict=True))) for case in _cases(asked))


def _cases(asked: tuple[str, ...]) -> Iterator[tuple[bool, ...]]:
    return product((True, False), repeat=len(asked))


def _in_case(text: str, is_chosen: dict[str, bool]) -> str:
    where = "".join(
        f'[data-{name}="{ASKED_FOR[name]}"]' if chosen else f":not([data-{name}])"
        for name, chosen in is_chosen.items()
    )
    rules = ROOT.sub(f":root:where({where})", text)
    asks = " and ".join(DEVICE[name] for name, chosen in is_chosen.items() if not chosen)
    return f"@media {asks} {{\n{rules}\n}}" if asks else rules
