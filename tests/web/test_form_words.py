"""Whatever a form has to say of what was entered, it says in our words: none of Django's sentences is left anywhere."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest
from django import forms
from django.contrib.auth import forms as accounts
from django.contrib.auth import password_validation
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core import validators
from django.core.files.uploadedfile import SimpleUploadedFile
from django.forms import fields
from django.http import QueryDict
from django.test import RequestFactory
from django.utils import translation

import tournament.forms
import tournament.views
from tests.factories import make_tournament, make_user
from tournament.access import Audience
from tournament.forms.spoken import Form, Spoken
from tournament.models import Tournament

pytestmark = pytest.mark.django_db

LANGUAGES = ("en", "zh-hans", "zh-hant")
MAKE = Callable[[Tournament, Any, Any], forms.BaseForm]


def plain(kind: type[Any], *args: Any) -> forms.BaseForm:
    made: forms.BaseForm = kind(*args)
    return made


def of_request(kind: Any, event: Tournament, data: Any) -> forms.BaseForm:
    request = RequestFactory().post("/")
    request.POST = data  # type: ignore[assignment]
    return plain(kind, event, request)


def lines(kind: Any, event: Tournament, data: Any) -> forms.BaseForm:
    from tournament.selectors.timetable_lines import TimetableLine

    line = TimetableLine(session=1, day=event.starts_on)
    return kind(event, [line, TimetableLine(day=event.starts_on)], data=data)  # type: ignore[no-any-return]


TABLE: Callable[[Tournament], Any] = lambda event: event.sessions.first().tables.first()  # noqa: E731
"""How each form is made that takes more than what was sent: (its class, the event, what was sent)."""
ASKS_FOR: dict[str, Callable[[Any, Tournament, Any], forms.BaseForm]] = {
    "PlayerForm": lambda kind, event, data: kind(event, data),
    "CeremonyForm": lambda kind, event, data: kind(event, data),
    "StreamForm": lambda kind, event, data: kind(event, data),
    "DrawForm": lambda kind, event, data: kind(event, data),
    "SwapForm": lambda kind, event, data: kind(event, data),
    "WhoAndWhat": lambda kind, event, data: kind(event, data),
    "ScopeForm": lambda kind, event, data: kind(event, data),
    "UmpireForm": lambda kind, event, data: kind(event, data),
    "WrongSeatsForm": lambda kind, event, data: kind(event.sessions.first(), data),
    "FinalsForm": lambda kind, event, data: kind(event.players.all(), data),
    "FilterForm": lambda kind, event, data: kind(event, Audience.STAFF, data),
    "PenaltyForm": lambda kind, event, data: kind(event.rules.fouls.find("late"), TABLE(event), 1, data),
    "FoulForm": lambda kind, event, data: kind(event.rules.fouls.find("late"), data),
    "HandSeatsForm": lambda kind, event, data: kind([{"E": 1, "S": 2, "W": 3, "N": 4}], data),
    "PassForm": of_request,
    "RulingForm": lambda kind, event, data: kind(data, own=True),
    "ArrangeForm": lambda kind, event, data: kind(event.screens.first(), data),
    "TimetableForm": lines,
    "SignInForm": lambda kind, event, data: kind(None, data),
    "NewPasswordForm": lambda kind, event, data: kind(make_user("nina"), data),
}


def modules(*packages: ModuleType) -> Iterator[ModuleType]:
    for package in packages:
        for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            yield importlib.import_module(found.name)


def forms_there_are() -> list[type[forms.BaseForm]]:
    """Every form that is written here, by name."""
    found = {
        made
        for module in modules(tournament.forms, tournament.views)
        for made in vars(module).values()
        if isinstance(made, type) and issubclass(made, forms.BaseForm) and made.__module__ == module.__name__
    }
    return sorted(found - {Form, Spoken}, key=lambda made: made.__name__)


FORMS = forms_there_are()


def djangos() -> set[str]:
    """What Django says of a field, of a value, of a password and of who signs in, in the language of the moment."""
    said: list[Any] = []
    for module in (fields, forms.models):
        for kind in vars(module).values():
            said += getattr(kind, "default_error_messages", {}).values()
    for kind in vars(validators).values():
        said.append(getattr(kind, "message", ""))
    said += [UnicodeUsernameValidator.message, *accounts.AuthenticationForm.error_messages.values()]
    said += [*accounts.PasswordChangeForm.error_messages.values(), forms.FileField().error_messages["empty"]]
    for check in ("MinimumLength", "UserAttributeSimilarity", "CommonPassword"):
        one = getattr(password_validation, f"{check}Validator")()
        said += [one.get_error_message(), one.get_help_text()]
    return {str(sentence) for sentence in said if sentence}


def pattern(sentence: str) -> str:
    return re.sub(r"%\\?\(\w+\\?\)[sd]", ".*", re.escape(sentence))


def is_djangos() -> re.Pattern[str]:
    plurals = ("Ensure this (value|filename) has at .*", "确保.*", "確認.*", "請確認.*")
    return re.compile("|".join([*map(pattern, djangos()), *plurals]))


def sent(form: forms.BaseForm, value: str) -> QueryDict:
    """`value` in every field."""
    data = QueryDict(mutable=True)
    for name in form.fields:
        data.setlist(form.add_prefix(name), [value] if value else [])
    return data


WRONG = {"nothing": "", "signs that cannot be": "x\0y", "too much": "9" * 5000, "too little": "-1", "words": "a b"}


def made(kind: type[forms.BaseForm], event: Tournament, data: Any) -> forms.BaseForm:
    return ASKS_FOR.get(kind.__name__, lambda kind, event, data: kind(data))(kind, event, data)


@pytest.fixture
def event() -> Tournament:
    return make_tournament(running=1)


@pytest.mark.parametrize("kind", FORMS, ids=lambda kind: kind.__name__)
def test_no_form_speaks_as_django_does(kind: type[forms.BaseForm], event: Tournament) -> None:
    assert issubclass(kind, Spoken), "make it from tournament.forms.spoken.Form"
    blank = made(kind, event, None) if kind.__name__ != "NewPasswordForm" else None
    for language in LANGUAGES:
        with translation.override(language):
            theirs = is_djangos()
            for value in WRONG.values():
                form = made(kind, event, sent(blank, value) if blank else QueryDict())
                said = [str(error) for errors in form.errors.values() for error in errors]
                said += [str(field.help_text) for field in form.fields.values()]
                assert [one for one in said if theirs.fullmatch(one)] == []
