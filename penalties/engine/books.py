"""The foul books that tournaments choose from: the base, and what each source says differently."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from penalties.engine.base_fouls import BASE_FOULS, FORGOT_WINNING_TILE
from penalties.engine.catalogue import Foul, FoulBook
from penalties.engine.facts import RepeatScope
from penalties.engine.rules import Case, Cases, Ladder, Late, Rule
from penalties.engine.sanctions import DEAD_HAND, STEPS, PaidTo, Sanction, fine, points
from penalties.engine.sources import CHINA_1998_SAYS, GUIDE_SAYS
from scoring.engine.names import Names

_UNDER_MINIMUM: Final = Names("Complete, but under the minimum", "成牌但不够起和分", "成牌但不夠起和分")
_NOT_COMPLETE: Final = Names("Not a winning hand", "不成和牌", "不成和牌")
_NOT_READY: Final = Names("Not even waiting", "未听牌", "未聽牌")
_INTENTIONAL: Final = Names("Intentional", "故意诈和", "故意詐和")

_TEN_EACH: Final = DEAD_HAND | fine(10, PaidTo.EACH_OPPONENT)
_TWENTY_EACH: Final = DEAD_HAND | fine(20, PaidTo.EACH_OPPONENT)

MWT: Final = FoulBook("mwt", BASE_FOULS)
"""MCR to the letter: what is written, and no practice."""
MCR: Final = FoulBook("mcr", (*BASE_FOULS, FORGOT_WINNING_TILE))


def _read(key: str, rule: Rule, says: Mapping[str, Names]) -> Foul:
    """A base foul under another source's rule."""
    foul = MWT.find(key)
    if foul is None:
        raise KeyError(key)
    return replace(foul, rule=rule, source=says[key])


_GUIDE: Final = replace(MWT, key="guide").having(
    _read(
        "false_hu",
        Cases(
            (
                Case("under_minimum", _UNDER_MINIMUM, _TEN_EACH),
                Case("not_complete", _NOT_COMPLETE, _TWENTY_EACH),
            )
        ),
        GUIDE_SAYS,
    ),
)

_CHINA_1998: Final = replace(MWT, key="china1998").having(
    _read(
        "late",
        Late(
            ((10, Sanction(warning=True, points=points(10))), (15, fine(20))),
            beyond=Sanction(session_forfeited=True),
        ),
        CHINA_1998_SAYS,
    ),
    _read("empty_call", Ladder(STEPS, RepeatScope.HAND), CHINA_1998_SAYS),
    _read(
        "touching_wall",
        Ladder(STEPS, RepeatScope.HAND, if_seen=DEAD_HAND),
        CHINA_1998_SAYS,
    ),
    _read(
        "false_hu",
        Cases(
            (
                Case("under_minimum", _UNDER_MINIMUM, _TEN_EACH),
                Case("not_ready", _NOT_READY, _TWENTY_EACH),
                Case("intentional", _INTENTIONAL, Sanction(disqualification=True)),
            )
        ),
        CHINA_1998_SAYS,
    ),
)

FOUL_BOOKS: Final[Mapping[str, FoulBook]] = {book.key: book for book in (MCR, MWT, _GUIDE, _CHINA_1998)}


def find_foul_book(key: str) -> FoulBook:
    """The named foul book; KeyError when there is none."""
    return FOUL_BOOKS[key]
