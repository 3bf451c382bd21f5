"""The texts of webhook messages, of delivery faults, and of log entries about webhooks."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from penalties.engine import FoulBook
from penalties.texts import foul_name_in
from scoring.texts import joined
from tournament.base.access import Right
from tournament.base.engine.notices import Kind
from tournament.base.log_actions import Data, staff_action
from tournament.base.models.play import Wind
from tournament.base.models.registration import Registration
from tournament.messages.webhooks.models import Webhook
from tournament.play.models import Call
from tournament.web.sections import register_section
from tournament.web.texts.log import LogWords, sessions_text, tables_text
from tournament.web.texts.words import signed

# The log has neither URLs nor names of webhooks.
_PAUSED: Final = {
    Webhook.Pause.BY_HAND: _("Webhook {webhook} paused."),
    Webhook.Pause.FAILING: _("Webhook {webhook} paused: nothing could be delivered for a day."),
    Webhook.Pause.GONE: _("Webhook {webhook} paused: its address no longer exists."),
}


def _paused(words: LogWords, data: Data) -> str:
    return words.fill(_PAUSED[Webhook.Pause(data["state"])], data)


WEBHOOK_ADDED = staff_action("webhook_added", _("Webhook {webhook} added."))
WEBHOOK_CHANGED = staff_action("webhook_changed", _("Webhook {webhook} changed."))
WEBHOOK_REMOVED = staff_action("webhook_removed", _("Webhook {webhook} removed."))
WEBHOOK_SECRET_RENEWED = staff_action("webhook_secret_renewed", _("Webhook {webhook} has a new secret."))
WEBHOOK_RESUMED = staff_action("webhook_resumed", _("Webhook {webhook} resumed."))
WEBHOOK_TESTED = staff_action("webhook_tested", _("Webhook {webhook} tested."))
DELIVERY_RETRIED = staff_action("webhook_sent_again", _("A message to webhook {webhook} sent again."))
WEBHOOK_PAUSED = staff_action("webhook_paused", _paused)


Facts = dict[str, Any]

KINDS: Final[Mapping[Kind, str | Promise]] = {
    Kind.UMPIRE_CALLED: _("A table calls an umpire"),
    Kind.SEATS_DRAWN: _("The seats are drawn"),
    Kind.SESSION_STARTED: _("A session starts"),
    Kind.SESSION_ENDED: _("A session ends"),
    Kind.TABLE_FINISHED: _("A table has finished, with its points"),
    Kind.STANDINGS_CHANGED: _("The ranking has changed"),
    Kind.RESULTS_PUBLISHED: _("Results are published"),
    Kind.ANNOUNCEMENT: _("An announcement"),
    Kind.PENALTY: _("A foul is penalised"),
    Kind.APPEAL: _("An appeal"),
    Kind.REGISTRATION: _("A registration is received or cancelled"),
    Kind.TEST: _("Test"),
}
FAULTS: Final[Mapping[str, str | Promise]] = {
    "hangs": _("The recipient accepted the connection but did not answer in time."),
    "nobody": _("No server answers at this address."),
    "unknown_name": _("Unknown host name."),
    "private": _("The name leads into a private network. Nothing was sent."),
    "not_trusted": _("Its certificate cannot be trusted. Nothing was sent."),
    "not_http": _("Its answer is not HTTP."),
    "redirect": _(
        "The address redirects elsewhere, and redirects are not followed. Enter the final address."
    ),
    "status": _("The recipient answered with an error."),
    "too_many": _("The recipient asks for fewer messages."),
    "unacceptable": _("The recipient does not accept this message. Is the format right?"),
    "gone": _("The recipient reports that the address no longer exists."),
    "complaint": _("The chat rejected the message."),
    "stopped": _("The worker stopped while it was sent. It may have arrived."),
}
"""The code of a failed try → the reason."""
MAX_PLACES: Final = 3
"""Places of a published ranking in a chat message."""

_CALLS: Final = {
    Call.Topic.TILES: _("Table {table} calls an umpire: wrong tile count."),
    Call.Topic.CLAIM: _("Table {table} calls an umpire: disputed claim."),
    Call.Topic.FOUL: _("Table {table} calls an umpire: foul."),
    Call.Topic.SCORE: _("Table {table} calls an umpire: score differs."),
    Call.Topic.OTHER: _("Table {table} calls an umpire."),
}


def sentence_for(kind: Kind, facts: Facts, fouls: FoulBook, *, undone: bool = False) -> str:
    """Return the sentence for people, in the active language."""
    if kind is Kind.PENALTY:
        return _penalty(facts, fouls, undone)
    if kind in _PLAIN_TEXTS:
        return str(_PLAIN_TEXTS[kind][undone]).format_map(facts)
    return _TEXTS[kind](facts, undone)


_PLAIN_TEXTS: Final[Mapping[Kind, tuple[str | Promise, str | Promise]]] = {
    Kind.SEATS_DRAWN: (_("The seats are drawn."), ""),
    Kind.SESSION_STARTED: (
        _("Session {session} has begun."),
        _("The start of session {session} was undone."),
    ),
    Kind.SESSION_ENDED: (
        _("Session {session} is over."),
        _("Session {session} is open again."),
    ),
    Kind.APPEAL: (_("An appeal at table {table}, session {session}."), ""),
    Kind.TEST: (_("This is a test. Messages arrive here."), ""),
}
"""Kind → its sentence, and the one when it is undone."""


def _call(facts: Facts, _undone: bool) -> str:
    return str(_CALLS[Call.Topic(facts["topic"])]).format_map(facts)


def _table(facts: Facts, undone: bool) -> str:
    if undone:
        return gettext("Table {table} continues, session {session}.").format_map(facts)
    line = gettext("{wind} {name} {points}")
    results = joined(
        line.format(wind=Wind(seat["wind"]).label, name=seat["name"], points=signed(seat["game_points"]))
        for seat in facts["results"]
    )
    return gettext("Table {table} has finished session {session}: {results}").format(
        **facts | {"results": results}
    )


def _standings(facts: Facts, _undone: bool) -> str:
    if "table" in facts:
        return gettext("The ranking has changed: table {table}, session {session}.").format_map(facts)
    return gettext("The ranking has changed.")


def _published(facts: Facts, _undone: bool) -> str:
    if "sessions" in facts:
        return gettext("Results revealed: {sessions}.").format(sessions=sessions_text(facts["sessions"]))
    line = gettext("{rank}. {name} ({table_points})")
    first = joined(line.format_map(place) for place in facts["places"][:MAX_PLACES])
    text = (
        gettext("Final ranking after session {session}: {first}")
        if facts["is_final"]
        else gettext("Ranking after session {session}: {first}")
    )
    return text.format(session=facts["session"], first=first)


def _announcement(facts: Facts, undone: bool) -> str:
    if undone:
        return gettext("Withdrawn: “{text}”").format_map(facts)
    if facts["tables"]:
        return gettext("To {tables}: “{text}”").format(**facts | {"tables": tables_text(facts["tables"])})
    return str(facts["text"])


def _registration(facts: Facts, undone: bool) -> str:
    if undone:
        return gettext("Registration {registration} is cancelled.").format_map(facts)
    state = Registration.State(facts["state"]).label
    return gettext("Registration {registration} received: {state}.").format(**facts | {"state": state})


def _penalty(facts: Facts, fouls: FoulBook, undone: bool) -> str:
    text = (
        gettext("Penalty cancelled, table {table}: player {player}, {foul}.")
        if undone
        else gettext("Foul at table {table}: player {player}, {foul}.")
    )
    return text.format(**facts | {"foul": foul_name_in(fouls, facts["foul"])})


_TEXTS: Final[Mapping[Kind, Callable[[Facts, bool], str]]] = {
    Kind.UMPIRE_CALLED: _call,
    Kind.TABLE_FINISHED: _table,
    Kind.STANDINGS_CHANGED: _standings,
    Kind.RESULTS_PUBLISHED: _published,
    Kind.ANNOUNCEMENT: _announcement,
    Kind.REGISTRATION: _registration,
}

register_section(
    "connections",
    "settings",
    20,
    _("Connections"),
    "organiser_connections",
    Right.ORGANISE,
    help="api/webhooks/",
)
