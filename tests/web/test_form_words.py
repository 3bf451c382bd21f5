"""Whatever a form has to say of what was entered, it says in our words: none of Django's sentences is left anywhere."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import cache
from types import ModuleType
from typing import Any

import pytest
from django import forms
from django.contrib.auth import forms as accounts
from django.contrib.auth import password_validation
from django.contrib.auth.models import User
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core import validators
from django.forms import fields
from django.http import QueryDict
from django.test import RequestFactory
from django.utils import translation

import tournament.forms
import tournament.views
from scoring.classical.evening import Evening
from scoring.quiz.discards import discards
from scoring.quiz.levels import Level
from scoring.quiz.questions import Kind, question
from tests.support.factories import SYSTEM, make_tournament, make_umpire
from tournament.access import Audience
from tournament.engine.ema_columns import DEFAULT
from tournament.forms.spoken import Form, Spoken
from tournament.models import Due, Fee, Table, Tournament, TournamentAccount
from tournament.selectors.dues import Owes
from tournament.selectors.rota import proposed
from tournament.selectors.screens import unarranged
from tournament.selectors.timetable_lines import TimetableLine

pytestmark = pytest.mark.django_db

LANGUAGES = ("en", "zh-hans", "zh-hant")
Make = Callable[[Any, Tournament, Any], Any]
"""A form of a class, at an event, of what was sent."""


def of_request(kind: Any, event: Tournament, data: Any) -> Any:
    request = RequestFactory().post("/")
    request.POST = data
    return kind(event, request)


def of_account(kind: Any, event: Tournament, data: Any) -> Any:
    user, _ = User.objects.get_or_create(username="nina")
    return kind(RequestFactory().post("/"), user, data)


def lines(kind: Any, event: Tournament, data: Any) -> Any:
    line = TimetableLine(session=1, day=event.starts_on)
    return kind(event, [line, TimetableLine(day=event.starts_on)], data=data)


def of_event(kind: Any, event: Tournament, data: Any) -> Any:
    return kind(event, data)


def of_staff(kind: Any, event: Tournament, data: Any) -> Any:
    return kind(event, SYSTEM, data)


def of_rota(kind: Any, event: Tournament, data: Any) -> Any:
    make_umpire(event, f"umpire-{User.objects.count()}")
    return kind(event, proposed(event), data)


def of_foul(kind: Any, event: Tournament, data: Any) -> Any:
    return kind(event.rules.fouls.find("late"), data)


def of_due(kind: Any, event: Tournament, data: Any) -> Any:
    due = Due.objects.filter(tournament=event).first() or Due(
        tournament=event, player=event.players.get(number=1), amount=Decimal(40)
    )
    return kind(Owes(due, TournamentAccount(tournament=event), ()), data)


def of_puzzle(kind: Any, event: Tournament, data: Any) -> Any:
    """Each asks about a puzzle of its own sort."""
    asked = {
        "DiscardForm": discards()[0],
        "FansForm": question(Kind.FANS, Level.EASY, "1"),
        "WaitsForm": question(Kind.WAITS, Level.EASY, "1"),
        "WorthForm": question(Kind.WORTH, Level.EASY, "1"),
    }
    return kind(asked[kind.__name__], data)


def of_penalty(kind: Any, event: Tournament, data: Any) -> Any:
    table = Table.objects.filter(session__tournament=event).first()
    return kind(event.rules.fouls.find("late"), table, 1, data)


def of_plan(kind: Any, event: Tournament, data: Any) -> Any:
    return kind(None, data)


def with_lines(kind: Any, event: Tournament, data: Any) -> Any:
    return kind(2, data)


def of_totals(kind: Any, event: Tournament, data: Any) -> Any:
    """Its fields are named after the table."""
    sent = {f"t1-{name}": value for name, value in (data or {}).items()} if data is not None else None
    return kind(list(event.players.all()[:4]), 1, sent, version=0, more=True)


ASKS_FOR: dict[str, Make] = {
    "TotalsForm": of_totals,
    "CorrectionForm": of_totals,
    "RegistrationForm": of_plan,
    "DeskRegistrationForm": of_plan,
    "PlanForm": with_lines,
    "QuestionsForm": with_lines,
    "PlayerForm": of_event,
    "CeremonyForm": of_event,
    "CheckInForm": of_event,
    "StreamForm": of_event,
    "DrawForm": of_event,
    "SwapForm": of_event,
    "WhoAndWhat": of_event,
    "CommitteeForm": lambda kind, event, data: kind([], data),
    "InviteForm": of_staff,
    "MemberForm": of_staff,
    "NewMemberForm": of_staff,
    "PlaysForm": of_event,
    "RoleForm": of_staff,
    "RotaForm": of_rota,
    "WrongSeatsForm": lambda kind, event, data: kind(event.sessions.first(), data),
    "FinalsForm": lambda kind, event, data: kind(event.players.all(), data),
    "FilterForm": lambda kind, event, data: kind(event, Audience.STAFF, data),
    "PenaltyForm": of_penalty,
    "FoulForm": of_foul,
    "DiscardForm": of_puzzle,
    "DueForm": of_due,
    "FansForm": of_puzzle,
    "ColumnsForm": lambda kind, event, data: kind(DEFAULT, data),
    "FeesForm": lambda kind, event, data: kind([Fee(tournament=event, name="Members")], data),
    "WantedForm": lambda kind, event, data: kind(event, data),
    "WaitsForm": of_puzzle,
    "WorthForm": of_puzzle,
    "HandForm": lambda kind, event, data: kind(Evening(("", "", "", "")), data),
    "HandSeatsForm": lambda kind, event, data: kind([{"E": 1, "S": 2, "W": 3, "N": 4}], data),
    "PassForm": of_request,
    "RulingForm": lambda kind, event, data: kind(data, own=True),
    "ArrangeForm": lambda kind, event, data: kind(unarranged(event, "main"), data),
    "TimetableForm": lines,
    "CodeForm": of_account,
    "PasswordAndCodeForm": of_account,
    "FirstCodeForm": of_account,
    "TokenForm": of_account,
    "SignInForm": lambda kind, event, data: kind(None, data),
    "NewPasswordForm": lambda kind, event, data: kind(User(username="nina"), data),
}
"""How the forms are made that take more than what was sent."""


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
        if isinstance(made, type) and issubclass(made, forms.BaseForm) and hasattr(made, "declared_fields")
        if made.__module__ == module.__name__
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
    return {text for sentence in said if (text := str(sentence))}


def pattern(sentence: str) -> str:
    return re.sub(r"%\\?\(\w+\\?\)[sd]", ".*", re.escape(sentence))


@cache
def is_djangos(language: str) -> re.Pattern[str]:
    """What Django says in `language`, which is the language of the moment."""
    plurals = ("Ensure this (value|filename) has at .*", "确保.*", "確認.*", "請確認.*")
    return re.compile("|".join([*map(pattern, djangos()), *plurals]))


def sent(form: forms.BaseForm, value: str) -> QueryDict:
    """`value` in every field."""
    data = QueryDict(mutable=True)
    for name in form.fields:
        data.setlist(form.add_prefix(name), [value] if value else [])
    return data


WRONG = {
    "nothing": "",
    "signs that cannot be": "x\0y",
    "too much": "9" * 5000,
    "too little": "-1",
    "words": "a b",
}


def made(kind: type[forms.BaseForm], event: Tournament, data: Any) -> forms.BaseForm:
    form: forms.BaseForm = ASKS_FOR.get(kind.__name__, lambda kind, _event, data: kind(data))(
        kind, event, data
    )
    return form


@pytest.fixture
def event() -> Tournament:
    return make_tournament(running=1)


@pytest.mark.parametrize("kind", FORMS, ids=lambda kind: kind.__name__)
def test_no_form_speaks_as_django_does(kind: type[forms.BaseForm], event: Tournament) -> None:
    assert issubclass(kind, Spoken), "make it from tournament.forms.spoken.Form"
    blank = made(kind, event, QueryDict())
    for language in LANGUAGES:
        with translation.override(language):
            theirs = is_djangos(language)
            for value in WRONG.values():
                form = made(kind, event, sent(blank, value))
                said = [str(error) for errors in form.errors.values() for error in errors]
                said += [str(field.help_text) for field in form.fields.values()]
                assert [one for one in said if theirs.fullmatch(one)] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("password", ["short", "nina.nina", "password1"])
def test_passwords_are_weighed_in_our_words(password: str, language: str) -> None:
    with translation.override(language):
        with pytest.raises(forms.ValidationError) as refused:
            password_validation.validate_password(password, User(username="nina.nina"))
        said = [*refused.value.messages, *password_validation.password_validators_help_texts()]
        assert [one for one in said if is_djangos(language).fullmatch(one)] == []


def test_what_a_form_says_itself_stays() -> None:
    class Asking(Form):
        name = forms.CharField(error_messages={"required": "Who?"})

    assert Asking({}).errors["name"] == ["Who?"]


def test_a_validator_gives_way_too() -> None:
    class Asking(Form):
        places = forms.IntegerField(max_value=4)

    with translation.override("en"):
        assert Asking({"places": "5"}).errors["places"] == ["At most 4."]
