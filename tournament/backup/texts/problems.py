"""Why a backup is not made, or not put back."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

BACKUPS: dict[str, str | Promise] = {
    "backup_under_way": _("Another backup or restore is under way. Try again when it is done."),
    "backup_unreadable": _("This file is not a backup, or it has not come whole."),
    "backup_newer": _("This backup was made by a newer Hule. Bring this one up to date first."),
    "backup_layout": _(
        "This backup was made by another version of Hule ({version}), whose tables are others. Restore it with that "
        "version, then bring it up to date."
    ),
    "backup_parts": _("This file holds other parts than a backup of Hule does."),
    "backup_too_large": _(
        "This file would unpack to more than any backup holds. Nothing of it was unpacked."
    ),
    "backup_damaged": _("The part {part} is not as it was when the backup was made. The file is damaged."),
    "backup_row": _("Row {row} of {table} in this backup cannot be read."),
    "backup_table": _("The rows of {table} in this backup do not fit into the database."),
    "backup_ties": _("Rows in this backup name others that are not in it."),
    "backup_differs": _(
        "What came back is not what the backup says of itself: versions or standings differ."
    ),
    "backup_chain": _("The log of {name} does not hold together at entry {entry}."),
    "backup_no_room": _(
        "There is not enough room on the server’s disk: {wanted} MB are needed, {free} MB are free."
    ),
    "backup_gone": _("This backup is no longer there."),
    "backup_not_named": _("This is not the name of the backup."),
    "restore_stopped": _("The background worker stopped on the way. Nothing was changed."),
    "worker_unreachable": _("The background worker could not be reached. Nothing was changed."),
    "backup_failed": _("The disk or the database failed: {fault}. Nothing was changed."),
}
