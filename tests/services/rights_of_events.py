"""What is done to a whole event: its organisers', but for the clock of the hall."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date, time, timedelta
from decimal import Decimal
from typing import Final
from uuid import uuid4

from django.core import signing
from django.utils import timezone

from penalties.engine import Names
from penalties.engine.rules.simple import Fixed
from tests.services.rights import (
    ADMITTERS,
    CASHIERS,
    CLOCK,
    CREATORS,
    EVERYBODY,
    JUDGES,
    ORGANISERS,
    OWNERS,
    RULERS,
    SHOWERS,
    Deed,
    right,
    simply,
)
from tests.services.scene import Scene
from tests.support.factories import SYSTEM, entrant, make_tournament, make_user, seats_for
from tests.support.registrations import applicant, confirmed, make_plan
from tournament.access import Actor
from tournament.engine.attendance import Attendance
from tournament.engine.ema_columns import Column
from tournament.engine.finals import Carry, FinalStage, FinalsWish
from tournament.engine.screens import Kind, Turn
from tournament.engine.seating import How
from tournament.engine.statements import Message
from tournament.engine.steering import Command, Way
from tournament.engine.webhooks.kinds import Kind as HookKind
from tournament.event_file.reading import read
from tournament.exchange.tournament_file import file_of
from tournament.invitations import Offer
from tournament.mail.post import post
from tournament.models import Ceremony, Due, Mail, Membership, Person, Registration, Role, Webhook
from tournament.models.screens import MAIN
from tournament.passes import NewPass, Reach
from tournament.selectors.certificates import Wording
from tournament.selectors.door import door_code
from tournament.selectors.entrants import FieldChange
from tournament.selectors.event_page import EventWords
from tournament.selectors.fees import AccountWish, FeeWish, Paid
from tournament.selectors.particulars import Particulars
from tournament.selectors.registration_plan import PlanWish, QuestionWish
from tournament.selectors.registrations import last_step
from tournament.selectors.session_seats import SessionWish
from tournament.selectors.timetable_lines import TimetableLine
from tournament.selectors.webhooks import WebhookWish
from tournament.services import (
    accounts,
    admissions,
    announcements,
    arrivals,
    ceremonies,
    certificates,
    check_in,
    contacts,
    deletion,
    documents,
    draw,
    dues,
    ema_columns,
    embargo,
    erasing,
    event_page,
    fees,
    finals,
    fouls,
    hall_clock,
    invitations,
    mails,
    missing,
    paper,
    passes,
    payments,
    penalties,
    people,
    persons,
    player_lists,
    players,
    puzzles,
    registration_plan,
    registrations,
    reminders,
    reseating,
    rota,
    screens,
    seatings,
    sessions,
    staff,
    tables,
    timetable,
    tournaments,
    trials,
    unstart,
    vacancies,
    webhooks,
    wrong_seats,
)

WORDS: Final = Names.filled("Phone rings")
DAYS: Final = Particulars("Autumn Open", "Hall", date(2026, 11, 14), date(2026, 11, 15))
SHORT: Final = [Turn(Kind.CLOCK, 10)]
WISH: Final = FinalsWish(FinalStage(8, 8, Carry.NOTHING), 1, "lotto")
REASON: Final = "It is time"
FEE: Final = FeeWish("Members", Decimal(30))


def organisers(name: str, deed: Callable[[Scene, Actor], object]) -> None:
    simply(name, ORGANISERS, deed)


# --- the event itself -----------------------------------------------------------------------------------------------
simply(
    "tournaments.create_tournament", CREATORS, lambda at, actor: tournaments.create_tournament(actor, DAYS)
)
simply("trials.request_trial", CREATORS, lambda at, actor: trials.request_trial(actor, 16))
organisers(
    "paper.keep_on_paper", lambda at, actor: paper.keep_on_paper(at.tournament, actor, True, session=2)
)
organisers(
    "tournaments.update_tournament",
    lambda at, actor: tournaments.update_tournament(at.tournament, actor, replace(DAYS, sessions_planned=3)),
)
simply(
    "deletion.delete_tournament",
    OWNERS,
    lambda at, actor: deletion.delete_tournament(at.tournament, actor, name=at.tournament.name),
)
simply(
    "arrivals.note_taken", OWNERS, lambda at, actor: arrivals.note_taken(at.tournament, actor, contacts=True)
)


@right("arrivals.take_in", CREATORS)
def _take_in(at: Scene) -> Deed:
    gone = make_tournament(players=4, drawn=False, name="Gone")
    data = read(file_of(gone))
    deletion.delete_tournament(gone, SYSTEM, name=gone.name)
    return lambda actor: arrivals.take_in(actor, data, "from-a-file", [])


organisers(
    "documents.request_document",
    lambda at, actor: documents.request_document(at.tournament, actor, kind="standings", language="en"),
)
simply(
    "announcements.announce",
    SHOWERS,
    lambda at, actor: announcements.announce(at.tournament, actor, Message("Lunch"), uuid=uuid4()),
)
organisers(
    "timetable.set_timetable",
    lambda at, actor: timetable.set_timetable(
        at.tournament,
        actor,
        [TimetableLine(title="Lunch", day=at.tournament.starts_on, starts=time(12), ends=time(13))],
    ),
)


organisers(
    "ema_columns.set_ema_columns",
    lambda at, actor: ema_columns.set_ema_columns(at.tournament, actor, [Column("Place", "place")]),
)
organisers(
    "event_page.set_event_page",
    lambda at, actor: event_page.set_event_page(at.tournament, actor, EventWords(contact="open@example.org")),
)
organisers(
    "event_page.add_event_document",
    lambda at, actor: event_page.add_event_document(at.tournament, actor, "Way", b"%PDF-1", uuid=uuid4()),
)


organisers(
    "certificates.set_certificates",
    lambda at, actor: certificates.set_certificates(at.tournament, actor, Wording("Well played")),
)


@right("event_page.remove_event_document", ORGANISERS)
def _remove_event_document(at: Scene) -> Deed:
    added = event_page.add_event_document(at.tournament, SYSTEM, "Way", b"%PDF-1", uuid=uuid4())
    return lambda actor: event_page.remove_event_document(added, actor)


@right("announcements.withdraw_announcement", SHOWERS)
def _withdraw(at: Scene) -> Deed:
    said = announcements.announce(at.tournament, SYSTEM, Message("Lunch"), uuid=uuid4())
    return lambda actor: announcements.withdraw_announcement(said, actor)


organisers(
    "puzzles.add_puzzle",
    lambda at, actor: puzzles.add_puzzle(at.tournament, actor, "123m 456p 678s 55m 23s +1s", uuid=uuid4()),
)


@right("puzzles.remove_puzzle", ORGANISERS)
def _remove_puzzle(at: Scene) -> Deed:
    added = puzzles.add_puzzle(at.tournament, SYSTEM, "123m 456p 678s 55m 23s +1s", uuid=uuid4())
    return lambda actor: puzzles.remove_puzzle(added, actor)


# --- personal data --------------------------------------------------------------------------------------------------
organisers("contacts.keep_contacts", lambda at, actor: contacts.keep_contacts(at.tournament, actor, 7))
simply("contacts.delete_contacts", OWNERS, lambda at, actor: contacts.delete_contacts(at.tournament, actor))
simply(
    "erasing.erase_player",
    OWNERS,
    lambda at, actor: erasing.erase_player(at.player(1), actor, name=at.player(1).name),
)


@right("erasing.erase_person", OWNERS)
def _erase_person(at: Scene) -> Deed:
    person = _made(at)
    return lambda actor: erasing.erase_person(person, actor, name=person.name)


@right("erasing.erase_registration", OWNERS)
def _erase_registration(at: Scene) -> Deed:
    made = Registration.objects.create(
        tournament=at.tournament, number=1, last_name="Nowak", made_at=timezone.now()
    )
    return lambda actor: erasing.erase_registration(made, actor, name="Nowak")


# --- players --------------------------------------------------------------------------------------------------------
organisers("players.add_player", lambda at, actor: players.add_player(at.tournament, actor, entrant(17)))
organisers("players.add_players", lambda at, actor: players.add_players(at.drawn, actor, [entrant(17)]))
organisers("players.edit_player", lambda at, actor: players.edit_player(at.player(1), actor, entrant(1)))
organisers("players.withdraw_player", lambda at, actor: players.withdraw_player(at.player(1), actor))
organisers(
    "player_lists.enter_list",
    lambda at, actor: player_lists.enter_list(
        at.tournament, actor, [], [FieldChange(1, "country", at.player(1).country, "AUT")]
    ),
)


@right("player_lists.undo_list", ORGANISERS)
def _undo_list(at: Scene) -> Deed:
    player_lists.enter_list(at.tournament, SYSTEM, [entrant(17)])
    return lambda actor: player_lists.undo_list(at.tournament, actor, at.tournament.log.latest("seq").seq)


@right("players.readmit_player", ORGANISERS)
def _readmit(at: Scene) -> Deed:
    players.withdraw_player(at.player(1), SYSTEM)
    return lambda actor: players.readmit_player(at.player(1), actor)


@right("players.delete_player", ORGANISERS)
def _delete(at: Scene) -> Deed:
    new = players.add_player(at.tournament, SYSTEM, entrant(17))
    return lambda actor: players.delete_player(new, actor)


@right("players.add_substitutes", ORGANISERS)
def _substitutes(at: Scene) -> Deed:
    players.withdraw_player(at.player(1), SYSTEM)
    return lambda actor: players.add_substitutes(at.tournament, actor, "Substitute")


# --- who has come -----------------------------------------------------------------------------------------------------
simply("check_in.check_in", ADMITTERS, lambda at, actor: check_in.check_in(at.player(1), actor))
simply(
    "check_in.check_in_several",
    ADMITTERS,
    lambda at, actor: check_in.check_in_several(at.tournament, actor, [1, 2]),
)
organisers(
    "check_in.set_check_in",
    lambda at, actor: check_in.set_check_in(at.tournament, actor, ends_at=None, by_themselves=True),
)
organisers("missing.withdraw_missing", lambda at, actor: missing.withdraw_missing(at.drawn, actor, [3]))


@right("check_in.take_check_in_back", ADMITTERS)
def _check_in_back(at: Scene) -> Deed:
    player = check_in.check_in(at.player(1), SYSTEM)
    return lambda actor: check_in.take_check_in_back(player, actor)


@right("check_in.check_in_themselves", EVERYBODY)
def _themselves(at: Scene) -> Deed:
    check_in.set_check_in(at.tournament, SYSTEM, ends_at=None, by_themselves=True)
    code = door_code(at.tournament).code
    return lambda actor: check_in.check_in_themselves(at.player(1), actor, code, address="")


@right("check_in.take_own_check_in_back", EVERYBODY)
def _own_back(at: Scene) -> Deed:
    check_in.check_in(at.player(1), SYSTEM)
    signed = signing.dumps(1, salt=f"{check_in.OWN}.{at.tournament.pk}")
    return lambda actor: check_in.take_own_check_in_back(at.tournament, actor, signed)


@right("check_in.restart_check_in", ORGANISERS)
def _restart(at: Scene) -> Deed:
    check_in.check_in(at.player(1), SYSTEM)
    return lambda actor: check_in.restart_check_in(at.tournament, actor)


@right("missing.readmit_missing", ORGANISERS)
def _readmit_missing(at: Scene) -> Deed:
    missing.withdraw_missing(at.drawn, SYSTEM, [3])
    return lambda actor: missing.readmit_missing(at.drawn, actor)


# --- who is who -----------------------------------------------------------------------------------------------------
def _made(at: Scene, number: int = 1) -> Person:
    ((_player, person),) = people.link_several(at.tournament, SYSTEM, {number: None})
    return person


@right("people.link_player", ORGANISERS)
def _link(at: Scene) -> Deed:
    person = _made(at)
    return lambda actor: people.link_player(at.drawn.players.get(number=1), actor, person)


@right("people.unlink_player", ORGANISERS)
def _unlink(at: Scene) -> Deed:
    _made(at)
    return lambda actor: people.unlink_player(at.player(1), actor)


@right("people.refuse_person", ORGANISERS)
def _refuse(at: Scene) -> Deed:
    person = _made(at)
    return lambda actor: people.refuse_person(at.drawn.players.get(number=1), actor, person)


organisers("people.link_several", lambda at, actor: people.link_several(at.tournament, actor, {1: None}))


@right("people.undo_linking", ORGANISERS)
def _undo_linking(at: Scene) -> Deed:
    _made(at)
    return lambda actor: people.undo_linking(at.tournament, actor)


@right("persons.merge_people", CREATORS)
def _merge(at: Scene) -> Deed:
    one, other = _made(at, 1), _made(at, 2)
    at.tournament.players.filter(number=1).update(person=None)
    return lambda actor: persons.merge_people(one, actor, other)


@right("persons.undo_merging", CREATORS)
def _undo_merging(at: Scene) -> Deed:
    one, other = _made(at, 1), _made(at, 2)
    at.tournament.players.filter(number=1).update(person=None)
    change = persons.merge_people(one, SYSTEM, other)
    return lambda actor: persons.undo_merging(change, actor)


@right("persons.show_person", CREATORS)
def _show_person(at: Scene) -> Deed:
    person = _made(at)
    return lambda actor: persons.show_person(person, actor, shown=False)


# --- registration ---------------------------------------------------------------------------------------------------
organisers(
    "registration_plan.set_plan",
    lambda at, actor: registration_plan.set_plan(at.tournament, actor, PlanWish(places=7)),
)
simply(
    "admissions.add_registrations",
    ADMITTERS,
    lambda at, actor: admissions.add_registrations(at.tournament, actor, [applicant(1)]),
)


@right("registration_plan.set_questions", ORGANISERS)
def _questions(at: Scene) -> Deed:
    make_plan(at.tournament)
    return lambda actor: registration_plan.set_questions(
        at.tournament, actor, [QuestionWish("yes_no", {"en": "Lunch?"})]
    )


@right("admissions.decide", ADMITTERS)
def _decide(at: Scene) -> Deed:
    one = _registered(at)
    return lambda actor: admissions.decide(at.tournament, actor, [one.number], Registration.State.DECLINED)


@right("admissions.enter_registered", ADMITTERS)
def _enter(at: Scene) -> Deed:
    one = _registered(at)
    return lambda actor: admissions.enter_registered(at.tournament, actor, [one.number])


@right("admissions.undo_step", ADMITTERS)
def _undo_step(at: Scene) -> Deed:
    one = _registered(at)
    admissions.decide(at.tournament, SYSTEM, [one.number], Registration.State.DECLINED)
    step = last_step(at.tournament)
    return lambda actor: admissions.undo_step(at.tournament, actor, step.seq if step else 0)


@right("registrations.edit_registration", ADMITTERS)
def _edit_registration(at: Scene) -> Deed:
    one = _registered(at)
    return lambda actor: registrations.edit_registration(one, actor, applicant(1, club="Wien"))


@right("registrations.register", EVERYBODY)
def _register(at: Scene) -> Deed:
    make_plan(at.tournament)
    return lambda actor: registrations.register(at.tournament, actor, applicant(2), privacy_read=True)


@right("registrations.confirm_registration", EVERYBODY)
def _confirm(at: Scene) -> Deed:
    make_plan(at.tournament)
    one = registrations.register(at.tournament, SYSTEM, applicant(1), privacy_read=True)
    return lambda actor: registrations.confirm_registration(one, actor)


@right("registrations.change_registration", EVERYBODY)
def _change_registration(at: Scene) -> Deed:
    one = _registered(at)
    return lambda actor: registrations.change_registration(one, actor, applicant(1, club="Wien"))


@right("registrations.cancel_registration", EVERYBODY)
def _cancel_registration(at: Scene) -> Deed:
    one = _registered(at)
    return lambda actor: registrations.cancel_registration(one, actor)


def _registered(at: Scene) -> Registration:
    """Somebody with a place."""
    make_plan(at.tournament)
    return confirmed(at.tournament, 1)


# --- seats ----------------------------------------------------------------------------------------------------------
organisers("draw.draw_seats", lambda at, actor: draw.draw_seats(at.drawn, actor, seed="lotto"))
organisers("draw.seat", lambda at, actor: draw.seat(at.drawn, actor, seats_for(16, 2)))
organisers("seatings.swap_players", lambda at, actor: seatings.swap_players(at.drawn, actor, 1, 2, [1]))
organisers("seatings.seat_at_stream", lambda at, actor: seatings.seat_at_stream(at.drawn, actor, [7], 2, [1]))
organisers(
    "seatings.seat_session",
    lambda at, actor: seatings.seat_session(at.drawn, actor, 2, SessionWish(How.LOT, "lotto")),
)
organisers(
    "seatings.take_plan", lambda at, actor: seatings.take_plan(at.drawn, actor, {1: seats_for(16, 2)[1]})
)


@right("seatings.replan_seats", ORGANISERS)
def _replan(at: Scene) -> Deed:
    for number in (1, 2, 3, 4):
        players.withdraw_player(at.drawn.players.get(number=number), SYSTEM)
    return lambda actor: seatings.replan_seats(at.drawn, actor)


@right("reseating.undo_reseating", ORGANISERS)
def _undo_seats(at: Scene) -> Deed:
    seatings.swap_players(at.drawn, SYSTEM, 1, 2, [1])
    return lambda actor: reseating.undo_reseating(at.drawn, actor)


@right("vacancies.name_stand_in", ORGANISERS)
def _name(at: Scene) -> Deed:
    players.withdraw_player(at.player(1), SYSTEM)
    table = at.session(3).tables.get(seats__player__number=1)
    return lambda actor: vacancies.name_stand_in(table, actor, 1, "Ana Lima")


@right("wrong_seats.correct_seats", JUDGES)
def _correct(at: Scene) -> Deed:
    one, other = at.seated[:2]
    return lambda actor: wrong_seats.correct_seats(at.session(2), actor, one, other)


@right("wrong_seats.undo_correction", JUDGES)
def _undo_correction(at: Scene) -> Deed:
    one, other = at.seated[:2]
    wrong_seats.correct_seats(at.session(2), SYSTEM, one, other)
    return lambda actor: wrong_seats.undo_correction(at.session(2), actor)


organisers("finals.set_up_final", lambda at, actor: finals.set_up_final(at.between, actor, WISH))
organisers(
    "finals.take_final",
    lambda at, actor: finals.take_final(
        at.between, actor, Carry.NOTHING, [range(1, 5)], [[dict(zip("ESWN", range(1, 5), strict=True))]]
    ),
)


# --- sessions -------------------------------------------------------------------------------------------------------
organisers(
    "sessions.start_session",
    lambda at, actor: sessions.start_session(at.between.sessions.get(number=2), actor),
)


@right("sessions.close_session", ORGANISERS)
def _close(at: Scene) -> Deed:
    at.hand()
    for table in at.session(2).tables.all():
        tables.hand_in(table, SYSTEM)
    return lambda actor: sessions.close_session(at.session(2), actor)


@right("sessions.reopen_session", ORGANISERS)
def _reopen(at: Scene) -> Deed:
    return lambda actor: sessions.reopen_session(at.between.sessions.get(number=1), actor, reason=REASON)


@right("unstart.unstart_session", ORGANISERS)
def _unstart(at: Scene) -> Deed:
    begun = sessions.start_session(at.between.sessions.get(number=2), SYSTEM)
    return lambda actor: unstart.unstart_session(begun, actor)


simply(
    "hall_clock.pause_clock",
    CLOCK,
    lambda at, actor: hall_clock.pause_clock(at.session(2), actor, reason=REASON),
)
simply(
    "hall_clock.extend_clock",
    CLOCK,
    lambda at, actor: hall_clock.extend_clock(at.session(2), actor, 5, reason=REASON),
)


@right("hall_clock.let_clock_go_on", CLOCK)
def _go_on(at: Scene) -> Deed:
    hall_clock.pause_clock(at.session(2), SYSTEM, reason=REASON)
    return lambda actor: hall_clock.let_clock_go_on(at.session(2), actor, reason=REASON)


# --- results --------------------------------------------------------------------------------------------------------
organisers("embargo.hide_results", lambda at, actor: embargo.hide_results(at.session(3), actor))
organisers(
    "tournaments.publish_standings",
    lambda at, actor: tournaments.publish_standings(at.between, actor, reason=REASON),
)
organisers(
    "ceremonies.start_ceremony",
    lambda at, actor: ceremonies.start_ceremony(at.between, actor, Ceremony.Kind.PLAYERS, 3),
)


@right("embargo.open_results", RULERS)
def _open(at: Scene) -> Deed:
    embargo.hide_results(at.session(2), SYSTEM)
    return lambda actor: embargo.open_results(at.tournament, actor, reason=REASON)


@right("embargo.show_results", RULERS)
def _show(at: Scene) -> Deed:
    embargo.hide_results(at.session(2), SYSTEM)
    return lambda actor: embargo.show_results(at.session(2), actor, reason=REASON)


@right("ceremonies.open_and_publish", ORGANISERS)
def _open_and_publish(at: Scene) -> Deed:
    embargo.hide_results(at.between.sessions.get(number=1), SYSTEM)
    return lambda actor: ceremonies.open_and_publish(at.between, actor, reason=REASON)


def _ceremony(at: Scene) -> Ceremony:
    return ceremonies.start_ceremony(at.between, SYSTEM, Ceremony.Kind.PLAYERS, 3)


@right("ceremonies.tell_next", ORGANISERS)
def _tell(at: Scene) -> Deed:
    ceremony = _ceremony(at)
    return lambda actor: ceremonies.tell_next(ceremony, actor, seen=0)


@right("ceremonies.take_back", ORGANISERS)
def _take_back(at: Scene) -> Deed:
    ceremony = ceremonies.tell_next(_ceremony(at), SYSTEM, seen=0)
    return lambda actor: ceremonies.take_back(ceremony, actor, seen=1)


@right("ceremonies.end_ceremony", ORGANISERS)
def _end(at: Scene) -> Deed:
    ceremony = _ceremony(at)
    return lambda actor: ceremonies.end_ceremony(ceremony, actor)


# --- rules, screens, people -----------------------------------------------------------------------------------------
organisers("fouls.add_foul", lambda at, actor: fouls.add_foul(at.tournament, actor, WORDS, WORDS, Fixed()))
organisers(
    "fouls.change_foul", lambda at, actor: fouls.change_foul(at.tournament, actor, "empty_call", Fixed())
)
organisers(
    "fouls.set_attendance",
    lambda at, actor: fouls.set_attendance(at.tournament, actor, Attendance(withdrawn_ranked=False)),
)
organisers(
    "penalties.show_penalties", lambda at, actor: penalties.show_penalties(at.tournament, actor, public=True)
)
simply("screens.add_screen", SHOWERS, lambda at, actor: screens.add_screen(at.tournament, actor, "foyer"))
simply(
    "screens.arrange_screen",
    SHOWERS,
    lambda at, actor: screens.arrange_screen(at.tournament, actor, MAIN, SHORT),
)


@right("fouls.restore_foul", ORGANISERS)
def _restore(at: Scene) -> Deed:
    fouls.change_foul(at.tournament, SYSTEM, "empty_call", Fixed())
    return lambda actor: fouls.restore_foul(at.tournament, actor, "empty_call")


@right("screens.steer_screen", SHOWERS)
def _steer(at: Scene) -> Deed:
    screens.arrange_screen(at.tournament, SYSTEM, MAIN, [*SHORT, Turn(Kind.RANKING, 10)])
    return lambda actor: screens.steer_screen(at.tournament, actor, MAIN, Command(Way.NEXT))


@right("screens.remove_screen", SHOWERS)
def _remove(at: Scene) -> Deed:
    screens.add_screen(at.tournament, SYSTEM, "foyer")
    return lambda actor: screens.remove_screen(at.tournament, actor, "foyer")


@right("staff.give_role", ORGANISERS)
def _give(at: Scene) -> Deed:
    user = make_user("nina")
    return lambda actor: staff.give_role(at.tournament, actor, user, Role.SCORER)


def _nina(at: Scene) -> Membership:
    return staff.give_role(at.tournament, SYSTEM, make_user("nina"))


@right("staff.change_role", ORGANISERS)
def _change_role(at: Scene) -> Deed:
    membership = _nina(at)
    return lambda actor: staff.change_role(membership, actor, Role.DESK)


@right("staff.end_role", ORGANISERS)
def _end_role(at: Scene) -> Deed:
    membership = _nina(at)
    return lambda actor: staff.end_role(membership, actor)


@right("staff.link_player", ORGANISERS)
def _link_player(at: Scene) -> Deed:
    membership = _nina(at)
    return lambda actor: staff.link_player(membership, actor, at.player(1))


@right("staff.hand_over", OWNERS)
def _hand_over(at: Scene) -> Deed:
    user = make_user("nina")
    return lambda actor: staff.hand_over(at.tournament, actor, user)


def _offer() -> Offer:
    return Offer(Role.TREASURER, timezone.now() + timedelta(days=1))


organisers("invitations.invite", lambda at, actor: invitations.invite(at.tournament, actor, _offer()))


@right("invitations.revoke_invitation", ORGANISERS)
def _revoke_invitation(at: Scene) -> Deed:
    made = invitations.invite(at.tournament, SYSTEM, _offer()).invitation
    return lambda actor: invitations.revoke_invitation(made, actor)


@right("rota.set_rota", RULERS)
def _rota(at: Scene) -> Deed:
    umpire = at.tournament.memberships.get(user__username="ute")
    return lambda actor: rota.set_rota(at.tournament, actor, {(2, 1): [umpire.pk]})


organisers(
    "accounts.make_member", lambda at, actor: accounts.make_member(at.tournament, actor, username="nina")
)


def _passes(at: Scene, actor: Actor) -> list[NewPass]:
    return passes.make_passes(
        at.tournament, actor, [Reach("Table 3", table_number=3)], timezone.now() + timedelta(days=1)
    )


organisers("passes.make_passes", _passes)


@right("passes.renew_pass", ORGANISERS)
def _renew(at: Scene) -> Deed:
    (new,) = _passes(at, SYSTEM)
    return lambda actor: passes.renew_pass(new.desk_pass, actor)


@right("passes.revoke_passes", ORGANISERS)
def _revoke_passes(at: Scene) -> Deed:
    (new,) = _passes(at, SYSTEM)
    return lambda actor: passes.revoke_passes(at.tournament, actor, [new.desk_pass])


# --- dues and letters -----------------------------------------------------------------------------------------------
PAID: Final = Paid(Decimal("5.00"))
simply("fees.set_fees", CASHIERS, lambda at, actor: fees.set_fees(at.tournament, actor, [FEE]))
simply(
    "fees.set_account", CASHIERS, lambda at, actor: fees.set_account(at.tournament, actor, AccountWish("CHF"))
)
simply(
    "dues.set_due",
    CASHIERS,
    lambda at, actor: dues.set_due(at.tournament, actor, at.player(1), amount=Decimal(40)),
)
organisers(
    "mails.change_letter",
    lambda at, actor: mails.change_letter(
        at.tournament, actor, "registration_changed", "en", subject="News", text="Look: {link}"
    ),
)


@right("dues.give_dues", CASHIERS)
def _ask(at: Scene) -> Deed:
    fees.set_fees(at.tournament, SYSTEM, [FEE])
    return lambda actor: dues.give_dues(at.tournament, actor, batch=uuid4())


@right("dues.take_dues_back", CASHIERS)
def _ask_nobody(at: Scene) -> Deed:
    fees.set_fees(at.tournament, SYSTEM, [FEE])
    batch = uuid4()
    dues.give_dues(at.tournament, SYSTEM, batch=batch)
    return lambda actor: dues.take_dues_back(at.tournament, actor, batch)


def _due(at: Scene) -> Due:
    return dues.set_due(at.tournament, SYSTEM, at.player(1), amount=Decimal(40))


@right("dues.remove_due", CASHIERS)
def _remove_due(at: Scene) -> Deed:
    due = _due(at)
    return lambda actor: dues.remove_due(due, actor)


@right("payments.note_payment", CASHIERS)
def _note(at: Scene) -> Deed:
    due = _due(at)
    return lambda actor: payments.note_payment(due, actor, PAID, uuid=uuid4())


@right("payments.cancel_payment", CASHIERS)
def _cancel(at: Scene) -> Deed:
    noted = payments.note_payment(_due(at), SYSTEM, PAID, uuid=uuid4())
    return lambda actor: payments.cancel_payment(noted, actor)


@right("reminders.remind", CASHIERS)
def _remind(at: Scene) -> Deed:
    registered = Registration.objects.create(
        tournament=at.tournament, number=1, last_name="Lima", email="ana@example.org", made_at=timezone.now()
    )
    due = dues.set_due(at.tournament, SYSTEM, registered, amount=Decimal(40))
    return lambda actor: reminders.remind(at.tournament, actor, [due.pk], uuid=uuid4())


@right("mails.send_again", ADMITTERS)
def _send_again(at: Scene) -> Deed:
    mail = post("registration_changed", "ana@example.org", "en", {}, tournament=at.tournament)
    assert mail is not None
    Mail.objects.update(key=(key := uuid4()))
    return lambda actor: mails.send_again(mail, actor, key=key)


@right("mails.send_unsent", ADMITTERS)
def _send_unsent(at: Scene) -> Deed:
    return lambda actor: mails.send_unsent(at.tournament, actor)


@right("mails.restore_letter", ORGANISERS)
def _restore_letter(at: Scene) -> Deed:
    return lambda actor: mails.restore_letter(at.tournament, actor, "registration_changed", "en")


# --- programs and chats that are told what happens --------------------------------------------------------------------
WEBHOOK: Final = WebhookWish("umpires’ chat", "https://chat.example.org/x", kinds=(HookKind.UMPIRE_CALLED,))


def _webhook(at: Scene) -> Webhook:
    return webhooks.add_webhook(at.tournament, SYSTEM, WEBHOOK, site="https://hule.example.org")


simply(
    "webhooks.add_webhook",
    ORGANISERS,
    lambda at, actor: webhooks.add_webhook(at.tournament, actor, WEBHOOK, site="https://hule.example.org"),
)


@right("webhooks.change_webhook", ORGANISERS)
def _change_webhook(at: Scene) -> Deed:
    webhook = _webhook(at)
    return lambda actor: webhooks.change_webhook(webhook, actor, replace(WEBHOOK, name="another"))


@right("webhooks.remove_webhook", ORGANISERS)
def _remove_webhook(at: Scene) -> Deed:
    webhook = _webhook(at)
    return lambda actor: webhooks.remove_webhook(webhook, actor)


@right("webhooks.renew_secret", ORGANISERS)
def _renew_secret(at: Scene) -> Deed:
    webhook = _webhook(at)
    return lambda actor: webhooks.renew_secret(webhook, actor)


@right("webhooks.pause_webhook", ORGANISERS)
def _pause_webhook(at: Scene) -> Deed:
    webhook = _webhook(at)
    return lambda actor: webhooks.pause_webhook(webhook, actor)


@right("webhooks.resume_webhook", ORGANISERS)
def _resume_webhook(at: Scene) -> Deed:
    webhook = webhooks.pause_webhook(_webhook(at), SYSTEM)
    return lambda actor: webhooks.resume_webhook(webhook, actor)


@right("webhooks.send_test", ORGANISERS)
def _send_test(at: Scene) -> Deed:
    webhook, key = _webhook(at), uuid4()
    return lambda actor: webhooks.send_test(webhook, actor, key=key)


@right("webhooks.send_again", ORGANISERS)
def _send_message_again(at: Scene) -> Deed:
    delivery = webhooks.send_test(_webhook(at), SYSTEM, key=uuid4())
    return lambda actor: webhooks.send_again(delivery, actor)
