"""What is kept of people, why and until when: every field of every model is one line here, or part of one.

The privacy pages, what somebody is handed of theirs and the tests read this. A field that is missing fails
`tests/house/test_carried.py`.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Whose(Enum):
    PLAYER = "player"
    """Of whoever plays or wants to."""
    STAFF = "staff"
    """Of organisers, umpires and others with an account or a pass."""
    NOBODY = "nobody"
    """Of the event, or what ties rows together."""


class Until(Enum):
    CONTACT = _("until some days after the last session")
    """The page says how many."""
    EVENT = _("as long as the event is kept, unless it is erased before")
    WEEK = _("a week after the event at the most")
    MONTH = _("a month at the most")
    ACCOUNT = _("as long as the account is there")
    SIGN_IN = _("until the sign-in runs out")


@dataclass(frozen=True)
class Kept:
    """Fields of one model that are kept for the same reason, and as long."""

    fields: tuple[str, ...]
    whose: Whose = Whose.NOBODY
    what: str | Promise = ""
    why: str | Promise = ""
    until: Until | None = None
    is_public: bool = False
    """Whether everybody sees it."""


def nobodys(fields: str) -> Kept:
    return Kept(tuple(fields.split()))


def players(
    fields: str, what: Promise, why: Promise, until: Until = Until.EVENT, *, public: bool = False
) -> Kept:
    return Kept(tuple(fields.split()), Whose.PLAYER, what, why, until, public)


def staffs(
    fields: str, what: Promise, why: Promise, until: Until = Until.EVENT, *, public: bool = False
) -> Kept:
    return Kept(tuple(fields.split()), Whose.STAFF, what, why, until, public)


RANKING = _("to draw the seats and to say who came where")
REACH = _("to tell you about your place, and to reach you before the event")
PLAY = _("the score of the event and how it came about")
RULES = _("the rules ask that decisions can be looked up")
WHO_WROTE = _("who wrote down what: results are proved by it")
MONEY = _("to know who has paid")
SIGN_IN = _("to let in who may")


# --- Those who sign in ---


OF_ACCOUNTS: Final[dict[str, tuple[Kept, ...]]] = {
    "tournament.Membership": (
        staffs("user role", _("Who organises and umpires"), SIGN_IN),
        nobodys("id tournament everywhere sessions tables every_session table_number player"),
    ),
    "tournament.Invitation": (
        staffs("email", _("Where an invitation was sent"), SIGN_IN, Until.CONTACT),
        staffs("role used_by used_at made_by", _("Who was invited to what, by whom"), WHO_WROTE),
        nobodys("id tournament sessions tables token_hash expires_at made_at revoked_at"),
    ),
    "tournament.Watch": (nobodys("id membership table"),),
    "tournament.Pass": (
        staffs("opened_at made_by", _("Who made a pass, and when it was last opened"), SIGN_IN),
        nobodys("id membership token_hash expires_at revoked_at made_at"),
    ),
    "tournament.Visit": (
        staffs(
            "user session_data",
            _("Where an account is signed in: browser and place"),
            SIGN_IN,
            Until.SIGN_IN,
        ),
        nobodys("session_key expire_date"),
    ),
    "tournament.ApiToken": (
        staffs("user name used_at", _("Which programs use an account"), SIGN_IN, Until.SIGN_IN),
        nobodys("digest token_key created expiry scope everywhere tournaments"),
    ),
    "auth.User": (
        staffs(
            "username first_name last_name email password last_login date_joined",
            _("Account: name, password as a hash, when it was last used"),
            SIGN_IN,
            Until.ACCOUNT,
        ),
        nobodys("id is_superuser is_staff is_active"),
    ),
    "otp_totp.TOTPDevice": (
        staffs("user key", _("The second factor of an account"), SIGN_IN, Until.ACCOUNT),
        nobodys(
            "id name confirmed throttling_failure_timestamp throttling_failure_count created_at last_used_at step t0 "
            "digits tolerance drift last_t"
        ),
    ),
    "otp_static.StaticDevice": (
        staffs("user", _("The second factor of an account"), SIGN_IN, Until.ACCOUNT),
        nobodys(
            "id name confirmed throttling_failure_timestamp throttling_failure_count created_at last_used_at"
        ),
    ),
    "otp_static.StaticToken": (nobodys("id device token"),),
}


# --- Those who play or want to ---


OF_PEOPLE: Final[dict[str, tuple[Kept, ...]]] = {
    "tournament.Player": (
        players(
            "first_name last_name country team club", _("Name, country, club and team"), RANKING, public=True
        ),
        players("ema_number", _("EMA number"), _("to report results to the EMA"), public=True),
        players("checked_in_at withdrawn_at is_substitute", _("When you came and left"), PLAY, public=True),
        players("excluded_as excluded_at", _("Penalties"), RULES, public=True),
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
        players(
            "first_name last_name country ema_number club team changed_from",
            _("What you registered with"),
            RANKING,
        ),
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
            "list_is_public"
        ),
    ),
    "tournament.KeptPlaces": (nobodys("id plan by value places"),),
    "tournament.Question": (nobodys("id plan position kind text choices is_required"),),
    "tournament.Phone": (
        players(
            "endpoint key secret language site told since is_reached",
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
            "id tournament number name url format kinds language chat secret old_secret old_until made_at "
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


# --- The event ---


OF_PLAY: Final[dict[str, tuple[Kept, ...]]] = {
    "tournament.Seat": (
        players(
            "table wind game_points hands_won wins_by_discard deal_ins",
            _("Where you sat and your results"),
            PLAY,
            public=True,
        ),
        players("stand_in stand_in_from", _("The name of who played in somebody’s place"), PLAY, public=True),
        nobodys("id player"),
    ),
    "tournament.Hand": (
        players(
            "table number outcome winner discarder tiles announced points fans payments claimants absent recorded_at",
            _("The hands you won, and those you dealt into"),
            PLAY,
            public=True,
        ),
        players("reason overridden_because", _("Why a hand was corrected"), RULES, public=True),
        staffs("recorded_by", _("Who recorded a hand"), WHO_WROTE),
        nobodys(
            "id uuid in_time points_without_flowers points_by_tiles scored_by version is_current replaces deepens"
        ),
    ),
    "tournament.Totals": (
        players(
            "table points payments wins deal_ins hands best recorded_at",
            _("Your totals, where the sheet was kept on paper"),
            PLAY,
            public=True,
        ),
        players("reason", _("Why totals were corrected"), RULES, public=True),
        staffs("recorded_by settled_by", _("Who typed totals, or settled a difference"), WHO_WROTE),
        nobodys("id uuid version is_current replaces is_second settled_as settled_at"),
    ),
    "penalties.Penalty": (
        players(
            "table player victim foul hand_number facts occurrence sanction proposed effects given_at cancelled_at",
            _("Penalties"),
            RULES,
            public=True,
        ),
        players("because note cancelled_because", _("What was noted about a penalty"), RULES),
        staffs("given_by cancelled_by", _("Who gave a penalty or took it back"), WHO_WROTE),
        nobodys("id tournament uuid"),
    ),
    "tournament.Absence": (
        players("table since arrived_at taken_back_at begun_because", _("When you were late"), RULES),
        nobodys("id player uuid"),
    ),
    "tournament.Appeal": (
        players(
            "table hand_number text opened_at granted ruling ruled_at alone_because settled_as settled_at "
            "settled_because",
            _("Appeals and rulings"),
            RULES,
            public=True,
        ),
        staffs(
            "opened_by ruled_by settled_by committee",
            _("Who took up an appeal, and who ruled on it"),
            WHO_WROTE,
        ),
        nobodys("id uuid player penalty"),
    ),
    "tournament.Signature": (
        players("table sheet signed_at void_at void_because", _("What you signed, and when"), RULES),
        staffs("recorded_by", _("On whose device a sheet was signed"), WHO_WROTE),
        nobodys("id player"),
    ),
    "tournament.LogEntry": (
        players(
            "data texts",
            _("Entries of the log that name you by number, and what was typed in them"),
            WHO_WROTE,
        ),
        staffs(
            "actor actor_code", _("Who wrote an entry of the log, by the number of the account"), WHO_WROTE
        ),
        nobodys("id tournament seq public_seq at action previous_hash hash"),
    ),
    "tournament.Announcement": (
        players(
            "text translations",
            _("Announcements, which may call somebody by name"),
            _("to tell the hall"),
            public=True,
        ),
        staffs("made_by", _("Who made an announcement"), WHO_WROTE),
        nobodys("id tournament uuid tables session made_at ends_at withdrawn_at"),
    ),
    "tournament.Ceremony": (
        players("lines", _("The places as they were read out"), PLAY, public=True),
        staffs("started_by", _("Who held a ceremony"), WHO_WROTE),
        nobodys("id tournament kind first told started_at ended_at"),
    ),
    "tournament.Publication": (
        players("rows", _("The standings as they were published, by number"), PLAY, public=True),
        staffs("published_by", _("Who published standings"), WHO_WROTE),
        nobodys("id tournament version after_session is_final published_at"),
    ),
    "tournament.DocumentJob": (
        players("file", _("Standings as a document, with names"), _("to be printed and put up"), public=True),
        staffs("requested_by", _("Who asked for a document"), WHO_WROTE),
        nobodys(
            "id session site state done_steps steps error requested_at finished_at tournament kind language second "
            "paper standings_version standings_state edition digest"
        ),
    ),
    "tournament.Final": (
        players("groups", _("Who is in a final, by number"), PLAY, public=True),
        nobodys("id tournament after_session carry"),
    ),
    "tournament.Table": (
        staffs("in_by", _("Who handed a sheet in"), WHO_WROTE),
        nobodys("id session number version hands_played counts_totals on_paper is_in extra_minutes in_at"),
    ),
    "tournament.Call": (
        staffs("taken_by", _("Who went to a table that called"), WHO_WROTE),
        nobodys("id table topic called_at taken_at done_at"),
    ),
    "tournament.Puzzle": (
        staffs("made_by", _("Who added a puzzle"), WHO_WROTE),
        nobodys("id tournament uuid record made_at"),
    ),
    "tournament.TrialJob": (
        staffs("requested_by", _("Who tried Hule out"), WHO_WROTE),
        nobodys("id state done_steps steps error requested_at finished_at tournament players"),
    ),
    "tournament.Tournament": (
        nobodys(
            "id slug name venue starts_on ends_on rulebook rules_snapshot sessions_planned minutes time_zone is_public "
            "appeal_minutes penalties_public on_paper is_trial draw_seed version public_version log_head created_at"
        ),
    ),
    "tournament.Session": (
        nobodys("id tournament number state started_at closed_at extra_minutes pauses hidden on_paper"),
    ),
    "tournament.Arrival": (
        staffs("by", _("Who brought an event here from a file"), WHO_WROTE),
        nobodys("id tournament version head at"),
    ),
    "tournament.FormerAccount": (
        staffs(
            "account user", _("Who wrote in an event that came from elsewhere, by name and number"), WHO_WROTE
        ),
        nobodys("id tournament uuid until"),
    ),
    "tournament.Extension": (nobodys("id tournament name spec_url data"),),
    "tournament.Screen": (nobodys("id tournament name turns since only page turn steered_at"),),
    "tournament.TimetableItem": (nobodys("id tournament uuid session title day starts ends"),),
}

KEPT: Final[dict[str, tuple[Kept, ...]]] = OF_PEOPLE | OF_PLAY | OF_ACCOUNTS
"""Model → its lines."""


def fields_of(label: str, whose: Whose) -> list[str]:
    """The fields of a model that are somebody's."""
    return [name for kept in KEPT[label] if kept.whose is whose for name in kept.fields]
