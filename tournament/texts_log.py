"""The log in sentences: what each entry says happened, in the language of the moment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.texts import joined
from tournament.models import Ceremony, LogEntry
from tournament.texts_log_people import PeopleTexts
from tournament.texts_parts import override_text, sentences, sessions_text, where_text

Data = Mapping[str, Any]


class LogTexts(PeopleTexts):
    """The sentences of one tournament's log; knows its players by number and its fouls by key."""

    def sentence(self, entry: LogEntry) -> str:
        """What happened; an action that has no sentence is called by its key."""
        say = SENTENCES.get(entry.action)
        if say is None:
            return entry.action
        also = (self._void, self._carried, self._gone_past, self._calls_ended)
        return " ".join(filter(None, (say(self, entry.data), *(one(entry.data) for one in also))))

    def _outcome(self, data: Data) -> str:
        if data["outcome"] != "win":
            return _("wash-out")
        points = ngettext("{n} point", "{n} points", data["points"]).format(n=data["points"])
        if because := data.get("overridden_because"):
            points += f" ({override_text(data.get('points_by_tiles'), because)})"
        winner = self._player(data["winner"])
        if data.get("discarder") is None:
            return _("{winner} self-drawn, {points}").format(winner=winner, points=points)
        return _("{winner} from {discarder}, {points}").format(
            winner=winner, discarder=self._player(data["discarder"]), points=points
        )

    def hand_recorded(self, data: Data) -> str:
        text = _("Hand {hand} recorded, {at}: {outcome}.")
        return text.format(hand=data["hand"], at=self._at(data), outcome=self._outcome(data))

    def hand_corrected(self, data: Data) -> str:
        text = _("Hand {hand} corrected, {at}, now: {outcome}. Reason: {reason}")
        return text.format(
            hand=data["hand"], at=self._at(data), outcome=self._outcome(data), reason=data.get("reason", "")
        )

    def hand_deepened(self, data: Data) -> str:
        text = _("Hand {hand} written down further, {at}: {outcome}.")
        return text.format(hand=data["hand"], at=self._at(data), outcome=self._outcome(data))

    def hand_undone(self, data: Data) -> str:
        text = _("Hand {hand} taken back, {at}; it was: {outcome}.")
        return text.format(hand=data["hand"], at=self._at(data), outcome=self._outcome(data))

    def table_in(self, data: Data) -> str:
        text = ngettext("Handed in: {at}, {n} hand.", "Handed in: {at}, {n} hands.", data["hands"])
        return text.format(at=self._at(data), n=data["hands"])

    def table_reopened(self, data: Data) -> str:
        return _("Opened again: {at}.").format(at=self._at(data))

    def session_started(self, data: Data) -> str:
        return _("Session {session} started.").format(session=data["session"])

    def session_closed(self, data: Data) -> str:
        text = _("Session {session} closed.").format(session=data["session"])
        if not data.get("unplayed"):
            return text
        unplayed = _("Nobody played at table {tables}.").format(tables=joined(data["unplayed"]))
        return sentences(text, unplayed)

    def session_reopened(self, data: Data) -> str:
        text = _("Session {session} opened again.").format(session=data["session"])
        reason = _("Reason: {reason}").format(reason=data["reason"]) if data.get("reason") else ""
        return sentences(text, reason)

    def seats_restored(self, data: Data) -> str:
        return _("Taken back: {what}").format(what=SENTENCES[data["action"]](self, data))

    def tournament_created(self, data: Data) -> str:
        return _("Tournament made: {name}.").format(name=data["name"])

    def tournament_changed(self, data: Data) -> str:
        return _("Settings changed: {name}, {starts_on} to {ends_on}, {minutes} minutes a session.").format(
            **data
        )

    def timetable_set(self, data: Data) -> str:
        lines = data["lines"]
        if not lines:
            return _("Timetable removed.")
        text = ngettext(
            "Timetable set: {n} line, from {first}.", "Timetable set: {n} lines, from {first}.", len(lines)
        )
        return text.format(n=len(lines), first=min(f"{line['day']} {line['starts']}" for line in lines))

    def umpire_named(self, data: Data) -> str:
        where = where_text(data["sessions"], data["tables"], every_session=data.get("every_session", False))
        return _("{user} is an umpire: {where}.").format(user=data["user"], where=where)

    def umpire_removed(self, data: Data) -> str:
        return _("{user} is no longer an umpire.").format(user=data["user"])

    def passes_made(self, data: Data) -> str:
        return _("Passes made: {passes}.").format(passes=_labels(data))

    def pass_renewed(self, data: Data) -> str:
        return _("Pass made anew, the old one ended: {label}.").format(label=data["label"])

    def passes_revoked(self, data: Data) -> str:
        return _("Passes taken back: {passes}.").format(passes=_labels(data))

    def results_hidden(self, data: Data) -> str:
        return _("Results hidden from the public: {where}.").format(where=sessions_text(data["sessions"]))

    def results_opened(self, data: Data) -> str:
        return _("Results opened to everybody: {where}.").format(where=sessions_text(data["sessions"]))

    def ceremony_started(self, data: Data) -> str:
        kind = Ceremony.Kind(data["kind"]).label
        if data["first"] is None:
            return _("Ceremony begun: {kind}, all places.").format(kind=kind)
        text = ngettext(
            "Ceremony begun: {kind}, {n} place.", "Ceremony begun: {kind}, {n} places.", data["first"]
        )
        return text.format(kind=kind, n=data["first"])

    def ceremony_step_told(self, data: Data) -> str:
        return _("Told in the ceremony: place {rank}, {names}.").format(
            rank=data["rank"], names=joined(data["names"])
        )

    def ceremony_step_taken_back(self, data: Data) -> str:
        return _("Taken back in the ceremony: place {rank}.").format(rank=data["rank"])

    def ceremony_ended(self, data: Data) -> str:
        return _("Ceremony ended: {kind}.").format(kind=Ceremony.Kind(data["kind"]).label)

    def standings_published(self, data: Data) -> str:
        if data["is_final"]:
            return _("Final standings published.")
        return _("Standings after session {session} published.").format(session=data["after_session"])


def _labels(data: Data) -> str:
    return joined(one["label"] for one in data["passes"])


SENTENCES: dict[str, Callable[[LogTexts, Data], str]] = {
    "hand_recorded": LogTexts.hand_recorded,
    "hand_corrected": LogTexts.hand_corrected,
    "hand_deepened": LogTexts.hand_deepened,
    "hand_undone": LogTexts.hand_undone,
    "penalty_given": LogTexts.penalty_given,
    "penalty_cancelled": LogTexts.penalty_cancelled,
    "attendance_changed": LogTexts.attendance_changed,
    "foul_changed": LogTexts.foul_changed,
    "foul_added": LogTexts.foul_added,
    "foul_restored": LogTexts.foul_restored,
    "penalties_shown": LogTexts.penalties_shown,
    "player_absent": LogTexts.player_absent,
    "player_arrived": LogTexts.player_arrived,
    "begun_without": LogTexts.begun_without,
    "absence_taken_back": LogTexts.absence_taken_back,
    "stand_in_seated": LogTexts.stand_in_seated,
    "player_seated_again": LogTexts.player_seated_again,
    "sheet_signed": LogTexts.sheet_signed,
    "signature_taken_back": LogTexts.signature_taken_back,
    "call_raised": LogTexts.call_raised,
    "call_taken": LogTexts.call_taken,
    "call_done": LogTexts.call_done,
    "extra_time_set": LogTexts.extra_time_set,
    "appeal_opened": LogTexts.appeal_opened,
    "appeal_ruled": LogTexts.appeal_ruled,
    "ruling_waived": LogTexts.ruling_waived,
    "table_in": LogTexts.table_in,
    "table_reopened": LogTexts.table_reopened,
    "session_started": LogTexts.session_started,
    "session_unstarted": LogTexts.session_unstarted,
    "session_closed": LogTexts.session_closed,
    "session_reopened": LogTexts.session_reopened,
    "seats_drawn": LogTexts.seats_drawn,
    "seats_swapped": LogTexts.seats_swapped,
    "seats_replanned": LogTexts.seats_replanned,
    "session_seated": LogTexts.session_seated,
    "finals_set": LogTexts.finals_set,
    "seats_planned": LogTexts.seats_planned,
    "stream_seated": LogTexts.stream_seated,
    "seats_restored": LogTexts.seats_restored,
    "seats_corrected": LogTexts.seats_corrected,
    "correction_undone": LogTexts.correction_undone,
    "players_added": LogTexts.players_added,
    "list_entered": LogTexts.list_entered,
    "player_changed": LogTexts.player_changed,
    "player_withdrawn": LogTexts.player_withdrawn,
    "player_deleted": LogTexts.player_deleted,
    "stand_in_named": LogTexts.stand_in_named,
    "player_readmitted": LogTexts.player_readmitted,
    "tournament_created": LogTexts.tournament_created,
    "tournament_changed": LogTexts.tournament_changed,
    "timetable_set": LogTexts.timetable_set,
    "umpire_named": LogTexts.umpire_named,
    "umpire_removed": LogTexts.umpire_removed,
    "passes_made": LogTexts.passes_made,
    "pass_renewed": LogTexts.pass_renewed,
    "passes_revoked": LogTexts.passes_revoked,
    "ceremony_started": LogTexts.ceremony_started,
    "ceremony_step_told": LogTexts.ceremony_step_told,
    "ceremony_step_taken_back": LogTexts.ceremony_step_taken_back,
    "ceremony_ended": LogTexts.ceremony_ended,
    "results_hidden": LogTexts.results_hidden,
    "results_opened": LogTexts.results_opened,
    "standings_published": LogTexts.standings_published,
    "screen_added": LogTexts.screen_added,
    "screen_removed": LogTexts.screen_removed,
    "screen_arranged": LogTexts.screen_arranged,
    "screen_steered": LogTexts.screen_steered,
    "announcement_made": LogTexts.announcement_made,
    "announcement_withdrawn": LogTexts.announcement_withdrawn,
}
"""Action → how to say it."""
