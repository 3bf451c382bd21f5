"""What personal data is stored, why and until when, for every field of every model.

The privacy pages and the export of personal data are made from it. `tests/house/test_sections.py` fails for a missing
field.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class DataSubject(Enum):
    PLAYER = "player"
    """Players and people who register."""
    STAFF = "staff"
    """Organisers, umpires and others with an account or a pass."""
    NOBODY = "nobody"
    """No personal data: of the event, or keys of rows."""


class Until(Enum):
    CONTACT = _("until some days after the last session")
    """The page inserts the number."""
    EVENT = _("as long as the event is kept, unless erased earlier")
    WEEK = _("at most a week after the event")
    MONTH = _("at most a month")
    ACCOUNT = _("as long as the account is there")
    SIGN_IN = _("until the session expires")


@dataclass(frozen=True)
class RetentionRule:
    """Fields of one model that are stored for the same reason and period."""

    fields: tuple[str, ...]
    subject: DataSubject = DataSubject.NOBODY
    description: str | Promise = ""
    reason: str | Promise = ""
    until: Until | None = None
    is_public: bool = False
    """Whether they are on public pages."""


def not_personal(fields: str) -> RetentionRule:
    return RetentionRule(tuple(fields.split()))


def of_players(
    fields: str, description: Promise, reason: Promise, until: Until = Until.EVENT, *, public: bool = False
) -> RetentionRule:
    return RetentionRule(tuple(fields.split()), DataSubject.PLAYER, description, reason, until, public)


def of_staff(
    fields: str, description: Promise, reason: Promise, until: Until = Until.EVENT, *, public: bool = False
) -> RetentionRule:
    return RetentionRule(tuple(fields.split()), DataSubject.STAFF, description, reason, until, public)


RANKING = _("to draw the seats and publish the results")
REACH = _("to tell you about your place, and to reach you before the event")
PLAY = _("to document the results")
RULES = _("because the rules require a record of decisions")
WHO_WROTE = _("to prove who recorded what")
MONEY = _("to know who has paid")
SIGN_IN = _("to control access")


# --- Accounts ---


ACCOUNT_RULES: Final[dict[str, tuple[RetentionRule, ...]]] = {
    "tournament.Membership": (
        of_staff("user role", _("Who organises and umpires"), SIGN_IN),
        not_personal("id tournament everywhere sessions tables every_session table_number player"),
    ),
    "tournament.Invitation": (
        of_staff("email", _("Where an invitation was sent"), SIGN_IN, Until.CONTACT),
        of_staff("role used_by used_at made_by", _("Who was invited to what, by whom"), WHO_WROTE),
        not_personal("id tournament sessions tables token_hash expires_at made_at revoked_at"),
    ),
    "tournament.Watch": (not_personal("id membership table"),),
    "tournament.Pass": (
        of_staff("opened_at made_by", _("Who created an access link, and when it was last opened"), SIGN_IN),
        not_personal("id membership token_hash expires_at revoked_at made_at"),
    ),
    "tournament.Visit": (
        of_staff(
            "user session_data",
            _("Where an account is signed in: browser and network address"),
            SIGN_IN,
            Until.SIGN_IN,
        ),
        not_personal("session_key expire_date"),
    ),
    "tournament.ApiToken": (
        of_staff("user name used_at", _("Which programs use an account"), SIGN_IN, Until.SIGN_IN),
        not_personal("digest token_key created expiry scope everywhere tournaments"),
    ),
    "auth.User": (
        of_staff(
            "username first_name last_name email password last_login date_joined",
            _("Account: name, password as a hash, when it was last used"),
            SIGN_IN,
            Until.ACCOUNT,
        ),
        not_personal("id is_superuser is_staff is_active"),
    ),
    "otp_totp.TOTPDevice": (
        of_staff("user key", _("The two-step sign-in of an account"), SIGN_IN, Until.ACCOUNT),
        not_personal(
            "id name confirmed throttling_failure_timestamp throttling_failure_count created_at last_used_at step t0 "
            "digits tolerance drift last_t"
        ),
    ),
    "otp_static.StaticDevice": (
        of_staff("user", _("The two-step sign-in of an account"), SIGN_IN, Until.ACCOUNT),
        not_personal(
            "id name confirmed throttling_failure_timestamp throttling_failure_count created_at last_used_at"
        ),
    ),
    "otp_static.StaticToken": (not_personal("id device token"),),
}


# --- People ---


PEOPLE_RULES: Final[dict[str, tuple[RetentionRule, ...]]] = {
    "tournament.Player": (
        of_players(
            "first_name last_name second_name family_name_first country team club",
            _("Name, country, club and team"),
            RANKING,
            public=True,
        ),
        of_players("ema_number", _("EMA number"), _("to report results to the EMA"), public=True),
        of_players(
            "checked_in_at withdrawn_at is_substitute", _("When you came and left"), PLAY, public=True
        ),
        of_players("excluded_as excluded_at", _("Penalties"), RULES, public=True),
        not_personal("id tournament number person erased_at has_namesake"),
    ),
    "tournament.Person": (
        of_players(
            "first_name last_name family_name_first country ema_number club",
            _("Name, country, club and EMA number across events"),
            _("to recognise you at the next event"),
            public=True,
        ),
        of_players("key", _("Your name, prepared for searching"), _("to recognise you at the next event")),
        not_personal("id is_hidden merged_into made_at"),
    ),
    "tournament.PersonName": (
        of_players(
            "name", _("Your name in other scripts"), _("to recognise you at the next event"), public=True
        ),
        of_players("key", _("Your name, prepared for searching"), _("to recognise you at the next event")),
        not_personal("id person"),
    ),
    "tournament.Registration": (
        of_players(
            "first_name last_name second_name family_name_first country ema_number club team changed_from",
            _("Your registration data"),
            RANKING,
        ),
        of_players("email language", _("E-mail address and language"), REACH, Until.CONTACT),
        of_players(
            "message answers",
            _("Your message to the organiser and your answers"),
            _("to prepare the event for you"),
            Until.CONTACT,
        ),
        of_players(
            "photos_agreed name_shown declines_messages privacy_read_at",
            _("What you agreed to"),
            _("to respect it"),
        ),
        of_players("state made_at confirmed_at waits_since", _("The state of your registration"), RANKING),
        not_personal("id tournament number key player erased_at"),
    ),
    "tournament.Mail": (
        of_players(
            "to subject text language letter state error posted_at sent_at",
            _("E-mails that were sent to you"),
            REACH,
            Until.CONTACT,
        ),
        not_personal("id key tournament registration tries try_at"),
    ),
    "tournament.Due": (
        of_players("fee amount reference", _("What you have to pay"), MONEY),
        not_personal("id tournament registration player batch"),
    ),
    "tournament.Payment": (
        of_players("amount method on cancelled_at", _("What you have paid"), MONEY),
        of_staff("recorded_by", _("Who recorded a payment"), WHO_WROTE),
        not_personal("id due uuid"),
    ),
    "tournament.Fee": (not_personal("id tournament position name amount from_day"),),
    "tournament.RegistrationPlan": (
        not_personal(
            "id tournament opens_at closes_at is_open places waiting_places accepts_automatically "
            "moves_up_automatically list_is_public"
        ),
    ),
    "tournament.PlaceReservation": (not_personal("id plan by value places"),),
    "tournament.Question": (not_personal("id plan position kind text choices is_required"),),
    "tournament.Phone": (
        of_players(
            "endpoint key secret language site last_situation used_at is_reached",
            _("The push address of your phone, if you asked for notifications"),
            _("to notify you of your seat"),
            Until.WEEK,
        ),
        not_personal("id player"),
    ),
    "tournament.CheckIn": (not_personal("id tournament ends_at self_check_in"),),
    "tournament.RejectedPerson": (not_personal("id player person"),),
    "tournament.PersonChange": (
        of_staff("by cancelled_by", _("Who merged two entries of one person"), WHO_WROTE),
        not_personal("id person what into moved at cancelled_at"),
    ),
    "tournament.PrivacyPlan": (
        not_personal("id tournament contact_days deleted_at deleted_people deleted_letters"),
    ),
    "tournament.EventPage": (
        of_staff(
            "contact referees",
            _("Who organises and who to ask"),
            _("so that everybody can reach them"),
            public=True,
        ),
        not_personal("id tournament description rules_note address country map_url website mers colour"),
    ),
    "tournament.PrizePlan": (not_personal("id tournament one_per_person ties"),),
    "tournament.Prize": (
        of_players("kind value players", _("The prizes that you can win as one of a category"), PLAY),
        not_personal("id tournament position rank text amount"),
    ),
    "tournament.EmaCertification": (
        of_staff(
            "observer observer_country observer_named_on",
            _("Who observes the event for the EMA"),
            _("because the EMA asks for it on the event page"),
            public=True,
        ),
        not_personal("id tournament applied_on is_national"),
    ),
    "tournament.EmaColumns": (not_personal("id tournament columns"),),
    "tournament.CertificateDesign": (not_personal("id tournament text places best_hand file"),),
    "tournament.EventDocument": (not_personal("id tournament uuid title kind size file is_logo added_at"),),
    "tournament.TournamentAccount": (
        of_staff("holder iban bic", _("The bank account for payments"), MONEY),
        not_personal("id tournament currency mark link confirms_by_mail"),
    ),
    "tournament.LetterText": (not_personal("id tournament letter language subject text"),),
    "tournament.Webhook": (
        not_personal(
            "id tournament number name url format kinds language chat secret old_secret old_until made_at "
            "failing_since pause"
        ),
    ),
    "tournament.Delivery": (
        of_players(
            "message text",
            _("Messages to programs and chats with your points, as the public pages have them"),
            _("to notify them, and to try again"),
            Until.MONTH,
            public=True,
        ),
        not_personal(
            "id webhook key kind session state tries status milliseconds fault answer posted_at try_at done_at"
        ),
    ),
}


# --- The event ---


PLAY_RULES: Final[dict[str, tuple[RetentionRule, ...]]] = {
    "tournament.Seat": (
        of_players(
            "table wind game_points hands_won wins_by_discard deal_ins",
            _("Where you sat and your results"),
            PLAY,
            public=True,
        ),
        of_players("stand_in stand_in_from", _("The name of a stand-in"), PLAY, public=True),
        not_personal("id player"),
    ),
    "tournament.Hand": (
        of_players(
            "table number outcome winner discarder tiles announced points fans payments claimants absent recorded_at",
            _("The hands you won, and those you dealt into"),
            PLAY,
            public=True,
        ),
        of_players("reason overridden_because", _("Why a hand was corrected"), RULES, public=True),
        of_players("dispute", _("What each side claimed of a disputed hand"), RULES),
        of_staff("recorded_by", _("Who recorded a hand"), WHO_WROTE),
        not_personal(
            "id uuid in_time points_without_flowers points_by_tiles scored_by version is_current replaces deepens"
        ),
    ),
    "tournament.HandPhoto": (
        of_players("file added_at", _("Photographs of disputed hands"), RULES, Until.CONTACT),
        of_staff("added_by", _("Who added a photograph"), WHO_WROTE, Until.CONTACT),
        not_personal("id table hand_number uuid"),
    ),
    "tournament.Totals": (
        of_players(
            "table points payments wins deal_ins hands best recorded_at",
            _("Your totals, where the sheet was kept on paper"),
            PLAY,
            public=True,
        ),
        of_players("reason", _("Why totals were corrected"), RULES, public=True),
        of_staff("recorded_by settled_by", _("Who typed totals, or settled a difference"), WHO_WROTE),
        not_personal("id uuid version is_current replaces is_second settled_as settled_at"),
    ),
    "penalties.Penalty": (
        of_players(
            "table player victim foul hand_number facts occurrence sanction proposed effects given_at cancelled_at",
            _("Penalties"),
            RULES,
            public=True,
        ),
        of_players("because note cancelled_because", _("Notes on a penalty"), RULES),
        of_staff("given_by cancelled_by", _("Who gave or cancelled a penalty"), WHO_WROTE),
        not_personal("id tournament uuid"),
    ),
    "tournament.Absence": (
        of_players("table since arrived_at cancelled_at begun_because", _("When you were late"), RULES),
        not_personal("id player uuid"),
    ),
    "tournament.Appeal": (
        of_players(
            "table hand_number text opened_at granted ruling ruled_at alone_because settled_as settled_at "
            "settled_because",
            _("Appeals and rulings"),
            RULES,
            public=True,
        ),
        of_staff(
            "opened_by ruled_by settled_by committee",
            _("Who took up an appeal, and who ruled on it"),
            WHO_WROTE,
        ),
        not_personal("id uuid player penalty"),
    ),
    "tournament.Signature": (
        of_players("table sheet signed_at void_at void_because", _("What you signed, and when"), RULES),
        of_staff("recorded_by", _("On whose device a sheet was signed"), WHO_WROTE),
        not_personal("id player"),
    ),
    "tournament.LogEntry": (
        of_players(
            "data texts",
            _("Log entries that refer to you by number, and any text in them"),
            WHO_WROTE,
        ),
        of_staff(
            "actor actor_code", _("Who wrote an entry of the log, by the number of the account"), WHO_WROTE
        ),
        not_personal("id tournament seq public_seq at action previous_hash hash"),
    ),
    "tournament.Announcement": (
        of_players(
            "text translations",
            _("Announcements, which may call somebody by name"),
            _("to inform everyone in the hall"),
            public=True,
        ),
        of_staff("made_by", _("Who made an announcement"), WHO_WROTE),
        not_personal("id tournament uuid tables session made_at ends_at cancelled_at"),
    ),
    "tournament.Ceremony": (
        of_players("lines", _("The places as announced in the ceremony"), PLAY, public=True),
        of_staff("started_by", _("Who held a ceremony"), WHO_WROTE),
        not_personal("id tournament kind first announced_steps started_at ended_at"),
    ),
    "tournament.Publication": (
        of_players("rows", _("The standings as they were published, by number"), PLAY, public=True),
        of_staff("published_by", _("Who published standings"), WHO_WROTE),
        not_personal("id tournament version after_session is_final published_at"),
    ),
    "tournament.DocumentJob": (
        of_players(
            "file", _("Standings as a document, with names"), _("to be printed and put up"), public=True
        ),
        of_staff("requested_by", _("Who asked for a document"), WHO_WROTE),
        not_personal(
            "id session site state done_steps steps error requested_at finished_at tournament kind language second "
            "paper standings_version standings_state edition digest"
        ),
    ),
    "tournament.Final": (
        of_players("groups confirmed", _("Who is in a final, by number"), PLAY, public=True),
        not_personal("id tournament after_session carry"),
    ),
    "tournament.Table": (
        of_staff("in_by", _("Who handed a sheet in"), WHO_WROTE),
        not_personal(
            "id session number version hands_played counts_totals on_paper is_in extra_minutes in_at"
        ),
    ),
    "tournament.Call": (
        of_staff("taken_by", _("Who went to a table that called"), WHO_WROTE),
        not_personal("id table topic called_at taken_at done_at"),
    ),
    "tournament.Puzzle": (
        of_staff("made_by", _("Who added a puzzle"), WHO_WROTE),
        not_personal("id tournament uuid record made_at"),
    ),
    "tournament.TrialJob": (
        of_staff("requested_by", _("Who created a trial tournament"), WHO_WROTE),
        not_personal("id state done_steps steps error requested_at finished_at tournament players language"),
    ),
    "tournament.Tournament": (
        not_personal(
            "id slug name venue starts_on ends_on rulebook foul_book rules_snapshot sessions_planned minutes time_zone "
            "is_public appeal_minutes appeal_deposit penalties_public on_paper is_club_evening is_trial draw_seed "
            "version public_version log_head created_at"
        ),
    ),
    "tournament.Session": (
        not_personal("id tournament number state started_at closed_at extra_minutes pauses hidden on_paper"),
    ),
    "tournament.Arrival": (
        of_staff("by", _("Who imported an event from a file"), WHO_WROTE),
        not_personal("id tournament version head at"),
    ),
    "tournament.FormerAccount": (
        of_staff("account user", _("Who made entries in an imported event, by name and number"), WHO_WROTE),
        not_personal("id tournament uuid until"),
    ),
    "tournament.Extension": (not_personal("id tournament name spec_url data"),),
    "tournament.Screen": (not_personal("id tournament name turns since only page turn steered_at"),),
    "tournament.TimetableItem": (not_personal("id tournament uuid session title day starts ends"),),
}

RETENTION_RULES: Final[dict[str, tuple[RetentionRule, ...]]] = PEOPLE_RULES | PLAY_RULES | ACCOUNT_RULES
"""Model → its rules."""


def fields_of(label: str, subject: DataSubject) -> list[str]:
    """Return the fields of a model with data of these people."""
    return [name for rule in RETENTION_RULES[label] if rule.subject is subject for name in rule.fields]
