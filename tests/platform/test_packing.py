"""What goes over the wire compressed, and what must not."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator

import pytest
from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.test import Client, RequestFactory

from config.front.delivery import Packed
from tests.support.factories import make_tournament, make_umpire

GZIP = {"Accept-Encoding": "gzip"}
LONG = "和" * 2000


def answered(
    make: Callable[[], HttpResponseBase], *, signed_in: bool = True, place: str = "none"
) -> HttpResponseBase:
    def view(request: HttpRequest) -> HttpResponseBase:
        return make()

    request = RequestFactory(headers=GZIP | {"Sec-Fetch-Site": place}).get("/")
    if signed_in:
        request.COOKIES[settings.SESSION_COOKIE_NAME] = "kept"
    return Packed(view)(request)  # type: ignore[return-value]


def pieces() -> Iterator[bytes]:
    yield LONG.encode()


@pytest.mark.parametrize("kind", ["text/html; charset=utf-8", "application/problem+json", "image/svg+xml"])
def test_text_is_compressed(kind: str) -> None:
    answer = answered(lambda: HttpResponse(LONG, content_type=kind))
    assert isinstance(answer, HttpResponse)
    assert answer["Content-Encoding"] == "gzip"
    assert gzip.decompress(answer.content).decode() == LONG
    assert "Accept-Encoding" in answer["Vary"]


def test_json_is_compressed() -> None:
    assert answered(lambda: JsonResponse({"words": LONG})).has_header("Content-Encoding")


@pytest.mark.parametrize("kind", ["application/zip", "application/pdf", "image/png", "text/event-stream"])
def test_what_is_small_already_or_a_stream_is_left_alone(kind: str) -> None:
    assert not answered(lambda: HttpResponse(LONG, content_type=kind)).has_header("Content-Encoding")


def test_what_comes_in_pieces_is_left_alone() -> None:
    answer = answered(lambda: StreamingHttpResponse(pieces(), content_type="text/plain"))
    assert not answer.has_header("Content-Encoding")


@pytest.mark.thorough
@pytest.mark.parametrize("place", ["cross-site", "same-site"])
def test_what_another_site_asks_in_somebody_s_name_tells_nothing_by_its_size(place: str) -> None:
    assert not answered(lambda: HttpResponse(LONG), place=place).has_header("Content-Encoding")
    stranger = answered(lambda: HttpResponse(LONG), place=place, signed_in=False)
    assert stranger.has_header("Content-Encoding")


def test_the_same_page_is_not_of_the_same_size_twice() -> None:
    sizes = {answered(lambda: HttpResponse(LONG))["Content-Length"] for _ in range(20)}
    assert len(sizes) > 1


@pytest.mark.django_db
def test_the_desk_and_its_words_come_compressed() -> None:
    client = Client(headers=GZIP)
    client.force_login(make_umpire(make_tournament(sessions=1, running=0)))
    for address in ("/umpire/spring-open/1/1/", "/umpire/spring-open/words/"):
        answer = client.get(address)
        assert answer["Content-Encoding"] == "gzip"
        assert len(answer.content) < len(gzip.decompress(answer.content)) / 3


@pytest.mark.django_db
def test_who_has_a_compressed_page_is_told_so() -> None:
    """The ETag is a weak one then, and is known again."""
    make_tournament(sessions=1, running=0)
    client = Client(headers=GZIP)
    first = client.get("/t/spring-open/ranking/")
    assert first["ETag"].startswith("W/")
    again = client.get("/t/spring-open/ranking/", headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 304
