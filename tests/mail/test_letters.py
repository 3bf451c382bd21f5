"""Letters as they are written: in the reader's language, with what is known, harmless whatever anybody's name is."""

from __future__ import annotations

from datetime import datetime
from itertools import product
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings as site
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from tests.mail.conftest import Post
from tests.support.checks import refused_codes
from tests.support.factories import SYSTEM
from tournament.errors import Refused
from tournament.mail import courier
from tournament.mail.post import post
from tournament.models import LogEntry, Mail, Tournament
from tournament.selectors.letters import problems_of, subject_and_text
from tournament.services.mails import change_letter, restore_letter, send_again, send_unsent
from tournament.words.letters import LETTERS, NAMES, PLACEHOLDER, filled

LANGUAGES = [code for code, _name in site.LANGUAGES]


def letter(event: Tournament, key: str = "registration_waiting", language: str = "en", **facts: Any) -> Mail:
    mail = post(key, "ana@example.org", language, {"name": "Ana Lima"} | facts, tournament=event)
    assert mail is not None
    return mail


def test_every_letter_that_comes_with_hule_would_be_taken_from_an_organiser() -> None:
    """It has what it needs, and nothing that it does not know."""
    wrong = {}
    for language, (key, letter) in product(LANGUAGES, LETTERS.items()):
        with translation.override(language):
            subject, text = str(letter.subject), letter.text
        problems = [*problems_of(letter, subject, text), *set(PLACEHOLDER.findall(text)) - set(NAMES)]
        if problems:
            wrong[language, key] = problems
    assert wrong == {}


@pytest.mark.django_db
def test_it_is_written_in_the_readers_language_whoever_is_at_the_desk(event: Tournament) -> None:
    with translation.override("en"):
        hans, hant = letter(event, language="zh-hans"), letter(event, language="zh-hant")
    assert hans.text != hant.text
    assert {hans.language, hant.language} == {"zh-hans", "zh-hant"}
    unknown = ("", "xx", "EN", "zh")
    assert [letter(event, language=language).language for language in unknown] == ["en"] * len(unknown)
    assert post("registration_waiting", "", "en", {}, tournament=event) is None, "nothing to nobody"


@pytest.mark.django_db
def test_a_moment_is_told_by_the_tournaments_clock(event: Tournament) -> None:
    Tournament.objects.update(time_zone="Asia/Tokyo")
    event.refresh_from_db()
    closes = datetime(2027, 3, 1, 20, tzinfo=ZoneInfo("UTC"))
    assert "2 March 2027, 05:00" in letter(event, "registration_confirm", link="x", closes=closes).text


@pytest.mark.django_db
def test_a_line_of_which_nothing_can_be_said_is_left_out(event: Tournament) -> None:
    assert "You are number 3" in letter(event, position=3).text
    assert [part for part in ("You are number", "{", "\n\n\n") if part in letter(event).text] == []


@pytest.mark.thorough
@pytest.mark.django_db
def test_a_name_is_a_name_and_nothing_else(postbox: Post, event: Tournament) -> None:
    names = (
        *("Ana\r\nBcc: everybody@example.org", "Ana\nSubject: won", "{link}", "{0.__class__}"),
        *("<script>alert(1)</script>", "x" * 300, "ก", "\u202eana", "Ana\0Lima"),
    )
    for name in names:
        Tournament.objects.update(name=name[:100].replace("\0", ""))
        event.refresh_from_db()
        letter(event, name=name, link="https://hule.example.org/r/1")
    courier.deliver()
    for name, message, envelope in zip(names, postbox.taken, postbox.envelopes, strict=True):
        assert (message["To"], message["Bcc"]) == ("ana@example.org", None), name
        assert len(message.get_all("Subject", [])) == 1, name
        assert message.get_content_type() == "text/plain", name
        assert envelope.rcpt_tos == ["ana@example.org"], name


@given(st.text(), st.dictionaries(st.sampled_from(["name", "link", "open"]), st.text()))
def test_filling_in_never_breaks_and_looks_through_nothing_twice(text: str, facts: dict[str, str]) -> None:
    filled(text, facts)
    assert filled("{name}", {"name": "{link}", "link": "secret"}) == "{link}"


@pytest.mark.django_db
def test_a_text_of_ones_own_is_used_in_its_language_and_given_back(event: Tournament) -> None:
    """It stays out of the log."""
    change_letter(event, SYSTEM, "registration_waiting", "en", subject="Wait", text="Hello {name}!")
    assert LogEntry.objects.latest("pk").data == {"letter": "registration_waiting", "language": "en"}
    assert subject_and_text(LETTERS["registration_waiting"], "en", event) == ("Wait", "Hello {name}!")
    assert letter(event).text == "Hello Ana Lima!\n"
    assert letter(event, language="zh-hans").subject != "Wait"
    for _press in range(2):
        restore_letter(event, SYSTEM, "registration_waiting", "en")
    assert "All places" in letter(event).text
    assert LogEntry.objects.filter(action="mail_letter_restored").count() == 1


@pytest.mark.django_db
def test_everything_wrong_with_a_text_is_said_at_its_place(event: Tournament) -> None:
    with pytest.raises(Refused) as refused:
        change_letter(
            event, SYSTEM, "registration_confirm", "en", subject="{iban}\nBcc: x", text="{nmae} {x}"
        )
    problems = refused.value.problems
    assert {(problem.where, problem.code, problem.params.get("name")) for problem in problems} == {
        ("subject", "letter_placeholder_unknown", "iban"),
        ("subject", "letter_subject_lines", None),
        ("text", "letter_placeholder_unknown", "nmae"),
        ("text", "letter_placeholder_unknown", "x"),
        ("text", "letter_placeholder_missing", "link"),
    }
    assert refused_codes(change_letter, event, SYSTEM, "love_letter", "fr", subject="x", text="x")


@pytest.mark.django_db
def test_only_what_reached_nobody_is_the_same_letter(postbox: Post, event: Tournament) -> None:
    postbox.to = "550 no"
    mail = letter(event)
    courier.deliver()
    mail.refresh_from_db()
    postbox.to = ""
    key = uuid4()
    assert send_again(mail, SYSTEM, key=key).pk == send_again(mail, SYSTEM, key=key).pk == mail.pk
    courier.deliver()
    mail.refresh_from_db()
    assert mail.state == Mail.State.SENT
    key = uuid4()
    again = send_again(mail, SYSTEM, key=key)
    assert send_again(mail, SYSTEM, key=key).pk == again.pk != mail.pk
    courier.deliver()
    assert len(postbox.taken) == 2


@pytest.mark.django_db
def test_all_that_reached_nobody_go_out_again_in_one_step(postbox: Post, event: Tournament) -> None:
    sent = letter(event)
    courier.deliver()
    postbox.to = "550 no"
    failed = [letter(event), letter(event)]
    courier.deliver()
    postbox.to = ""
    assert (send_unsent(event, SYSTEM), send_unsent(event, SYSTEM)) == (2, 0)
    courier.deliver()
    assert len(postbox.taken) == 3
    states = Mail.objects.values_list("pk", "state")
    assert set(states) == {(mail.pk, Mail.State.SENT) for mail in (sent, *failed)}


@pytest.mark.django_db
def test_what_is_on_its_way_or_cannot_be_sent_is_not_sent_again(
    postbox: Post, event: Tournament, settings: Any
) -> None:
    mail = letter(event)
    assert refused_codes(send_again, mail, SYSTEM, key=uuid4()) == ["mail_under_way"]
    settings.EMAIL_HOST = ""
    courier.deliver()
    assert refused_codes(send_again, mail, SYSTEM, key=uuid4()) == ["mail_server_missing"]
