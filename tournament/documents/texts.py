"""The log's sentence for changed certificates. It names the changed fields, not their contents."""

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.texts import joined
from tournament.base.access import Right
from tournament.base.log_actions import Data, LogAction
from tournament.web.sections import register_section
from tournament.web.texts.log import LogWords

FIELDS: Final = {
    "text": gettext_lazy("text"),
    "places": gettext_lazy("how many places"),
    "best_hand": gettext_lazy("best hand"),
    "picture": gettext_lazy("picture"),
}


def _certificates_changed(words: LogWords, data: Data) -> str:
    fields = joined(str(FIELDS.get(name, name)) for name in data["fields"])
    return _("The certificates were changed: {fields}.").format(fields=fields)


CERTIFICATES_CHANGED = LogAction("certificates_changed", _certificates_changed)

register_section(
    "documents",
    "before",
    70,
    gettext_lazy("Print"),
    "organiser_documents",
    Right.ORGANISE,
    help="organisers/printing/",
)
