"""Who sits where in words: draws, swaps, plans, finals and corrections in the log."""

from __future__ import annotations

from django.utils.translation import gettext_lazy, ngettext

from scoring.texts import joined
from tournament.base.engine.finals import Carry, Cut
from tournament.ranking.texts import final_text
from tournament.web.texts.log import (
    SENTENCES,
    Data,
    LogWords,
    rows,
    says,
    seed_text,
    sentences,
    sessions_text,
    word,
)

HOW_SEATED = {
    "standing": gettext_lazy("by standing (Swiss)"),
    "interval": gettext_lazy("at intervals of the standings"),
    "lot": gettext_lazy("by lot"),
    "hand": gettext_lazy("by hand"),
    "file": gettext_lazy("from a file"),
    "finals": gettext_lazy("for a final, not in the figures above"),
}
"""How a session was seated by itself, to stand after "seats"."""

rows(
    {
        "seats_swapped": gettext_lazy("{one} and {other} changed seats: {where}."),
        "seats_replanned": gettext_lazy("Seats planned again for {players} players: {where}."),
        "seats_planned": gettext_lazy("Seats read from a file: {where}."),
        "seats_corrected": gettext_lazy(
            "{one} and {other} sat in each other’s places, {where}: the names are mended."
        ),
        "correction_undone": gettext_lazy(
            "{one} and {other} have the places again that they had before, {where}."
        ),
    }
)


@word("how")
def _how_seated(words: LogWords, data: Data) -> str:
    return str(HOW_SEATED[data["how"]])


@says("seats_drawn")
def _seats_drawn(words: LogWords, data: Data) -> str:
    text = ngettext(
        "Seats of {n} session drawn for {players} players.",
        "Seats of {n} sessions drawn for {players} players.",
        data["sessions"],
    )
    return sentences(words.fill(text, data, n=data["sessions"]), seed_text(data.get("seed")))


@says("session_seated")
def _session_seated(words: LogWords, data: Data) -> str:
    return sentences(words.fill(gettext_lazy("Seats {how}: {where}."), data), seed_text(data.get("seed")))


@says("finals_set")
def _finals_set(words: LogWords, data: Data) -> str:
    players = sum(map(len, data["groups"]))
    cut = Cut(data["after"], tuple(map(tuple, data["groups"])), Carry(data["carry"]))
    size = ngettext("{n} finalist.", "{n} finalists.", players).format(n=players)
    return sentences(final_text(cut), size, seed_text(data["seed"]))


@says("stream_seated")
def _stream_seated(words: LogWords, data: Data) -> str:
    names = joined(map(words.player, data["players"]))
    text = gettext_lazy("At table {table}, which is filmed: {names}, {where}.")
    return words.fill(text, data, names=names, where=sessions_text(data["at"]))


@says("seats_restored")
def _seats_restored(words: LogWords, data: Data) -> str:
    return str(gettext_lazy("Taken back: {what}")).format(what=SENTENCES[data["action"]](words, data))
