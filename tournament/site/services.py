"""Create an event from a template, and request demonstration events, which the worker creates."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from django.conf import settings
from django.db import transaction

from tournament.base import access, log
from tournament.base.access import Actor
from tournament.base.engine.rules import Attendance, Credit, LastHand
from tournament.base.errors import Refused
from tournament.base.models.events import EventPage
from tournament.base.models.registration import RegistrationPlan
from tournament.base.models.tournament import Tournament, TrialJob
from tournament.base.work import enqueue_job
from tournament.events.services import create_tournament, set_event_page, set_play_settings
from tournament.fouls.services.foul_book import set_attendance
from tournament.players.selectors.players import Entrant
from tournament.players.services.players import add_players
from tournament.registration.services.admissions import set_plan
from tournament.site.selectors.front_page import unfinished_trial

SIZES: Final = (16, 100, 400)
"""Numbers of players to choose from."""


EMA_FOUL_BOOK: Final = "mers"
EMA_DEPOSIT: Final = "€150"
EMA_ATTENDANCE: Final = Attendance(stand_in=Credit.STAND_IN, disqualified_ranked=True)
"""What the MERS Tournament Regulations ask for: clause 2.1 for the deposit, section 4 for stand-ins."""


def create_event(
    actor: Actor,
    tournament: Tournament,
    players: Sequence[Entrant] = (),
    *,
    places: int | None = None,
    is_for_ema: bool = False,
) -> Tournament:
    """Create a tournament with its players, or with a closed registration of so many places.

    `is_for_ema`: whether it counts for the European ranking and follows the MERS Tournament Regulations. Raises
    Refused with all problems of its particulars; those of players are at "names".
    """
    if is_for_ema:
        tournament.foul_book, tournament.appeal_deposit = EMA_FOUL_BOOK, EMA_DEPOSIT
    with log.atomic():
        tournament = create_tournament(actor, tournament)
        if players:
            try:
                add_players(tournament, actor, players)
            except Refused as refused:
                raise Refused(problem.at("names") for problem in refused.problems) from None
        elif places and not tournament.is_club_evening:
            set_plan(RegistrationPlan(tournament=tournament, places=places, is_open=False), actor)
        if is_for_ema:
            set_play_settings(tournament, actor, replace(tournament.rules.play, last_hand=LastHand.FINISHED))
            set_attendance(tournament, actor, EMA_ATTENDANCE)
            set_event_page(EventPage(tournament=tournament, mers=EventPage.Mers.RANKED), actor)
    return tournament


def request_trial(actor: Actor, players: int, language: str = settings.LANGUAGE_CODE) -> TrialJob:
    """Queue the creation of a demonstration event in this language; return its job.

    An account has one at a time. `players` must be one of SIZES.
    """
    access.require_creator(actor)
    if players not in SIZES:
        raise ValueError(f"no trial has {players} players")
    with transaction.atomic():
        if (job := unfinished_trial(actor)) is not None:
            return job
        job = TrialJob.objects.create(players=players, language=language, requested_by=actor.user)
        transaction.on_commit(lambda: enqueue_job(job, "demo.make_trial"))
    return job
