"""Tournaments, players, draw and sessions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.base import access
from tournament.base.models.people import Player
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.events.selectors.particulars import Particulars
from tournament.events.services.deletion import delete_tournament
from tournament.events.services.tournaments import create_tournament, update_tournament
from tournament.play.api.fields import PlayerSerializer, SessionSerializer, TournamentSerializer
from tournament.play.api.requests import DeletionRequest, DrawRequest, SessionStepRequest
from tournament.play.services.sessions import close_session, reopen_session, start_session
from tournament.players.selectors.entrants import Entrant
from tournament.players.services.players import (
    add_player,
    delete_player,
    edit_player,
    readmit_player,
    withdraw_player,
)
from tournament.ranking.services import hide_results, show_results
from tournament.seating.engine.inputs import DrawWish
from tournament.seating.services.draw import draw_seats
from tournament.seating.services.unstart import unstart_session
from tournament.web.api.base import Endpoint
from tournament.web.api.paging import PageAsked, page_of


class _Particulars(Endpoint):
    def as_json(self, tournament: Tournament) -> Any:
        return TournamentSerializer(tournament, context={"actor": self.actor}).data


class Tournaments(_Particulars):
    """The tournaments one may see, a hundred a page, the latest first; a new one.

    The address of the next page is in the header `Link`, as `rel="next"`; on the last page there is none.
    """

    cuts_itself = True

    @extend_schema(parameters=[PageAsked], responses=TournamentSerializer(many=True))
    def get(self, request: Request) -> Response:
        found, headers = page_of(access.visible_tournaments(self.actor), request)
        said = TournamentSerializer(found, many=True, context={"actor": self.actor}).data
        return Response(said, headers=headers)

    @extend_schema(request=TournamentSerializer, responses={201: TournamentSerializer})
    def post(self, request: Request) -> Response:
        access.require_creator(self.actor)
        particulars = Particulars(**self.body(TournamentSerializer).validated_data)
        made = create_tournament(self.actor, particulars)
        return Response(self.as_json(made), status=status.HTTP_201_CREATED)


class OneTournament(_Particulars):
    """Its particulars. `version`: the newest that the asker is told of."""

    @extend_schema(responses=TournamentSerializer)
    def get(self, request: Request, slug: str) -> Response:
        return Response(self.as_json(self.tournament(slug)))

    @extend_schema(request=TournamentSerializer, responses=TournamentSerializer)
    def put(self, request: Request, slug: str) -> Response:
        tournament = self.tournament(slug)
        access.require_organiser(self.actor, tournament)
        given = self.body(TournamentSerializer).validated_data
        kept = {name: getattr(tournament, name) for name in ("time_zone", "appeal_minutes")}
        particulars = Particulars(**(kept | given))
        return Response(self.as_json(update_tournament(tournament, self.actor, particulars)))

    @extend_schema(request=DeletionRequest, responses={204: None})
    def delete(self, request: Request, slug: str) -> Response:
        """Delete it for good; its name has to be in the body."""
        tournament = self.tournament(slug)
        access.require_organiser(self.actor, tournament)
        name = self.body(DeletionRequest).validated_data["name"]
        delete_tournament(tournament, self.actor, name=name)
        return Response(status=status.HTTP_204_NO_CONTENT)


class Players(Endpoint):
    @extend_schema(responses=PlayerSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        return Response(PlayerSerializer(self.tournament(slug).players.all(), many=True).data)

    @extend_schema(request=PlayerSerializer, responses={201: PlayerSerializer})
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.tournament(slug)
        access.require_organiser(self.actor, tournament)
        entrant = Entrant(**self.body(PlayerSerializer).validated_data)
        player = add_player(tournament, self.actor, entrant)
        return Response(PlayerSerializer(player).data, status=status.HTTP_201_CREATED)


class OnePlayer(Endpoint):
    @extend_schema(responses=PlayerSerializer)
    def get(self, request: Request, slug: str, number: int) -> Response:
        return Response(PlayerSerializer(self.player(slug, number)).data)

    @extend_schema(request=PlayerSerializer, responses=PlayerSerializer)
    def put(self, request: Request, slug: str, number: int) -> Response:
        player = self.player(slug, number)
        access.require_organiser(self.actor, player.tournament)
        entrant = Entrant(**self.body(PlayerSerializer).validated_data)
        return Response(PlayerSerializer(edit_player(player, self.actor, entrant)).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, slug: str, number: int) -> Response:
        """Somebody entered by mistake is gone; who has results or a seat is not."""
        delete_player(self.player(slug, number), self.actor)
        return Response(status=status.HTTP_204_NO_CONTENT)

    def player(self, slug: str, number: int) -> Player:
        found = self.tournament(slug).players.filter(number=number).first()
        if found is None:
            raise Http404
        return found


class Withdrawal(OnePlayer):
    """POST withdraws the player, DELETE takes the withdrawal back."""

    http_method_names = ["post", "delete", "options"]

    @extend_schema(request=None, responses=PlayerSerializer)
    def post(self, request: Request, slug: str, number: int) -> Response:
        return Response(PlayerSerializer(withdraw_player(self.player(slug, number), self.actor)).data)

    @extend_schema(request=None, responses={200: PlayerSerializer})
    def delete(self, request: Request, slug: str, number: int) -> Response:
        return Response(PlayerSerializer(readmit_player(self.player(slug, number), self.actor)).data)


class Sessions(Endpoint):
    """Every session with its tables and starting seats; POST draws them all anew."""

    @extend_schema(responses=SessionSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        return Response(self._as_json(self.tournament(slug)))

    @extend_schema(request=DrawRequest, responses={201: SessionSerializer(many=True)})
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.tournament(slug)
        access.require_organiser(self.actor, tournament)
        asked = self.body(DrawRequest).validated_data
        draw_seats(tournament, self.actor, seed=asked["seed"], wish=DrawWish(sessions=asked["sessions"]))
        return Response(self._as_json(tournament), status=status.HTTP_201_CREATED)

    def _as_json(self, tournament: Tournament) -> Any:
        sessions = tournament.sessions.prefetch_related("tables__seats__player")
        context = {"audience": self.audience(tournament)}
        return SessionSerializer(sessions, many=True, context=context).data


class SessionStep(Endpoint):
    """POST moves a session on or back: `start`, `unstart`, `close`, `reopen`; or hides its results from the public, or
    opens them: `hide`, `show`."""

    steps = {
        "start": start_session,
        "unstart": unstart_session,
        "close": close_session,
        "reopen": reopen_session,
        "hide": hide_results,
        "show": show_results,
    }
    takes = {"reopen": ("reason",), "close": ("reason", "unplayed"), "show": ("reason",)}
    """What of the body a step reads."""

    @extend_schema(operation_id="session_step", request=SessionStepRequest, responses=SessionSerializer)
    def post(self, request: Request, slug: str, number: int, step: str) -> Response:
        taken = self.takes.get(step, ())
        said = self.body(SessionStepRequest).validated_data if taken else {}
        write: Callable[..., Session] = self.steps[step]
        session = write(self.session(slug, number), self.actor, **{name: said[name] for name in taken})
        context = {"audience": self.audience(session.tournament)}
        return Response(SessionSerializer(session, context=context).data)
