"""The shapes the API reads and writes, the bodies of writes, and the addresses of a table."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from penalties.engine.sanctions import MOST_POINTS
from penalties.models import Penalty
from tournament.base import access
from tournament.base.engine.rules import Attendance, Credit, two_decimals
from tournament.base.models.documents import DocumentJob
from tournament.base.models.log import LogEntry
from tournament.base.models.people import Player
from tournament.base.models.play import Hand, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import keeps_back, version_for

# --- The addresses of a table and of what is written at it, as answers carry them: no program builds one ---


STEPS = {"hand_in": "hand-in", "reopen": "reopen"}
WRITES = {
    "desk": "api_desk",
    "hands": "api_hands",
    "preview": "api_preview",
    "penalties": "api_penalties",
    "penalty_preview": "api_penalty_preview",
    "absences": "api_absences",
    "appeals": "api_appeals",
    "calls": "api_table_calls",
    "extra_time": "api_extra_time",
}


def url_of(name: str, table: Table, **more: Any) -> str:
    """The address called `name` at this table."""
    session = table.session
    where = {"slug": session.tournament.slug, "session": session.number, "number": table.number}
    return reverse(name, kwargs=where | more)


def urls_of(table: Table) -> dict[str, str]:
    """What can be done at the table → where."""
    steps = {key: url_of("api_table_step", table, step=step) for key, step in STEPS.items()}
    return {key: url_of(name, table) for key, name in WRITES.items()} | steps


# --- The bodies that writes take ---


MOST = 9999
MOST_SESSIONS = 999


def number_field(most: int = MOST) -> serializers.IntegerField:
    """A player, a session or a table, by its number; what is larger than a database counts is no number."""
    return serializers.IntegerField(min_value=1, max_value=most)


def numbers_field(**options: Any) -> serializers.ListField:
    return serializers.ListField(child=number_field(), max_length=MOST, **options)


class Remark(serializers.CharField):
    """A sentence or two that may be left out: the services say where one is needed."""

    def __init__(self, **more: Any) -> None:
        usual: dict[str, Any] = {"required": False, "allow_blank": True, "default": "", "max_length": 300}
        super().__init__(**(usual | more))


class Reasoned(serializers.Serializer[Any]):
    reason = Remark()


class DeletionRequest(serializers.Serializer[Any]):
    name = serializers.CharField(help_text="The tournament's name, so that nobody deletes one by a slip.")


class DrawRequest(serializers.Serializer[Any]):
    seed = serializers.CharField(max_length=80)
    sessions = serializers.IntegerField(
        required=False,
        allow_null=True,
        default=None,
        min_value=1,
        help_text="So many are drawn in advance, the others are seated one by one. Left out: all of them.",
    )


class SessionStepRequest(Reasoned):
    """`reason`: why a final result is opened again, or a step taken although something is still open (409 without).
    `unplayed`: tables without a hand, to close a session without.
    """

    unplayed = numbers_field(required=False, default=list)


class GoingOn(Reasoned):
    """`reason`: why it is done although something is still open; without one that is a 409 with everything open."""


# --- The shapes the API reads and writes. Checking what the rules say is the services' business. ---


class TournamentSerializer(serializers.ModelSerializer[Tournament]):
    venue = serializers.CharField(required=False, allow_blank=True, default="", max_length=120)
    held_out_waits = serializers.BooleanField(
        required=False,
        allow_null=True,
        default=None,
        help_text="Whether a tile whose four copies one holds oneself is a wait. Left out, as the rulebook says.",
    )
    appeal_minutes = serializers.IntegerField(
        required=False,
        help_text="Appeals are taken so long after a session's end; 0: settled at once, at the table.",
    )
    version = serializers.SerializerMethodField()

    class Meta:
        model = Tournament
        fields = (
            "slug", "name", "venue", "starts_on", "ends_on", "rulebook", "held_out_waits", "sessions_planned",
            "minutes", "appeal_minutes", "time_zone", "is_public", "draw_seed", "version",
        )  # fmt: skip
        read_only_fields = ("slug", "draw_seed")

    def get_version(self, tournament: Tournament) -> int:
        """The newest that the asker knows of; a question to the database only where the two differ."""
        if tournament.version == tournament.public_version:
            return tournament.version
        return version_for(access.audience_of(self.context["actor"], tournament), tournament)


class PlayerSerializer(serializers.ModelSerializer[Player]):
    """Faults of a player's particulars come back from the service, so nothing is refused here but wrong types."""

    number = serializers.IntegerField(required=False, allow_null=True)
    last_name = serializers.CharField(allow_blank=True, max_length=80)
    country = serializers.CharField(required=False, allow_blank=True)
    ema_number = serializers.CharField(required=False, allow_blank=True)
    name = serializers.CharField(read_only=True)
    withdrawn = serializers.BooleanField(source="is_withdrawn", read_only=True)
    is_substitute = serializers.BooleanField(
        required=False, allow_null=True, default=None, help_text="In no ranking. Left out, it stays as it is."
    )

    class Meta:
        model = Player
        fields = (
            "number",
            "first_name",
            "last_name",
            "name",
            "country",
            "ema_number",
            "team",
            "club",
            "is_substitute",
            "withdrawn",
        )


class SessionSerializer(serializers.ModelSerializer[Session]):
    """Asks in its context for whom the sessions are read: `audience`."""

    tables = serializers.SerializerMethodField()

    class Meta:
        model = Session
        fields = ("number", "state", "started_at", "closed_at", "hidden", "tables")

    def get_tables(self, session: Session) -> list[dict[str, Any]]:
        """Each table with its starting seats (wind → player number) and how far it is, null for who is not told."""
        told = not keeps_back(self.context["audience"], session)
        return [
            {
                "number": table.number,
                "seats": {seat.wind: seat.player.number for seat in table.seats.all()},
                "hands_played": table.hands_played if told else None,
                "is_in": table.is_in if told else None,
                "on_paper": table.is_on_paper,
                "counts_totals": table.counts_totals if told else None,
                "version": table.version if told else None,
            }
            for table in session.tables.all()
        ]


class HandSerializer(serializers.ModelSerializer[Hand]):
    winner = serializers.IntegerField(source="winner.number", default=None, allow_null=True)
    discarder = serializers.IntegerField(source="discarder.number", default=None, allow_null=True)

    class Meta:
        model = Hand
        fields = (
            "number", "version", "uuid", "outcome", "winner", "discarder", "tiles", "points",
            "points_without_flowers", "fans", "payments", "scored_by", "announced", "overridden_because",
            "points_by_tiles", "claimants", "absent", "reason", "deepens", "recorded_at",
        )  # fmt: skip


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


class PenaltiesShownSerializer(serializers.Serializer[Any]):
    public = serializers.BooleanField()


class LogEntrySerializer(serializers.ModelSerializer[LogEntry]):
    actor_name = serializers.CharField(read_only=True)

    class Meta:
        model = LogEntry
        fields = ("seq", "at", "actor_code", "actor_name", "action", "data", "texts", "previous_hash", "hash")


class DocumentSerializer(serializers.ModelSerializer[DocumentJob]):
    second = serializers.ChoiceField(settings.LANGUAGES, required=False, allow_blank=True, default="")
    """The language beside the first in headings and labels."""

    class Meta:
        model = DocumentJob
        fields = (
            "id", "kind", "language", "second", "paper", "session", "state", "done_steps", "steps", "standings_version",
            "standings_state", "error", "requested_at", "finished_at",
        )  # fmt: skip
        read_only_fields = tuple(
            name for name in fields if name not in ("kind", "language", "second", "paper", "session")
        )


@extend_schema_field(OpenApiTypes.STR)
class TwoDecimalsField(serializers.Field):  # type: ignore[type-arg]
    """A fraction as people print it: "11.50"."""

    def to_representation(self, value: Any) -> str:
        return two_decimals(value)


class SessionScoreSerializer(serializers.Serializer[Any]):
    session = serializers.IntegerField()
    table = serializers.IntegerField()
    place = serializers.IntegerField(
        allow_null=True, help_text="Null for an absent player, who takes no place at the table."
    )
    table_points = TwoDecimalsField()
    game_points = serializers.IntegerField()
    provisional = serializers.BooleanField()


class CarriedSerializer(serializers.Serializer[Any]):
    """What a finalist's totals count in place of the sessions up to this one."""

    after_session = serializers.IntegerField(source="after")
    table_points = TwoDecimalsField()
    game_points = serializers.IntegerField()


# What a row of any standings says, a player's or a group's. (A docstring would be the heirs' in the schema.)
class RankedSerializer(serializers.Serializer[Any]):
    rank = serializers.IntegerField()
    shared = serializers.BooleanField()
    table_points = TwoDecimalsField()
    game_points = serializers.IntegerField()
    provisional = serializers.BooleanField()


class StandingSerializer(RankedSerializer):
    rank = serializers.IntegerField(allow_null=True)
    number = serializers.IntegerField()
    decided_by = serializers.CharField(allow_null=True)
    sessions = SessionScoreSerializer(many=True)
    carried = CarriedSerializer(
        many=True, help_text="Into each final that counts, of the points had before it."
    )


class ReleaseSerializer(serializers.Serializer[Any]):
    version = serializers.IntegerField()
    hidden_sessions = serializers.ListField(
        child=serializers.IntegerField(), help_text="Sessions that are left out of these standings."
    )


class StandingsSerializer(ReleaseSerializer):
    rows = StandingSerializer(many=True)


class GroupStandingSerializer(RankedSerializer):
    name = serializers.CharField()
    counted = serializers.ListField(child=serializers.IntegerField(), source="counted_numbers")
    members = serializers.ListField(child=serializers.IntegerField(), source="member_numbers")


class GroupStandingsSerializer(ReleaseSerializer):
    rows = GroupStandingSerializer(many=True)


class AttendanceSerializer(serializers.Serializer[Attendance]):
    """What follows for the standings when a player is not there."""

    stand_in = serializers.ChoiceField(
        choices=[credit.value for credit in Credit],
        help_text="Whose the result is where a stand-in plays to the end: nobody's, who then takes no place at the "
        "table, or the absent player's.",
    )
    withdrawn_ranked = serializers.BooleanField(help_text="Whether who withdraws keeps a rank.")
    starting_points = serializers.IntegerField(
        min_value=0,
        max_value=MOST_POINTS,
        help_text="What a player holds when a session begins: lateness docks no more. 0: nobody starts with points.",
    )
