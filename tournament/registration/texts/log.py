"""Registration: what people did themselves, what the desk decided, and what the organiser planned.

Entries name people by their registration's number; who that is now is looked up when it is read. A registration that is
gone is told by its number.
"""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.texts import joined
from tournament.base.models.registration import Registration
from tournament.web.texts.log import Data, LogWords, also, rows, says

SHOWN = 5
"""So many names are written out."""

rows(
    {
        "registration_made": gettext_lazy("Registered, to be confirmed: {registrant}."),
        "registration_changed": gettext_lazy("Registration changed: {registrant}."),
        "registration_cancelled": gettext_lazy("Registration cancelled: {registrant}."),
        "registered_changed": gettext_lazy("Registration changed, and player {player} with it."),
        "registered_left": gettext_lazy("Registration cancelled: {registrant} withdrew."),
    }
)
STATES = {
    Registration.State.PENDING: gettext_lazy("Registration confirmed, to be looked at: {registrant}."),
    Registration.State.WAITING: gettext_lazy("Registration confirmed, on the waiting list: {registrant}."),
    Registration.State.ACCEPTED: gettext_lazy("Registration confirmed, with a place: {registrant}."),
    Registration.State.DECLINED: gettext_lazy(
        "Registration confirmed when everything was full: {registrant}."
    ),
}
STEPS = {
    "registrations_added": gettext_lazy("Registered by the desk: {names}."),
    "registrations_entered": gettext_lazy("Entered as players: {names}."),
    "registrations_undone": gettext_lazy("Step taken back, as before: {names}."),
}


DECIDED = {
    Registration.State.ACCEPTED: gettext_lazy("Given a place: {names}."),
    Registration.State.WAITING: gettext_lazy("Put on the waiting list: {names}."),
    Registration.State.DECLINED: gettext_lazy("Declined: {names}."),
    Registration.State.CANCELLED: gettext_lazy("Cancelled by the desk: {names}."),
}


def _names(told: LogWords, numbers: list[int]) -> str:
    """The first of them, and how many more."""
    names = joined(map(told.registrant, numbers[:SHOWN]))
    if (more := len(numbers) - SHOWN) <= 0:
        return names
    text = ngettext("{names} and {n} more", "{names} and {n} more", more)
    return text.format(names=names, n=more)


def _step(action: str) -> None:
    @says(action)
    def say(told: LogWords, data: Data) -> str:
        return str(STEPS[action]).format(names=_names(told, data["registrations"]))


for _action in STEPS:
    _step(_action)


@says("registrations_moved")
def _moved(told: LogWords, data: Data) -> str:
    return str(DECIDED[Registration.State(data["to"])]).format(names=_names(told, data["registrations"]))


@says("registration_confirmed")
def _confirmed(told: LogWords, data: Data) -> str:
    return told.fill(STATES[Registration.State(data["state"])], data)


@says("registration_expired")
def _expired(told: LogWords, data: Data) -> str:
    n = len(data["registrations"])
    text = ngettext(
        "{n} registration that was not confirmed is gone.",
        "{n} registrations that were not confirmed are gone.",
        n,
    )
    return text.format(n=n)


@says("registration_plan_set")
def _plan_set(told: LogWords, data: Data) -> str:
    if not data["is_open"]:
        return _("Registration is closed.")
    if data["places"] is None:
        return _("Registration planned, with a place for everybody.")
    text = ngettext(
        "Registration planned, with {n} place.", "Registration planned, with {n} places.", data["places"]
    )
    return text.format(n=data["places"])


@says("registration_questions_set")
def _questions_set(told: LogWords, data: Data) -> str:
    text = ngettext(
        "{n} question asked at registration.", "{n} questions asked at registration.", data["questions"]
    )
    return text.format(n=data["questions"])


@also
def _moved_up(told: LogWords, data: Data) -> str:
    """Who got a place that became free."""
    numbers = data.get("moved_up", ())
    return (
        _("Moved up from the waiting list: {names}.").format(names=_names(told, numbers)) if numbers else ""
    )
