"""What the hall is told and shown, in words: screens, announcements, ceremonies, the clock."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from scoring.texts import joined
from tournament.screens.engine import Kind
from tournament.screens.models import Ceremony
from tournament.web.texts.log import Data, LogWords, rows, says, word

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
"""What a screen in the hall shows, as the pages and the log call it."""

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
def _ceremony_kind(words: LogWords, data: Data) -> str:
    """What is honoured in a ceremony."""
    return str(Ceremony.Kind(data["kind"]).label)


@says("announcement_made")
def _announcement_made(words: LogWords, data: Data) -> str:
    if not data["tables"]:
        return words.fill(_("Announced to everybody: “{text}”"), data)
    text = _("Announced, {tables} of session {session}: “{text}”")
    return words.fill(text, data, session=data["of_session"])


@says("clock_went_on")
def _clock_went_on(words: LogWords, data: Data) -> str:
    minutes, seconds = divmod(data["seconds"], 60)
    text = _("Clock of session {session} goes on after {stood}: {reason}")
    return words.fill(text, data, stood=f"{minutes}:{seconds:02}")


@says("clock_extended")
def _clock_extended(words: LogWords, data: Data) -> str:
    text = ngettext(
        "{n} minute longer for the whole hall, session {session}: {reason}",
        "{n} minutes longer for the whole hall, session {session}: {reason}",
        data["minutes"],
    )
    return words.fill(text, data, n=data["minutes"])


@says("screen_arranged")
def _screen_arranged(words: LogWords, data: Data) -> str:
    if not data["turns"]:
        return words.fill(_("Screen {screen} chooses by itself."), data)
    kinds = joined(KINDS[Kind(turn["kind"])] for turn in data["turns"])
    return words.fill(_("Screen {screen} arranged: {kinds}."), data, kinds=kinds)


@says("screen_steered")
def _screen_steered(words: LogWords, data: Data) -> str:
    kind = KINDS[Kind(data["kind"])] if data["kind"] else ""
    return words.fill(STEERED[data["way"]], data, kind=kind)


@says("ceremony_started")
def _ceremony_started(words: LogWords, data: Data) -> str:
    if data["first"] is None:
        return words.fill(_("Ceremony begun: {kind}, all places."), data)
    text = ngettext(
        "Ceremony begun: {kind}, {n} place.", "Ceremony begun: {kind}, {n} places.", data["first"]
    )
    return words.fill(text, data, n=data["first"])
