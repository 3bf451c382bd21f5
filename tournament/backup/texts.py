"""Texts about backups."""

from datetime import datetime

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.base.log_actions import Data, LogAction
from tournament.web.texts.log import LogWords
from tournament.web.texts.words import time_text


def _backup_restored(words: LogWords, data: Data) -> str:
    moment = time_text(datetime.fromisoformat(data["made_at"]))
    return words.fill(_("Everything put back as it stood on {moment}, from a backup."), data, moment=moment)


BACKUP_RESTORED = LogAction("backup_restored", _backup_restored)


WHY: dict[str, Promise] = {
    "asked": gettext_lazy("asked for"),
    "automatic": gettext_lazy("by itself"),
    "before_restore": gettext_lazy("before a restore"),
    "command": gettext_lazy("by command"),
}
LOSSES: dict[str, Promise] = {
    "same": gettext_lazy("stays as it is"),
    "back": gettext_lazy("goes back to how it stood"),
    "other": gettext_lazy("is replaced by a different history of the same tournament"),
    "gone": gettext_lazy("is deleted: it is not in the backup"),
    "comes": gettext_lazy("comes back"),
}
WAITING = gettext_lazy("Waiting for the background worker …")
MAKING = gettext_lazy("Creating the backup …")
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
