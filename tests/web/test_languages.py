"""Whoever lands in a language they cannot read finds the way to their own."""

import re

import pytest
from django.test import Client

from tests.support.factories import make_user


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "zh-hans", "zh-hant"])
def test_each_language_is_called_by_its_own_name(language: str) -> None:
    make_user()
    page = Client().get("/login/", headers={"accept-language": language}).content.decode()
    assert re.findall(r'name="language" value="[\w-]+"[^>]*>\s*([^<]+?)\s*<', page) == [
        "English",
        "简体中文",
        "繁體中文",
    ]
