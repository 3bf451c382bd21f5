"""The user's account: its browser sessions, its tokens, and how they end."""

import re
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from knox.crypto import hash_token

from tests.support.factories import PASSWORD, make_card, make_member, make_user
from tests.support.pages import missing, signed_in
from tournament.accounts import setup_code
from tournament.accounts.services import delete_expired, make_token
from tournament.accounts.visits import INTERVAL
from tournament.base.access import Actor
from tournament.base.engine.text import PATTERN, is_mistyped, token_text
from tournament.base.models.people import ApiToken, Visit
from tournament.base.models.tournament import Role, Tournament
from tournament.messages.mail import delivery
from tournament.staff.models import Invitation
from tournament.staff.services import invite

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) Version/26.0 Mobile/15E148 Safari/604.1"
EDGE = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0"
EVENT_WITH = {"players": 8, "sessions": 1, "name": "Cup"}


@pytest.fixture
def olga() -> User:
    return make_user("olga")


def browser(agent: str = FIREFOX, at: str = "203.0.113.7") -> Client:
    """Return a browser in which olga has signed in."""
    device = Client(HTTP_USER_AGENT=agent, REMOTE_ADDR=at)
    assert device.post("/login/", {"username": "olga", "password": PASSWORD}).status_code == 302
    return device


def is_in(device: Client) -> bool:
    return device.get("/account/").status_code == 200


def page_of(device: Client) -> str:
    text = re.sub(r"<[^>]+>", " ", device.get("/account/").text)
    return re.sub(r"\s+", " ", text)


@pytest.mark.usefixtures("olga")
def test_the_page_lists_browsers_without_session_keys() -> None:
    other, here = browser(IPHONE, "198.51.100.4"), browser()
    browser(EDGE)
    page = page_of(here)
    assert missing(page, "Firefox on Linux This device · 203.0.113.7", "Safari on iPhone Last seen") == []
    assert missing(page, "198.51.100.4", "Edge on Windows") == []
    keys = [str(device.session.session_key) for device in (here, other)]
    assert [key for key in keys if key in here.get("/account/").text] == []
    unknown = ("", "curl/8", "\x00", "x" * 4000)
    assert [agent for agent in unknown if "Unknown browser" not in page_of(browser(agent))] == []


@pytest.mark.usefixtures("olga")
def test_one_browser_or_all_others_are_signed_out() -> None:
    here, lost, *others = browser(), browser(IPHONE), browser(EDGE), browser(EDGE)
    name = next(
        visit["name"] for visit in here.get("/account/").context["visits"] if visit["system"] == "iPhone"
    )
    assert here.post("/account/devices/end/", {"name": name}).status_code == 302
    assert [is_in(device) for device in (here, lost, *others)] == [True, False, True, True]
    here.post("/account/devices/end-others/")
    assert [is_in(device) for device in (here, *others)] == [True, False, False]


def test_nobody_ends_sessions_or_tokens_of_another_account(olga: User) -> None:
    make_user("otto")
    hers = browser()
    name = hers.get("/account/").context["visits"][0]["name"]
    token, _text = make_token(olga)
    his = Client()
    his.post("/login/", {"username": "otto", "password": PASSWORD})
    his.post("/account/devices/end/", {"name": name})
    his.post("/account/devices/end-others/")
    his.post("/account/tokens/revoke/", {"name": token.digest[:16]})
    assert is_in(hers)
    assert ApiToken.objects.exists()


def test_a_new_password_signs_out_all_other_browsers(olga: User) -> None:
    """A password set on the server signs out all."""
    here, other = browser(), browser(IPHONE)
    new = "four-red-dragons"
    response = here.post("/password/", {"old_password": PASSWORD, "new_password1": new, "new_password2": new})
    assert response["Location"] == "/account/"
    assert is_in(here)
    assert not is_in(other)
    assert len(here.get("/account/").context["visits"]) == 1
    olga.set_password(PASSWORD)
    olga.save()
    assert not is_in(here)
    assert len(browser().get("/account/").context["visits"]) == 1


def test_who_forgot_the_password_of_the_first_account_gets_a_link(
    settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DATA_DIR, new, sent = tmp_path, "four-red-dragons", []
    account = {"code": setup_code.code(), "username": "olga", "email": "olga@club.test"}
    Client().post("/organiser/setup/", account | {"password1": PASSWORD, "password2": PASSWORD})
    here, page = browser(), "/login/forgotten/"
    assert page in Client().get("/login/").text
    assert missing(Client().get(page).text, "changepassword", 'name="email"') == ['name="email"'], (
        "no mail server"
    )
    settings.EMAIL_HOST = "mail.example.org"
    monkeypatch.setattr(delivery, "send_now", lambda *message: sent.append(message))
    answers = [
        Client().post(page, {"email": to})["Location"] for to in ("nobody@club.test", "Olga@club.test")
    ]
    assert answers == ["/login/", "/login/"], "nobody learns whose address it is"
    ((to, _subject, text),) = sent
    (link,) = re.findall(r"/login/\w+/password/\S+", text)
    assert to == "olga@club.test"
    form = (device := Client()).get(link)["Location"]
    assert device.post(form, {"new_password1": new, "new_password2": new})["Location"] == "/login/"
    assert User.objects.get().check_password(new)
    assert not is_in(here)
    assert "no longer valid" in Client().get(link).text


@pytest.mark.usefixtures("olga")
def test_attempts_at_the_old_password_are_limited() -> None:
    here = browser()
    new = {"new_password1": "four-red-dragons", "new_password2": "four-red-dragons"}
    responses = [here.post("/password/", {"old_password": "wrong"} | new).status_code for _again in range(11)]
    assert responses == [200] * 10 + [429]
    assert here.post("/password/", {"old_password": PASSWORD} | new).status_code == 429


@pytest.mark.usefixtures("olga")
def test_the_last_visit_is_stored_every_few_minutes_and_only_at_get() -> None:
    here = browser()
    assert "UPDATE" not in queries(here, "get")
    with pytest.MonkeyPatch.context() as patch:
        later = time.time() + INTERVAL + 1
        patch.setattr("tournament.accounts.visits.time.time", lambda: later)
        assert "UPDATE" not in queries(here, "post")
        assert "UPDATE" in queries(here, "get")
        assert "UPDATE" not in queries(here, "get")
    assert "session" not in queries(Client(), "get").lower(), "an anonymous visitor has no session"


def queries(device: Client, method: str) -> str:
    """Return the SQL of a request."""
    with CaptureQueriesContext(connection) as captured:
        getattr(device, method)("/account/")
    return " ".join(query["sql"] for query in captured)


def post_with(token: str) -> Any:
    """Return the response to an invalid POST of a program with this token."""
    program = Client(headers={"Authorization": f"Token {token}"})
    return program.post("/api/v1/tournaments/", "{}", content_type="application/json")


def test_a_token_is_valid_for_ninety_days_and_then_gets_an_error_of_its_own() -> None:
    token, secret = make_token(make_user("olga", staff=True))
    assert token.expiry is not None
    assert round((token.expiry - timezone.now()) / timedelta(days=1), 2) == 90
    assert post_with(secret).status_code == 400, "authenticated, with an invalid body"
    ApiToken.objects.update(expiry=timezone.now() - timedelta(seconds=1))
    response = post_with(secret)
    assert (response.status_code, response.json()["problems"][0]["code"]) == (401, "token_expired")
    assert response.json()["detail"] == "This token has expired. Sign in for a new one."


def test_an_unknown_token_is_refused() -> None:
    for token in ("x", "0" * 64, "\xff\xfe"):
        response = post_with(token)
        assert (response.status_code, response["WWW-Authenticate"]) == (401, 'Bearer realm="Hule"'), token
        assert response.json()["problems"][0]["code"] == "token_unknown", token


def test_the_page_lists_tokens_and_ends_them(olga: User) -> None:
    token, secret = make_token(olga)
    assert secret not in str(ApiToken.objects.values().get())
    assert token.digest != secret
    here = browser()
    assert "Never used" in page_of(here)
    post_with(secret)
    assert "Last used" in page_of(here)
    assert "Expires" in page_of(here)
    first = ApiToken.objects.get().used_at
    post_with(secret)
    assert first is not None
    assert ApiToken.objects.get().used_at == first, "stored every few minutes"
    here.post("/account/tokens/revoke/", {"name": here.get("/account/").context["tokens"][0].digest[:16]})
    assert post_with(secret).status_code == 401


def test_expired_sessions_and_tokens_are_deleted(olga: User) -> None:
    make_token(olga)
    browser()
    delete_expired(timezone.now())
    assert (Visit.objects.count(), ApiToken.objects.count()) == (1, 1)
    delete_expired(timezone.now() + timedelta(days=91))
    assert (Visit.objects.count(), ApiToken.objects.count()) == (0, 0)


@pytest.fixture
def owner(event: Tournament) -> User:
    return make_member(event, Role.OWNER, "olga")


def make(user: User, event: Tournament, **changes: Any) -> Any:
    """Post the form of a new token."""
    fields = {"name": "Scoreboard", "scope": "observer", "where": "here", "tournaments": [event.pk]}
    fields |= {"ends": "until", "expires_on": "", "password": PASSWORD}
    return signed_in(user).post("/account/tokens/new/", fields | changes)


def token_on(page: Any) -> str:
    match = re.search(PATTERN, page.text)
    assert match, "no token on the page"
    return match[0]


def log_status(token: str, event: Tournament, scheme: str = "Bearer") -> int:
    return program(token, scheme).get(f"/api/v1/tournaments/{event.slug}/log/").status_code


def program(token: str, scheme: str = "Bearer") -> Client:
    return Client(headers={"Authorization": f"{scheme} {token}"})


def code(response: Any) -> str:
    return str(response.json()["problems"][0]["code"])


def test_a_token_loses_its_rights_with_the_role_of_its_account(event: Tournament, owner: User) -> None:
    """Until then it has the rights of its own role."""
    token = token_on(make(owner, event))
    for scheme in ("Bearer", "bearer", "Token"):
        assert log_status(token, event, scheme) == 200, scheme
        refused = program(token, scheme).delete(f"/api/v1/tournaments/{event.slug}/players/1/")
        assert (refused.status_code, code(refused)) == (403, "token_falls_short"), scheme
        assert 'error="insufficient_scope"' in refused["WWW-Authenticate"], scheme
    event.memberships.filter(user=owner).delete()
    assert log_status(token, event) == 403


def test_a_right_that_the_account_lacks_is_not_reported_as_the_tokens_limit(event: Tournament) -> None:
    scorer = make_member(event, Role.SCORER, "sam")
    token = token_on(make(scorer, event, scope="scorer"))
    refused = program(token).delete(f"/api/v1/tournaments/{event.slug}/players/1/")
    assert (refused.status_code, code(refused)) == (403, "forbidden")


def test_the_log_has_the_creation_and_the_end_of_a_token(event: Tournament, owner: User) -> None:
    token = token_on(make(owner, event))
    signed_in(owner).post("/account/tokens/revoke/", {"name": ApiToken.objects.get().digest[:16]})
    entries = list(event.log.filter(action__startswith="token_").values_list("action", "data__scope"))
    assert entries == [("token_made", "observer"), ("token_ended", "observer")]
    assert "Scoreboard" not in str(list(event.log.values_list("data")))
    refused = program(token).get(f"/api/v1/tournaments/{event.slug}/log/")
    assert (refused.status_code, code(refused)) == (401, "token_unknown")


def test_the_expiry_of_a_token(event: Tournament, owner: User) -> None:
    """A week after its tournaments; ninety days for a token for all of them; or never."""

    def expiry(**fields: str) -> Any:
        ApiToken.objects.all().delete()
        make(owner, event, **fields)
        return ApiToken.objects.get().expiry

    last_day = max(event.ends_on, timezone.localdate())
    assert timezone.localtime(expiry()).date() == last_day + timedelta(days=8)
    assert round((expiry(where="everywhere") - timezone.now()) / timedelta(days=1), 2) == 90
    assert expiry(ends="never") is None
    assert "Never expires" in signed_in(owner).get("/account/").text
    assert log_status(token_on(make(owner, event, ends="never")), event) == 200


def test_problems_of_a_new_token(event: Tournament, owner: User) -> None:
    cases: list[tuple[str, Any, str]] = [
        ("password", "wrong", "This is not your password."),
        ("name", " ", "Fill in “Name of the program”."),
        ("expires_on", "2020-01-01", "This day has already passed."),
        ("expires_on", "9999-12-31", "At most"),
        ("tournaments", [], "Choose tournaments that you work at."),
        ("scope", "owner", "is not one of"),
    ]
    for field, value, sentence in cases:
        errors = make(owner, event, **{field: value}).context["form"].errors
        assert sentence in str(errors[field]), field
    make(make_user("nina"), event)
    assert not ApiToken.objects.exists(), "nina is not on the staff"
    form = signed_in(make_member(event, Role.UMPIRE, "uma")).get("/account/tokens/new/").context["form"]
    assert [value for value, _ in form.fields["scope"].choices] == ["umpire", "scorer", "observer", "all"]
    card = make_card(event, 1)
    card.set_unusable_password()
    card.save()
    assert make(card, event).status_code == 403


def test_the_page_offers_the_account_s_tournaments(event: Tournament, owner: User) -> None:
    page = signed_in(owner).get("/account/tokens/new/")
    assert f'name="tournaments" value="{event.pk}"' in page.text


def test_an_account_has_at_most_twenty_unnamed_tokens_beside_its_named_ones(
    event: Tournament, owner: User
) -> None:
    named = token_on(make(owner, event))
    secrets = [make_token(owner)[1] for _again in range(21)]
    assert ApiToken.objects.count() == 21
    assert [log_status(token, event) for token in (named, *secrets[:2])] == [200, 401, 200]


def test_a_limited_token_accepts_no_invitation_and_creates_no_tournament(
    event: Tournament, owner: User
) -> None:
    User.objects.filter(pk=owner.pk).update(is_staff=True)
    token = token_on(make(owner, event))
    until = timezone.now() + timedelta(days=1)
    invitation = Invitation(tournament=event, role=Role.UMPIRE, expires_at=until)
    new = invite(invitation, Actor.of(owner))
    bodies: dict[str, dict[str, str]] = {"invitations": {"token": new.token}, "tournaments": {}}
    for name, body in bodies.items():
        refused = program(token).post(f"/api/v1/{name}/", body, content_type="application/json")
        assert (refused.status_code, code(refused)) == (403, "token_falls_short"), name


def test_a_mistyped_token_is_recognised() -> None:
    right = token_text("a" * 40)
    assert not is_mistyped(right)
    assert is_mistyped(right[:-1] + ("0" if right[-1] != "0" else "1"))
    assert is_mistyped(right[:-1])
    assert not is_mistyped("of-before")
    response = program(right[:-1]).post("/api/v1/tournaments/", {}, content_type="application/json")
    assert (response.status_code, code(response)) == (401, "token_mistyped")


def test_an_old_token_is_valid(event: Tournament, owner: User) -> None:
    """64 hexadecimal digits."""
    token, _ = make_token(owner)
    ApiToken.objects.filter(pk=token.pk).update(digest=hash_token("0f" * 32))
    assert log_status("0f" * 32, event, "Token") == 200
