"""What is kept of people, why and until when: every field of every model is one line here, or part of one.

The privacy pages, what somebody is handed of theirs and the tests read this. A field that is missing fails
`tests/house/test_kept.py`.
"""

from __future__ import annotations

from typing import Final

from tournament.people.kept.accounts import OF_ACCOUNTS
from tournament.people.kept.declared import Kept, Until, Whose
from tournament.people.kept.people import OF_PEOPLE
from tournament.people.kept.play import OF_PLAY

__all__ = ["KEPT", "Kept", "Until", "Whose", "fields_of"]

KEPT: Final[dict[str, tuple[Kept, ...]]] = OF_PEOPLE | OF_PLAY | OF_ACCOUNTS
"""Model → its lines."""


def fields_of(label: str, whose: Whose) -> list[str]:
    """The fields of a model that are somebody's."""
    return [name for kept in KEPT[label] if kept.whose is whose for name in kept.fields]
