"""What the file of a tournament carries (docs/tournament-file.md): every model of an event is one line here.

Its fields, their kinds and their ranges are read from the model, so a field that is added is carried by itself, unless
it is said here why not. A model that is neither carried nor left behind fails `tests/house/test_carried.py`, and so
does a JSON field without a shape.
"""

from __future__ import annotations

from typing import Final

from tournament.exchange.carried.behind import LEFT_BEHIND
from tournament.exchange.carried.declared import Carried
from tournament.exchange.carried.rows import CARRIED
from tournament.exchange.carried.written import WRITTEN

__all__ = ["CARRIED", "LEFT_BEHIND", "OF_LABEL", "WRITTEN", "Carried"]

OF_LABEL: Final[dict[str, Carried]] = {one.label: one for one in CARRIED}
"""Model → its line."""
