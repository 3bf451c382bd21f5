"""The one-time code of the first organiser's account."""

import re
import stat
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from pytest_django import Settings

from tournament.accounts import setup_code

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def folder(settings: Settings, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path
    return tmp_path


def test_the_code_is_the_same_until_it_is_used() -> None:
    code = setup_code.code()

    assert re.fullmatch(r"[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}", code)
    assert setup_code.code() == code
    setup_code.invalidate()
    assert setup_code.code() != code


def test_only_the_servers_user_may_read_it(folder: Path) -> None:
    setup_code.code()

    assert stat.S_IMODE((folder / "setup-code").stat().st_mode) == 0o600


@pytest.mark.parametrize("typed", ["{}", " {} ", "{lower}", "{bare}", "{spaced}"])
def test_the_code_is_accepted_with_spaces_and_lower_case(typed: str) -> None:
    code = setup_code.code()
    typed_code = typed.format(
        code, lower=code.lower(), bare=code.replace("-", ""), spaced=code.replace("-", " ")
    )

    assert setup_code.check(typed_code)


@pytest.mark.parametrize("typed_code", ["", "-", "ABCD-EFG", "ÄÖÜ", "ABCD-EFGH-JKLM"])
def test_a_wrong_code_is_refused(typed_code: str) -> None:
    setup_code.code()

    assert not setup_code.check(typed_code)


def test_without_a_code_nothing_is_accepted() -> None:
    assert not setup_code.check("")


def test_the_code_is_invalid_once_there_is_an_account() -> None:
    code = setup_code.code()
    User.objects.create_user("ada")

    assert not setup_code.is_open()
    assert not setup_code.check(code)
