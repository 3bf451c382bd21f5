"""Messages on their pages: found, copied, sent again; letters in the organiser's own words."""

from django.test import Client

from tests.support.pages import missing, refused_page
from tests.support.pages import organiser_url as at
from tournament.base.models.tournament import Tournament
from tournament.messages.mail.outbox import queue_mail


def test_a_message_is_found_shown_and_not_sent_without_a_server(olga: Client, event: Tournament) -> None:
    facts = {"name": "<i>Lima", "link": "https://hule.example.org/r/1"}
    mail = queue_mail("registration_accepted", "needle@example.com", "en", facts, tournament=event)
    assert mail is not None
    shown = {
        query: mail.subject in olga.get(f"{at(event, 'mail')}?{query}").text
        for query in ("q=lima", "q=nobody", "state=sent")
    }
    assert shown == {"q=lima": True, "q=nobody": False, "state=sent": False}
    page = olga.get(at(event, "mail_message", mail.pk)).text
    assert missing(page, "&lt;i&gt;Lima", "mailto:needle") == []
    again = olga.post(at(event, "mail_retry", mail.pk), {"key": "x"}, follow=True)
    assert "no mail server" in again.text


def test_a_letter_is_previewed_changed_and_restored(olga: Client, event: Tournament) -> None:
    url = at(event, "letter", "registration_waiting") + "?language=en"
    unknown = olga.post(url, {"subject": "Hi {name}", "text": "<b>{nobody}</b>", "look": "1"})
    assert "{nobody}" in refused_page(unknown)
    preview = olga.post(url, {"subject": "Hi {name}", "text": "<b>{position}</b>", "look": "1"})
    assert missing(preview.text, "Hi Ana Lima", "&lt;b&gt;3&lt;/b&gt;") == []
    assert not event.letter_texts.exists()
    olga.post(url, {"subject": "Hi {name}", "text": "{position}"})
    assert event.letter_texts.get().subject == "Hi {name}"
    olga.post(at(event, "letter_restore", "registration_waiting") + "?language=en")
    assert not event.letter_texts.exists()
    assert olga.get(at(event, "letter", "love_letter")).status_code == 404
