"""Log sentences about sessions, hands, totals from paper, and what happens at a table beside them."""

from __future__ import annotations

from datetime import datetime

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from scoring.texts import joined
from tournament.play.models import Call
from tournament.web.texts.log import Data, LogWords, override_text, rows, says, sentences, word
from tournament.web.texts.words import minus, time_text

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
def _backup_restored(words: LogWords, data: Data) -> str:
    moment = time_text(datetime.fromisoformat(data["made_at"]))
    return words.fill(_("Everything put back as it stood on {moment}, from a backup."), data, moment=moment)


@word("passes")
def _passes(words: LogWords, data: Data) -> str:
    return joined(words.user(issued["user"]) for issued in data["passes"])


@says("session_closed")
def _session_closed(words: LogWords, data: Data) -> str:
    closed = words.fill(_("Session {session} closed."), data)
    if not data.get("unplayed"):
        return closed
    return sentences(closed, _("Nobody played at table {tables}.").format(tables=joined(data["unplayed"])))


@says("session_reopened")
def _session_reopened(words: LogWords, data: Data) -> str:
    reason = _("Reason: {reason}").format(reason=data["reason"]) if data.get("reason") else ""
    return sentences(words.fill(_("Session {session} opened again."), data), reason)


@says("timetable_set")
def _timetable_set(words: LogWords, data: Data) -> str:
    lines = data["lines"]
    if not lines:
        return str(_("Timetable removed."))
    text = ngettext(
        "Timetable set: {n} line, from {first}.", "Timetable set: {n} lines, from {first}.", len(lines)
    )
    return text.format(n=len(lines), first=min(f"{line['day']} {line['starts']}" for line in lines))


@says("standings_published")
def _standings_published(words: LogWords, data: Data) -> str:
    if data["is_final"]:
        return str(_("Final standings published."))
    return _("Standings after session {session} published.").format(session=data["after_session"])


rows(
    {
        "hand_recorded": _("Hand {hand} recorded, {at}: {outcome}."),
        "hand_corrected": _("Hand {hand} corrected, {at}, now: {outcome}. Reason: {reason}"),
        "hand_deepened": _("Hand {hand} written down further, {at}: {outcome}."),
        "hand_undone": _("Hand {hand} taken back, {at}; it was: {outcome}."),
        "table_reopened": _("Opened again: {at}."),
    }
)


@word("outcome")
def _outcome(words: LogWords, data: Data) -> str:
    if data["outcome"] != "win":
        return str(_("wash-out"))
    points = ngettext("{n} point", "{n} points", data["points"]).format(n=data["points"])
    if because := data.get("overridden_because"):
        points += f" ({override_text(data.get('points_by_tiles'), because)})"
    drawn = data.get("discarder") is None
    text = _("{winner} self-drawn, {points}") if drawn else _("{winner} from {discarder}, {points}")
    return words.fill(text, data, points=points)


@says("table_in")
def _table_in(words: LogWords, data: Data) -> str:
    text = ngettext("Handed in: {at}, {n} hand.", "Handed in: {at}, {n} hands.", data["hands"])
    return words.fill(text, data, n=data["hands"])


rows(
    {
        "table_totals_entered": _("Totals typed from paper, {at}: {totals}."),
        "table_totals_corrected": _("Totals corrected, {at}, now: {totals}. Reason: {reason}"),
    }
)
CHOICES = {
    "first": _("Two readings of the sheet settled, {at}: the first is right, {totals}."),
    "second": _("Two readings of the sheet settled, {at}: the second is right, {totals}."),
    "typed": _("Two readings of the sheet settled, {at}: neither is right, now {totals}."),
}


@word("totals")
def _totals(words: LogWords, data: Data) -> str:
    """Say who has how many points."""
    return joined(
        f"{words.player(int(number))} {minus(points)}"
        for number, points in sorted(data["points"].items(), key=lambda item: int(item[0]))
    )


@says("table_totals_settled")
def _settled(words: LogWords, data: Data) -> str:
    return sentences(words.fill(CHOICES[data["choice"]], data), data["reason"])


@says("table_totals_set_aside")
def _set_aside(words: LogWords, data: Data) -> str:
    if not data["hands"]:
        return words.fill(_("Totals taken back, {at}. Reason: {reason}"), data)
    text = ngettext(
        "Totals set aside, {at}: {n} hand counts.", "Totals set aside, {at}: {n} hands count.", data["hands"]
    )
    return sentences(words.fill(text, data, n=data["hands"]), data["reason"])


@says("totals_read_again")
def _read_again(words: LogWords, data: Data) -> str:
    if not data["differences"]:
        return words.fill(_("Sheet read a second time, {at}: the same."), data)
    text = ngettext(
        "Sheet read a second time, {at}: {n} figure differs.",
        "Sheet read a second time, {at}: {n} figures differ.",
        data["differences"],
    )
    return words.fill(text, data, n=data["differences"])


@says("kept_on_paper")
def _on_paper(words: LogWords, data: Data) -> str:
    if "session" not in data:
        wide = _("Sheets are kept on paper.") if data["on_paper"] else _("Sheets are kept hand by hand.")
        return str(wide)
    if data["on_paper"] is None:
        text = _("Kept as the rest: {place}.")
    else:
        text = _("Kept on paper: {place}.") if data["on_paper"] else _("Kept hand by hand: {place}.")
    place = words.fill("{at}", data) if "table" in data else words.fill(_("session {session}"), data)
    return words.fill(text, data, place=place)


rows(
    {
        "sheet_signed": _("Signed: {player}, {at}, with {score}."),
        "signature_taken_back": _("Signature taken back: {player}, {at}."),
        "call_raised": _("Umpire called: {at}, {topic}."),
        "call_taken": _("Call taken: {at}, {topic}."),
        "call_done": _("Call done: {at}, {topic}."),
    }
)


@word("topic")
def _topic(words: LogWords, data: Data) -> str:
    return str(Call.Topic(data["topic"]).label)


@says("extra_time_set")
def _extra_time_set(words: LogWords, data: Data) -> str:
    text = ngettext(
        "{n} minute longer: {at}. {reason}", "{n} minutes longer: {at}. {reason}", data["minutes"]
    )
    return words.fill(text, data, n=data["minutes"])


@says("appeal_opened")
def _appeal_opened(words: LogWords, data: Data) -> str:
    by = words.player(data["appellant"])
    if penalty := data.get("about_penalty"):
        text = _("Appeal: {player}, {at}, against the penalty of {offender} ({foul}): {text}")
        offender = words.player(penalty["player"])
        return words.fill(text, data, player=by, offender=offender, foul=words.foul(penalty["foul"]))
    if data["about_hand"] is None:
        return words.fill(_("Appeal: {player}, {at}: {text}"), data, player=by)
    return words.fill(
        _("Appeal: {player}, {at}, hand {hand}: {text}"), data, player=by, hand=data["about_hand"]
    )


@says("appeal_ruled")
def _appeal_ruled(words: LogWords, data: Data) -> str:
    granted, dismissed = (
        _("Appeal granted: {player}, {at}: {text}"),
        _("Appeal dismissed: {player}, {at}: {text}"),
    )
    ruled = words.fill(
        granted if data["granted"] else dismissed, data, player=words.player(data["appellant"])
    )
    alone = data.get("alone_because")
    return sentences(
        ruled, _("Ruled by who took the decision: {because}").format(because=alone) if alone else ""
    )


@says("ruling_waived")
def _ruling_waived(words: LogWords, data: Data) -> str:
    text = _("Granted appeal closed without a change: {player}, {at}. Reason: {reason}")
    return words.fill(text, data, player=words.player(data["appellant"]))
