"""Letters as they are written, harmless whatever a name is, and on their way: taken, slow, refusing, away."""

import logging
import ssl
import subprocess
from datetime import datetime, timedelta
from itertools import product
from pathlib import Path
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from aiosmtpd.smtp import SMTP
from django.conf import settings as site
from django.core.management import CommandError, call_command
from django.utils import timezone, translation
from hypothesis import given
from hypothesis import strategies as st

from tests.messages.mail.conftest import Post, only, smtp_server
from tests.support.checks import refused_codes
from tests.support.factories import SYSTEM
from tests.support.processes import free_port
from tournament.base.errors import Refused
from tournament.base.models.log import LogEntry
from tournament.base.models.tournament import Tournament
from tournament.messages.mail import delivery
from tournament.messages.mail.delivery import RETRY_DELAYS
from tournament.messages.mail.models import LetterText, Mail
from tournament.messages.mail.outbox import delete_unsent, queue_mail
from tournament.messages.mail.selectors import placeholder_problems, text_of
from tournament.messages.mail.services import change_letter, restore_letter, send_again, send_unsent
from tournament.messages.mail.tasks import send_mail_due
from tournament.messages.mail.texts import LETTERS, PLACEHOLDER, PLACEHOLDER_HELP, fill_placeholders

pytestmark = pytest.mark.stored

NEEDLE = "needle-7f3a@players.example.org"


def posted(event: Tournament, to: str = NEEDLE, **facts: Any) -> Mail:
    known = {"name": "Zoë van den Berg", "link": "https://hule.example.org/r/1"} | facts
    mail = queue_mail("registration_accepted", to, "en", known, tournament=event)
    assert mail is not None
    return mail


def delivered(mail: Mail) -> Mail:
    delivery.deliver()
    mail.refresh_from_db()
    return mail


def again(mail: Mail) -> Mail:
    """The pause is over, and the worker looks."""
    Mail.objects.filter(pk=mail.pk, state=Mail.State.WAITING).update(try_at=timezone.now())
    return delivered(mail)


def test_a_letter_is_sent_once(postbox: Post, event: Tournament) -> None:
    mail = delivered(posted(event))
    assert (mail.state, mail.tries, mail.error) == (Mail.State.SENT, 1, "")
    assert mail.sent_at is not None
    (message,) = postbox.taken
    assert message["To"] == NEEDLE
    assert message["Content-Language"] == "en"
    assert message["Message-ID"].startswith(f"<{mail.key}@")
    assert message.get_content_type() == "text/plain"
    assert "Dear Zoë van den Berg," in message.get_content()
    assert delivered(mail).state == Mail.State.SENT
    assert len(postbox.taken) == 1
    assert not delete_unsent(mail.key)


def test_reserved_domains_get_no_mail(postbox: Post, event: Tournament) -> None:
    """The demonstration's people: 134 letters to them came back to whoever tried Hule with a mail server. A line that
    is a dot ends no letter."""
    for to in ("player-1@hule.example", "nobody@Hule.INVALID"):
        mail = delivered(posted(event, to))
        assert (mail.state, mail.error) == (Mail.State.NOT_SENT, "")
    assert postbox.taken == []
    mail = posted(event)
    Mail.objects.filter(pk=mail.pk).update(text="one\n.\n..two\nthree")
    delivered(mail)
    assert postbox.taken[0].get_content().split() == ["one", ".", "..two", "three"]


def test_a_temporary_refusal_is_retried_later(postbox: Post, event: Tournament) -> None:
    postbox.to = "450 4.2.1 mailbox busy"
    mail = delivered(posted(event))
    assert (mail.state, mail.tries, mail.error) == (Mail.State.WAITING, 1, "450 4.2.1 mailbox busy")
    assert mail.try_at is not None
    assert timedelta(seconds=50) < mail.try_at - timezone.now() <= RETRY_DELAYS[0]
    assert delivered(mail).tries == 1, "not before its pause is over"
    postbox.to = ""
    assert again(mail).state == Mail.State.SENT
    assert len(postbox.taken) == 1


def test_delays_grow_and_the_last_try_fails_the_mail(postbox: Post, event: Tournament) -> None:
    postbox.message = "451 4.3.0 try later"
    mail = posted(event)
    waits = []
    while again(mail).state == Mail.State.WAITING:
        assert mail.try_at is not None
        waits.append(round((mail.try_at - timezone.now()).total_seconds() / 60))
    assert waits == [1, 5, 15, 60, 180, 360, 720]
    assert (mail.state, mail.tries, mail.error) == (Mail.State.FAILED, 8, "451 4.3.0 try later")


@pytest.mark.parametrize("where", ["to", "message"])
def test_a_permanent_refusal_is_not_retried(postbox: Post, event: Tournament, where: str) -> None:
    setattr(postbox, where, "550 5.1.1 no such user")
    mail = delivered(posted(event))
    setattr(postbox, where, "")
    assert (mail.state, mail.tries, mail.error) == (Mail.State.FAILED, 1, "550 5.1.1 no such user")
    other = posted(event, "other@example.org")
    assert delivered(other).state == Mail.State.SENT, "one refused letter keeps no other"
    assert again(mail).state == Mail.State.FAILED


def test_an_unreachable_server_is_tried_once_and_all_mails_wait(settings: Any, event: Tournament) -> None:
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", free_port()
    mails = [posted(event, f"{n}@example.org") for n in range(3)]
    delivery.deliver()
    delivery.deliver()
    assert [mail.tries for mail in Mail.objects.order_by("pk")] == [1, 0, 0]
    assert set(Mail.objects.values_list("state", flat=True)) == {Mail.State.WAITING}
    box = Post()
    with smtp_server(box, settings):
        Mail.objects.update(try_at=timezone.now())
        delivery.deliver()
    assert len(box.taken) == len(mails)


@pytest.mark.thorough
def test_a_timeout_before_the_data_is_retried(postbox: Post, event: Tournament) -> None:
    postbox.waits_at_address = 2
    mail = delivered(posted(event))
    assert mail.state == Mail.State.WAITING
    assert "timed out" in mail.error
    postbox.waits_at_address = 0
    assert again(mail).state == Mail.State.SENT
    assert len(postbox.taken) == 1


@pytest.mark.thorough
def test_a_message_without_a_reply_is_sent_again_with_its_id(postbox: Post, event: Tournament) -> None:
    """It may have arrived: the server can drop the second by its Message-ID."""
    postbox.waits_at_message = 3
    mail = delivered(posted(event))
    assert mail.state == Mail.State.WAITING
    postbox.waits_at_message = 0
    assert again(mail).state == Mail.State.SENT
    assert [message["Message-ID"].partition("@")[0] for message in postbox.taken] == [f"<{mail.key}"] * 2


def test_a_mail_whose_worker_stopped_is_sent_again_until_its_last_try(
    event: Tournament, postbox: Post
) -> None:
    mail, tried_out = posted(event), posted(event)
    Mail.objects.update(state=Mail.State.SENDING, try_at=timezone.now() - timedelta(seconds=1))
    Mail.objects.filter(pk=tried_out.pk).update(tries=len(RETRY_DELAYS) + 1)
    send_mail_due()
    mail.refresh_from_db()
    tried_out.refresh_from_db()
    assert (mail.state, tried_out.state) == (Mail.State.SENT, Mail.State.FAILED)
    assert len(postbox.taken) == 1


def test_a_mail_is_sent_on_commit_or_by_the_periodic_task(
    event: Tournament, postbox: Post, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        posted(event)
        assert postbox.taken == []
    assert len(postbox.taken) == 1
    posted(event)  # nobody queued anything: a test's transaction is never committed
    send_mail_due()
    assert len(postbox.taken) == 2


def test_two_workers_never_claim_the_same_mail(postbox: Post, event: Tournament) -> None:
    for n in range(8):
        posted(event, f"{n}@example.org")
    workers = delivery.claim_due_mails(), delivery.claim_due_mails()
    letters = [next(worker).pk for _round in range(4) for worker in workers]
    assert len(set(letters)) == 8
    assert [next(worker, None) for worker in workers] == [None, None]


def test_a_mail_is_claimed_by_one_worker_alone(postbox: Post, event: Tournament) -> None:
    mail, until = posted(event), timezone.now() + delivery.LEASE
    assert [Mail.objects.claim(mail.pk, until) for _worker in range(2)] == [True, False]
    mail.refresh_from_db()
    assert (mail.state, mail.tries, mail.try_at) == (Mail.State.SENDING, 1, until)


def test_without_a_mail_server_mails_are_stored_unsent(event: Tournament) -> None:
    mail = delivered(posted(event))
    assert (mail.state, mail.try_at) == (Mail.State.NOT_SENT, None)
    assert "https://hule.example.org/r/1" in mail.text


def test_a_letter_with_a_waiting_time_can_be_deleted_before_it_is_sent(
    postbox: Post, event: Tournament
) -> None:
    mail = queue_mail("registration_changed", NEEDLE, "en", {}, tournament=event, wait=timedelta(minutes=2))
    assert mail is not None
    assert delivered(mail).state == Mail.State.WAITING
    assert delete_unsent(mail.key)
    assert not Mail.objects.exists()


@pytest.mark.thorough
def test_the_configured_credentials_are_used(settings: Any, event: Tournament) -> None:
    box = Post()
    settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD = "hule", "pung"
    how = {"auth_require_tls": False, "auth_exclude_mechanism": ["LOGIN"]}
    with smtp_server(box, settings, authenticator=only(b"hule", b"pung"), **how):
        assert delivered(posted(event)).state == Mail.State.SENT
        settings.EMAIL_HOST_PASSWORD = "chow"
        mail = delivered(posted(event, "other@example.org"))
    assert mail.state == Mail.State.WAITING, "it is the operator's to mend"


def test_a_server_with_an_invalid_certificate_gets_no_password(
    settings: Any, event: Tournament, tmp_path: Path
) -> None:
    box, context = Post(), self_signed(tmp_path)
    settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD, settings.EMAIL_USE_TLS = "hule", "pung", True
    credentials: list[Any] = []

    def listen(server: SMTP, session: Any, envelope: Any, mechanism: str, data: Any) -> Any:
        credentials.append(data)

    with smtp_server(box, settings, tls_context=context, authenticator=listen):
        mail = delivered(posted(event))
    assert (mail.state, mail.error) == (Mail.State.WAITING, "self-signed certificate")
    assert credentials == box.taken == []


def self_signed(folder: Path) -> ssl.SSLContext:
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    files = ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run([*command, "-subj", "/CN=localhost", *files], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context


def test_a_malformed_address_fails_only_its_own_mail(postbox: Post, event: Tournament) -> None:
    wrong = [
        "zoë@example.org",
        "a@b\nBcc: c@example.org",
        "no address",
        "a@exa mple.org",
        "x" * 248 + "@e.org",
    ]
    mails = [posted(event) for _address in wrong]
    for mail, to in zip(mails, wrong, strict=True):
        Mail.objects.filter(pk=mail.pk).update(to=to)
    other = delivered(posted(event, "other@example.org"))
    assert other.state == Mail.State.SENT
    states = dict(Mail.objects.filter(pk__in=[mail.pk for mail in mails]).values_list("to", "state"))
    assert {
        to: state for to, state in states.items() if state not in (Mail.State.FAILED, Mail.State.SENT)
    } == {}
    assert [message["Bcc"] for message in postbox.taken if message["Bcc"]] == []
    assert ["c@example.org"] not in [envelope.rcpt_tos for envelope in postbox.envelopes]


def test_no_log_line_contains_an_address(
    settings: Any, event: Tournament, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    box = Post()
    with smtp_server(box, settings):
        for answer in ("", f"450 {NEEDLE} later", f"550 <{NEEDLE}> is unknown"):
            box.to = answer
            delivered(posted(event))
        box.to, box.message = "", f"554 not for {NEEDLE}"
        delivered(posted(event))
    settings.EMAIL_PORT = free_port()
    delivered(posted(event))
    assert len(caplog.records) >= 4
    ours = [record for record in caplog.records if not record.name.startswith(("mail.", "django.db"))]
    assert [record.getMessage() for record in ours if "needle" in record.getMessage()] == []
    assert "needle" not in "".join(str(record.exc_info) for record in ours)


def test_the_mail_command_reports_the_servers_reply(
    postbox: Post, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("mail", "ana@example.org")
    assert capsys.readouterr().out == "The mail server took it.\n"
    assert postbox.subjects == ["A test message from Hule"]
    postbox.to = "550 no such user"
    with pytest.raises(CommandError, match="550 no such user"):
        call_command("mail", "ana@example.org")
    postbox.to = ""
    with pytest.raises(CommandError, match="no address"):
        call_command("mail", "ana@\nexample.org")
    assert len(postbox.taken) == 1


def test_the_mail_command_reports_an_unreachable_or_missing_server(settings: Any) -> None:
    with pytest.raises(CommandError, match="EMAIL_URL"):
        call_command("mail", "ana@example.org")
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", free_port()
    with pytest.raises(CommandError, match="cannot be reached"):
        call_command("mail", "ana@example.org")


LANGUAGES = [code for code, _name in site.LANGUAGES]


def letter(event: Tournament, key: str = "registration_waiting", language: str = "en", **facts: Any) -> Mail:
    mail = queue_mail(key, "ana@example.org", language, {"name": "Ana Lima"} | facts, tournament=event)
    assert mail is not None
    return mail


def test_every_default_letter_is_a_valid_own_text() -> None:
    """It has what it needs, and nothing that it does not know."""
    wrong = {}
    for language, (key, letter) in product(LANGUAGES, LETTERS.items()):
        own = text_of(letter, language, None)
        problems = [*placeholder_problems(own), *set(PLACEHOLDER.findall(own.text)) - set(PLACEHOLDER_HELP)]
        if problems:
            wrong[language, key] = problems
    assert wrong == {}


def test_a_mail_is_in_the_recipients_language(event: Tournament) -> None:
    with translation.override("en"):
        hans, hant = letter(event, language="zh-hans"), letter(event, language="zh-hant")
    assert hans.text != hant.text
    assert {hans.language, hant.language} == {"zh-hans", "zh-hant"}
    unknown = ("", "xx", "EN", "zh")
    assert [letter(event, language=language).language for language in unknown] == ["en"] * len(unknown)
    assert queue_mail("registration_waiting", "", "en", {}, tournament=event) is None, "nothing to nobody"


def test_times_are_in_the_tournaments_zone_and_empty_lines_are_dropped(event: Tournament) -> None:
    Tournament.objects.update(time_zone="Asia/Tokyo")
    event.refresh_from_db()
    closes = datetime(2027, 3, 1, 20, tzinfo=ZoneInfo("UTC"))
    assert "2 March 2027, 05:00" in letter(event, "registration_confirm", link="x", closes=closes).text
    assert "You are number 3" in letter(event, position=3).text
    assert [part for part in ("You are number", "{", "\n\n\n") if part in letter(event).text] == []


@pytest.mark.thorough
def test_a_value_cannot_inject_lines_or_headers(postbox: Post, event: Tournament) -> None:
    names = (
        *("Ana\r\nBcc: everybody@example.org", "Ana\nSubject: won", "{link}", "{0.__class__}"),
        *("<script>alert(1)</script>", "x" * 300, "ก", "\u202eana", "Ana\0Lima"),
    )
    for name in names:
        Tournament.objects.update(name=name[:100].replace("\0", ""))
        event.refresh_from_db()
        letter(event, name=name, link="https://hule.example.org/r/1")
    delivery.deliver()
    for name, message, envelope in zip(names, postbox.taken, postbox.envelopes, strict=True):
        assert (message["To"], message["Bcc"]) == ("ana@example.org", None), name
        assert len(message.get_all("Subject", [])) == 1, name
        assert message.get_content_type() == "text/plain", name
        assert envelope.rcpt_tos == ["ana@example.org"], name


@given(st.text(), st.dictionaries(st.sampled_from(["name", "link", "open"]), st.text()))
def test_filling_placeholders_never_fails_and_fills_no_value_twice(text: str, facts: dict[str, str]) -> None:
    fill_placeholders(text, facts)
    assert fill_placeholders("{name}", {"name": "{link}", "link": "secret"}) == "{link}"


def test_an_own_text_is_used_in_its_language_and_can_be_restored(event: Tournament) -> None:
    """It stays out of the log."""
    wait = LetterText(
        tournament=event, letter="registration_waiting", language="en", subject="Wait", text="Hello {name}!"
    )
    change_letter(wait, SYSTEM)
    assert LogEntry.objects.latest("pk").data == {"letter": "registration_waiting", "language": "en"}
    assert letter(event).text == "Hello Ana Lima!\n"
    assert letter(event, language="zh-hans").subject != "Wait"
    for _press in range(2):
        restore_letter(event, SYSTEM, "registration_waiting", "en")
    assert "All places" in letter(event).text
    assert LogEntry.objects.filter(action="mail_letter_restored").count() == 1


def test_all_problems_of_a_text_are_at_their_fields(event: Tournament) -> None:
    own = LetterText(tournament=event, letter="registration_confirm", language="en")
    own.subject, own.text = "{iban}", "{nmae} {x}"
    with pytest.raises(Refused) as refused:
        change_letter(own, SYSTEM)
    problems = refused.value.problems
    assert {(problem.where, problem.code, problem.params.get("name")) for problem in problems} == {
        ("subject", "letter_placeholder_unknown", "iban"),
        ("text", "letter_placeholder_unknown", "nmae"),
        ("text", "letter_placeholder_unknown", "x"),
        ("text", "letter_placeholder_missing", "link"),
    }
    own.letter, own.language = "love_letter", "fr"
    assert refused_codes(change_letter, own, SYSTEM) == ["not_understood", "no_such_letter"]


def test_an_unsent_mail_is_retried_and_any_other_is_copied(postbox: Post, event: Tournament) -> None:
    postbox.to = "550 no"
    mail = letter(event)
    delivery.deliver()
    mail.refresh_from_db()
    postbox.to = ""
    key = uuid4()
    assert send_again(mail, SYSTEM, key=key).pk == send_again(mail, SYSTEM, key=key).pk == mail.pk
    delivery.deliver()
    mail.refresh_from_db()
    assert mail.state == Mail.State.SENT
    key = uuid4()
    again = send_again(mail, SYSTEM, key=key)
    assert send_again(mail, SYSTEM, key=key).pk == again.pk != mail.pk
    delivery.deliver()
    assert len(postbox.taken) == 2


def test_all_unsent_mails_are_retried_in_one_step(postbox: Post, event: Tournament) -> None:
    sent = letter(event)
    delivery.deliver()
    postbox.to = "550 no"
    failed = [letter(event), letter(event)]
    delivery.deliver()
    postbox.to = ""
    assert (send_unsent(event, SYSTEM), send_unsent(event, SYSTEM)) == (2, 0)
    assert event.log.filter(action="mail_all_sent_again").count() == 1
    delivery.deliver()
    assert len(postbox.taken) == 3
    states = Mail.objects.values_list("pk", "state")
    assert set(states) == {(mail.pk, Mail.State.SENT) for mail in (sent, *failed)}


def test_a_mail_under_way_or_without_a_server_is_not_sent_again(
    postbox: Post, event: Tournament, settings: Any
) -> None:
    mail = letter(event)
    assert refused_codes(send_again, mail, SYSTEM, key=uuid4()) == ["mail_under_way"]
    settings.EMAIL_HOST = ""
    delivery.deliver()
    assert refused_codes(send_again, mail, SYSTEM, key=uuid4()) == ["mail_server_missing"]
