"""Log actions of seating and their sentences: draws, swaps, plans, finals and corrections."""

from collections.abc import Sequence, Set

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.texts import joined
from tournament.base.access import Right
from tournament.base.engine.finals import Carry, Cut
from tournament.base.engine.notices import Audience, Kind, Notice, Push, Topic
from tournament.base.log_actions import Data, LogAction
from tournament.ranking.texts import final_text
from tournament.web.sections import register_section
from tournament.web.texts.log import LogWords, log_placeholder, seed_text, sentences, sessions_text

HOW_SEATED = {
    "standing": gettext_lazy("by standing (Swiss)"),
    "interval": gettext_lazy("at intervals of the standings"),
    "lot": gettext_lazy("by lot"),
    "hand": gettext_lazy("by hand"),
    "file": gettext_lazy("from a file"),
    "finals": gettext_lazy("for a final, not in the figures above"),
}
"""Method of a single session → words that follow "seats"."""


@log_placeholder("how")
def _how_seated(words: LogWords, data: Data) -> str:
    return str(HOW_SEATED[data["how"]])


def _seats_drawn(words: LogWords, data: Data) -> str:
    text = ngettext(
        "Seats of {n} session drawn. Players: {players}.",
        "Seats of {n} sessions drawn. Players: {players}.",
        data["sessions"],
    )
    return sentences(words.fill(text, data, n=data["sessions"]), seed_text(data.get("seed")))


def _session_seated(words: LogWords, data: Data) -> str:
    return sentences(words.fill(gettext_lazy("Seats {how}: {where}."), data), seed_text(data.get("seed")))


def _finals_set(words: LogWords, data: Data) -> str:
    players = sum(map(len, data["groups"]))
    cut = Cut(data["after"], tuple(map(tuple, data["groups"])), Carry(data["carry"]))
    size = ngettext("{n} finalist.", "{n} finalists.", players).format(n=players)
    return sentences(final_text(cut), size, seed_text(data["seed"]))


def _stream_seated(words: LogWords, data: Data) -> str:
    names = joined(map(words.player, data["players"]))
    text = gettext_lazy("At the filmed table {table}: {names}, {where}.")
    return words.fill(text, data, names=names, where=sessions_text(data["at"]))


def _seats_restored(words: LogWords, data: Data) -> str:
    return str(gettext_lazy("Undone: {what}")).format(what=words.text(data["action"], data))


def _still_hidden(hidden: Set[int], data: Data) -> Set[int]:
    """Return the hidden sessions without those that were added for a final."""
    return {number for number in hidden if number <= data["planned"]} if "planned" in data else hidden


SEATS_SWAPPED = LogAction(
    "seats_swapped", gettext_lazy("{one} and {other} changed seats: {where}."), push=Push.SEAT
)
SEATS_REPLANNED = LogAction(
    "seats_replanned",
    gettext_lazy("Remaining seats reassigned: {where}. Players: {players}."),
    push=Push.SEAT,
)
SEATS_IMPORTED = LogAction("seats_planned", gettext_lazy("Seats read from a file: {where}."), push=Push.SEAT)
SEATS_CORRECTED = LogAction(
    "seats_corrected",
    gettext_lazy("{one} and {other} sat in each other’s places, {where}: names swapped."),
    is_of_play=False,
)
SEAT_CORRECTION_UNDONE = LogAction(
    "correction_undone",
    gettext_lazy("Swap of {one} and {other} undone, {where}."),
    is_of_play=False,
)
SEATS_DRAWN = LogAction(
    "seats_drawn",
    _seats_drawn,
    hidden_after=lambda _hidden, data: set(data.get("hidden", ())),
    push=Push.SEAT,
    webhooks=(Notice(Kind.SEATS_DRAWN),),
)
SESSION_SEATS_SET = LogAction(
    "session_seated", _session_seated, topics=(Topic.EVENT, Topic.CALLS), has_public_code=True, push=Push.SEAT
)
FINALS_SET = LogAction("finals_set", _finals_set, push=Push.SEAT)
FINALISTS_CONFIRMED = LogAction(
    "finalists_kept",
    gettext_lazy("Finalists after session {after} kept, although others would qualify now."),
    audience=Audience.STAFF,
)
STREAM_SEATS_SET = LogAction("stream_seated", _stream_seated, push=Push.SEAT)
SESSION_START_UNDONE = LogAction(
    "session_unstarted",
    gettext_lazy("Start of session {session} undone."),
    topics=(Topic.EVENT, Topic.CALLS),
    has_public_code=True,
    push=Push.GONG_CANCELLED,
    webhooks=(Notice(Kind.SESSION_STARTED, undone=True),),
)
SEATS_RESTORED = LogAction("seats_restored", _seats_restored, hidden_after=_still_hidden, push=Push.SEAT)


def finalist_change_text(joining: Sequence[str], leaving: Sequence[str]) -> str:
    """Say who would be in the final instead of whom, by name; without names only the groups differ."""
    if joining:
        text = _("{joining} would be in the final instead of {leaving}.")
    elif leaving:
        text = _("{leaving} would no longer be in the final.")
    else:
        text = _("The groups of the final would be different.")
    return text.format(joining=joined(joining), leaving=joined(leaving))


register_section(
    "draw", "before", 50, gettext_lazy("Seats"), "organiser_draw", Right.ORGANISE, help="organisers/seats/"
)
