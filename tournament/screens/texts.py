"""What the hall is told and shown, in words."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from scoring.texts import joined
from tournament.screens.engine import Kind
from tournament.screens.models import Ceremony
from tournament.web.texts.log import Data, LogWords, rows, says, word

# --- What a screen in the hall shows, as the pages and the log call it ---


KINDS: Mapping[Kind, Promise] = {
    Kind.NAMES: _("Seats by name"),
    Kind.TABLES: _("Seats by table"),
    Kind.CLOCK: _("Clock"),
    Kind.PROGRESS: _("Tables in"),
    Kind.RANKING: _("Ranking"),
    Kind.TEAMS: _("Teams"),
    Kind.NATIONS: _("Nations"),
    Kind.BEST: _("Best hand of the day"),
    Kind.PUZZLE: _("A puzzle and its answer"),
    Kind.ANNOUNCEMENTS: _("Announcements"),
    Kind.WELCOME: _("Welcome and QR code"),
    Kind.MISSING: _("Who is missing"),
    Kind.CEREMONY: _("Ceremony"),
}


# --- What the whole hall is told and shown: announcements, screens, the ceremony, the clock ---


ELSEWHERE = (
    "announcement",
    "screen",
    "ceremony_step",
    "check",
    "dues_",
    "mail_",
    "registration_",
    "webhook_",
)
"""Actions that begin so leave every page alone but those with a place for them (`data-refresh-on`): the hall is told
and shown things all day long, and four hundred people come in within the hour. `static/js/refresh.js` has the same
list, so a name is chosen with it in mind."""

rows(
    {
        "announcement_withdrawn": _("Announcement withdrawn: “{text}”"),
        "screen_added": _("Screen {screen} added."),
        "screen_removed": _("Screen {screen} removed."),
        "screen_puzzle_added": _("A puzzle added to the event’s quiz."),
        "screen_puzzle_removed": _("A puzzle removed from the event’s quiz."),
        "ceremony_step_told": _("Told in the ceremony: place {rank}."),
        "ceremony_step_taken_back": _("Taken back in the ceremony: place {rank}."),
        "ceremony_ended": _("Ceremony ended: {kind}."),
        "clock_paused": _("Clock of session {session} paused: {reason}"),
    }
)
STEERED = {
    "next": _("Screen {screen}: one page on."),
    "previous": _("Screen {screen}: one page back."),
    "hold": _("Screen {screen} held: {kind}, page {page}."),
    "only": _("Screen {screen} shows this alone: {kind}."),
    "rotation": _("Screen {screen}: the whole rotation again."),
}


@word("kind")
def _kind(told: LogWords, data: Data) -> str:
    """What is honoured in a ceremony."""
    return str(Ceremony.Kind(data["kind"]).label)


@says("announcement_made")
def _announcement_made(told: LogWords, data: Data) -> str:
    if not data["tables"]:
        return told.fill(_("Announced to everybody: “{text}”"), data)
    text = _("Announced, {tables} of session {session}: “{text}”")
    return told.fill(text, data, session=data["of_session"])


@says("clock_went_on")
def _clock_went_on(told: LogWords, data: Data) -> str:
    minutes, seconds = divmod(data["seconds"], 60)
    text = _("Clock of session {session} goes on after {stood}: {reason}")
    return told.fill(text, data, stood=f"{minutes}:{seconds:02}")


@says("clock_extended")
def _clock_extended(told: LogWords, data: Data) -> str:
    text = ngettext(
        "{n} minute longer for the whole hall, session {session}: {reason}",
        "{n} minutes longer for the whole hall, session {session}: {reason}",
        data["minutes"],
    )
    return told.fill(text, data, n=data["minutes"])


@says("screen_arranged")
def _screen_arranged(told: LogWords, data: Data) -> str:
    if not data["turns"]:
        return told.fill(_("Screen {screen} chooses by itself."), data)
    kinds = joined(KINDS[Kind(one["kind"])] for one in data["turns"])
    return told.fill(_("Screen {screen} arranged: {kinds}."), data, kinds=kinds)


@says("screen_steered")
def _screen_steered(told: LogWords, data: Data) -> str:
    kind = KINDS[Kind(data["kind"])] if data["kind"] else ""
    return told.fill(STEERED[data["way"]], data, kind=kind)


@says("ceremony_started")
def _ceremony_started(told: LogWords, data: Data) -> str:
    if data["first"] is None:
        return told.fill(_("Ceremony begun: {kind}, all places."), data)
    text = ngettext(
        "Ceremony begun: {kind}, {n} place.", "Ceremony begun: {kind}, {n} places.", data["first"]
    )
    return told.fill(text, data, n=data["first"])
