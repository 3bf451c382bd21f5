"""The gallery: every part of the pages on one page, for those who build pages. Mounted in development only."""

from fractions import Fraction
from typing import Any

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from scoring.texts import BACK, RULEBOOK_NAMES, TILE_CODES
from tournament.web.forms import DayInput, Form

CONCEALED_KONG = {"type": "kong", "tiles": ["P", "P", "P", "P"], "concealed": True}
HAND = {
    "concealed": ["4p", "5p", "6p", "7s", "8s", "N", "N", "9s"],
    "melds": [
        {"type": "chow", "tiles": ["1m", "2m", "3m"], "concealed": False},
        CONCEALED_KONG,
    ],
    "winning_tile": "9s",
    "self_drawn": False,
}
RECEIPT = [
    {
        "name": "Mixed Straight",
        "points": 8,
        "sets": [["1m", "2m", "3m"], ["4p", "5p", "6p"], ["7s", "8s", "9s"]],
    },
    {"name": "All Types", "points": 6, "note": "all five kinds"},
    {"name": "Dragon Pung", "points": 2, "sets": [["P", "P", "P"]]},
    {"name": "Concealed Kong", "points": 2, "sets": [CONCEALED_KONG]},
    {"name": "Flower", "points": 1, "tiles": ["f1"]},
]
PAYMENTS = [
    {"name": "敏 Østergaard", "change": 43, "before": -37, "after": 6},
    {"name": "Mātīss 陈", "change": -27, "before": 12, "after": -15},
    {"name": "Håkan Dupont", "change": -8, "before": 96, "after": 88},
    {"name": "张伟", "change": -8, "before": -71, "after": -79},
]
SEATS = [
    {
        "position": "north",
        "wind": "W",
        "name": "Håkan Dupont",
        "score": 96,
        "change": -8,
        "state": "pays-out",
    },
    {"position": "left", "wind": "N", "name": "张伟", "score": -71, "change": -8, "state": "pays-out"},
    {
        "position": "right",
        "wind": "S",
        "name": "敏 Østergaard",
        "score": -37,
        "change": 43,
        "state": "winner",
        "role": "wins",
    },
    {
        "position": "south-side",
        "wind": "E",
        "name": "Mātīss 陈",
        "score": 12,
        "change": -27,
        "state": "discarder",
        "role": "discarded",
    },
]
PLAYERS = [
    {
        "rank": 1,
        "move": 0,
        "name": "Mātīss 陈",
        "country": "FRA",
        "sessions": [2, 4, 4],
        "tp": Fraction(12),
        "points": 497,
    },
    {
        "rank": 2,
        "move": 2,
        "name": "Björn Rossi",
        "country": "DEU",
        "sessions": [4, 1, 1],
        "tp": Fraction(21, 2),
        "points": 177,
    },
    {
        "rank": 3,
        "move": -1,
        "name": "张伟",
        "country": "CHN",
        "sessions": [4, 4, 1],
        "tp": Fraction(28, 3),
        "points": -220,
    },
]
TABLES = [
    {"number": 1, "state": "in", "pill": "ok", "word": "In", "played": 16},
    {"number": 2, "state": "play", "pill": "wait", "word": "Hand 7", "played": 6},
    {
        "number": 3,
        "state": "bad",
        "pill": "bad",
        "word": "Disputed",
        "played": 11,
        "why": "Hand 12: two devices disagree",
    },
    {"number": 4, "state": "wait", "pill": "open", "word": "Waiting", "played": 0},
]


class SampleForm(Form):
    """One field of every kind."""

    name = forms.CharField(label=_("Name"), help_text=_("As it stands on the invitation."))
    first_day = forms.DateField(label=_("First day"), widget=DayInput())
    minutes = forms.IntegerField(label=_("Minutes a session"), min_value=1)
    rulebook = forms.ChoiceField(label=_("Rulebook"), choices=list(RULEBOOK_NAMES.items()))
    rounds = forms.ChoiceField(label=_("Hands"), choices=[(16, "16"), (8, "8")], widget=forms.RadioSelect)
    note = forms.CharField(label=_("Note"), widget=forms.Textarea(attrs={"rows": 3}), required=False)
    list = forms.FileField(label=_("List of players"), required=False)
    public = forms.BooleanField(label=_("Show the ranking to everybody"), required=False)


def gallery(request: HttpRequest) -> HttpResponse:
    """Every component, with made-up data."""
    if "messages" in request.GET:
        messages.success(request, _("Saved."))
        messages.error(request, _("That did not work."))
    context: dict[str, Any] = {
        "codes": [code for code in TILE_CODES if code != BACK],
        "hand": HAND,
        "receipt": RECEIPT,
        "payments": PAYMENTS,
        "seats": SEATS,
        "players": PLAYERS,
        "tables": TABLES,
        "form": SampleForm({"minutes": "0", "rulebook": "mcr", "name": ""}),
        "page": Paginator(range(200), 20).get_page(request.GET.get("page", 4)),
        "winds": "ESWN",
        "trail": [("Spring Open", "#"), ("Session 4", "#")],
    }
    return render(request, "components/gallery.html", context)
