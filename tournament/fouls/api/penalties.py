"""API endpoints of penalties, the foul book and attendance."""

from dataclasses import replace
from typing import Any, TypedDict
from uuid import UUID

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from penalties.engine import Foul, Names, Origin, Sanction
from penalties.engine.catalogue import MAX_DESCRIPTION_LENGTH, MAX_NAME_LENGTH
from penalties.engine.rules import Ladder, Rule, RuleJson, SanctionJson, parse_rule
from penalties.engine.sanctions import AT_TABLE, MAX_POINTS
from penalties.models import Penalty
from penalties.texts import nth_time, reason_text, sanction_text
from scoring.refusals import Fault, faults
from scoring.texts import joined_parts, translated
from tournament.base import access
from tournament.base.engine.notices import Audience
from tournament.base.engine.rules import Attendance, Credit
from tournament.base.models.play import Table
from tournament.base.models.tournament import Tournament
from tournament.base.problems import sentence
from tournament.fouls.engine import Assessment
from tournament.fouls.selectors import assess
from tournament.fouls.services.foul_book import add_foul, change_foul, restore_foul, set_attendance
from tournament.fouls.services.penalties import cancel_penalty, give_penalty, show_penalties, undo_penalty
from tournament.play.api.answers import TableAnswer
from tournament.play.api.facts import Cancellation, FoulFact, PenaltyWrite, TableWrite
from tournament.play.api.tables import AtTable
from tournament.play.selectors.tables import table_now
from tournament.web.api.base import Endpoint, Remark, SettingsEndpoint
from tournament.web.api.typed import TypedField

# --- Penalties ---


class PenaltySerializer(serializers.ModelSerializer[Penalty]):
    player = serializers.IntegerField(source="player.number")
    victim = serializers.IntegerField(source="victim.number", default=None, allow_null=True)
    cancelled = serializers.BooleanField(source="is_cancelled")

    class Meta:
        model = Penalty
        fields = (
            "uuid", "player", "foul", "hand_number", "victim", "facts", "occurrence", "sanction", "proposed",
            "because", "effects", "note", "given_at", "cancelled", "cancelled_because",
        )  # fmt: skip


class PenaltyAnswer(TableAnswer):
    penalty = PenaltySerializer(required=False)


class Penalties(AtTable):
    """GET lists the table's penalties, cancelled ones included, for those who may see them. POST gives one.

    The sanction is the foul book's, or `sanction` for the reason `because`. Idempotent for the same uuid.
    """

    @extend_schema(responses=PenaltySerializer(many=True))
    def get(self, request: Request, slug: str, session: int, number: int) -> Response:
        table = self.table(slug, session, number)
        if not access.can_see_penalties(self.actor, table.session.tournament):
            raise Http404
        self.results_audience(table)
        return self.list_response(PenaltySerializer, table.penalties.select_related("player", "victim"))

    @extend_schema(request=PenaltyWrite, responses={201: PenaltyAnswer})
    def post(self, request: Request, slug: str, session: int, number: int) -> Response:
        table = self.umpired(slug, session, number)
        body = self.body(PenaltyWrite)
        penalty = give_penalty(table, self.actor, body.to_accusation(), **body.facts())
        return self.done(status.HTTP_201_CREATED, lambda: {"penalty": PenaltySerializer(penalty).data})


class Rung(TypedDict):
    label: str
    time: str
    due: bool
    past: bool


class ScoreMoved(TypedDict):
    player: int
    change: int
    before: int
    after: int


class PenaltyProposal(TypedDict):
    """The proposed sanction as text, its reason, the steps of its ladder, and its effects on the scores.

    `imposed`: the sanction as data. `book`: the foul book's sanction, if another is imposed. `open`: the foul book
    leaves it to the umpire's discretion. `judgement`: only an umpire in person may impose it. `grave`: the desk asks
    for confirmation. `ladder`: the step that is due and its neighbours, empty if repeats cost the same.
    """

    sanction: str
    imposed: SanctionJson
    changed: bool
    open: bool
    judgement: bool
    grave: bool
    reason: str
    book: str
    paid: str
    warnings: list[str]
    source: str
    ladder: list[Rung]
    button: str
    effects: list[ScoreMoved]


class PenaltyPreview(TypedDict):
    problems: list[Fault]
    proposal: PenaltyProposal | None


class PreviewPenalty(AtTable):
    """POST returns the foul book's proposal and gives no penalty."""

    @extend_schema(request=FoulFact, responses=PenaltyPreview)
    def post(self, request: Request, slug: str, session: int, number: int) -> Response:
        table = self.umpired(slug, session, number)
        accusation = self.body(FoulFact).to_accusation()
        assessment = assess(table, accusation)
        foul = table.session.tournament.rules.fouls.find(accusation.foul)
        proposed = (
            _proposal(table, assessment, foul, accusation.player)
            if foul and not assessment.problems
            else None
        )
        preview: PenaltyPreview = {"problems": faults(assessment.problems, sentence), "proposal": proposed}
        return Response(preview)


def _proposal(table: Table, assessment: Assessment, foul: Foul, player: int) -> PenaltyProposal:
    assert assessment.proposal is not None
    assert assessment.proposal.reason is not None
    assert assessment.sanction is not None
    now = table_now(table, Audience.STAFF)
    sanction = assessment.sanction
    at_table = sanction.points is not None and sanction.points.scope in AT_TABLE
    return {
        "sanction": capfirst(sanction_text(sanction)),
        "imposed": sanction.to_json(),
        "changed": assessment.is_override,
        "open": assessment.proposal.reason.code == "discretion",
        "judgement": assessment.is_judgement,
        "grave": sanction.is_grave,
        "reason": reason_text(assessment.proposal, foul),
        "book": sanction_text(assessment.overridden) if assessment.overridden else "",
        "paid": _("Paid to nobody.") if sum(assessment.effects.values()) < 0 else "",
        "warnings": [sentence(problem) for problem in assessment.warnings],
        "source": translated(foul.source),
        "ladder": _ladder(foul, assessment.proposal.occurrence),
        "button": _button(sanction, now.seat_of(player).player.name),
        "effects": [
            {
                "player": number,
                "change": change,
                "before": now.scores[number],
                "after": now.scores[number] + change,
            }
            for number, change in (assessment.effects if at_table else {}).items()
        ],
    }


def _ladder(foul: Foul, occurrence: int) -> list[Rung]:
    if not isinstance(foul.rule, Ladder):
        return []
    steps = foul.rule.steps
    due = min(occurrence, len(steps))
    first = max(1, min(due - 2, len(steps) - MAX_STEPS_SHOWN + 1))
    shown = range(first, min(first + MAX_STEPS_SHOWN, len(steps) + 1))
    costs = [str(step.points.total) if step.points else _("Warn") for step in steps]
    return [
        {"label": costs[time - 1], "time": nth_time(time), "due": time == due, "past": time < due}
        for time in shown
    ]


MAX_STEPS_SHOWN = 5
"""The number of steps that fit on a phone's screen."""


def _button(sanction: Sanction, name: str) -> str:
    """Return the label of the button: "Take 60 points from Håkan Dupont, dead hand"."""
    if sanction.disqualification:
        return _("Disqualify {name}").format(name=name)
    if sanction.is_grave:
        return _("Penalise {name}: {sanction}").format(name=name, sanction=sanction_text(sanction))
    if sanction.points:
        total = sanction.points.total
        taken = ngettext("Take {n} point from {name}", "Take {n} points from {name}", total)
        rest = replace(sanction, points=None)
        return joined_parts(
            [taken.format(n=total, name=name), *([] if rest == Sanction() else [sanction_text(rest)])]
        )
    if sanction == Sanction(warning=True):
        return _("Warn {name}").format(name=name)
    if sanction == Sanction(dead_hand=True):
        return _("Dead hand for {name}").format(name=name)
    return _("Penalise {name}: {sanction}").format(name=name, sanction=sanction_text(sanction))


class PenaltyDetail(AtTable):
    """DELETE cancels the penalty, for a `reason`."""

    @extend_schema(operation_id="penalty_cancel", request=Cancellation, responses={200: PenaltyAnswer})
    def delete(self, request: Request, slug: str, session: int, number: int, uuid: UUID) -> Response:
        penalty = self.penalty(slug, session, number, uuid)
        cancelled = cancel_penalty(penalty, self.actor, **self.body(Cancellation).facts("reason"))
        return self.done(written=lambda: {"penalty": PenaltySerializer(cancelled).data})

    def penalty(self, slug: str, session: int, number: int, uuid: UUID) -> Penalty:
        return get_object_or_404(self.umpired(slug, session, number).penalties, uuid=uuid)


class UndoPenalty(PenaltyDetail):
    """POST cancels a penalty that the same user gave by mistake within the last minute."""

    http_method_names = ["post", "options"]

    @extend_schema(request=TableWrite, responses=PenaltyAnswer)
    def post(self, request: Request, slug: str, session: int, number: int, uuid: UUID) -> Response:
        penalty = self.penalty(slug, session, number, uuid)
        reason = _("Undone at once")
        undone = undo_penalty(penalty, self.actor, reason=reason, expected_version=self.seen_version())
        return self.done(written=lambda: {"penalty": PenaltySerializer(undone).data})


class PenaltiesShownSerializer(serializers.Serializer[Any]):
    public = serializers.BooleanField(source="penalties_public")


class PenaltiesShown(SettingsEndpoint):
    """Whether everybody sees the penalties, or only organisers and umpires."""

    serializer_class = PenaltiesShownSerializer

    def get_object(self, tournament: Tournament) -> Tournament:
        return tournament

    def perform_update(self, tournament: Tournament, data: dict[str, Any]) -> None:
        show_penalties(tournament, self.actor, public=data["penalties_public"])
        tournament.refresh_from_db()


# --- Foul book ---


class RuleField(TypedField):
    """A rule in the form of the foul book; of the same kind as `instead_of` in the context, if there is one."""

    shape = RuleJson

    def to_internal_value(self, data: Any) -> Rule:
        try:
            return parse_rule(data, self.context.get("instead_of"))
        except ValueError as error:
            raise serializers.ValidationError(str(error)) from None

    def to_representation(self, value: Rule) -> Any:
        return value.to_json()


RULE = (
    "By its kind. fixed: sanction. ladder: steps (a sanction for each repeat), repeats (hand, wind_round, session, "
    "any_foul, tournament), if_seen (a sanction in addition). choice: amounts (a list, or least and most), scope, "
    "paid_to; warning if 0 points can be chosen, stops if the umpire may stop the offender from playing on. late: "
    "bands (minutes, sanction) and what follows. cases: a sanction for each. Unset parts of a sanction are left out."
)


class NamesSerializer(serializers.Serializer[Names]):
    """A name that is left out is filled from the other Chinese one, or from the English one."""

    en = serializers.CharField(allow_blank=True, max_length=MAX_NAME_LENGTH)
    zh_hans = Remark(max_length=MAX_NAME_LENGTH)
    zh_hant = Remark(max_length=MAX_NAME_LENGTH)

    def to_internal_value(self, data: Any) -> Names:
        return Names.filled(**super().to_internal_value(data))


class DescriptionSerializer(NamesSerializer):
    """A sentence; one that is left out is filled from the other Chinese one, or from the English one."""

    en = serializers.CharField(allow_blank=True, max_length=MAX_DESCRIPTION_LENGTH)
    zh_hans = Remark(max_length=MAX_DESCRIPTION_LENGTH)
    zh_hant = Remark(max_length=MAX_DESCRIPTION_LENGTH)


class FoulSerializer(serializers.Serializer[Any]):
    """A foul of the tournament's foul book."""

    url = serializers.SerializerMethodField()
    key = serializers.CharField()
    names = NamesSerializer()
    description = DescriptionSerializer()
    source = DescriptionSerializer(  # type: ignore[assignment]  # a field, as the framework takes it out of the class
        help_text="The source of its rule."
    )
    rule = RuleField(help_text=RULE)
    origin = serializers.ChoiceField(
        [origin.value for origin in Origin],
        help_text="changed: in the rulebook, with a rule changed by the organiser. house: added by the organiser.",
    )

    def get_url(self, foul: Foul) -> str:
        """Return the URL of the foul."""
        return reverse("api_foul", args=[self.context["tournament"].slug, foul.key])


class FoulBookSerializer(serializers.Serializer[Any]):
    book = serializers.CharField(source="key", help_text="The key of the rulebook's foul book.")
    fouls = FoulSerializer(many=True)


class FoulChange(serializers.Serializer[Any]):
    rule = RuleField(help_text=RULE)
    names = NamesSerializer(
        required=False, allow_null=True, default=None, help_text="New names of a house foul; optional."
    )


class HouseFoul(serializers.Serializer[Any]):
    names = NamesSerializer()
    description = DescriptionSerializer(required=False, default=lambda: Names.filled(""))
    rule = RuleField(help_text=RULE)


class Fouls(Endpoint):
    """GET returns the tournament's foul book. POST adds a house foul at its end: `fixed`, a `ladder` or a `choice`."""

    @extend_schema(operation_id="foul_book_get", responses=FoulBookSerializer)
    def get(self, request: Request, slug: str) -> Response:
        tournament = self.tournament(slug)
        book = FoulBookSerializer(tournament.rules.fouls, context={"tournament": tournament})
        return Response(book.data)

    @extend_schema(request=HouseFoul, responses={201: FoulSerializer})
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        added = add_foul(tournament, self.actor, **self.body(HouseFoul).validated_data)
        return _foul_response(tournament, added, status.HTTP_201_CREATED)


def _foul_or_404(tournament: Tournament, key: str) -> Foul:
    foul = tournament.rules.fouls.find(key)
    if foul is None:
        raise Http404
    return foul


def _foul_response(tournament: Tournament, foul: Foul, code: int = status.HTTP_200_OK) -> Response:
    return Response(FoulSerializer(foul, context={"tournament": tournament}).data, status=code)


class FoulDetail(Endpoint):
    """PUT sets another rule of the same kind; existing penalties stay.

    DELETE restores the rulebook's rule, or removes a house foul without penalties.
    """

    @extend_schema(responses=FoulSerializer)
    def get(self, request: Request, slug: str, key: str) -> Response:
        tournament = self.tournament(slug)
        return _foul_response(tournament, _foul_or_404(tournament, key))

    @extend_schema(request=FoulChange, responses=FoulSerializer)
    def put(self, request: Request, slug: str, key: str) -> Response:
        tournament = self.organised(slug)
        body = self.body(FoulChange, instead_of=_foul_or_404(tournament, key).rule)
        return _foul_response(tournament, change_foul(tournament, self.actor, key, **body.validated_data))

    @extend_schema(operation_id="foul_restore", responses={204: None})
    def delete(self, request: Request, slug: str, key: str) -> Response:
        tournament = self.organised(slug)
        restore_foul(tournament, self.actor, _foul_or_404(tournament, key).key)
        return Response(status=status.HTTP_204_NO_CONTENT)


# --- Attendance ---


class AttendanceSerializer(serializers.Serializer[Attendance]):
    """How absences, stand-ins and withdrawals count in the standings."""

    stand_in = serializers.ChoiceField(
        choices=[credit.value for credit in Credit],
        help_text="Who gets the result if a stand-in plays to the end: nobody, without a place at the table; the "
        "absent player; or the stand-in, who then takes a place if they have played the whole session.",
    )
    withdrawn_ranked = serializers.BooleanField(help_text="Whether players who withdraw keep a rank.")
    starting_points = serializers.IntegerField(
        min_value=0,
        max_value=MAX_POINTS,
        help_text="The points of a player when a session begins, which limit penalties for lateness. 0: no such limit.",
    )

    disqualified_ranked = serializers.BooleanField(
        required=False,
        help_text="Whether disqualified players have the last rank, with 0 points. Left out: it stays.",
    )


class AttendanceSettings(SettingsEndpoint):
    """How absences, stand-ins and withdrawals count in the standings."""

    serializer_class = AttendanceSerializer

    def get_object(self, tournament: Tournament) -> Attendance:
        return tournament.rules.attendance

    def perform_update(self, tournament: Tournament, data: dict[str, Any]) -> None:
        data = tournament.rules.attendance.to_json() | data
        set_attendance(tournament, self.actor, Attendance.from_json(data))
        tournament.refresh_from_db()
