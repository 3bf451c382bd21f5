"""What pages, screens and papers show of an event's identity."""

from dataclasses import dataclass

from tournament.base.models.events import EventDocument
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import by_version, event_page_of
from tournament.events.selectors import logo_of


@dataclass(frozen=True)
class Identity:
    """What an event is recognised by. `colour`: #rrggbb or empty."""

    logo: EventDocument | None
    colour: str


@by_version(256)
def identity_of(tournament: Tournament) -> Identity:
    return Identity(logo_of(tournament), event_page_of(tournament).colour)
