"""Sessions, the tournament itself, its timetable, and what of it is told."""

from __future__ import annotations

from datetime import datetime

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from scoring.texts import joined
from tournament.web.texts.days import time_text
from tournament.web.texts.log import Data, LogWords, rows, says, word
from tournament.web.texts.places import sentences

rows(
    {
        "session_started": _("Session {session} started."),
        "session_unstarted": _("Session {session} is planned again: its start was taken back."),
        "tournament_created": _("Tournament made: {name}."),
        "tournament_changed": _(
            "Settings changed: {name}, {starts_on} to {ends_on}, {minutes} minutes a session."
        ),
        "passes_made": _("Passes made: {passes}."),
        "pass_renewed": _("Pass made anew, the old one ended: {user}."),
        "passes_revoked": _("Passes taken back: {passes}."),
        "results_hidden": _("Results hidden from the public: {where}."),
        "results_opened": _("Results opened to everybody: {where}."),
    }
)


@says("backup_restored")
def _backup_restored(told: LogWords, data: Data) -> str:
    return told.fill(
        _("Everything put back as it stood on {moment}, from a backup."), data, moment=_moment(data)
    )


def _moment(data: Data) -> str:
    return time_text(datetime.fromisoformat(data["made_at"]))


@word("passes")
def _passes(told: LogWords, data: Data) -> str:
    return joined(told.user(one["user"]) for one in data["passes"])


@says("session_closed")
def _session_closed(told: LogWords, data: Data) -> str:
    closed = told.fill(_("Session {session} closed."), data)
    if not data.get("unplayed"):
        return closed
    return sentences(closed, _("Nobody played at table {tables}.").format(tables=joined(data["unplayed"])))


@says("session_reopened")
def _session_reopened(told: LogWords, data: Data) -> str:
    reason = _("Reason: {reason}").format(reason=data["reason"]) if data.get("reason") else ""
    return sentences(told.fill(_("Session {session} opened again."), data), reason)


@says("timetable_set")
def _timetable_set(told: LogWords, data: Data) -> str:
    lines = data["lines"]
    if not lines:
        return str(_("Timetable removed."))
    text = ngettext(
        "Timetable set: {n} line, from {first}.", "Timetable set: {n} lines, from {first}.", len(lines)
    )
    return text.format(n=len(lines), first=min(f"{line['day']} {line['starts']}" for line in lines))


@says("standings_published")
def _standings_published(told: LogWords, data: Data) -> str:
    if data["is_final"]:
        return str(_("Final standings published."))
    return _("Standings after session {session} published.").format(session=data["after_session"])
