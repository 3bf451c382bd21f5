"""A backup is larger than a form: who may bring one is asked at the door, before any of it is written anywhere."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from config.front.bodies import largest_body
from tests.support.factories import make_api_token, make_organiser, make_tournament, make_umpire, make_user
from tournament.accounts import setup_code
from tournament.documents.forms import MAX_CAMERA_BYTES
from tournament.exchange.event_file.reading import MAX_BYTES

pytestmark = pytest.mark.django_db(transaction=True)

USUAL = settings.DATA_UPLOAD_MAX_MEMORY_SIZE


def largest(client: Client, name: str, method: str = "POST", *about: str) -> int:
    cookies = "; ".join(f"{key}={morsel.value}" for key, morsel in client.cookies.items())
    scope: dict[str, Any] = {
        "type": "http",
        "method": method,
        "path": reverse(name, args=about),
        "headers": [(b"cookie", cookies.encode())],
    }
    return asyncio.run(largest_body(scope))


def test_a_keeper_may_upload_a_backup(client: Client) -> None:
    client.force_login(User.objects.create_superuser("olga"), settings.AUTHENTICATION_BACKENDS[1])
    assert largest(client, "organiser_backup_upload") == settings.BACKUP_UPLOAD_MB * 1024 * 1024
    assert largest(client, "organiser_new") == USUAL


def test_nobody_else_may_upload_a_backup(client: Client) -> None:
    assert largest(client, "organiser_backup_upload") == USUAL
    client.force_login(User.objects.create_user("uma", is_staff=True), settings.AUTHENTICATION_BACKENDS[1])
    assert largest(client, "organiser_backup_upload") == USUAL


def test_the_setup_code_allows_an_upload_before_any_account(
    client: Client, tmp_path: Path, settings: Any
) -> None:
    settings.DATA_DIR = tmp_path
    code = setup_code.code()
    client.post(reverse("setup_restore"), {"code": "AAAA-AAAA"})
    assert largest(client, "setup_restore") == USUAL
    client.post(reverse("setup_restore"), {"code": code})
    assert largest(client, "setup_restore") > USUAL
    User.objects.create_user("olga")
    assert largest(client, "setup_restore") == USUAL


def test_an_organiser_may_upload_a_picture_for_certificates(client: Client) -> None:
    tournament = make_tournament(players=4, sessions=1)
    at = ("organiser_results", "POST", tournament.slug)
    assert largest(client, *at) == USUAL
    client.force_login(make_umpire(tournament), settings.AUTHENTICATION_BACKENDS[1])
    assert largest(client, *at) == USUAL
    client.force_login(make_organiser(tournament), settings.AUTHENTICATION_BACKENDS[1])
    assert largest(client, *at) == MAX_CAMERA_BYTES
    assert largest(client, "organiser_results", "POST", "no-such-event") == USUAL


EVENTS = ("organiser_from_file", "api_tournament_files")


@pytest.mark.parametrize("name", EVENTS)
def test_who_may_create_tournaments_may_upload_one(client: Client, name: str) -> None:
    assert largest(client, name) == USUAL
    client.force_login(User.objects.create_user("olga", is_staff=True), settings.AUTHENTICATION_BACKENDS[1])
    assert largest(client, name) > MAX_BYTES
    assert largest(client, name, "GET") == USUAL
    client.force_login(User.objects.create_user("uma"), settings.AUTHENTICATION_BACKENDS[1])
    assert largest(client, name) == USUAL


def test_a_token_allows_an_upload() -> None:
    _, token = make_api_token(make_user(staff=True))
    scope: dict[str, Any] = {"type": "http", "method": "POST", "path": reverse("api_tournament_files")}
    for credential, may in ((token, True), ("no-such-token", False), ("", False)):
        headers = [(b"authorization", f"Token {credential}".encode())]
        assert (asyncio.run(largest_body(scope | {"headers": headers})) > MAX_BYTES) is may
