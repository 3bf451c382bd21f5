"""Seating: the draw of an event, and the certificate of what it achieves. Pure and reproducible from a seed."""

from tournament.seating.engine.compare import Change, changes, fingerprint, repeated_pairs
from tournament.seating.engine.draw import Draw, draw
from tournament.seating.engine.errors import SeatingError
from tournament.seating.engine.inputs import Inputs
from tournament.seating.engine.plans import Plan, Seats, certify
from tournament.seating.engine.quality import Quality, repeats_minimum
from tournament.seating.engine.replan import Replan, replan
from tournament.seating.engine.session_inputs import How, SessionInputs, rank_spreads
from tournament.seating.engine.swiss import swiss_session

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
