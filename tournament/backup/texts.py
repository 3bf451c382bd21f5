"""Texts about backups."""

from datetime import datetime

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.backup.storage import AUTOMATIC, BEFORE_RESTORE, COMMAND, REQUESTED
from tournament.base.log_actions import Data, LogAction
from tournament.web.texts.log import LogWords
from tournament.web.texts.words import time_text


def _backup_restored(words: LogWords, data: Data) -> str:
    moment = time_text(datetime.fromisoformat(data["made_at"]))
    return words.fill(_("Everything restored to its state on {moment}, from a backup."), data, moment=moment)


BACKUP_RESTORED = LogAction("backup_restored", _backup_restored)


REASONS: dict[str, Promise] = {
    REQUESTED: gettext_lazy("on request"),
    AUTOMATIC: gettext_lazy("automatic"),
    BEFORE_RESTORE: gettext_lazy("before a restore"),
    COMMAND: gettext_lazy("from the command line"),
}
LOSSES: dict[str, Promise] = {
    "same": gettext_lazy("stays as it is"),
    "back": gettext_lazy("is restored to its earlier state"),
    "other": gettext_lazy("is replaced by a different history of the same tournament"),
    "gone": gettext_lazy("is deleted: it is not in the backup"),
    "comes": gettext_lazy("is restored"),
}
WAITING = gettext_lazy("Waiting for the background worker …")
MAKING = gettext_lazy("Creating the backup …")
LATE = gettext_lazy(
    "The background worker does not answer. The backup will be made as soon as it does. bin/run starts it together "
    "with the server; “manage.py backup” makes one without it."
)
LOST = gettext_lazy("The background worker stopped. Start the backup again.")
UNREACHABLE = gettext_lazy("The background worker could not be reached. Try again in a minute.")
RESTORING = gettext_lazy("Restoring the backup …")
RESTORE_LATE = gettext_lazy(
    "The background worker does not answer. bin/run starts it together with the server; “manage.py restore” "
    "restores a backup without it."
)
RESTORE_LOST = gettext_lazy("The backup was not restored: the background worker did not answer, or stopped.")


def failed(fault: str) -> str:
    text = _("The last backup failed: {fault}. Play continues. Solve the problem, then back up again.")
    return text.format(fault=fault)


def restored(made_at: datetime) -> str:
    return _("Everything has been restored to its state on {when}.").format(when=time_text(made_at))


def not_restored(reason: str) -> str:
    return _("The backup was not restored. {reason}").format(reason=reason)
