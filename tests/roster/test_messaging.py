"""One message to a group: who gets it, who does not, and what each reads."""

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.utils import timezone

from tests.support.checks import refused_codes, refused_problems
from tests.support.factories import SYSTEM, make_member, make_tournament
from tests.support.pages import missing, refused_page
from tests.support.pages import organiser_url as at
from tournament.base.access import Actor
from tournament.base.errors import Forbidden
from tournament.base.models.log import LogEntry
from tournament.base.models.play import Seat
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Role, Tournament
from tournament.dues.models import Payment
from tournament.dues.selectors import account_of
from tournament.dues.services import record_payment, set_account, set_due
from tournament.messages.mail.models import LetterText, Mail
from tournament.roster.engine import Addressees, Group
from tournament.roster.selectors.messaging import Reach, groups_of, recipients_of, usual_texts
from tournament.roster.services.messaging import send_message
from tournament.web.selectors import log_words

State = Registration.State
EVERYBODY, OWING = Addressees(Group.EVERYBODY), Addressees(Group.OWING)


@pytest.fixture
def event(settings: Any) -> Tournament:
    """Eight players at two tables, all of whom registered but the last."""
    settings.EMAIL_HOST = "mail.example.org"
    event = make_tournament(players=8)
    for player in event.players.exclude(number=8):
        registered(event, player.number, player=player)
    return event


def registered(event: Tournament, number: int, **more: Any) -> Registration:
    stored = {"state": State.ACCEPTED, "made_at": timezone.now(), "language": "en"}
    who = {"last_name": f"Person {number}", "email": f"p{number}@example.org"}
    return Registration.objects.create(tournament=event, number=number, **who | stored | more)


def text(words: str = "Lunch is at one, {name}.", language: str = "en") -> LetterText:
    return LetterText(language=language, subject="{tournament}: lunch", text=words)


def send(
    event: Tournament,
    addressees: Addressees,
    texts: Sequence[LetterText] | None = None,
    uuid: UUID | None = None,
    **more: Any,
) -> int:
    return send_message(event, SYSTEM, addressees, texts or [text()], uuid=uuid or uuid4(), **more)


def written_to() -> set[str]:
    return {mail.to for mail in Mail.objects.all()}


def test_a_tables_message_reaches_exactly_its_four(event: Tournament) -> None:
    Registration.objects.create(
        tournament=event, number=90, last_name="X", made_at=timezone.now(), email="x@x.org"
    )
    addressees = Addressees(Group.SESSION, 1, 2)
    seats = Seat.objects.filter(table__session__tournament=event, table__session__number=1, table__number=2)
    numbers = {seat.player.number for seat in seats}
    people = recipients_of(event, addressees)
    assert len(people) == 4
    send(event, addressees)
    assert written_to() == {f"p{number}@example.org" for number in numbers - {8}}
    assert len(recipients_of(event, Addressees(Group.SESSION, 1))) == 8
    assert recipients_of(event, Addressees(Group.SESSION, 1, 99)) == []
    unseated = [each.session for each in groups_of(event) if each.session]
    assert unseated == sorted(set(unseated)), "each session once"


def test_each_group_has_its_people(event: Tournament) -> None:
    registered(event, 20, state=State.WAITING, waits_since=timezone.now())
    registered(event, 21, state=State.PENDING)
    registered(event, 22, state=State.UNCONFIRMED)
    registered(event, 23, state=State.CANCELLED)
    registered(event, 24, email="")
    event.players.filter(number=1).update(withdrawn_at=timezone.now())
    numbers = {
        group: [
            person.registration and person.registration.number
            for person in recipients_of(event, Addressees(group))
        ]
        for group in (Group.EVERYBODY, Group.WAITING, Group.TO_REVIEW)
    }
    assert numbers[Group.WAITING] == [20]
    assert numbers[Group.TO_REVIEW] == [21]
    assert set(numbers[Group.EVERYBODY]) == {2, 3, 4, 5, 6, 7, None, 24}
    assert send(event, EVERYBODY) == 6, "nobody without an address"


def test_who_declines_messages_gets_none_but_a_reminder_of_the_payment(event: Tournament) -> None:
    Registration.objects.filter(number=3).update(declines_messages=True)
    set_due(event, SYSTEM, event.players.get(number=3), amount=Decimal(40))
    (declined,) = [person for person in recipients_of(event, EVERYBODY) if person.reach is Reach.DECLINED]
    assert declined.email == "p3@example.org"
    send(event, EVERYBODY)
    assert "p3@example.org" not in written_to()
    assert len(written_to()) == 6
    assert refused_codes(send, event, EVERYBODY, numbers=[3]) == ["nobody_to_write_to"]
    Mail.objects.all().delete()
    send(event, OWING, list(usual_texts(event, OWING).values()))
    assert written_to() == {"p3@example.org"}


def test_a_reminder_has_the_bank_details_and_is_sent_once(event: Tournament) -> None:
    account = account_of(event)
    account.holder, account.iban = "Mahjong Club", "DE89370400440532013000"
    set_account(account, SYSTEM)
    owing, paid, unreached = (
        set_due(event, SYSTEM, event.players.get(number=number), amount=Decimal(40)) for number in (1, 2, 8)
    )
    record_payment(Payment(due=paid, uuid=uuid4(), amount=Decimal(40)), SYSTEM)
    Mail.objects.all().delete()
    assert {person.reach for person in recipients_of(event, OWING)} == {Reach.MAIL, Reach.NO_ADDRESS}
    assert unreached.player is not None
    uuid, usual = uuid4(), list(usual_texts(event, OWING).values())
    assert [send(event, OWING, usual, uuid) for _press in range(2)] == [1, 1]
    mail = Mail.objects.get()
    assert (mail.to, mail.letter) == ("p1@example.org", "payment_reminder")
    assert (
        missing(mail.text, "40.00\u00a0EUR", "DE89 3704 0044 0532 0130 00", (owing.reference or "")[:4]) == []
    )
    assert set(refused_problems(send, event, OWING, [text("Pay!")])) == {
        ("letter_placeholder_missing", "text_en")
    }


def test_everybody_reads_their_own_language_or_the_first(event: Tournament) -> None:
    Registration.objects.filter(number=2).update(language="zh-hans")
    Registration.objects.filter(number=3).update(language="")
    send(event, EVERYBODY, [text(), text("{name}，一点午餐。", "zh-hans")])
    read = {mail.to: (mail.language, mail.text) for mail in Mail.objects.all()}
    assert read["p2@example.org"][0] == "zh-hans"
    assert "一点午餐" in read["p2@example.org"][1]
    assert {read[f"p{number}@example.org"][0] for number in (1, 3)} == {"en"}


def test_a_message_is_validated_and_its_log_names_nobody(event: Tournament) -> None:
    wrong = [LetterText(language="en", subject="", text="{iban}"), text("{open}", "zh-hans")]
    assert set(refused_problems(send, event, EVERYBODY, wrong)) == {
        ("value_missing", "subject_en"),
        ("letter_placeholder_unknown", "text_en"),
        ("letter_placeholder_unknown", "text_zh-hans"),
    }
    assert refused_codes(send_message, event, SYSTEM, EVERYBODY, [], uuid=uuid4()) == ["message_empty"]
    send(event, EVERYBODY)
    entry = LogEntry.objects.filter(tournament=event).latest("seq")
    assert entry.data == {"letters": 7}
    assert log_words(event).sentence(entry) == "Message to 7 people written."


def test_who_admits_writes_to_all_but_those_who_owe(event: Tournament) -> None:
    treasurer = Actor.of(make_member(event, Role.TREASURER, "tom"))
    set_due(event, SYSTEM, event.players.get(number=1), amount=Decimal(40))
    usual = list(usual_texts(event, OWING).values())
    assert send_message(event, treasurer, OWING, usual, uuid=uuid4()) == 1
    with pytest.raises(Forbidden):
        send_message(event, treasurer, EVERYBODY, [text()], uuid=uuid4())


def test_a_message_is_looked_through_and_then_sent_to_those_ticked(olga: Client, event: Tournament) -> None:
    page = olga.get(at(event, "message"))
    groups = [(group["code"], group["n"]) for group in page.context["groups"]]
    assert groups[:2] == [("everybody", 8), ("owing", 0)]
    fields = {"subject_en": "Lunch", "text_en": "Dear {name}, at one.", "uuid": str(uuid4())}
    empty = fields | {"text_en": ""}
    assert "Write the message in one language at least." in refused_page(
        olga.post(at(event, "message"), empty | {"look": "1"})
    )
    shown = olga.post(at(event, "message"), fields | {"look": "1"})
    assert len(re.findall('name="who"', shown.text)) == 7
    assert missing(shown.text, "1 person has no e-mail address", "at one.") == []
    assert not Mail.objects.exists()
    for _press in range(2):
        olga.post(at(event, "message"), fields | {"send": "1", "who": ["1", "2", "x"]})
    assert written_to() == {"p1@example.org", "p2@example.org"}
    nobody = olga.post(at(event, "message"), fields | {"send": "1"})
    assert "An e-mail reaches none of these people." in refused_page(nobody)
    wrong = fields | {"text_en": "{iban}"}
    assert "text_en" in olga.post(at(event, "message"), wrong | {"look": "1"}).context["form"].errors
    assert olga.get(at(event, "message") + "?group=session-77").status_code == 404


def test_without_a_mail_server_there_are_addresses_and_letters_to_print(
    olga: Client, event: Tournament, settings: Any
) -> None:
    settings.EMAIL_HOST = ""
    fields = {"subject_en": "Table 2", "text_en": "Dear {name}, come.", "uuid": str(uuid4()), "table": "2"}
    shown = olga.post(at(event, "message") + "?group=session-1", fields | {"look": "1"}).text
    seated = Seat.objects.filter(table__session__tournament=event, table__session__number=1, table__number=2)
    players = [seat.player for seat in seated.select_related("player")]
    assert missing(shown, *(f"Dear {player.name}, come." for player in players)) == []
    (addresses,) = re.findall(r"readonly>([^<]*)</textarea>", shown)
    expected = {f"p{player.number}@example.org" for player in players if player.number != 8}
    assert set(addresses.split(", ")) == expected
    assert 'name="send"' not in shown
