"""What stands before Django: heads and bodies of a size, an end to waiting, where a visitor is, what is compressed."""

import asyncio
import contextlib
import gzip
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.conf import settings
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.test import Client, RequestFactory
from hypothesis import given
from hypothesis import strategies as st

from config.front import server
from config.front.addresses import ClientAddress, client_address, rate_limit_key
from config.front.bodies import TOO_LARGE, with_small_bodies
from config.front.delivery import CompressText
from config.front.errors import RequestTooLarge
from config.front.limits import with_limits, with_open_connection_limit
from config.front.server import HEAD_BYTES, Server, listen
from tests.support.factories import make_tournament, make_umpire
from tests.support.processes import PATIENCE

Address = tuple[str, int]


async def echo(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """An application that says how many bytes came."""
    come, more = 0, True
    while more:
        message = await receive()
        come += len(message.get("body", b""))
        more = message.get("more_body", False)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"8")]})
    await send({"type": "http.response.body", "body": b"%8d" % come})


GZIP = {"Accept-Encoding": "gzip"}
LONG = "和" * 2000


@pytest.fixture
def door(monkeypatch: pytest.MonkeyPatch) -> Iterator[Address]:
    """The web server of `manage.py serve`, which waits a second for a head and keeps three connections open."""
    monkeypatch.setattr(server, "HEAD_SECONDS", 1)
    monkeypatch.setattr(settings, "CONNECTIONS_PER_ADDRESS", 3)
    listener, loop, stop = listen("127.0.0.1", 0), asyncio.new_event_loop(), asyncio.Event()
    address = listener.getsockname()
    running = Server(with_open_connection_limit(with_limits(with_small_bodies(echo))), listener, lambda: None)
    thread = threading.Thread(
        target=loop.run_until_complete, args=[server.serve(running, stop, PATIENCE)], daemon=True
    )
    thread.start()
    try:
        yield address
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(PATIENCE)
        loop.close()


def connect(door: Address) -> socket.socket:
    return socket.create_connection(door, timeout=PATIENCE)


def answer_of(connection: socket.socket) -> bytes:
    """One whole answer of `echo`."""
    received = b""
    while b"\r\n\r\n" not in received or len(received.partition(b"\r\n\r\n")[2]) < 8:
        part = connection.recv(65536)
        assert part, f"it was closed after {received!r}"
        received += part
    return received


def all_of(connection: socket.socket) -> bytes:
    """What comes until the server closes."""
    received = b""
    try:
        while part := connection.recv(65536):
            received += part
    except ConnectionResetError:
        pass  # it closed while we were still talking
    return received


def answer_to(door: Address, sent: bytes) -> bytes:
    """The first line of the answer."""
    with connect(door) as connection:
        connection.sendall(sent)
        return connection.recv(65536).partition(b"\r\n")[0]


def talk_until_cut(connection: socket.socket, word: bytes) -> bool:
    """Say a word again and again; whether the server closed meanwhile."""
    deadline = time.monotonic() + PATIENCE
    try:
        while time.monotonic() < deadline:
            connection.sendall(word)
            time.sleep(0.02)
    except OSError:
        return True
    return False


def test_a_decent_request_passes(door: Address) -> None:
    head = b"POST / HTTP/1.1\r\nHost: hall\r\nContent-Length: 5\r\nX: " + b"a" * 15_000 + b"\r\n\r\nhello"
    assert answer_to(door, head) == b"HTTP/1.1 200 OK"


def test_a_kept_connection_serves_one_request_after_the_other(door: Address) -> None:
    with connect(door) as connection:
        for _ in range(3):
            connection.sendall(b"GET / HTTP/1.1\r\nHost: hall\r\nX: " + b"a" * 10_000 + b"\r\n\r\n")
            assert answer_of(connection).startswith(b"HTTP/1.1 200")


def test_a_head_without_an_end_is_refused_before_it_ends(door: Address) -> None:
    with connect(door) as connection:
        # One byte too much, so that the server reads all before it answers: unread bytes would reset the connection.
        start = b"GET / HTTP/1.1\r\nX: "
        connection.sendall(start + b"a" * (HEAD_BYTES + 1 - len(start)))
        assert b" 431 " in all_of(connection)


def test_trailers_without_an_end_are_refused(door: Address) -> None:
    with connect(door) as connection:
        connection.sendall(
            b"POST / HTTP/1.1\r\nHost: hall\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n"
        )
        assert talk_until_cut(connection, b"X: " + b"a" * HEAD_BYTES + b"\r\n")


def test_a_slow_head_is_timed_out(door: Address) -> None:
    with connect(door) as connection:
        assert talk_until_cut(connection, b"X")


@pytest.mark.thorough
def test_an_idle_connection_is_closed(door: Address) -> None:
    with connect(door) as connection, connect(door) as other:
        other.sendall(b"GET / HTTP/1.1\r\nHost: hall\r\n\r\n")
        assert all_of(connection) == b""
        assert all_of(other).endswith(b"       0")


def test_a_connection_beyond_the_share_of_its_address_is_closed_after_the_answer(door: Address) -> None:
    with contextlib.ExitStack() as stack:
        for _ in range(4):
            connection = stack.enter_context(connect(door))
            connection.sendall(b"GET / HTTP/1.1\r\nHost: hall\r\n\r\n")
            assert answer_of(connection).startswith(b"HTTP/1.1 200")
        connection.settimeout(0.5)  # less than an idle connection has
        assert all_of(connection) == b""


def test_a_body_whose_length_is_too_large_is_not_read(door: Address) -> None:
    # Three hundred megabytes are announced; not one byte of them is waited for.
    head = b"POST / HTTP/1.1\r\nHost: hall\r\nContent-Length: 314572800\r\n\r\n"
    with connect(door) as connection:
        connection.sendall(head)
        assert answer_of(connection).endswith(b"       0")


def test_a_too_large_body_without_length_is_cut_off(door: Address) -> None:
    part = b"100000\r\n" + b"a" * 0x100000 + b"\r\n"
    with connect(door) as connection:
        connection.sendall(b"POST / HTTP/1.1\r\nHost: hall\r\nTransfer-Encoding: chunked\r\n\r\n")
        try:
            for _ in range(8):
                connection.sendall(part)
        except OSError:
            pass  # it was told and cut off before we were through
        assert all_of(connection).startswith(b"HTTP/1.1 413")


def turned_away(path: str) -> HttpResponse:
    """The answer to a request whose body was left out."""
    request = RequestFactory().post(path)
    request.scope = {TOO_LARGE: settings.DATA_UPLOAD_MAX_MEMORY_SIZE}  # type: ignore[attr-defined]

    def never(_: HttpRequest) -> HttpResponse:
        raise AssertionError("the page was asked for anyway")

    return RequestTooLarge(never)(request)


def test_a_too_large_request_gets_a_page() -> None:
    answer = turned_away("/organiser/")
    assert answer.status_code == 413
    assert "More than 5 MB cannot be sent. Nothing was changed." in answer.content.decode()


def test_a_too_large_api_request_gets_problem_json() -> None:
    answer = turned_away("/api/v1/token/")
    assert (answer.status_code, answer["Content-Type"]) == (413, "application/problem+json")
    assert json.loads(answer.content)["detail"] == "Not saved: more than 5 MB cannot be sent."


def test_other_scopes_pass() -> None:
    scopes: list[str] = []

    async def app(scope: dict[str, Any], receive: Any, send: Any) -> None:
        scopes.append(scope["type"])

    asyncio.run(with_small_bodies(app)({"type": "lifespan"}, None, None))  # type: ignore[arg-type]
    assert scopes == ["lifespan"]


def test_accepted_sockets_have_nodelay_and_a_user_timeout() -> None:
    with listen("127.0.0.1", 0) as listener, connect(listener.getsockname()):
        theirs, _ = listener.accept()
        with theirs:
            assert theirs.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            assert theirs.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 30_000


def test_all_addresses_of_ipv6_are_those_of_ipv4_too() -> None:
    if not socket.has_dualstack_ipv6():
        pytest.skip("needs IPv6")
    with listen("::", 0) as listener:
        for host in ("127.0.0.1", "::1"):
            connect((host, listener.getsockname()[1])).close()


# --- where a visitor is: the connection's other end, or whom a trusted proxy says that it serves ----------
PROXY = ("127.0.0.0/8", "::1", "10.1.0.0/16")
VISITOR = "203.0.113.7"


@pytest.mark.parametrize(
    ("peer", "forwarded", "expected"),
    [
        (VISITOR, "", VISITOR),
        (VISITOR, "198.51.100.1", VISITOR),  # a visitor says so of themself
        ("127.0.0.1", VISITOR, VISITOR),
        ("127.0.0.1", f"198.51.100.1, {VISITOR}", VISITOR),  # the visitor wrote the first one
        ("127.0.0.1", f"{VISITOR}, 10.1.2.3", VISITOR),  # two proxies in a row
        ("::ffff:127.0.0.1", VISITOR, VISITOR),
        ("::1", "2001:db8::7", "2001:db8::7"),
        ("", VISITOR, VISITOR),  # a proxy over a Unix socket
        ("127.0.0.1", "", "127.0.0.1"),
        ("127.0.0.1", "unknown", "127.0.0.1"),
        ("127.0.0.1", f"{VISITOR}, nonsense", "127.0.0.1"),
        ("127.0.0.1", "10.1.0.9, 10.1.0.8", "10.1.0.9"),
    ],
)
def test_proxies_are_seen_through(peer: str, forwarded: str, expected: str) -> None:
    assert client_address(peer, forwarded, PROXY) == expected


@given(claimed=st.lists(st.ip_addresses().map(str), max_size=5))
def test_a_forged_forwarded_header_is_ignored(claimed: list[str]) -> None:
    assert client_address("127.0.0.1", ", ".join([*claimed, VISITOR]), PROXY) == VISITOR


@given(claimed=st.text(max_size=60))
def test_forwarded_headers_of_untrusted_peers_are_ignored(claimed: str) -> None:
    assert client_address("127.0.0.1", claimed, ()) == "127.0.0.1"


def test_the_visitor_is_set_as_remote_addr(settings: Any) -> None:
    settings.TRUSTED_PROXIES = list(PROXY)
    places: list[str] = []

    def view(request: HttpRequest) -> HttpResponse:
        places.append(rate_limit_key(request))
        return HttpResponse()

    for last in (7, 8):
        forwarded = f"203.0.113.{last}"
        ClientAddress(view)(RequestFactory().get("/", headers={"X-Forwarded-For": forwarded}))
    assert places == ["203.0.113.7", "203.0.113.8"]


def test_an_ipv6_network_counts_as_one_address_and_a_mapped_ipv4_address_as_ipv4() -> None:
    places = {
        rate_limit_key(RequestFactory().get("/", REMOTE_ADDR=address))
        for address in ("2001:db8:1:2::7", "2001:db8:1:2:ffff::9")
    }
    assert places == {"2001:db8:1:2::"}
    assert rate_limit_key(RequestFactory().get("/", REMOTE_ADDR=f"::ffff:{VISITOR}")) == VISITOR


def answered(
    make: Callable[[], HttpResponseBase], *, signed_in: bool = True, place: str = "none"
) -> HttpResponseBase:
    def view(request: HttpRequest) -> HttpResponseBase:
        return make()

    request = RequestFactory(headers=GZIP | {"Sec-Fetch-Site": place}).get("/")
    if signed_in:
        request.COOKIES[settings.SESSION_COOKIE_NAME] = "kept"
    return CompressText(view)(request)  # type: ignore[return-value]


def pieces() -> Iterator[bytes]:
    yield LONG.encode()


@pytest.mark.parametrize(
    "kind", ["text/html; charset=utf-8", "application/json", "application/problem+json", "image/svg+xml"]
)
def test_text_is_compressed(kind: str) -> None:
    answer = answered(lambda: HttpResponse(LONG, content_type=kind))
    assert isinstance(answer, HttpResponse)
    assert answer["Content-Encoding"] == "gzip"
    assert gzip.decompress(answer.content).decode() == LONG
    assert "Accept-Encoding" in answer["Vary"]


@pytest.mark.parametrize("kind", ["application/zip", "application/pdf", "image/png", "text/event-stream"])
def test_images_and_streams_are_not_compressed(kind: str) -> None:
    assert not answered(lambda: HttpResponse(LONG, content_type=kind)).has_header("Content-Encoding")


def test_streaming_responses_are_not_compressed() -> None:
    answer = answered(lambda: StreamingHttpResponse(pieces(), content_type="text/plain"))
    assert not answer.has_header("Content-Encoding")


@pytest.mark.thorough
@pytest.mark.parametrize("place", ["cross-site", "same-site"])
def test_cross_site_responses_are_not_compressed(place: str) -> None:
    assert not answered(lambda: HttpResponse(LONG), place=place).has_header("Content-Encoding")
    stranger = answered(lambda: HttpResponse(LONG), place=place, signed_in=False)
    assert stranger.has_header("Content-Encoding")


def test_the_compressed_size_of_a_page_varies() -> None:
    sizes = {answered(lambda: HttpResponse(LONG))["Content-Length"] for _ in range(20)}
    assert len(sizes) > 1


@pytest.mark.django_db
def test_the_desk_is_compressed() -> None:
    client = Client(headers=GZIP)
    client.force_login(make_umpire(make_tournament(sessions=1, running=0)))
    for address in ("/umpire/spring-open/1/1/", "/umpire/spring-open/words/"):
        answer = client.get(address)
        assert answer["Content-Encoding"] == "gzip"
        assert len(answer.content) < len(gzip.decompress(answer.content)) / 3


@pytest.mark.django_db
def test_a_compressed_page_gets_304() -> None:
    """The ETag is a weak one then, and is known again."""
    make_tournament(sessions=1, running=0)
    client = Client(headers=GZIP)
    first = client.get("/t/spring-open/ranking/")
    assert first["ETag"].startswith("W/")
    again = client.get("/t/spring-open/ranking/", headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 304


@pytest.mark.parametrize("size", [b"f" * 17, b"-1"])
def test_an_impossible_chunk_size_is_400(door: Address, size: bytes) -> None:
    head = b"POST / HTTP/1.1\r\nHost: hall\r\nTransfer-Encoding: chunked\r\n\r\n"
    assert answer_to(door, head + size + b"\r\nx\r\n0\r\n\r\n") == b"HTTP/1.1 400 Bad Request"
