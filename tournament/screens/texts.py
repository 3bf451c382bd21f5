"""Names of what screens show, and log actions of screens, ceremonies and puzzles."""

from collections.abc import Mapping
from functools import partial

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from scoring.texts import joined
from tournament.base.access import Right
from tournament.base.engine.notices import Topic
from tournament.base.log_actions import Data, LogAction
from tournament.screens.engine import Kind
from tournament.screens.models import Ceremony
from tournament.web.sections import register_section
from tournament.web.texts.log import LogWords, log_placeholder

KIND_NAMES: Mapping[Kind, Promise] = {
    Kind.NAMES: _("Seats by name"),
    Kind.TABLES: _("Seats by table"),
    Kind.CLOCK: _("Clock"),
    Kind.PROGRESS: _("Tables handed in"),
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
"""Kind → its name on pages and in the log."""

STEERING_SENTENCES = {
    "next": _("Screen {screen}: next page."),
    "previous": _("Screen {screen}: one page back."),
    "hold": _("Screen {screen} paused: {kind}, page {page}."),
    "only": _("Screen {screen} shows only: {kind}."),
    "rotation": _("Screen {screen}: rotation resumed."),
}


@log_placeholder("kind")
def _ceremony_kind(words: LogWords, data: Data) -> str:
    return str(Ceremony.Kind(data["kind"]).label)


def _screen_arranged(words: LogWords, data: Data) -> str:
    if not data["turns"]:
        return words.fill(_("Screen {screen}: automatic rotation."), data)
    kinds = joined(KIND_NAMES[Kind(turn["kind"])] for turn in data["turns"])
    return words.fill(_("Screen {screen} arranged: {kinds}."), data, kinds=kinds)


def _screen_steered(words: LogWords, data: Data) -> str:
    kind = KIND_NAMES[Kind(data["kind"])] if data["kind"] else ""
    return words.fill(STEERING_SENTENCES[data["way"]], data, kind=kind)


def _ceremony_started(words: LogWords, data: Data) -> str:
    if data["first"] is None:
        return words.fill(_("Ceremony begun: {kind}, all places."), data)
    text = ngettext(
        "Ceremony begun: {kind}, {n} place.", "Ceremony begun: {kind}, {n} places.", data["first"]
    )
    return words.fill(text, data, n=data["first"])


_screen_action = partial(LogAction, topics=(Topic.SCREENS,), has_public_code=True)
SCREEN_ADDED = _screen_action("screen_added", _("Screen {screen} added."))
SCREEN_REMOVED = _screen_action("screen_removed", _("Screen {screen} removed."))
SCREEN_PUZZLE_ADDED = _screen_action("screen_puzzle_added", _("A puzzle added to the event’s quiz."))
SCREEN_PUZZLE_REMOVED = _screen_action("screen_puzzle_removed", _("A puzzle removed from the event’s quiz."))
CEREMONY_STEP_ANNOUNCED = LogAction(
    "ceremony_step_told",
    _("Announced in the ceremony: place {rank}."),
    topics=(Topic.CEREMONY,),
    has_public_code=True,
)
CEREMONY_STEP_UNDONE = LogAction(
    "ceremony_step_taken_back",
    _("Ceremony, one step back: place {rank}."),
    topics=(Topic.CEREMONY,),
    has_public_code=True,
)
CEREMONY_ENDED = LogAction(
    "ceremony_ended", _("Ceremony ended: {kind}."), topics=(Topic.EVENT, Topic.CEREMONY), has_public_code=True
)
SCREEN_TURNS_SET = _screen_action("screen_arranged", _screen_arranged)
SCREEN_CONTROLLED = _screen_action("screen_steered", _screen_steered)
CEREMONY_STARTED = LogAction(
    "ceremony_started", _ceremony_started, topics=(Topic.EVENT, Topic.CEREMONY), has_public_code=True
)

register_section(
    "hall",
    "play",
    40,
    _("Hall"),
    "organiser_hall",
    Right.READ,
    Right.SHOW,
    help="organisers/screens-and-ceremony/",
)
register_section(
    "results",
    "after",
    10,
    _("Results"),
    "organiser_results",
    Right.ORGANISE,
    help="organisers/screens-and-ceremony/#hold-the-ceremony",
)
