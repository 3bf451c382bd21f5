"""The one-time code of the first organiser's account."""

import re
import stat
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from pytest_django import Settings

from tournament.services import first_account

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def folder(settings: Settings, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path
    return tmp_path


def test_the_code_is_the_same_until_it_is_used() -> None:
    code = first_account.code()

    assert re.fullmatch(r"[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}", code)
    assert first_account.code() == code
    first_account.done()
    assert first_account.code() != code


def test_only_the_servers_user_may_read_it(folder: Path) -> None:
    first_account.code()

    assert stat.S_IMODE((folder / "setup-code").stat().st_mode) == 0o600


@pytest.mark.parametrize("typed", ["{}", " {} ", "{lower}", "{bare}", "{spaced}"])
def test_it_may_be_typed_as_people_type(typed: str) -> None:
    code = first_account.code()
    given = typed.format(code, lower=code.lower(), bare=code.replace("-", ""), spaced=code.replace("-", " "))

    assert first_account.check(given)


@pytest.mark.parametrize("given", ["", "-", "ABCD-EFG", "ÄÖÜ", "ABCD-EFGH-JKLM"])
def test_anything_else_is_refused(given: str) -> None:
    first_account.code()

    assert not first_account.check(given)


def test_without_a_code_nothing_is_accepted() -> None:
    assert not first_account.check("")


def test_it_is_worth_nothing_once_there_is_an_account() -> None:
    code = first_account.code()
    User.objects.create_user("ada")

    assert not first_account.is_open()
    assert not first_account.check(code)
