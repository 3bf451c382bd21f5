"""Tasks for requested and periodic backups."""

import logging
from datetime import timedelta

from celery import shared_task
from django.conf import settings
from django.contrib.auth.models import User

from config.celery import periodic
from tournament.backup import services
from tournament.base.access import Actor
from tournament.base.errors import Refused

logger = logging.getLogger(__name__)


@shared_task
def make_backup(by: str) -> None:
    """Make the backup that somebody requested on the page."""
    _back_up(by, if_changed=False)


@shared_task
def restore_backup(name: str, user_id: int | None, by: str) -> None:
    """Restore the backup of that name, for an account or, before there is one, for the first visitor."""
    actor = Actor.system(by) if user_id is None else Actor.of(User.objects.filter(pk=user_id).first())
    services.run_restore(name, actor)


@periodic(
    every=timedelta(minutes=settings.BACKUP_MINUTES), at_start=False, enabled=settings.BACKUP_MINUTES > 0
)
def keep_backups() -> None:
    """Make a backup if anything was written since the last one."""
    _back_up("", if_changed=True)


def _back_up(by: str, *, if_changed: bool) -> None:
    """Make a backup. Errors, such as a full disk, are logged and shown on the backups' page."""
    actor = Actor.system(by)
    try:
        services.back_up_if_changed(actor) if if_changed else services.make_backup(actor)
    except Refused:
        logger.warning("No backup was made: another one is under way")
    except Exception:
        logger.exception("The backup could not be made")
