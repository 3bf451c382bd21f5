"""The clock of the hall by program: read by everybody, run by who may."""

from tests.support.programs import ROOT, Program, refusal
from tournament.models import Tournament


def clock(event: Tournament, session: int = 1) -> str:
    return f"{ROOT}{event.slug}/sessions/{session}/clock/"


def test_it_is_paused_extended_and_goes_on(event: Tournament, organiser: Program) -> None:
    at = clock(event)
    assert refusal(organiser.post(at + "go-on/", {"reason": "All clear"})) == (422, ["clock_not_paused"])
    paused = organiser.post(at + "pause/", {"reason": "Fire alarm"}).json()
    assert (paused["stage"], bool(paused["paused_at"])) == ("paused", True)
    longer = organiser.post(at + "extend/", {"minutes": 10, "reason": "Fire alarm"}).json()
    assert (longer["minutes"], longer["longer"]) == (130, 10)
    organiser.post(at + "go-on/", {"reason": "All clear"})
    seen = Program().get(at).json()
    assert (seen["stage"], seen["paused_at"]) == ("playing", None)
    assert "Fire alarm" not in str(seen)


def test_a_session_that_is_not_being_played_shows_no_time(event: Tournament) -> None:
    assert Program().get(clock(event, 2)).status_code == 404
