"""Create an event from a template, and request demonstration events, which the worker creates."""

from collections.abc import Sequence
from typing import Final

from django.conf import settings
from django.db import transaction

from tournament.base import access, log
from tournament.base.access import Actor
from tournament.base.errors import Refused
from tournament.base.models.events import EventPage
from tournament.base.models.registration import RegistrationPlan
from tournament.base.models.tournament import Tournament, TrialJob
from tournament.base.work import enqueue_job
from tournament.events.services import create_tournament, set_event_page
from tournament.players.selectors.players import Entrant
from tournament.players.services.players import add_players
from tournament.registration.services.admissions import set_plan
from tournament.site.selectors.front_page import unfinished_trial

SIZES: Final = (16, 100, 400)
"""Numbers of players to choose from."""


def create_event(
    actor: Actor,
    tournament: Tournament,
    players: Sequence[Entrant] = (),
    *,
    places: int | None = None,
    is_for_ema: bool = False,
) -> Tournament:
    """Create a tournament with its players, or with a closed registration of so many places.

    `is_for_ema`: whether it counts for the European ranking. Raises Refused with all problems of its particulars; those
    of players are at "names".
    """
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
