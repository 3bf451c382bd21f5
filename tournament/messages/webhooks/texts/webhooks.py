"""What other programs and chats are told, and how it went: kinds, formats, messages, faults."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from penalties.engine import FoulBook
from penalties.texts import name_in
from scoring.texts import joined
from tournament.base.models.play import Wind
from tournament.base.models.registration import Registration
from tournament.messages.webhooks.engine.formats import Format
from tournament.messages.webhooks.engine.kinds import Kind
from tournament.play.models.calls import Call
from tournament.web.texts.figures import signed
from tournament.web.texts.places import sessions_text, tables_text

Facts = dict[str, Any]

KINDS: Final[Mapping[Kind, str | Promise]] = {
    Kind.UMPIRE_CALLED: gettext_lazy("A table calls an umpire"),
    Kind.SEATS_DRAWN: gettext_lazy("The seats are drawn"),
    Kind.SESSION_STARTED: gettext_lazy("A session starts"),
    Kind.SESSION_ENDED: gettext_lazy("A session ends"),
    Kind.TABLE_FINISHED: gettext_lazy("A table has finished, with its points"),
    Kind.STANDINGS_CHANGED: gettext_lazy("The ranking has changed"),
    Kind.RESULTS_PUBLISHED: gettext_lazy("Results are published"),
    Kind.ANNOUNCEMENT: gettext_lazy("An announcement"),
    Kind.PENALTY: gettext_lazy("A foul is penalised"),
    Kind.APPEAL: gettext_lazy("An appeal"),
    Kind.REGISTRATION: gettext_lazy("A registration comes, or is cancelled"),
    Kind.TEST: gettext_lazy("Test"),
}
FORMATS: Final[Mapping[Format, str | Promise]] = {
    Format.HULE: gettext_lazy("Program: Hule’s JSON"),
    Format.SLACK: gettext_lazy("Slack, Mattermost, Rocket.Chat, Matrix (hookshot)"),
    Format.DISCORD: "Discord",
    Format.TELEGRAM: "Telegram",
    Format.DINGTALK: gettext_lazy("DingTalk"),
    Format.WECOM: gettext_lazy("WeCom"),
    Format.FEISHU: gettext_lazy("Feishu, Lark"),
}
FAULTS: Final[Mapping[str, str | Promise]] = {
    "hangs": gettext_lazy("It took the line and did not answer in time."),
    "nobody": gettext_lazy("Nobody answers at this address."),
    "unknown_name": gettext_lazy("There is no computer of this name."),
    "private": gettext_lazy("The name leads into a private network. Nothing was sent."),
    "not_trusted": gettext_lazy("Its certificate cannot be trusted. Nothing was sent."),
    "not_http": gettext_lazy("What it answers is no HTTP."),
    "redirect": gettext_lazy(
        "It wants to lead elsewhere, and nobody is followed. Give the address that it leads to."
    ),
    "status": gettext_lazy("It answered with an error."),
    "too_many": gettext_lazy("It asks for fewer messages."),
    "unacceptable": gettext_lazy("It does not accept this message. Is the format the right one?"),
    "gone": gettext_lazy("It says that nobody is there any more."),
    "complaint": gettext_lazy("The chat did not take the message."),
    "stopped": gettext_lazy("The worker stopped while it was sent. It may have arrived."),
}
"""Why a try failed."""
PLACES_TOLD: Final = 3
"""How many places a chat is told of a published ranking."""

_CALLS: Final = {
    Call.Topic.TILES: gettext_lazy("Table {table} calls an umpire: wrong tile count."),
    Call.Topic.CLAIM: gettext_lazy("Table {table} calls an umpire: disputed claim."),
    Call.Topic.FOUL: gettext_lazy("Table {table} calls an umpire: foul."),
    Call.Topic.SCORE: gettext_lazy("Table {table} calls an umpire: score differs."),
    Call.Topic.OTHER: gettext_lazy("Table {table} calls an umpire."),
}


def said(kind: Kind, facts: Facts, fouls: FoulBook, *, undone: bool = False) -> str:
    """A message for people, in the language of the moment."""
    if kind is Kind.PENALTY:
        return _penalty(facts, fouls, undone)
    if kind in _PLAIN:
        return str(_PLAIN[kind][undone]).format_map(facts)
    return _SAY[kind](facts, undone)


_PLAIN: Final[Mapping[Kind, tuple[str | Promise, str | Promise]]] = {
    Kind.SEATS_DRAWN: (gettext_lazy("The seats are drawn."), ""),
    Kind.SESSION_STARTED: (
        gettext_lazy("Session {session} has begun."),
        gettext_lazy("Session {session} has not begun after all."),
    ),
    Kind.SESSION_ENDED: (
        gettext_lazy("Session {session} is over."),
        gettext_lazy("Session {session} is open again."),
    ),
    Kind.APPEAL: (gettext_lazy("An appeal at table {table}, session {session}."), ""),
    Kind.TEST: (gettext_lazy("This is a test. Messages arrive here."), ""),
}
"""What is said, and what when it is taken back."""


def _call(facts: Facts, _undone: bool) -> str:
    return str(_CALLS[Call.Topic(facts["topic"])]).format_map(facts)


def _table(facts: Facts, undone: bool) -> str:
    if undone:
        return _("Table {table} plays on, session {session}.").format_map(facts)
    line = _("{wind} {name} {points}")
    results = joined(
        line.format(wind=Wind(one["wind"]).label, name=one["name"], points=signed(one["game_points"]))
        for one in facts["results"]
    )
    return _("Table {table} has finished session {session}: {results}").format(**facts | {"results": results})


def _standings(facts: Facts, _undone: bool) -> str:
    if "table" in facts:
        return _("The ranking has changed: table {table}, session {session}.").format_map(facts)
    return _("The ranking has changed.")


def _published(facts: Facts, _undone: bool) -> str:
    if "sessions" in facts:
        return _("The results are open to everybody: {sessions}.").format(
            sessions=sessions_text(facts["sessions"])
        )
    line = _("{rank}. {name} ({table_points})")
    first = joined(line.format_map(one) for one in facts["places"][:PLACES_TOLD])
    text = (
        _("Final ranking after session {session}: {first}")
        if facts["is_final"]
        else _("Ranking after session {session}: {first}")
    )
    return text.format(session=facts["session"], first=first)


def _announcement(facts: Facts, undone: bool) -> str:
    if undone:
        return _("Taken back: “{text}”").format_map(facts)
    if facts["tables"]:
        return _("To {tables}: “{text}”").format(**facts | {"tables": tables_text(facts["tables"])})
    return str(facts["text"])


def _registration(facts: Facts, undone: bool) -> str:
    if undone:
        return _("Registration {registration} is cancelled.").format_map(facts)
    state = Registration.State(facts["state"]).label
    return _("Registration {registration} has come: {state}.").format(**facts | {"state": state})


def _penalty(facts: Facts, fouls: FoulBook, undone: bool) -> str:
    text = (
        _("Taken back, table {table}: player {player}, {foul}.")
        if undone
        else _("Foul at table {table}: player {player}, {foul}.")
    )
    return text.format(**facts | {"foul": name_in(fouls, facts["foul"])})


_SAY: Final[Mapping[Kind, Callable[[Facts, bool], str]]] = {
    Kind.UMPIRE_CALLED: _call,
    Kind.TABLE_FINISHED: _table,
    Kind.STANDINGS_CHANGED: _standings,
    Kind.RESULTS_PUBLISHED: _published,
    Kind.ANNOUNCEMENT: _announcement,
    Kind.REGISTRATION: _registration,
}
