"""The server's key pair: made once, kept privately, the same for whoever comes first."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from stat import S_IMODE
from typing import Any

from py_vapid.utils import b64urldecode

from tests.support.push_service import Browser
from tournament.push.keys import are_a_browsers, public_key

MINE = Browser("https://push.example.org").subscription


def test_it_is_made_once_and_only_the_server_s_user_reads_it(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    first = public_key()
    assert public_key() == first
    assert [path.name for path in tmp_path.iterdir()] == ["push-key"]
    assert S_IMODE((tmp_path / "push-key").stat().st_mode) == 0o600
    assert len(b64urldecode(first.encode())) == 65


def test_those_who_come_together_get_the_same(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    with ThreadPoolExecutor(8) as threads:
        assert len(set(threads.map(lambda _each: public_key(), range(32)))) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["push-key"]


def test_the_environment_s_comes_first(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    public_key()
    kept = (tmp_path / "push-key").read_text()
    settings.DATA_DIR, settings.PUSH_KEY = tmp_path / "elsewhere", kept
    assert public_key()
    assert not settings.DATA_DIR.exists()


def test_only_what_a_letter_can_be_encrypted_for_is_taken() -> None:
    wrong = {
        "a short secret": (MINE.key, "c2hvcnQ"),
        "no secret": (MINE.key, ""),
        "no key": ("", MINE.secret),
        "no point of the curve": ("BAAA" + "A" * 83, MINE.secret),
        "no point at all": ("A" * 87, MINE.secret),
        "too long": (MINE.key * 2, MINE.secret),
        "not base64": ("!" * 87, MINE.secret),
    }
    assert are_a_browsers(MINE.key, MINE.secret)
    assert [what for what, (key, secret) in wrong.items() if are_a_browsers(key, secret)] == []
