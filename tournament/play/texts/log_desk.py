"""What happens at a table beside the hands: signing off, calls, extra time, appeals."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from tournament.play.models.calls import Call
from tournament.web.texts.log import Data, LogWords, rows, says, word
from tournament.web.texts.places import sentences

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
def _topic(told: LogWords, data: Data) -> str:
    return str(Call.Topic(data["topic"]).label)


@says("extra_time_set")
def _extra_time_set(told: LogWords, data: Data) -> str:
    text = ngettext(
        "{n} minute longer: {at}. {reason}", "{n} minutes longer: {at}. {reason}", data["minutes"]
    )
    return told.fill(text, data, n=data["minutes"])


@says("appeal_opened")
def _appeal_opened(told: LogWords, data: Data) -> str:
    by = told.player(data["appellant"])
    if penalty := data.get("about_penalty"):
        text = _("Appeal: {player}, {at}, against the penalty of {offender} ({foul}): {text}")
        offender = told.player(penalty["player"])
        return told.fill(text, data, player=by, offender=offender, foul=told.foul(penalty["foul"]))
    if data["about_hand"] is None:
        return told.fill(_("Appeal: {player}, {at}: {text}"), data, player=by)
    return told.fill(
        _("Appeal: {player}, {at}, hand {hand}: {text}"), data, player=by, hand=data["about_hand"]
    )


@says("appeal_ruled")
def _appeal_ruled(told: LogWords, data: Data) -> str:
    granted, dismissed = (
        _("Appeal granted: {player}, {at}: {text}"),
        _("Appeal dismissed: {player}, {at}: {text}"),
    )
    ruled = told.fill(granted if data["granted"] else dismissed, data, player=told.player(data["appellant"]))
    alone = data.get("alone_because")
    return sentences(
        ruled, _("Ruled by who took the decision: {because}").format(because=alone) if alone else ""
    )


@says("ruling_waived")
def _ruling_waived(told: LogWords, data: Data) -> str:
    text = _("Granted appeal closed without a change: {player}, {at}. Reason: {reason}")
    return told.fill(text, data, player=told.player(data["appellant"]))
