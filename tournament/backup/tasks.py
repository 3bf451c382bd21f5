"""Backups: those asked for on the page, and those made by the clock."""

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
    """The backup that somebody asked for on the page."""
    _back_up(by, alone=False)


@shared_task
def restore_backup(name: str, user_id: int | None, by: str) -> None:
    """Put the backup of that name back: for an account, or where there is none yet."""
    actor = Actor.system(by) if user_id is None else Actor.of(User.objects.filter(pk=user_id).first())
    services.carry_out(name, actor)


@periodic(
    every=timedelta(minutes=settings.BACKUP_MINUTES), at_start=False, enabled=settings.BACKUP_MINUTES > 0
)
def keep_backups() -> None:
    """Make a backup, if anything was written since the last one."""
    _back_up("", alone=True)


def _back_up(by: str, *, alone: bool) -> None:
    """A disk that is full is said on the page of backups and in the server's log, and disturbs nobody."""
    actor = Actor.system(by)
    try:
        services.keep_backups(actor) if alone else services.make_backup(actor)
    except Refused:
        logger.warning("No backup was made: another one is under way")
    except Exception:
        logger.exception("The backup could not be made")
