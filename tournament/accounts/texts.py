"""Log actions of API tokens, and the letter with the link to a new password."""

from django.utils import translation
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournament.base.log_actions import Data, LogAction
from tournament.web.texts.log import LogWords, log_placeholder
from tournament.web.texts.words import scope_name


def password_letter(language: str, username: str, link: str) -> tuple[str, str]:
    """Return subject and text."""
    with translation.override(language):
        text = gettext(
            "Somebody, perhaps you, asked for a new password for the account “{username}”. Choose one here, within "
            "three days: {link}\n\nIf it was not you, ignore this message: your password stays the same.\n"
        )
        return gettext("Your new password"), text.format(username=username, link=link)


TOKEN_CREATED = LogAction("token_made", _("Token created: {program}, {scope}."))
TOKEN_REVOKED = LogAction("token_ended", _("Token revoked: {program}, {scope}."))


@log_placeholder("scope")
def _scope(words: LogWords, data: Data) -> str:
    return scope_name(data["scope"])
