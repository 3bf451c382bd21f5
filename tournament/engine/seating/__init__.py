"""Seating: the draw of an event, and the certificate of what it achieves. Pure and reproducible from a seed."""

from tournament.engine.seating.compare import Change, changes, fingerprint, repeated_pairs
from tournament.engine.seating.draw import Draw, draw
from tournament.engine.seating.errors import SeatingError
from tournament.engine.seating.inputs import Inputs
from tournament.engine.seating.plans import Plan, Seats, certify
from tournament.engine.seating.quality import Quality, repeats_minimum
from tournament.engine.seating.replan import Replan, replan
from tournament.engine.seating.session_inputs import How, SessionInputs, rank_spreads
from tournament.engine.seating.swiss import swiss_session

__all__ = [
    "Change",
    "Draw",
    "How",
    "Inputs",
    "Plan",
    "Quality",
    "Replan",
    "SeatingError",
    "Seats",
    "SessionInputs",
    "certify",
    "changes",
    "draw",
    "fingerprint",
    "rank_spreads",
    "repeated_pairs",
    "repeats_minimum",
    "replan",
    "swiss_session",
]
