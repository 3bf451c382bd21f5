"""Log actions of API tokens."""

from django.utils.translation import gettext_lazy as _

from tournament.base.log_actions import Data, LogAction
from tournament.web.texts.log import LogWords, log_placeholder
from tournament.web.texts.words import scope_name

TOKEN_MADE = LogAction("token_made", _("Token created: {program}, {scope}."))
TOKEN_ENDED = LogAction("token_ended", _("Token revoked: {program}, {scope}."))


@log_placeholder("scope")
def _scope(words: LogWords, data: Data) -> str:
    return scope_name(data["scope"])
