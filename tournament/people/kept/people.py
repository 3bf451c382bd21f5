"""Of those who play or want to."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

from tournament.people.kept.declared import (
    MONEY,
    PLAY,
    RANKING,
    REACH,
    WHO_WROTE,
    Kept,
    Until,
    nobodys,
    players,
    staffs,
)

OF_PEOPLE: Final[dict[str, tuple[Kept, ...]]] = {
    "tournament.Player": (
        players(
            "first_name last_name country team club", _("Name, country, club and team"), RANKING, public=True
        ),
        players("ema_number", _("EMA number"), _("to report results to the EMA"), public=True),
        players("checked_in_at withdrawn_at is_substitute", _("When you came and left"), PLAY, public=True),
        nobodys("id tournament number person erased_at"),
    ),
    "tournament.Person": (
        players(
            "first_name last_name country ema_number club",
            _("Name, country, club and EMA number across events"),
            _("to know you again at the next event"),
            public=True,
        ),
        players("key", _("Your name as it is looked for"), _("to know you again at the next event")),
        nobodys("id is_hidden merged_into made_at"),
    ),
    "tournament.PersonName": (
        players(
            "name", _("Your name in other scripts"), _("to know you again at the next event"), public=True
        ),
        players("key", _("Your name as it is looked for"), _("to know you again at the next event")),
        nobodys("id person"),
    ),
    "tournament.Registration": (
        players("first_name last_name country ema_number club team", _("What you registered with"), RANKING),
        players("email language", _("E-mail address and language"), REACH, Until.CONTACT),
        players(
            "message answers",
            _("Your message to the organiser and your answers"),
            _("to prepare the event for you"),
            Until.CONTACT,
        ),
        players(
            "photos_agreed name_shown privacy_read_at",
            _("What you agreed to"),
            _("to keep to it"),
        ),
        players("state made_at confirmed_at waits_since", _("How your registration stands"), RANKING),
        nobodys("id tournament number key player erased_at"),
    ),
    "tournament.Mail": (
        players(
            "to subject text language letter state error posted_at sent_at",
            _("E-mails that were sent to you"),
            REACH,
            Until.CONTACT,
        ),
        nobodys("id key tournament registration tries try_at"),
    ),
    "tournament.Due": (
        players("fee amount reference", _("What you owe"), MONEY),
        nobodys("id tournament registration player batch"),
    ),
    "tournament.Payment": (
        players("amount method on cancelled_at", _("What you have paid"), MONEY),
        staffs("noted_by", _("Who noted a payment"), WHO_WROTE),
        nobodys("id due uuid"),
    ),
    "tournament.Fee": (nobodys("id tournament position name amount from_day"),),
    "tournament.RegistrationPlan": (
        nobodys(
            "id tournament opens_at closes_at is_open places waiting_places accepts_itself moves_up_itself "
            "list_is_public site"
        ),
    ),
    "tournament.KeptPlaces": (nobodys("id plan by value places"),),
    "tournament.Question": (nobodys("id plan position kind text choices is_required"),),
    "tournament.Phone": (
        players(
            "endpoint key secret language site told since",
            _("The push address of your phone, if you asked to be told"),
            _("to tell your phone where you sit"),
            Until.WEEK,
        ),
        nobodys("id player"),
    ),
    "tournament.CheckIn": (nobodys("id tournament ends_at by_themselves"),),
    "tournament.NotThem": (nobodys("id player person"),),
    "tournament.PersonChange": (
        staffs("by undone_by", _("Who put two entries of a person together"), WHO_WROTE),
        nobodys("id person what into moved at undone_at"),
    ),
    "tournament.PrivacyPlan": (
        nobodys("id tournament contact_days deleted_at deleted_people deleted_letters"),
    ),
    "tournament.EventPage": (
        staffs(
            "contact referees",
            _("Who organises and who to ask"),
            _("so that everybody can reach them"),
            public=True,
        ),
        nobodys("id tournament description fee rules_note address country map_url website mers"),
    ),
    "tournament.EmaColumns": (nobodys("id tournament columns"),),
    "tournament.CertificateDesign": (nobodys("id tournament text places best_hand file"),),
    "tournament.EventDocument": (nobodys("id tournament uuid title kind size file added_at"),),
    "tournament.TournamentAccount": (
        staffs("holder iban bic", _("The bank account that dues are paid to"), MONEY),
        nobodys("id tournament currency mark link tells"),
    ),
    "tournament.LetterText": (nobodys("id tournament letter language subject text"),),
    "tournament.Webhook": (
        nobodys(
            "id tournament number name url format kinds language chat secret old_secret old_until site made_at "
            "failing_since pause"
        ),
    ),
    "tournament.Delivery": (
        players(
            "message text",
            _("Messages to programs and chats with your points, as the public pages have them"),
            _("to tell them what happened, and to try again"),
            Until.MONTH,
            public=True,
        ),
        nobodys(
            "id webhook key kind session state tries status milliseconds fault answer posted_at try_at done_at"
        ),
    ),
}
