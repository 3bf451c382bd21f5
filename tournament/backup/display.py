"""What the page of backups says of the backup or restore that is under way, or was last."""

from datetime import datetime
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.engine.problems import Problem
from scoring.texts import joined
from tournament.backup import status, texts
from tournament.backup.manifest import Manifest
from tournament.backup.status import FAILED, QUEUED, RESTORE, Status
from tournament.base.models.tournament import UNREACHABLE
from tournament.base.problems import sentence as problem_text

TOURNAMENTS_NAMED: Final = 3
"""Tournaments named in a line of the list."""


def sentence(now: Status) -> str | Promise:
    """Nothing for a backup that was made: it stands in the list."""
    return _restore_sentence(now) if now.what == RESTORE else _backup_sentence(now)


def _restore_sentence(now: Status) -> str | Promise:
    if now.is_lost:
        return texts.RESTORE_LOST
    if now.is_late:
        return texts.RESTORE_LATE
    if now.state == FAILED:
        return texts.not_restored(problem_text(Problem(now.code, "", now.params)))
    if now.is_waiting:
        return texts.WAITING if now.state == QUEUED else texts.RESTORING
    return texts.restored(datetime.fromisoformat(now.params["made_at"]))


def _backup_sentence(now: Status) -> str | Promise:
    if now.is_lost:
        return texts.LOST
    if now.is_late:
        return texts.LATE
    if now.state == FAILED:
        return texts.UNREACHABLE if now.code == UNREACHABLE else texts.failed(now.params.get("fault", ""))
    if now.is_waiting:
        return texts.WAITING if now.state == QUEUED else texts.MAKING
    return ""


def is_bad(now: Status) -> bool:
    return now.is_lost or now.is_late or now.state == FAILED


def trouble() -> str | Promise:
    """What is wrong with the last one; nothing when it was made, or is on its way."""
    now = status.now()
    return sentence(now) if is_bad(now) else ""


def why_text(about: Manifest) -> str:
    """asked for (Olga Organ)"""
    why = str(texts.WHY.get(about.why, about.why))
    return (
        _("{why} ({name})").format(why=why, name=about.by) if about.by and about.why != "automatic" else why
    )


def contents_text(about: Manifest) -> str:
    """Spring Open, Autumn Open and 3 more"""
    names = [event.name for event in about.tournaments[:TOURNAMENTS_NAMED]]
    more = len(about.tournaments) - len(names)
    if more:
        names.append(ngettext("{n} more", "{n} more", more).format(n=more))
    return joined(names) if names else _("no tournament")
