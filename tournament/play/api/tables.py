"""A table and its hands over the API: who may write, and the answer every write gets."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema
from rest_framework import status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.engine.problems import Problem
from scoring.texts import joined
from tournament.base import access
from tournament.base.access import Right
from tournament.base.engine.entries import HandEntry
from tournament.base.engine.notices import Audience
from tournament.base.models.play import Hand, Table
from tournament.base.models.tournament import Tournament
from tournament.base.problems import sentence
from tournament.base.selectors import by_version, versions_of
from tournament.play.api.answers import (
    EffectOfCorrection,
    HandAnswer,
    HandSerializer,
    JudgedAnswer,
    Note,
    PublicTable,
    TableAnswer,
)
from tournament.play.api.facts import ExtraTimeRequest, HandCorrection, HandPreview, HandWrite, TableWrite
from tournament.play.api.state import state_of
from tournament.play.engine.judge import Verdict
from tournament.play.engine.preview import Ahead, PlainProblem, look_ahead, verdict_to_json
from tournament.play.selectors.hands import Effect, adds_detail, effect_of, judge_at
from tournament.play.selectors.tables import current_hand, latest_version, seats_of, table_now
from tournament.play.services.hands import correct_hand, record_hand, undo_hand
from tournament.play.services.tables import cancel_signature, hand_in, reopen, set_extra_time, sign
from tournament.web.api.base import Endpoint
from tournament.web.texts.words import table_points

# --- Tables ---


Answer = Mapping[str, Any]

WHOLE_TABLE = "return=representation"
"""The preference of a device that draws the table anew after each write: the state it gets has what was written."""


class AtTable(Endpoint):
    """A table that the asker umpires.

    A write is answered with what was written; one that asks `Prefer: return=representation` (RFC 7240), with `state`,
    the table as it stands then. So is a write that makes nothing of its own, and one that came too late (409).
    """

    umpired_table: Table | None = None

    def umpired(self, slug: str, session: int, number: int) -> Table:
        return self._checked(Right.ENTER, slug, session, number)

    def judged(self, slug: str, session: int, number: int) -> Table:
        """Find a table that the asker umpires in person."""
        return self._checked(Right.JUDGE, slug, session, number)

    def _checked(self, right: Right, *where: Any) -> Table:
        table = self.table(*where)
        access.require_at(self.actor, table, right)
        self.umpired_table = table
        return table

    def seen_version(self) -> int | None:
        """Read the version of the table the client has seen, where that is all a write says."""
        version: int | None = self.body(TableWrite).validated_data["table_version"]
        return version

    def current_state(self) -> dict[str, Any]:
        return {"state": state_of(self.umpired_table, self.actor)} if self.umpired_table else {}

    def done(self, code: int = status.HTTP_200_OK, written: Callable[[], Answer] | None = None) -> Response:
        """Answer with what was `written`, or with the whole table for who asks for it, or where nothing was."""
        if written is None or self.request.headers.get("Prefer") == WHOLE_TABLE:
            return Response(self.current_state(), status=code)
        return Response(written(), status=code)


class OneTable(Endpoint):
    """Who sits where in the coming hand, the running scores, what is recorded."""

    @extend_schema(responses=PublicTable)
    def get(self, request: Request, slug: str, session: int, number: int) -> Response:
        table = self.table(slug, session, number)
        tournament = table.session.tournament
        return Response(_cached_json(tournament, table.pk, self.audience(tournament)))


@by_version(1024)
def _cached_json(tournament: Tournament, table: int, audience: Audience) -> PublicTable:
    """Keep the answer until something is written anywhere in the tournament."""
    return table_as_json(Table.objects.select_related("session__tournament").get(pk=table), audience)


def table_as_json(table: Table, audience: Audience) -> PublicTable:
    now = table_now(table, audience)
    is_open = not now.is_hidden
    hand_follows = is_open and not (now.is_full or table.is_in)
    return {
        "session": table.session.number,
        "number": table.number,
        "version": table.version if is_open else None,
        "hands_played": now.hands_played,
        "is_in": table.is_in if is_open else None,
        "on_paper": table.is_on_paper,
        "counts_totals": table.counts_totals if is_open else None,
        "hand_number": now.hand_number if hand_follows else None,
        "prevalent_wind": now.prevalent_wind if is_open else None,
        "hidden": table.session.hidden,
        "seats": [
            {
                "wind": seat.wind if is_open else None,
                "start_wind": seat.start_wind,
                "player": seat.player.number,
                "score": seat.score,
                "stand_in": seat.stand_in,
                "empty": seat.is_empty,
            }
            for seat in now.seats
        ],
        "paid_to_nobody": now.unpaid,
    }


class Desk(AtTable):
    """`state`: the table as its umpires see it, with the address of everything that can be done to it."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(responses=TableAnswer)
    def get(self, request: Request, slug: str, session: int, number: int) -> Response:
        self.umpired(slug, session, number)
        return self.done()


class TableStep(AtTable):
    """POST hands the table's sheet in (`hand-in`), or takes it back (`reopen`)."""

    steps = {"hand-in": hand_in, "reopen": reopen}

    @extend_schema(operation_id="table_step_perform", request=TableWrite, responses=TableAnswer)
    def post(self, request: Request, slug: str, session: int, number: int, step: str) -> Response:
        table = self.umpired(slug, session, number)
        self.steps[step](table, self.actor, expected_version=self.seen_version())
        return self.done()


class Signature(AtTable):
    """POST: the player signs the sheet as it stands. DELETE takes the signature back."""

    @extend_schema(request=TableWrite, responses=TableAnswer)
    def post(self, request: Request, slug: str, session: int, number: int, player: int) -> Response:
        sign(self.umpired(slug, session, number), self.actor, player, expected_version=self.seen_version())
        return self.done()

    @extend_schema(operation_id="signature_cancel", responses={200: TableAnswer})
    def delete(self, request: Request, slug: str, session: int, number: int, player: int) -> Response:
        cancel_signature(self.umpired(slug, session, number), self.actor, player)
        return self.done()


class ExtraTime(AtTable):
    """POST: the table plays so many minutes longer than the hall, in all; 0 takes them back."""

    @extend_schema(operation_id="extra_time_grant", request=ExtraTimeRequest, responses=TableAnswer)
    def post(self, request: Request, slug: str, session: int, number: int) -> Response:
        table = self.umpired(slug, session, number)
        data = self.body(ExtraTimeRequest).validated_data
        set_extra_time(table, self.actor, data["minutes"], reason=data["reason"])
        return self.done()


# --- Hands ---


class Hands(AtTable):
    """The recorded hands; POST records the next one. The same uuid twice is the same hand."""

    @extend_schema(responses=HandSerializer(many=True))
    def get(self, request: Request, slug: str, session: int, number: int) -> Response:
        table = self.table(slug, session, number)
        return self.list_response(HandSerializer, table_now(table, self.results_audience(table)).hands)

    @extend_schema(operation_id="hand_record", request=HandWrite, responses={201: HandAnswer})
    def post(self, request: Request, slug: str, session: int, number: int) -> Response:
        table = self.umpired(slug, session, number)
        body = self.body(HandWrite)
        hand = record_hand(table, self.actor, body.entry(), **body.facts("number", "in_time"))
        return self.done(status.HTTP_201_CREATED, lambda: _hand_json(hand))


def _hand_json(hand: Hand) -> dict[str, Any]:
    return {"hand": _HAND_SERIALIZER.to_representation(hand)}


_HAND_SERIALIZER = HandSerializer()
"""Built once: finding out what the fields of a hand are takes longer than writing them."""


class OneHand(AtTable):
    """All versions of a hand, newest first; PUT corrects it, DELETE takes back the one just recorded.

    Taken back it is within a minute, by who recorded it.
    """

    @extend_schema(operation_id="hand_version_list", responses=HandSerializer(many=True))
    def get(self, request: Request, slug: str, session: int, number: int, hand: int) -> Response:
        table = self.table(slug, session, number)
        return self.list_response(HandSerializer, versions_of(self.results_audience(table), table, hand))

    @extend_schema(request=HandCorrection, responses=HandAnswer)
    def put(self, request: Request, slug: str, session: int, number: int, hand: int) -> Response:
        table = self.umpired(slug, session, number)
        body = self.body(HandCorrection)
        corrected = correct_hand(
            _newest_or_404(table, hand), self.actor, body.entry(), **body.facts("reason")
        )
        return self.done(written=lambda: _hand_json(corrected))

    @extend_schema(operation_id="hand_undo", responses={200: TableAnswer})
    def delete(self, request: Request, slug: str, session: int, number: int, hand: int) -> Response:
        last = _newest_or_404(self.umpired(slug, session, number), hand)
        undo_hand(last, self.actor, expected_version=self.seen_version())
        return self.done()


def _newest_or_404(table: Table, number: int) -> Hand:
    """Find the hand as it was last written; where it was taken back since, the services say so."""
    hand = latest_version(table, number)
    if hand is None:
        raise Http404
    return hand


# --- Preview of a hand ---


OPINION = PolymorphicProxySerializer(
    "HandOpinion",
    [JudgedAnswer, Ahead],  # type: ignore[list-item]  # shapes: tournament/web/api/typed.py
    resource_type_field_name=None,
)


class Preview(AtTable):
    """What a hand would score and who would pay; stores nothing.

    Of a hand that is recorded it says what a correction would change (`effect`), of unfinished tiles what they can
    become (`outlook`), of announced fans those that no hand has beside each other (`struck`).
    """

    @extend_schema(operation_id="hand_preview", request=HandPreview, responses=OPINION)
    def post(self, request: Request, slug: str, session: int, number: int) -> Response:
        table = self.umpired(slug, session, number)
        body = self.body(HandPreview)
        entry, hand = body.entry(), body.validated_data["number"]
        if entry.is_unfinished:
            looked = look_ahead(table.session.tournament.rules, seats_of(table), hand, entry)
            return Response(looked | {"problems": _with_sentences(looked["problems"])})
        return Response(self._judged(table, entry, hand))

    def _judged(self, table: Table, entry: HandEntry, number: int) -> JudgedAnswer:
        verdict, replaced = judge_at(table, number, entry), current_hand(table, number)
        opinion = verdict_to_json(verdict, entry, table.session.tournament.rules.scoring)
        return {
            **opinion,
            "problems": _with_sentences(opinion["problems"]),
            "deepens": replaced is not None and adds_detail(replaced, entry, verdict),
            "effect": self._effect(table, number, entry, verdict) if replaced and verdict.is_legal else None,
        }

    def _effect(self, table: Table, number: int, entry: HandEntry, verdict: Verdict) -> EffectOfCorrection:
        audience = self.audience(table.session.tournament)
        return _effect_as_json(effect_of(table, audience, number, entry, verdict))


def _with_sentences(problems: Iterable[PlainProblem]) -> list[PlainProblem]:
    return [
        {**problem, "message": sentence(Problem(problem["code"], problem["where"], problem["params"]))}
        for problem in problems
    ]


def _effect_as_json(effect: Effect) -> EffectOfCorrection:
    seats = effect.seats if effect.moves_table_points else ()
    return {
        "table_points": [
            {
                "player": seat.player.number,
                "before": table_points(seat.table_points[0]),
                "after": table_points(seat.table_points[1]),
            }
            for seat in seats
        ],
        "ranks": [
            {
                "player": rank.player.number,
                "name": rank.player.name,
                "before": rank.before,
                "after": rank.after,
            }
            for rank in effect.ranks or ()
        ],
        "notes": _notes(effect),
    }


def _notes(effect: Effect) -> list[Note]:
    """Say in sentences what else follows; what stays is said too, so that nobody looks for it."""
    notes = []
    if not effect.moves_table_points:
        shares = sorted((seat.table_points[0] for seat in effect.seats), reverse=True)
        stay = joined(table_points(share) for share in shares)
        notes.append((_("Table points stay {points}").format(points=stay), False))
    if effect.ranks is None:
        notes.append((_("Ranks are shown once the results of this session are public"), False))
    elif not effect.ranks:
        notes.append((_("No rank changes"), False))
    if effect.published and (effect.ranks or effect.moves_table_points or _moves_scores(effect)):
        text = _("The standings published after session {session} will be out of date")
        notes.append((text.format(session=effect.published.after_session), True))
    if effect.finalist_warning:
        notes.append((effect.finalist_warning, True))
    if effect.seated_by_standing and effect.ranks:
        text = _("The seats of session {sessions} were assigned by the previous standings")
        notes.append((text.format(sessions=joined(effect.seated_by_standing)), True))
    elif effect.seated_ahead and effect.ranks is not None:
        notes.append((_("The seats of later sessions do not depend on it"), False))
    return [{"text": text, "warns": warns} for text, warns in notes]


def _moves_scores(effect: Effect) -> bool:
    return any(before != after for before, after in (seat.score for seat in effect.seats))
