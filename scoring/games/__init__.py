"""Games recorded by other programs, read into deals that can be played over and scored anew.

    >>> from scoring.games import read, judge
    >>> [judge(deal, MCR).differences for deal in read(text)]

Each format is one module that turns what it says into a `Deal`: thirteen tiles for everybody and what happened
after. Playing a deal over (`replay`) gives the winner's hand with its circumstances, whoever wrote it down.
Nicknames and addresses are never read. Pure Python, no I/O.
"""

from scoring.games.deal import Act, Deal, Event, Recorded, UnreadableGame
from scoring.games.formats import read
from scoring.games.replay import Judgement, Won, judge, play_over

__all__ = [
    "Act",
    "Deal",
    "Event",
    "Judgement",
    "Recorded",
    "UnreadableGame",
    "Won",
    "judge",
    "play_over",
    "read",
]
