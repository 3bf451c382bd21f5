"""`manage.py mail` tells an operator whether the settings are right."""

from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.mail.servers import Post
from tests.support.processes import free_port


def test_what_is_taken_is_said(postbox: Post, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("mail", "ana@example.org")
    assert capsys.readouterr().out == "Taken: 250 taken\n"
    assert postbox.subjects == ["A test message from Hule"]


def test_so_is_what_is_not_and_what_is_no_address(postbox: Post) -> None:
    postbox.to = "550 no such user"
    with pytest.raises(CommandError, match="550 no such user"):
        call_command("mail", "ana@example.org")
    postbox.to = ""
    with pytest.raises(CommandError, match="no address"):
        call_command("mail", "ana@\nexample.org")
    assert postbox.taken == []


def test_and_a_server_that_is_away_or_none_at_all(settings: Any) -> None:
    with pytest.raises(CommandError, match="EMAIL_URL"):
        call_command("mail", "ana@example.org")
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", free_port()
    with pytest.raises(CommandError, match="cannot be reached"):
        call_command("mail", "ana@example.org")
