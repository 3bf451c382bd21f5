"""Who develops builds nothing: pages name the small modules and sheets as they lie in static/."""

import pytest
from django.test import Client

from tests.support.factories import make_tournament, make_umpire

pytestmark = pytest.mark.django_db


def test_the_desk_is_made_of_its_small_files() -> None:
    """A reader's choice is in the links."""
    client = Client()
    client.force_login(make_umpire(make_tournament(players=4, sessions=1, running=0)))
    html = client.get("/umpire/spring-open/1/1/").content.decode()
    assert '<script type="module" src="/static/js/desk/main.js"></script>' in html
    assert '<link rel="stylesheet" href="/static/css/desk.css">' in html
    assert '<link rel="stylesheet" href="/static/css/dark.css" media="(prefers-color-scheme: dark)"' in html
    assert "joined/" not in html
    client.cookies["theme"] = "dark"
    html = client.get("/calculator/").content.decode()
    assert '<link rel="stylesheet" href="/static/css/dark.css" media="all" data-when="theme">' in html
    assert html.index("css/dark.css") < html.index("js/theme.js"), "it changes what stands above it"
