"""The circumstances of a false hu that several foul books have."""

from typing import Final

from penalties.engine.rules import Case
from penalties.engine.sanctions import DEAD_HAND, PaidTo, fine
from scoring.engine.names import Names

TWENTY_EACH: Final = DEAD_HAND | fine(20, PaidTo.EACH_OPPONENT)

UNDER_MINIMUM: Final = Case(
    "under_minimum",
    Names("Complete, but under the minimum", "成牌但不够起和分", "成牌但不夠起和分"),
    DEAD_HAND | fine(10, PaidTo.EACH_OPPONENT),
)
NOT_COMPLETE: Final = Case("not_complete", Names("Not a winning hand", "不成和牌", "不成和牌"), TWENTY_EACH)
