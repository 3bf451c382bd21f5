"""Games recorded by other programs, read into deals that can be replayed and scored anew.

    >>> from scoring.games import read, judge
    >>> [judge(deal, MCR).differences for deal in read(text)]

Each format is one module that reads a `Deal`: thirteen tiles for every player and what happened after. Replaying a
deal (`replay`) gives the winner's hand with its circumstances, independent of the recorded score. Nicknames and
addresses are never read. Pure Python, no I/O.
"""

from scoring.games.deal import Act, Deal, Event, RecordedScore, UnreadableGame
from scoring.games.formats import read
from scoring.games.replay import Judgement, Win, judge, replay_deal

__all__ = [
    "Act",
    "Deal",
    "Event",
    "Judgement",
    "RecordedScore",
    "UnreadableGame",
    "Win",
    "judge",
    "read",
    "replay_deal",
]
