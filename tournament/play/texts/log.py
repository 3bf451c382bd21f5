"""Log actions of sessions, hands, totals from paper, calls, absences and the clock."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from scoring.texts import joined
from tournament.base.engine.notices import Kind, Notice, Push, Topic
from tournament.base.log_actions import Data, LogAction, staff_action
from tournament.play.models import Call
from tournament.web.texts.log import LogWords, log_placeholder, log_supplement, override_text, sentences
from tournament.web.texts.words import minus


def _session_started(words: LogWords, data: Data) -> str:
    started = words.fill(_("Session {session} started."), data)
    if not data.get("empty"):
        return started
    names = joined(map(words.player, data["empty"]))
    return sentences(started, _("Seats left empty: {names}.").format(names=names))


def _session_closed(words: LogWords, data: Data) -> str:
    closed = words.fill(_("Session {session} closed."), data)
    if not data.get("unplayed"):
        return closed
    return sentences(closed, _("Nobody played at table {tables}.").format(tables=joined(data["unplayed"])))


def _session_reopened(words: LogWords, data: Data) -> str:
    reason = _("Reason: {reason}").format(reason=data["reason"]) if data.get("reason") else ""
    return sentences(words.fill(_("Session {session} reopened."), data), reason)


def _standings_published(words: LogWords, data: Data) -> str:
    if data["is_final"]:
        return str(_("Final standings published."))
    return _("Standings after session {session} published.").format(session=data["after_session"])


@log_placeholder("outcome")
def _outcome(words: LogWords, data: Data) -> str:
    if data["outcome"] == "pending":
        return str(_("to be ruled on"))
    if data["outcome"] != "win":
        return str(_("wash-out"))
    points = ngettext("{n} point", "{n} points", data["points"]).format(n=data["points"])
    if because := data.get("overridden_because"):
        points += f" ({override_text(data.get('points_by_tiles'), because)})"
    drawn = data.get("discarder") is None
    text = _("{winner} self-drawn, {points}") if drawn else _("{winner} from {discarder}, {points}")
    return words.fill(text, data, points=points)


@log_supplement
def _in_time(words: LogWords, data: Data) -> str:
    return str(_("Saved after time, but confirmed to count.")) if data.get("in_time") else ""


def _table_in(words: LogWords, data: Data) -> str:
    text = ngettext("Handed in: {at}, {n} hand.", "Handed in: {at}, {n} hands.", data["hands"])
    return words.fill(text, data, n=data["hands"])


SETTLED_TEXTS = {
    "first": _("Two readings resolved, {at}: the first is right, {totals}."),
    "second": _("Two readings resolved, {at}: the second is right, {totals}."),
    "typed": _("Two readings resolved, {at}: neither is right, now {totals}."),
}


@log_placeholder("totals")
def _totals(words: LogWords, data: Data) -> str:
    return joined(
        f"{words.player(int(number))} {minus(points)}"
        for number, points in sorted(data["points"].items(), key=lambda item: int(item[0]))
    )


def _settled(words: LogWords, data: Data) -> str:
    return sentences(words.fill(SETTLED_TEXTS[data["choice"]], data), data["reason"])


def _set_aside(words: LogWords, data: Data) -> str:
    if not data["hands"]:
        return words.fill(_("Totals undone, {at}. Reason: {reason}"), data)
    text = ngettext(
        "Totals set aside, {at}: {n} hand counts.", "Totals set aside, {at}: {n} hands count.", data["hands"]
    )
    return sentences(words.fill(text, data, n=data["hands"]), data["reason"])


def _read_again(words: LogWords, data: Data) -> str:
    if not data["differences"]:
        return words.fill(_("Second reading, {at}: identical."), data)
    text = ngettext(
        "Second reading, {at}: {n} figure differs.",
        "Second reading, {at}: {n} figures differ.",
        data["differences"],
    )
    return words.fill(text, data, n=data["differences"])


def _on_paper(words: LogWords, data: Data) -> str:
    if "session" not in data:
        text = _("Score sheets on paper.") if data["on_paper"] else _("Score sheets hand by hand.")
        return str(text)
    if data["on_paper"] is None:
        text = _("Like the rest of the event: {place}.")
    else:
        text = _("On paper: {place}.") if data["on_paper"] else _("Hand by hand: {place}.")
    place = words.fill("{at}", data) if "table" in data else words.fill(_("session {session}"), data)
    return words.fill(text, data, place=place)


@log_placeholder("topic")
def _topic(words: LogWords, data: Data) -> str:
    return str(Call.Topic(data["topic"]).label)


def _extra_time_set(words: LogWords, data: Data) -> str:
    text = ngettext(
        "{n} minute longer: {at}. {reason}", "{n} minutes longer: {at}. {reason}", data["minutes"]
    )
    return words.fill(text, data, n=data["minutes"])


def _stand_in_named(words: LogWords, data: Data) -> str:
    return words.fill(_("{name} plays for {player}, {at}."), data, name=data["stand_in"])


def _player_arrived(words: LogWords, data: Data) -> str:
    text = ngettext(
        "{player} came {n} minute late: {at}.", "{player} came {n} minutes late: {at}.", data["minutes"]
    )
    return words.fill(text, data, n=data["minutes"])


def _clock_went_on(words: LogWords, data: Data) -> str:
    minutes, seconds = divmod(data["seconds"], 60)
    text = _("Clock of session {session} resumed after {stood}: {reason}")
    return words.fill(text, data, stood=f"{minutes}:{seconds:02}")


def _clock_extended(words: LogWords, data: Data) -> str:
    text = ngettext(
        "{n} minute longer for the whole hall, session {session}: {reason}",
        "{n} minutes longer for the whole hall, session {session}: {reason}",
        data["minutes"],
    )
    return words.fill(text, data, n=data["minutes"])


SESSION_STARTED = LogAction(
    "session_started",
    _session_started,
    topics=(Topic.EVENT, Topic.CALLS),
    has_public_code=True,
    is_of_play=False,
    push=Push.GONG,
    webhooks=(Notice(Kind.SESSION_STARTED),),
    news=_("Session {session} started"),
)
SESSION_CLOSED = LogAction(
    "session_closed",
    _session_closed,
    topics=(Topic.EVENT, Topic.CALLS),
    has_public_code=True,
    is_of_play=False,
    push=Push.SEAT,
    webhooks=(Notice(Kind.SESSION_ENDED),),
    news=_("Session {session} closed"),
)
SESSION_REOPENED = LogAction(
    "session_reopened",
    _session_reopened,
    topics=(Topic.EVENT, Topic.CALLS),
    has_public_code=True,
    is_of_play=False,
    webhooks=(Notice(Kind.SESSION_ENDED, undone=True),),
    news=_("Session {session} reopened"),
)
STANDINGS_PUBLISHED = LogAction(
    "standings_published",
    _standings_published,
    has_public_code=True,
    is_of_play=False,
    push=Push.SEAT,
    webhooks=(Notice(Kind.RESULTS_PUBLISHED),),
    news=_("Standings published"),
)
HAND_RECORDED = LogAction(
    "hand_recorded",
    _("Hand {hand} recorded, {at}: {outcome}."),
    has_public_code=True,
    news=_("Table {table}, hand {hand}"),
    at_table=_("Hand {number} was recorded."),
    changes_seats=False,
)
HAND_CORRECTED = LogAction(
    "hand_corrected",
    _("Hand {hand} corrected, {at}, now: {outcome}. Reason: {reason}"),
    has_public_code=True,
    webhooks=(Notice(Kind.STANDINGS_CHANGED),),
    news=_("Table {table}, hand {hand} corrected"),
    at_table=_("Hand {number} was corrected."),
    changes_seats=False,
)
HAND_DETAILS_ADDED = LogAction(
    "hand_deepened",
    _("Details added to hand {hand}, {at}: {outcome}."),
    has_public_code=True,
    news=_("Table {table}, hand {hand}"),
    at_table=_("More details were added to hand {number}."),
    changes_seats=False,
)
HAND_UNDONE = LogAction(
    "hand_undone",
    _("Hand {hand} undone, {at}; it was: {outcome}."),
    has_public_code=True,
    news=_("Table {table}, hand {hand} undone"),
    at_table=_("Hand {number} was undone."),
    changes_seats=False,
)
PHOTO_ADDED = staff_action("hand_photo_added", _("Photograph of hand {hand} added, {at}."))
PHOTO_DELETED = staff_action("hand_photo_deleted", _("Photograph of hand {hand} deleted, {at}."))
TABLE_REOPENED = LogAction(
    "table_reopened",
    _("Reopened: {at}."),
    has_public_code=True,
    webhooks=(Notice(Kind.TABLE_FINISHED, undone=True),),
    news=_("Table {table} continues"),
    at_table=_("The table was reopened."),
)
TABLE_HANDED_IN = LogAction(
    "table_in",
    _table_in,
    has_public_code=True,
    webhooks=(Notice(Kind.TABLE_FINISHED), Notice(Kind.STANDINGS_CHANGED)),
    news=_("Table {table} has been handed in"),
    at_table=_("The table was handed in."),
    changes_seats=False,
)
TABLE_TOTALS_ENTERED = LogAction(
    "table_totals_entered",
    _("Totals entered from paper, {at}: {totals}."),
    has_public_code=True,
    news=_("Table {table}, totals"),
    at_table=_("The totals were entered from paper."),
)
TABLE_TOTALS_CORRECTED = LogAction(
    "table_totals_corrected",
    _("Totals corrected, {at}, now: {totals}. Reason: {reason}"),
    has_public_code=True,
    webhooks=(Notice(Kind.STANDINGS_CHANGED),),
    news=_("Table {table}, totals corrected"),
    at_table=_("The totals were corrected."),
)
TABLE_TOTALS_SETTLED = LogAction(
    "table_totals_settled",
    _settled,
    has_public_code=True,
    webhooks=(Notice(Kind.STANDINGS_CHANGED),),
    news=_("Table {table}, totals checked"),
    at_table=_("The totals were corrected."),
)
TABLE_TOTALS_SET_ASIDE = LogAction(
    "table_totals_set_aside",
    _set_aside,
    has_public_code=True,
    news=_("Table {table}, totals undone"),
    at_table=_("The totals were set aside."),
)
SECOND_READING_RECORDED = LogAction("totals_read_again", _read_again)
PAPER_TABLES_SET = LogAction("kept_on_paper", _on_paper)
SHEET_SIGNED = LogAction("sheet_signed", _("Signed: {player}, {at}, with {score}."), changes_seats=False)
SIGNATURE_CANCELLED = LogAction("signature_taken_back", _("Signature revoked: {player}, {at}."))
CALL_RAISED = LogAction(
    "call_raised",
    _("Umpire called: {at}, {topic}."),
    topics=(Topic.EVENT, Topic.CALLS),
    webhooks=(Notice(Kind.UMPIRE_CALLED),),
    changes_seats=False,
)
CALL_ACCEPTED = LogAction(
    "call_taken",
    _("Umpire on the way: {at}, {topic}."),
    topics=(Topic.EVENT, Topic.CALLS),
    changes_seats=False,
)
CALL_ENDED = LogAction(
    "call_done",
    _("Call done: {at}, {topic}."),
    topics=(Topic.EVENT, Topic.CALLS),
    changes_seats=False,
)
EXTRA_TIME_SET = LogAction("extra_time_set", _extra_time_set, is_of_play=False)
STAND_IN_NAMED = LogAction("stand_in_named", _stand_in_named, is_of_play=False)
ABSENCE_RECORDED = LogAction("player_absent", _("{player} is missing: {at}."), is_of_play=False)
EARLY_START_ALLOWED = LogAction(
    "begun_without", _("The others start without {player}: {at}. Reason: {reason}"), is_of_play=False
)
ABSENCE_CANCELLED = LogAction(
    "absence_taken_back", _("{player} is present after all: {at}."), is_of_play=False
)
STAND_IN_SEATED = LogAction("stand_in_seated", _("{stand_in} plays for {player}: {at}."), is_of_play=False)
STAND_IN_ENDED = LogAction(
    "player_seated_again", _("{player} plays again, no longer {stand_in}: {at}."), is_of_play=False
)
PLAYER_ARRIVED = LogAction("player_arrived", _player_arrived, is_of_play=False)
CLOCK_PAUSED = LogAction(
    "clock_paused", _("Clock of session {session} paused: {reason}"), topics=(Topic.EVENT, Topic.CLOCK)
)
CLOCK_RESUMED = LogAction("clock_went_on", _clock_went_on, topics=(Topic.EVENT, Topic.CLOCK))
CLOCK_EXTENDED = LogAction("clock_extended", _clock_extended, topics=(Topic.EVENT, Topic.CLOCK))
