"""Which addresses a stranger can have this server write to: none in its own network."""

from typing import Any
from urllib.parse import urlsplit

from tournament.push.places import addresses, is_acceptable

SERVICES = (
    "https://fcm.googleapis.com/fcm/send/abc:def-123",
    "https://updates.push.services.mozilla.com/wpush/v2/gAAA",
    "https://web.push.apple.com:443/QGx",
    "https://wns2-par02p.notify.windows.com/w/?token=BQYA%3d%3d",
)
OTHERS = (
    *("", "push", "http://fcm.googleapis.com/x", "ftp://fcm.googleapis.com/x", "https:///x", "https://[/x"),
    *("https://localhost/x", "https://intranet/x", "https://127.0.0.1/x", "https://127.1/x"),
    *("https://0x7f.0.0.0x1/x", "https://2130706433/x", "https://10.0.0.1./x"),
    *("https://[::1]/x", "https://[::ffff:10.0.0.1]/x"),
    *("https://push.example.org:22/x", "https://push.example.org:99999/x"),
    "https://somebody:secret@push.example.org/x",
    "https://push.example.org\\@10.0.0.1/x y",
    "https://push.example.org/\r\nHost: elsewhere",
    "https://пуш.example.org/x",
)


def test_only_push_services_are_accepted() -> None:
    assert [endpoint for endpoint in SERVICES + OTHERS if is_acceptable(endpoint)] == list(SERVICES)


def test_a_service_of_one_s_own_network_is_named_in_the_settings(settings: Any) -> None:
    settings.PUSH_HOSTS = ["10.0.0.5:8080"]
    assert is_acceptable("http://10.0.0.5:8080/x")
    assert not is_acceptable("http://10.0.0.5:8081/x")
    assert addresses(urlsplit("http://10.0.0.5:8080/x")) == [("10.0.0.5", 8080)]
