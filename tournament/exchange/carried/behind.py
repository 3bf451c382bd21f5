"""What stays where it is when an event leaves, and why."""

from __future__ import annotations

from typing import Final

SECRET: Final = "lets somebody in, or writes to somebody's phone or chat: it is for one installation alone"
MADE_ANEW: Final = "made of the rest whenever it is asked for"
OF_ALL_EVENTS: Final = "of a person beyond any one event, in one installation"

LEFT_BEHIND: Final[dict[str, str]] = {
    "tournament.Tournament": "the section `tournament`, of which the others are",
    "tournament.Arrival": "how it came into one installation",
    "tournament.FormerAccount": "the section `staff`, made of everybody who is named",
    "tournament.DocumentJob": MADE_ANEW,
    "tournament.TrialJob": MADE_ANEW,
    "tournament.Invitation": SECRET,
    "tournament.Pass": SECRET,
    "tournament.Phone": SECRET,
    "tournament.Webhook": SECRET,
    "tournament.Delivery": SECRET,
    "tournament.Visit": SECRET,
    "tournament.ApiToken": SECRET,
    "tournament.PersonChange": OF_ALL_EVENTS,
    "tournament.NotThem": OF_ALL_EVENTS,
}
