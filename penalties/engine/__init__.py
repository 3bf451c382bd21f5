"""The foul book: what each foul costs, and what a repeat costs. Pure Python."""

from penalties.engine.books import FOUL_BOOKS, find_foul_book
from penalties.engine.catalogue import Foul, FoulBook, Origin
from penalties.engine.escalation import Proposal, propose
from penalties.engine.facts import EarlierFoul, Facts, Need, Reason, RepeatScope
from penalties.engine.sanctions import PaidTo, Points, PointScope, Sanction, people_problems, point_effects
from scoring.engine.names import Names

__all__ = [
    "FOUL_BOOKS",
    "EarlierFoul",
    "Facts",
    "Foul",
    "FoulBook",
    "Names",
    "Need",
    "Origin",
    "PaidTo",
    "PointScope",
    "Points",
    "Proposal",
    "Reason",
    "RepeatScope",
    "Sanction",
    "find_foul_book",
    "people_problems",
    "point_effects",
    "propose",
]
