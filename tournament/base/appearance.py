"""Theme and contrast: what a reader has chosen, kept in two cookies. Without a choice the device decides.

static/js/theme.js reads and writes the same cookies, so that the choice shows at once and on cached pages too.
"""

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

CHOICES = {
    "theme": {"": _("As the device"), "light": _("Light"), "dark": _("Dark")},
    "contrast": {"": _("As the device"), "normal": _("Normal"), "more": _("High")},
}
"""Cookie → value → what the menu calls it."""
TITLES = {"theme": _("Light or dark"), "contrast": _("Contrast")}
SHEETS = {"dark": ("theme",), "contrast": ("contrast",), "contrast-dark": ("theme", "contrast")}
"""Style sheet over the tokens → the choices that must all ask for it, in the order of the links."""
ASKED_FOR = {"theme": "dark", "contrast": "more"}
DEVICE = {"theme": "(prefers-color-scheme: dark)", "contrast": "(prefers-contrast: more)"}
YEAR = 365 * 24 * 3600


def appearance_of(request: HttpRequest) -> dict[str, str]:
    """{"theme": "dark", "contrast": "more"}, without what is not chosen or makes no sense."""
    cookies = {name: request.COOKIES.get(name, "") for name in CHOICES}
    return {name: value for name, value in cookies.items() if value and value in CHOICES[name]}


def media_of(sheet: str, chosen: dict[str, str]) -> str:
    """The media query of a sheet's link: always, never, or as the device asks. theme.js says it the same way."""
    open_questions = [name for name in SHEETS[sheet] if not chosen.get(name)]
    if any(chosen.get(name, ASKED_FOR[name]) != ASKED_FOR[name] for name in SHEETS[sheet]):
        return "not all"
    return " and ".join(DEVICE[name] for name in open_questions) or "all"


def choose(response: HttpResponse, name: str, value: str) -> None:
    """Keep a choice for a year; an empty value forgets it."""
    if name not in CHOICES or value not in CHOICES[name]:
        raise ValueError(f"no appearance {name}={value}")
    if value:
        response.set_cookie(name, value, max_age=YEAR, samesite="Lax")
    else:
        response.delete_cookie(name, samesite="Lax")
