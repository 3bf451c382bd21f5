"""Edge, Closed and Single Wait: MCR 9–11."""

from scoring.engine.codes import CLOSED_CHOWS, EDGE_CHOWS, PAIR
from scoring.engine.fans import Fan

# By names of their own: a member is looked up on its class ten times slower, and every other hand asks.
EDGE, CLOSED, SINGLE = Fan.EDGE_WAIT, Fan.CLOSED_WAIT, Fan.SINGLE_WAIT


def wait_fan(code: int, winning: int) -> Fan:
    """The wait that the winning kind ended in sets that it completes by one (`scoring.engine.codes.WAITED_FOR`).

    Only one of the three counts; they are worth the same.
    """
    if code & EDGE_CHOWS[winning]:
        return EDGE
    if code & CLOSED_CHOWS[winning]:
        return CLOSED
    assert code & PAIR[winning]
    return SINGLE
