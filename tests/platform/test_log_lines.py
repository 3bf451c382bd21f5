"""What a line of the log says of the request that it belongs to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from config.front.request_lines import id_of
from tests.support.processes import PATIENCE, end, make_place

WEB = ("-m", "hule", "web", "--bind", "127.0.0.1:{port}")
PROXYS = "7b1f9f4c2a5d4f0e"


@pytest.mark.parametrize(
    ("peer", "given", "is_taken"),
    [
        ("127.0.0.1", PROXYS, True),
        ("203.0.113.7", PROXYS, False),
        ("127.0.0.1", "", False),
        ("127.0.0.1", "a line\\nof my own", False),
        ("127.0.0.1", "x" * 200, False),
    ],
)
def test_only_our_proxy_names_a_request(peer: str, given: str, is_taken: bool, settings: Any) -> None:
    settings.TRUSTED_PROXIES = ["127.0.0.1"]
    scope = {"client": (peer, 1), "headers": [(b"x-request-id", given.encode())]}
    assert (id_of(scope) == given) is is_taken
    assert len(id_of(scope)) >= 16


@pytest.mark.thorough
def test_every_line_of_a_request_is_one_object_with_its_id(migrated: Path, collected: Path) -> None:
    settings = {"LOG_FORMAT": "json", "LOG_LEVEL": "INFO", "TRUSTED_PROXIES": "127.0.0.1"}
    with make_place(migrated, STATIC_ROOT=str(collected), **settings) as place, place.web(*WEB) as site:
        wanted = Request(f"{site.url}/pass/secret-token/", headers={"X-Request-ID": PROXYS})
        with pytest.raises(HTTPError) as refused, urlopen(wanted, timeout=PATIENCE):
            pass
        with refused.value:
            assert refused.value.headers["X-Request-ID"] == PROXYS
        with urlopen(f"{site.url}/healthz", timeout=PATIENCE) as page:
            made = page.headers["X-Request-ID"]
        written = end(site.process)
    lines = [json.loads(line) for line in written.splitlines()]
    assert "secret-token" not in written
    mine = [line for line in lines if line.get("request") == PROXYS]
    assert {line["logger"] for line in mine} >= {"django.request", "config.front.request_lines"}
    (told,) = [line for line in mine if "ms" in line]
    assert (told["method"], told["path"], told["status"]) == ("GET", "/pass/…/", refused.value.code)
    assert [line["path"] for line in lines if line.get("request") == made] == ["/healthz"]


@pytest.mark.thorough
def test_a_plain_line_names_the_request_too(migrated: Path, collected: Path) -> None:
    with make_place(migrated, STATIC_ROOT=str(collected)) as place, place.web(*WEB) as site:
        with pytest.raises(HTTPError) as refused, urlopen(f"{site.url}/nowhere/", timeout=PATIENCE):
            pass
        with refused.value:
            made = refused.value.headers["X-Request-ID"]
        assert f"WARNING django.request: [{made}] Not Found: /nowhere/" in end(site.process)
