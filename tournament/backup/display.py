"""Texts of the backups' page about the current or last backup or restore."""

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
from tournament.backup.storage import AUTOMATIC
from tournament.base.models.tournament import UNREACHABLE
from tournament.base.problems import sentence as problem_text

TOURNAMENTS_NAMED: Final = 3
"""Tournaments named in a line of the list."""


def sentence(current: Status) -> str | Promise:
    """Return the sentence about a backup or restore; empty for a backup that was made, which is in the list."""
    return _restore_sentence(current) if current.what == RESTORE else _backup_sentence(current)


def _restore_sentence(current: Status) -> str | Promise:
    if current.is_lost:
        return texts.RESTORE_LOST
    if current.is_late:
        return texts.RESTORE_LATE
    if current.state == FAILED:
        return texts.not_restored(problem_text(Problem(current.code, "", current.params)))
    if current.is_waiting:
        return texts.WAITING if current.state == QUEUED else texts.RESTORING
    return texts.restored(datetime.fromisoformat(current.params["made_at"]))


def _backup_sentence(current: Status) -> str | Promise:
    if current.is_lost:
        return texts.LOST
    if current.is_late:
        return texts.LATE
    if current.state == FAILED:
        return (
            texts.UNREACHABLE
            if current.code == UNREACHABLE
            else texts.failed(current.params.get("fault", ""))
        )
    if current.is_waiting:
        return texts.WAITING if current.state == QUEUED else texts.MAKING
    return ""


def is_bad(current: Status) -> bool:
    return current.is_lost or current.is_late or current.state == FAILED


def trouble() -> str | Promise:
    """Return what is wrong with the last backup or restore; empty if it succeeded or is under way."""
    current = status.current()
    return sentence(current) if is_bad(current) else ""


def reason_text(manifest: Manifest) -> str:
    """Return why a backup was made, and by whom: on request (Olga Organ)."""
    reason = str(texts.REASONS.get(manifest.reason, manifest.reason))
    if not manifest.by or manifest.reason == AUTOMATIC:
        return reason
    return _("{reason} ({name})").format(reason=reason, name=manifest.by)


def contents_text(manifest: Manifest) -> str:
    """Return the tournaments in a backup: Spring Open, Autumn Open and 3 more."""
    names = [event.name for event in manifest.tournaments[:TOURNAMENTS_NAMED]]
    more = len(manifest.tournaments) - len(names)
    if more:
        names.append(ngettext("{n} more", "{n} more", more).format(n=more))
    return joined(names) if names else _("no tournament")
