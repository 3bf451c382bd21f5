"""A backup is larger than a form: who may bring one is asked at the door, before any of it is written anywhere."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from config.front.uploads import PICTURE, largest_body
from tests.support.factories import make_organiser, make_tournament, make_umpire
from tournament.accounts import setup_code
from tournament.base.models.people import ApiToken
from tournament.exchange.event_file.format import MOST_BYTES

pytestmark = pytest.mark.django_db(transaction=True)

USUAL = settings.DATA_UPLOAD_MAX_MEMORY_SIZE


def largest(client: Client, name: str, method: str = "POST", *about: str) -> int:
    cookies = "; ".join(f"{key}={one.value}" for key, one in client.cookies.items())
    scope: dict[str, Any] = {
        "type": "http",
        "method": method,
        "path": reverse(name, args=about),
        "headers": [(b"cookie", cookies.encode())],
    }
    return asyncio.run(largest_body(scope))


def test_whoever_set_hule_up_may_bring_one(client: Client) -> None:
    client.force_login(User.objects.create_superuser("olga"), settings.AUTHENTICATION_BACKENDS[1])
    assert largest(client, "organiser_backup_upload") == settings.BACKUP_UPLOAD_MB * 1024 * 1024
    assert largest(client, "organiser_new") == USUAL


def test_nobody_else_may(client: Client) -> None:
    assert largest(client, "organiser_backup_upload") == USUAL
    client.force_login(User.objects.create_user("uma", is_staff=True), settings.AUTHENTICATION_BACKENDS[1])
    assert largest(client, "organiser_backup_upload") == USUAL


def test_on_a_first_visit_whoever_knows_the_code(client: Client, tmp_path: Path, settings: Any) -> None:
    settings.DATA_DIR = tmp_path
    code = setup_code.code()
    client.post(reverse("setup_restore"), {"code": "AAAA-AAAA"})
    assert largest(client, "setup_restore") == USUAL
    client.post(reverse("setup_restore"), {"code": code})
    assert largest(client, "setup_restore") > USUAL
    User.objects.create_user("olga")
    assert largest(client, "setup_restore") == USUAL


def test_a_picture_for_certificates_is_an_organiser_s_to_bring(client: Client) -> None:
    tournament = make_tournament(players=4, sessions=1)
    at = ("organiser_certificates", "POST", tournament.slug)
    assert largest(client, *at) == USUAL
    client.force_login(make_umpire(tournament), settings.AUTHENTICATION_BACKENDS[1])
    assert largest(client, *at) == USUAL
    client.force_login(make_organiser(tournament), settings.AUTHENTICATION_BACKENDS[1])
    assert largest(client, *at) == PICTURE
    assert largest(client, "organiser_certificates", "POST", "no-such-event") == USUAL


EVENTS = ("organiser_from_file", "api_tournament_files")


@pytest.mark.parametrize("name", EVENTS)
def test_whoever_makes_tournaments_may_bring_a_whole_one(client: Client, name: str) -> None:
    assert largest(client, name) == USUAL
    client.force_login(User.objects.create_user("olga", is_staff=True), settings.AUTHENTICATION_BACKENDS[1])
    assert largest(client, name) > MOST_BYTES
    assert largest(client, name, "GET") == USUAL
    client.force_login(User.objects.create_user("uma"), settings.AUTHENTICATION_BACKENDS[1])
    assert largest(client, name) == USUAL


def test_a_program_may_by_its_token() -> None:
    _, token = ApiToken.objects.create(user=User.objects.create_user("olga", is_staff=True))
    scope: dict[str, Any] = {"type": "http", "method": "POST", "path": reverse("api_tournament_files")}
    for shown, may in ((token, True), ("no-such-token", False), ("", False)):
        headers = [(b"authorization", f"Token {shown}".encode())]
        assert (asyncio.run(largest_body(scope | {"headers": headers})) > MOST_BYTES) is may
