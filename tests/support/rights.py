"""Who may use which service: each service with the roles that may call it, and a call in the scene."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from importlib import import_module
from typing import Any, Final, cast
from uuid import uuid4

from django.contrib.auth.models import User
from django.core import signing
from django.utils import timezone

from penalties.engine import Names
from penalties.engine.rules import Fixed
from penalties.models import Penalty
from tests.support.factories import (
    SYSTEM,
    edited,
    entrant,
    make_tournament,
    make_user,
    seats_for,
    wash_out,
    win,
)
from tests.support.files import picture
from tests.support.packages import modules_of_layer
from tests.support.processes import ROOT
from tests.support.registrations import applicant, make_plan, question
from tests.support.scene import Scene
from tournament.base.access import Actor
from tournament.base.engine.entries import PENDING, HandEntry
from tournament.base.engine.finals import Carry
from tournament.base.engine.notices import Kind as HookKind
from tournament.base.engine.rules import Attendance
from tournament.base.models.documents import CertificateDesign
from tournament.base.models.events import EventDocument, EventPage, TimetableItem
from tournament.base.models.people import Person, PersonChange, Player
from tournament.base.models.play import Absence, Hand, Session, Table
from tournament.base.models.registration import Registration, RegistrationPlan
from tournament.base.models.tournament import Membership, Pass, Role, Tournament
from tournament.dues import services as dues_services
from tournament.dues.models import Due, Fee, Payment
from tournament.dues.selectors import account_of
from tournament.ema.engine.columns import Column
from tournament.ema.models import EmaCertification
from tournament.events import services as events_services
from tournament.exchange.selectors import serialize_tournament
from tournament.fouls.services import appeals, foul_book
from tournament.messages.announcements import services as announcements
from tournament.messages.announcements.models import Announcement
from tournament.messages.mail.models import LetterText, Mail
from tournament.messages.mail.outbox import queue_mail
from tournament.messages.webhooks import services as webhooks
from tournament.messages.webhooks.models import Webhook
from tournament.people import services as persons
from tournament.play.engine.statements import Accusation, TotalsEntry
from tournament.play.models import Totals
from tournament.play.services import absences, hands, photos, sessions, tables, totals
from tournament.players.models import CheckIn
from tournament.players.selectors.check_in import door_code
from tournament.players.selectors.players import FieldChange
from tournament.players.services import check_in, players
from tournament.privacy.models import PrivacyPlan
from tournament.prizes.models import Prize, PrizePlan
from tournament.ranking import services as embargo
from tournament.ranking.engine.finals import FinalsOptions, FinalStage
from tournament.registration.selectors.registrations import last_step
from tournament.registration.services import admissions, registrations
from tournament.roster.engine import Addressees, Group
from tournament.screens import services as screens_services
from tournament.screens.engine import Command, Kind, ScreenAction, Turn
from tournament.screens.models import MAIN_SCREEN, Ceremony
from tournament.seating.engine.swiss import SeatingMethod
from tournament.seating.selectors.changes import SessionOptions
from tournament.seating.services import corrections, seatings
from tournament.staff import services as staff_services
from tournament.staff.models import Invitation
from tournament.staff.passes import PassScope

EVERYBODY: Final = frozenset({"everybody"})

Service = Callable[..., object]
Attempt = Callable[[Actor], object]
Scenario = Callable[[Scene], Attempt]
"""Prepares the scene; returns the call, to be tried by an actor."""
Call = Callable[[Service, Actor], object]
RIGHTS: dict[str, tuple[frozenset[str], Scenario]] = {}


def on(subject: object, /, *details: Any, **named: Any) -> Call:
    """Call a service with this subject, the actor, and these details."""
    return lambda service, actor: service(subject, actor, *details, **named)


def new(*details: Any, **named: Any) -> Call:
    """Call a service that has no subject yet."""
    return lambda service, actor: service(actor, *details, **named)


def after(_preparation: object, call: Call) -> Call:
    """Return the call, after its preparation was evaluated."""
    return call


def may(who: frozenset[str], services: Mapping[str, Callable[[Scene], Call]]) -> None:
    """Register who may use these services, each with a function that prepares its call in the scene."""
    for name, prepare in services.items():
        assert name not in RIGHTS
        RIGHTS[name] = (who, _scenario(_find_service(name), prepare))


def _find_service(name: str) -> Service:
    """Return the service "package.name"."""
    package, service = name.split(".")
    for path in modules_of_layer("services")[package]:
        module = import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
        if getattr(getattr(module, service, None), "__module__", None) == module.__name__:
            return cast(Service, getattr(module, service))
    raise LookupError(name)


def _scenario(service: Service, prepare: Callable[[Scene], Call]) -> Scenario:
    def scenario(scene: Scene) -> Attempt:
        call = prepare(scene)
        return lambda actor: call(service, actor)

    return scenario


OWNERS: Final = frozenset({"owner"})
ORGANISERS: Final = OWNERS | {"organiser"}
RULERS: Final = ORGANISERS | {"chief umpire"}
CLOCK: Final = RULERS | {"umpire everywhere"}
JUDGES: Final = CLOCK | {"umpire here", "umpire of the session"}
"""Umpires of this table in person, not its pass."""
IN_PERSON: Final = JUDGES | {"scorer"}
AT_TABLE: Final = IN_PERSON | {"card here"}
ADMITTERS: Final = ORGANISERS | {"desk"}
CASHIERS: Final = ORGANISERS | {"treasurer"}
SHOWERS: Final = ORGANISERS | {"screens"}
CREATORS: Final = frozenset({"organiser", "organiser elsewhere"})

WORDS: Final = Names.filled("Phone rings")
DAYS: Final = {
    "name": "Autumn Open",
    "venue": "Hall",
    "starts_on": date(2026, 11, 14),
    "ends_on": date(2026, 11, 15),
}
PUZZLE: Final = "123m 456p 678s 55m 23s +1s"
CLOCK_ALONE: Final = [Turn(Kind.CLOCK, 10)]
TWO_TURNS: Final = [*CLOCK_ALONE, Turn(Kind.RANKING, 10)]
FINAL: Final = FinalsOptions(FinalStage(8, 8, Carry.NOTHING), 1, "lotto")
FINAL_SEATS: Final = [[dict(zip("ESWN", range(1, 5), strict=True))]]
BATCH: Final = uuid4()
LETTER: Final = "registration_changed"
REASON: Final = "It is time"


def _left(at: Scene) -> Call:
    """Return the import of an event that was exported and deleted."""
    event = make_tournament(players=4, drawn=False, name="Gone")
    content = serialize_tournament(event)
    events_services.delete_tournament(event, SYSTEM, name=event.name)
    return on(content, "from-a-file")


def _document(at: Scene) -> EventDocument:
    return events_services.add_event_document(at.tournament, SYSTEM, "Way", b"%PDF-1", uuid=uuid4())


def _unconfirmed(at: Scene, **fields: str) -> Registration:
    return Registration.objects.create(
        tournament=at.tournament, number=1, last_name="Nowak", made_at=timezone.now(), **fields
    )


def _withdrawn(at: Scene) -> Player:
    players.withdraw_player(at.player(1), SYSTEM)
    return at.player(1)


def _checked_in(at: Scene) -> Player:
    return check_in.check_in(at.player(1), SYSTEM)


def _person(at: Scene, number: int = 1) -> Person:
    ((_player, person),) = persons.link_players(at.tournament, SYSTEM, {number: None})
    return person


def _lunch(at: Scene) -> TimetableItem:
    return TimetableItem(title="Lunch", day=at.tournament.starts_on, starts=time(12))


def _renamed(at: Scene) -> Tournament:
    at.tournament.name = "Other"
    return at.tournament


def _twice(at: Scene) -> list[Person]:
    """Create two persons of two tournaments."""
    ((_player, other),) = persons.link_players(at.drawn, SYSTEM, {2: None})
    return [other, _person(at)]


def _merged(at: Scene) -> PersonChange:
    first, second = _twice(at)
    return persons.merge_people(first, SYSTEM, second)


def _registered(at: Scene) -> Registration:
    """Create a registration with a place."""
    make_plan(at.tournament)
    admissions.add_registrations(at.tournament, SYSTEM, [registration := applicant(99)])
    return registration


def _declined(at: Scene) -> Call:
    number = _registered(at).number
    admissions.decide(at.tournament, SYSTEM, [number], Registration.State.DECLINED)
    step = last_step(at.tournament)
    return on(at.tournament, step.seq if step else 0)


def _all_handed_in(at: Scene) -> Session:
    at.hand()
    for table in at.session(2).tables.all():
        tables.hand_in(table, SYSTEM)
    return at.session(2)


def _ceremony(at: Scene) -> Ceremony:
    return screens_services.start_ceremony(at.between, SYSTEM, Ceremony.Kind.PLAYERS, 3)


def _nina(at: Scene) -> Membership:
    return staff_services.give_role(at.tournament, SYSTEM, make_user("nina"))


def _invitation(at: Scene) -> Invitation:
    until = timezone.now() + timedelta(days=1)
    return Invitation(tournament=at.tournament, role=Role.TREASURER, expires_at=until)


def _passes() -> tuple[list[PassScope], datetime]:
    return [PassScope("Table 3", table_number=3)], timezone.now() + timedelta(days=1)


def _pass(at: Scene) -> Pass:
    (desk_pass,) = staff_services.make_passes(at.tournament, SYSTEM, *_passes())
    return desk_pass


def _due(at: Scene) -> Due:
    return dues_services.set_due(at.tournament, SYSTEM, at.player(1), amount=Decimal(40))


def _fee() -> Fee:
    return Fee(name="Members", amount=Decimal(30))


def _payment(at: Scene) -> Payment:
    return Payment(due=_due(at), uuid=uuid4(), amount=Decimal("5.00"))


def _message(at: Scene) -> Call:
    _unconfirmed(at, email="ana@example.org", state=Registration.State.ACCEPTED)
    own = LetterText(language="en", subject="News", text="Look")
    return on(at.tournament, Addressees(Group.EVERYBODY), [own], uuid=uuid4())


def _unsent(at: Scene) -> Call:
    mail = queue_mail(LETTER, "ana@example.org", "en", {}, tournament=at.tournament)
    Mail.objects.update(key=(key := uuid4()))
    return on(mail, key=key)


def _letter_text(at: Scene) -> LetterText:
    return LetterText(
        tournament=at.tournament, letter=LETTER, language="en", subject="News", text="Look: {link}"
    )


def _new_webhook(at: Scene) -> Webhook:
    url, kinds = "https://chat.example.org/x", [HookKind.UMPIRE_CALLED.value]
    return Webhook(tournament=at.tournament, name="umpires’ chat", url=url, kinds=kinds)


def _webhook(at: Scene) -> Webhook:
    return webhooks.add_webhook(_new_webhook(at), SYSTEM)


def _renamed_webhook(at: Scene) -> Webhook:
    webhook = _webhook(at)
    webhook.name = "another"
    return webhook


def _own_hand(at: Scene) -> Call:
    hand = at.hand()

    def call(service: Service, actor: Actor) -> object:
        Hand.objects.filter(pk=hand.pk).update(recorded_by=actor.user)
        return service(hand, actor)

    return call


def _disputed(at: Scene) -> int:
    """Record a disputed hand; return its number."""
    entry = HandEntry(PENDING, dispute="Both said hu.")
    return hands.record_hand(at.table, SYSTEM, entry, number=at.table.hands_played + 1, uuid=uuid4()).number


def _own_penalty(at: Scene) -> Call:
    penalty = at.penalty()

    def call(service: Service, actor: Actor) -> object:
        Penalty.objects.filter(pk=penalty.pk).update(given_by=actor.user)
        return service(penalty, actor, reason="A slip")

    return call


def _points(at: Scene, east: int = 30) -> TotalsEntry:
    return TotalsEntry(dict(zip(at.seated, (east, 0, -10), strict=False)))


def _with_totals(at: Scene) -> Table:
    totals.enter_totals(at.table, SYSTEM, _points(at), uuid=uuid4())
    return at.table


def _read_twice(at: Scene) -> Table:
    totals.enter_second_reading(_with_totals(at), SYSTEM, _points(at, 20), uuid=uuid4())
    return at.table


def _absence(at: Scene) -> Absence:
    return absences.record_absence(at.table, SYSTEM, at.seated[0], uuid=uuid4())


def _long_away(at: Scene) -> Table:
    """Return a table whose East has been absent since the session began an hour ago."""
    session, start = at.session(2), timezone.now() - timedelta(hours=1)
    session.started_at = start
    session.save()
    absences.record_absence(at.table, SYSTEM, at.seated[0], uuid=uuid4(), since=start)
    return at.table


may(EVERYBODY, {"play.raise_call": lambda at: on(at.table, "tiles")})
may(
    AT_TABLE,
    {
        "play.record_hand": lambda at: on(
            at.table, wash_out(), number=at.table.hands_played + 1, uuid=uuid4()
        ),
        "play.undo_hand": _own_hand,
        "play.enter_totals": lambda at: on(at.table, _points(at), uuid=uuid4()),
        "play.enter_second_reading": lambda at: on(_with_totals(at), _points(at, 20), uuid=uuid4()),
        "fouls.give_penalty": lambda at: on(at.table, Accusation(at.seated[0], "false_hu", 1), uuid=uuid4()),
        "fouls.undo_penalty": _own_penalty,
        "play.record_absence": lambda at: on(at.table, at.seated[0], uuid=uuid4()),
        "play.record_arrival": lambda at: on(_absence(at)),
        "play.seat_player_again": lambda at: after(
            absences.seat_stand_in(at.table, SYSTEM, at.seated[0], "Kim"), on(at.table, at.seated[0])
        ),
        "fouls.open_appeal": lambda at: on(at.table, at.seated[0], "No.", uuid=uuid4()),
        "play.hand_in": lambda at: after(at.hand(), on(at.table)),
        "play.sign": lambda at: after(at.hand(), on(at.table, at.seated[0])),
        "play.cancel_signature": lambda at: after(
            (at.hand(), tables.sign(at.table, SYSTEM, at.seated[0])), on(at.table, at.seated[0])
        ),
    },
)
may(
    IN_PERSON,
    {
        "play.add_photo": lambda at: on(at.table, _disputed(at), picture(), uuid=uuid4()),
        "play.delete_photo": lambda at: on(
            photos.add_photo(at.table, SYSTEM, _disputed(at), picture(), uuid=uuid4())
        ),
    },
)
may(
    JUDGES,
    {
        "play.correct_hand": lambda at: on(at.hand(), win(at.seated[0]), reason="Misheard", uuid=uuid4()),
        "play.correct_totals": lambda at: on(
            _with_totals(at), _points(at, 20), reason="Misread", uuid=uuid4()
        ),
        "play.set_totals_aside": lambda at: on(_with_totals(at), reason="The wrong table"),
        "play.settle_totals": lambda at: on(_read_twice(at), Totals.Settled.SECOND, uuid=uuid4()),
        "fouls.cancel_penalty": lambda at: on(at.penalty(), reason="It was the neighbour"),
        "play.reopen": lambda at: after((at.hand(), tables.hand_in(at.table, SYSTEM)), on(at.table)),
        "play.set_extra_time": lambda at: on(at.table, 5, reason="A tile"),
        "play.begin_without": lambda at: on(_absence(at), "The train is late"),
        "play.cancel_absence": lambda at: on(_absence(at)),
        "play.seat_stand_in": lambda at: on(_long_away(at), at.seated[0], "Kim"),
        "play.accept_call": lambda at: on(at.call()),
        "play.end_call": lambda at: on(at.call()),
    },
)
may(
    RULERS,
    {
        "fouls.rule_appeal": lambda at: on(at.appeal(), granted=False, ruling="The hand stands."),
        "fouls.waive_ruling": lambda at: on(
            appeals.rule_appeal(at.appeal(), SYSTEM, granted=True, ruling="It was not won."),
            because="The players agreed",
        ),
        "fouls.name_committee": lambda at: on(
            at.appeal(), [at.member(name) for name in ("chiara", "ute", "olga")]
        ),
    },
)
may(
    CREATORS,
    {
        "events.create_tournament": lambda at: new(Tournament(**DAYS)),
        "site.create_event": lambda at: new(Tournament(**DAYS)),
        "site.request_trial": lambda at: new(16),
        "exchange.import_tournament": _left,
    },
)
may(
    OWNERS,
    {
        "events.delete_tournament": lambda at: on(at.tournament, name=at.tournament.name),
        "exchange.export_tournament": lambda at: on(at.tournament, contacts=True),
        "privacy.delete_contacts": lambda at: on(at.tournament),
        "privacy.erase_player": lambda at: on(at.player(1), name=at.player(1).name),
        "privacy.erase_person": lambda at: on(person := _person(at), name=person.name),
        "privacy.erase_registration": lambda at: on(_unconfirmed(at), name="Nowak"),
        "staff.hand_over": lambda at: on(at.tournament, make_user("nina")),
    },
)
may(
    ORGANISERS,
    {
        "people.merge_people": lambda at: on(*_twice(at)),
        "people.undo_merge": lambda at: on(_merged(at)),
        "people.set_person_shown": lambda at: on(_person(at), shown=False),
        "play.set_on_paper": lambda at: on(at.tournament, True, session=2),
        "events.update_tournament": lambda at: on(_renamed(at)),
        "documents.request_document": lambda at: on(at.tournament, kind="standings", language="en"),
        "events.set_timetable": lambda at: on(
            at.tournament, [TimetableItem(title="Lunch", day=at.tournament.starts_on, starts=time(12))]
        ),
        "prizes.set_prizes": lambda at: on(PrizePlan(tournament=at.tournament), [Prize(text="Trophy")]),
        "ema.set_certification": lambda at: on(EmaCertification(tournament=at.tournament, observer="Ola")),
        "ema.set_ema_columns": lambda at: on(at.tournament, [Column("Place", "place")]),
        "events.set_event_page": lambda at: on(
            EventPage(tournament=at.tournament, contact="open@example.org")
        ),
        "events.add_event_document": lambda at: on(at.tournament, "Way", b"%PDF-1", uuid=uuid4()),
        "events.remove_event_document": lambda at: on(_document(at)),
        "events.set_logo": lambda at: on(_document(at), is_logo=False),
        "documents.set_certificates": lambda at: on(
            CertificateDesign(tournament=at.tournament, text="Well played")
        ),
        "screens.add_puzzle": lambda at: on(at.tournament, PUZZLE, uuid=uuid4()),
        "screens.remove_puzzle": lambda at: on(
            screens_services.add_puzzle(at.tournament, SYSTEM, PUZZLE, uuid=uuid4())
        ),
        "players.add_player": lambda at: on(Player(tournament=at.tournament, last_name="Kim")),
        "players.add_players": lambda at: on(at.drawn, [entrant(17)]),
        "players.edit_player": lambda at: on(at.player(1)),
        "players.withdraw_player": lambda at: on(at.player(1)),
        "players.replace_player": lambda at: on(at.player(1), "Kim"),
        "players.reinstate_player": lambda at: on(_withdrawn(at)),
        "players.delete_player": lambda at: on(players.add_players(at.tournament, SYSTEM, [entrant(17)])[0]),
        "players.add_substitutes": lambda at: after(_withdrawn(at), on(at.tournament, "Substitute")),
        "players.enter_list": lambda at: on(
            at.tournament, [], [FieldChange(1, "country", at.player(1).country, "AUT")]
        ),
        "roster.enter_people": lambda at: on(at.tournament, entrants=[entrant(17)]),
        "players.undo_list": lambda at: after(
            players.enter_list(at.tournament, SYSTEM, [entrant(17)]),
            on(at.tournament, at.tournament.log.latest("seq").seq),
        ),
        "players.set_check_in": lambda at: on(CheckIn(tournament=at.tournament, self_check_in=True)),
        "players.restart_check_in": lambda at: after(_checked_in(at), on(at.tournament)),
        "players.withdraw_missing": lambda at: on(at.drawn, [3]),
        "players.readmit_missing": lambda at: after(
            check_in.withdraw_missing(at.drawn, SYSTEM, [3]), on(at.drawn)
        ),
        "people.link_player": lambda at: on(at.drawn.players.get(number=1), _person(at)),
        "people.unlink_player": lambda at: after(_person(at), on(at.player(1))),
        "people.reject_proposal": lambda at: on(at.drawn.players.get(number=1), _person(at)),
        "people.link_players": lambda at: on(at.tournament, {1: None}),
        "people.undo_linking": lambda at: after(_person(at), on(at.tournament)),
        "registration.set_plan": lambda at: on(RegistrationPlan(tournament=at.tournament, places=7)),
        "registration.set_questions": lambda at: after(
            make_plan(at.tournament), on(at.tournament, [question("yes_no")])
        ),
        "seating.draw_seats": lambda at: on(at.drawn, seed="lotto"),
        "seating.seat_players": lambda at: on(at.drawn, seats_for(16, 2)),
        "seating.swap_players": lambda at: on(at.drawn, 1, 2, [1]),
        "seating.seat_at_stream": lambda at: on(at.drawn, [7], 2, [1]),
        "seating.seat_session": lambda at: on(at.drawn, 2, SessionOptions(SeatingMethod.LOT, "lotto")),
        "seating.import_plan": lambda at: on(at.drawn, {1: seats_for(16, 2)[1]}),
        "seating.replan_seats": lambda at: after(
            [players.withdraw_player(player, SYSTEM) for player in at.drawn.players.filter(number__lte=4)],
            on(at.drawn),
        ),
        "seating.undo_plan_change": lambda at: after(
            seatings.swap_players(at.drawn, SYSTEM, 1, 2, [1]), on(at.drawn)
        ),
        "play.name_stand_in": lambda at: after(
            _withdrawn(at), on(at.session(3).tables.get(seats__player__number=1), 1, "Ana Lima")
        ),
        "seating.set_up_final": lambda at: on(at.between, FINAL),
        "seating.confirm_finalists": lambda at: on(at.between, seen=""),
        "seating.restore_final": lambda at: on(at.between, Carry.NOTHING, [range(1, 5)], FINAL_SEATS),
        "play.start_session": lambda at: on(at.between.sessions.get(number=2)),
        "play.close_session": lambda at: on(_all_handed_in(at)),
        "play.reopen_session": lambda at: on(at.between.sessions.get(number=1), reason=REASON),
        "seating.unstart_session": lambda at: on(
            sessions.start_session(at.between.sessions.get(number=2), SYSTEM)
        ),
        "ranking.hide_results": lambda at: on(at.session(3)),
        "ranking.publish_standings": lambda at: on(at.between, reason=REASON),
        "screens.start_ceremony": lambda at: on(at.between, Ceremony.Kind.PLAYERS, 3),
        "screens.open_and_publish": lambda at: after(
            embargo.hide_results(at.between.sessions.get(number=1), SYSTEM), on(at.between, reason=REASON)
        ),
        "screens.announce_next_place": lambda at: on(_ceremony(at), seen=0),
        "screens.undo_place": lambda at: on(
            screens_services.announce_next_place(_ceremony(at), SYSTEM, seen=0), seen=1
        ),
        "screens.end_ceremony": lambda at: on(_ceremony(at)),
        "fouls.add_foul": lambda at: on(at.tournament, WORDS, WORDS, Fixed()),
        "fouls.change_foul": lambda at: on(at.tournament, "empty_call", Fixed()),
        "fouls.restore_foul": lambda at: after(
            foul_book.change_foul(at.tournament, SYSTEM, "empty_call", Fixed()),
            on(at.tournament, "empty_call"),
        ),
        "events.set_play_settings": lambda at: on(
            at.tournament, replace(at.tournament.rules.play, warning=5)
        ),
        "fouls.set_attendance": lambda at: on(at.tournament, Attendance(withdrawn_ranked=False)),
        "fouls.show_penalties": lambda at: on(at.tournament, public=True),
        "staff.give_role": lambda at: on(at.tournament, make_user("nina"), Role.SCORER),
        "staff.change_role": lambda at: on(_nina(at), Role.DESK),
        "staff.end_role": lambda at: on(_nina(at)),
        "staff.link_player": lambda at: on(_nina(at), at.player(1)),
        "staff.invite": lambda at: on(_invitation(at)),
        "staff.revoke_invitation": lambda at: on(staff_services.invite(_invitation(at), SYSTEM)),
        "staff.make_member": lambda at: on(at.tournament, User(username="nina")),
        "staff.make_passes": lambda at: on(at.tournament, *_passes()),
        "staff.renew_pass": lambda at: on(_pass(at)),
        "staff.revoke_passes": lambda at: on(at.tournament, [_pass(at)]),
        "mail.change_letter": lambda at: on(_letter_text(at)),
        "mail.restore_letter": lambda at: on(at.tournament, LETTER, "en"),
        "webhooks.add_webhook": lambda at: on(_new_webhook(at)),
        "webhooks.change_webhook": lambda at: on(_renamed_webhook(at)),
        "webhooks.remove_webhook": lambda at: on(_webhook(at)),
        "webhooks.renew_secret": lambda at: on(_webhook(at)),
        "webhooks.pause_webhook": lambda at: on(_webhook(at)),
        "webhooks.resume_webhook": lambda at: on(webhooks.pause_webhook(_webhook(at), SYSTEM)),
        "webhooks.send_test": lambda at: on(_webhook(at), key=uuid4()),
        "webhooks.send_again": lambda at: on(webhooks.send_test(_webhook(at), SYSTEM, key=uuid4())),
        "privacy.set_contact_retention": lambda at: on(PrivacyPlan(tournament=at.tournament, contact_days=7)),
    },
)
may(
    RULERS,
    {
        "ranking.open_results": lambda at: after(
            embargo.hide_results(at.session(2), SYSTEM), on(at.tournament, reason=REASON)
        ),
        "ranking.show_results": lambda at: after(
            embargo.hide_results(at.session(2), SYSTEM), on(at.session(2), reason=REASON)
        ),
        "staff.set_rota": lambda at: on(
            at.tournament, [(2, 1, at.tournament.memberships.get(user__username="ute").pk)]
        ),
    },
)
may(
    CLOCK,
    {
        "play.pause_clock": lambda at: on(at.session(2), reason=REASON),
        "play.extend_clock": lambda at: on(at.session(2), 5, reason=REASON),
        "play.resume_clock": lambda at: after(
            sessions.pause_clock(at.session(2), SYSTEM, reason=REASON), on(at.session(2), reason=REASON)
        ),
    },
)
may(
    JUDGES,
    {
        "seating.correct_seats": lambda at: on(at.session(2), *at.seated[:2]),
        "seating.undo_correction": lambda at: after(
            corrections.correct_seats(at.session(2), SYSTEM, *at.seated[:2]), on(at.session(2))
        ),
    },
)
may(
    SHOWERS,
    {
        "announcements.announce": lambda at: on(Announcement(tournament=at.tournament, text="Lunch")),
        "announcements.cancel_announcement": lambda at: on(
            announcements.announce(Announcement(tournament=at.tournament, text="Lunch"), SYSTEM)
        ),
        "screens.add_screen": lambda at: on(at.tournament, "foyer"),
        "screens.arrange_screen": lambda at: on(at.tournament, MAIN_SCREEN, CLOCK_ALONE),
        "screens.control_screen": lambda at: after(
            screens_services.arrange_screen(at.tournament, SYSTEM, MAIN_SCREEN, TWO_TURNS),
            on(at.tournament, MAIN_SCREEN, Command(ScreenAction.NEXT)),
        ),
        "screens.remove_screen": lambda at: after(
            screens_services.add_screen(at.tournament, SYSTEM, "foyer"), on(at.tournament, "foyer")
        ),
    },
)
may(
    ADMITTERS,
    {
        "players.check_in": lambda at: on(at.player(1)),
        "players.check_in_several": lambda at: on(at.tournament, [1, 2]),
        "players.undo_check_in": lambda at: on(_checked_in(at)),
        "registration.add_registrations": lambda at: on(at.tournament, [applicant(99)]),
        "registration.confirm_registrations": lambda at: on(at.tournament, [_unconfirmed(at).number]),
        "registration.decide": lambda at: on(
            at.tournament, [_registered(at).number], Registration.State.DECLINED
        ),
        "registration.enter_registered": lambda at: on(at.tournament, [_registered(at).number]),
        "registration.undo_step": _declined,
        "registration.edit_registration": lambda at: on(
            edited(_registered(at), club="Wien", tournament=at.tournament)
        ),
        "mail.send_again": _unsent,
        "mail.send_unsent": lambda at: on(at.tournament),
        "roster.send_message": _message,
    },
)
may(
    CASHIERS,
    {
        "dues.set_fees": lambda at: on(at.tournament, [_fee()]),
        "dues.set_account": lambda at: on(account_of(at.tournament)),
        "dues.set_due": lambda at: on(at.tournament, at.player(1), amount=Decimal(40)),
        "dues.charge_debtors": lambda at: after(
            dues_services.set_fees(at.tournament, SYSTEM, [_fee()]), on(at.tournament, batch=uuid4())
        ),
        "dues.undo_charge": lambda at: after(
            (
                dues_services.set_fees(at.tournament, SYSTEM, [_fee()]),
                dues_services.charge_debtors(at.tournament, SYSTEM, batch=BATCH),
            ),
            on(at.tournament, BATCH),
        ),
        "dues.remove_due": lambda at: on(_due(at)),
        "dues.record_payment": lambda at: on(_payment(at)),
        "dues.cancel_payment": lambda at: on(dues_services.record_payment(_payment(at), SYSTEM)),
    },
)
may(
    EVERYBODY,
    {
        "players.check_in_self": lambda at: after(
            check_in.set_check_in(CheckIn(tournament=at.tournament, self_check_in=True), SYSTEM),
            on(at.player(1), door_code(at.tournament).code, address=""),
        ),
        "players.undo_own_check_in": lambda at: after(
            _checked_in(at),
            on(at.tournament, signing.dumps(1, salt=f"{check_in.UNDO_SALT}.{at.tournament.pk}")),
        ),
        "registration.register": lambda at: after(
            make_plan(at.drawn), on(at.drawn, applicant(2), privacy_read=True)
        ),
        "registration.confirm_registration": lambda at: after(
            make_plan(at.drawn),
            on(registrations.register(at.drawn, SYSTEM, applicant(1), privacy_read=True)),
        ),
        "registration.change_registration": lambda at: on(
            edited(_registered(at), club="Wien", tournament=at.tournament)
        ),
        "registration.cancel_registration": lambda at: on(_registered(at)),
    },
)

NOT_OF_AN_EVENT: Final = {
    "accounts.make_first_organiser": "there is no account yet; it asks for the printed code",
    "privacy.delete_old_contacts": "by the worker, of every event",
    "registration.delete_expired": "by the worker, of every event",
}
