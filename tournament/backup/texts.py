"""Backups in words, and why one is not made or not put back."""

from __future__ import annotations

from datetime import datetime

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.web.texts.words import time_text

WHY: dict[str, Promise] = {
    "asked": gettext_lazy("asked for"),
    "automatic": gettext_lazy("by itself"),
    "before_restore": gettext_lazy("before a restore"),
    "command": gettext_lazy("by command"),
}
LOSSES: dict[str, Promise] = {
    "same": gettext_lazy("stays as it is"),
    "back": gettext_lazy("goes back to how it stood"),
    "other": gettext_lazy("is replaced by another course of the same tournament"),
    "gone": gettext_lazy("is deleted: it is not in the backup"),
    "comes": gettext_lazy("comes back"),
}
WAITING = gettext_lazy("Waiting for the background worker …")
MAKING = gettext_lazy("Writing everything down …")
LATE = gettext_lazy(
    "The background worker does not answer. The backup will be made as soon as it does. bin/run starts it together "
    "with the server; “manage.py backup” makes one without it."
)
LOST = gettext_lazy("The background worker stopped on the way. Ask for the backup again.")
UNREACHABLE = gettext_lazy(
    "The background worker could not be reached. Ask for the backup again in a minute."
)
RESTORING = gettext_lazy("The backup is being put back …")
RESTORE_LATE = gettext_lazy(
    "The background worker does not answer. bin/run starts it together with the server; “manage.py restore” puts a "
    "backup back without it."
)
RESTORE_LOST = gettext_lazy("The backup was not put back: the background worker did not answer, or stopped.")


def failed(fault: str) -> str:
    text = _("The last backup could not be made: {fault}. Play goes on; free some room, and make one.")
    return text.format(fault=fault)


def restored(made_at: datetime) -> str:
    return _("Everything is as it stood on {when}.").format(when=time_text(made_at))


def not_restored(why: str) -> str:
    return _("The backup was not put back. {why}").format(why=why)


BACKUPS: dict[str, str | Promise] = {
    "backup_under_way": gettext_lazy("Another backup or restore is under way. Try again when it is done."),
    "backup_unreadable": gettext_lazy("This file is not a backup, or it has not come whole."),
    "backup_newer": gettext_lazy("This backup was made by a newer Hule. Bring this one up to date first."),
    "backup_layout": gettext_lazy(
        "This backup was made by another version of Hule ({version}), whose tables are others. Restore it with that "
        "version, then bring it up to date."
    ),
    "backup_parts": gettext_lazy("This file holds other parts than a backup of Hule does."),
    "backup_too_large": gettext_lazy(
        "This file would unpack to more than any backup holds. Nothing of it was unpacked."
    ),
    "backup_damaged": gettext_lazy(
        "The part {part} is not as it was when the backup was made. The file is damaged."
    ),
    "backup_row": gettext_lazy("Row {row} of {table} in this backup cannot be read."),
    "backup_table": gettext_lazy("The rows of {table} in this backup do not fit into the database."),
    "backup_ties": gettext_lazy("Rows in this backup name others that are not in it."),
    "backup_differs": gettext_lazy(
        "What came back is not what the backup says of itself: versions or standings differ."
    ),
    "backup_chain": gettext_lazy("The log of {name} does not hold together at entry {entry}."),
    "backup_no_room": gettext_lazy(
        "There is not enough room on the server’s disk: {wanted} MB are needed, {free} MB are free."
    ),
    "backup_gone": gettext_lazy("This backup is no longer there."),
    "backup_not_named": gettext_lazy("This is not the name of the backup."),
    "restore_stopped": gettext_lazy("The background worker stopped on the way. Nothing was changed."),
    "worker_unreachable": gettext_lazy("The background worker could not be reached. Nothing was changed."),
    "backup_failed": gettext_lazy("The disk or the database failed: {fault}. Nothing was changed."),
}
"""Why a backup is not made, or not put back."""
