"""The texts of log entries about announcements."""

from django.utils.translation import gettext_lazy as _

from tournament.base.engine.notices import Kind, Notice, Push, Topic
from tournament.base.log_actions import Data, LogAction
from tournament.web.texts.log import LogWords


def _announcement_made(words: LogWords, data: Data) -> str:
    if not data["tables"]:
        return words.fill(_("Announced to everybody: “{text}”"), data)
    text = _("Announced, {tables} of session {session}: “{text}”")
    return words.fill(text, data, session=data["of_session"])


ANNOUNCEMENT_CANCELLED = LogAction(
    "announcement_withdrawn",
    _("Announcement withdrawn: “{text}”"),
    topics=(Topic.ANNOUNCEMENTS,),
    has_public_code=True,
    webhooks=(Notice(Kind.ANNOUNCEMENT, undone=True),),
)
ANNOUNCEMENT_CREATED = LogAction(
    "announcement_made",
    _announcement_made,
    topics=(Topic.ANNOUNCEMENTS,),
    has_public_code=True,
    push=Push.ANNOUNCEMENT,
    webhooks=(Notice(Kind.ANNOUNCEMENT),),
)
