"""A mail server that takes everything, and a tournament whose letters it takes."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.mail.servers import Post, smtp_server
from tests.support.factories import make_tournament
from tournament.models import Tournament


@pytest.fixture
def postbox(settings: Any) -> Iterator[Post]:
    post = Post()
    with smtp_server(post, settings):
        yield post


@pytest.fixture
def event() -> Tournament:
    return make_tournament(players=8, drawn=False)
