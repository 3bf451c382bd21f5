"""Edge, Closed and Single Wait: MCR 9–11."""

from scoring.engine.codes import CLOSED_CHOWS, EDGE_CHOWS, PAIR
from scoring.engine.fans import Fan


def wait_fan(code: int, winning: int) -> Fan:
    """The wait that the winning kind ended in sets that it completes by one (`scoring.engine.codes.WAITED_FOR`).

    Only one of the three counts; they are worth the same.
    """
    if code & EDGE_CHOWS[winning]:
        return Fan.EDGE_WAIT
    if code & CLOSED_CHOWS[winning]:
        return Fan.CLOSED_WAIT
    assert code & PAIR[winning]
    return Fan.SINGLE_WAIT
