"""API of people across tournaments, and of the links of an event's players to them."""

from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.base import access
from tournament.base.access import Actor
from tournament.base.models.people import Person, PersonChange, Player
from tournament.people.selectors import (
    find_people,
    is_key,
    people_of_event,
    person_page,
    public_people,
    visible_people,
)
from tournament.people.services import (
    link_player,
    link_players,
    merge_people,
    reject_proposal,
    set_person_shown,
    undo_linking,
    undo_merge,
    unlink_player,
)
from tournament.people.texts import shown_name
from tournament.web.api.base import Endpoint, number_field

MAX_KEY = 2**31 - 1


def _key_field(**options: Any) -> serializers.IntegerField:
    return serializers.IntegerField(min_value=1, max_value=MAX_KEY, **options)


class PersonSerializer(serializers.ModelSerializer[Person]):
    """Of a person who asked not to be shown only the initials."""

    name = serializers.SerializerMethodField()

    class Meta:
        model = Person
        fields = ("id", "name", "country", "ema_number", "club")

    def get_name(self, person: Person) -> str:
        return shown_name(person)

    def to_representation(self, person: Person) -> dict[str, Any]:
        data = super().to_representation(person)
        return {"id": data["id"], "name": data["name"]} if person.is_hidden else data


class EntrySerializer(serializers.Serializer[Any]):
    tournament = serializers.CharField(source="tournament.slug")
    number = serializers.IntegerField(source="player.number")
    rank = serializers.IntegerField(allow_null=True)
    of = serializers.IntegerField()
    table_points = serializers.CharField()
    game_points = serializers.IntegerField()


class PersonAnswer(serializers.Serializer[Any]):
    person = PersonSerializer()
    tournaments = EntrySerializer(many=True)
    hands = serializers.IntegerField(source="statistics.hands")
    won = serializers.IntegerField(source="statistics.won")
    self_drawn = serializers.IntegerField(source="statistics.self_drawn")
    dealt_in = serializers.IntegerField(source="statistics.dealt_in")
    fans = serializers.DictField(child=serializers.IntegerField(), help_text="Fan → hands won with it.")


class People(Endpoint):
    """People who have played at public tournaments; `?q=` filters by name or EMA number."""

    @extend_schema(responses=PersonSerializer(many=True))
    def get(self, request: Request) -> Response:
        return self.list_response(PersonSerializer, find_people(str(request.query_params.get("q", ""))[:80]))


class PersonDetail(Endpoint):
    """A person's results at public tournaments. PATCH shows or hides the name, for organisers of theirs."""

    @extend_schema(responses=PersonAnswer)
    def get(self, request: Request, person: int) -> Response:
        page = person_page(get_object_or_404(public_people(), pk=person))
        entries = () if page.person.is_hidden else page.entries
        return Response(PersonAnswer(vars(page) | {"tournaments": entries}).data)

    class Shown(serializers.Serializer[Any]):
        shown = serializers.BooleanField()

    @extend_schema(request=Shown, responses=PersonSerializer)
    def patch(self, request: Request, person: int) -> Response:
        access.require_people_manager(self.actor)
        shown = self.body(self.Shown).validated_data["shown"]
        return Response(
            PersonSerializer(
                set_person_shown(_visible_person(self.actor, person), self.actor, shown=shown)
            ).data
        )


def _visible_person(actor: Actor, key: int) -> Person:
    return get_object_or_404(visible_people(actor), pk=key)


class PersonMerge(PersonDetail):
    """POST merges this person into `into`, for organisers of both. DELETE undoes the newest merge into this person."""

    permission_classes = (IsAuthenticated,)
    http_method_names = ("post", "delete", "options")

    class Into(serializers.Serializer[Any]):
        into = _key_field()

    @extend_schema(operation_id="person_merge", request=Into, responses=PersonSerializer)
    def post(self, request: Request, person: int) -> Response:
        access.require_people_manager(self.actor)
        into = _visible_person(self.actor, self.body(self.Into).validated_data["into"])
        change = merge_people(_visible_person(self.actor, person), self.actor, into)
        return Response(PersonSerializer(change.into).data)

    @extend_schema(operation_id="person_merge_undo", responses={200: PersonSerializer})
    def delete(self, request: Request, person: int) -> Response:
        access.require_people_manager(self.actor)
        into = _visible_person(self.actor, person)
        change = PersonChange.objects.filter(into=into, what="merged", cancelled_at=None).first()
        if change is None:
            raise Http404
        undo_merge(change, self.actor)
        return Response(PersonSerializer(into).data)


class ProposalSerializer(serializers.Serializer[Any]):
    person = PersonSerializer()
    reasons = serializers.SerializerMethodField()

    def get_reasons(self, proposal: Any) -> list[str]:
        return [reason.value for reason in proposal.reasons]


class EventPersonSerializer(serializers.Serializer[Any]):
    player = serializers.IntegerField(source="player.number")
    person = serializers.IntegerField(source="player.person_id", allow_null=True)
    proposals = ProposalSerializer(many=True)


class LinkSerializer(serializers.Serializer[Any]):
    player = number_field()
    person = _key_field(allow_null=True, help_text="Null: a new person, created from the player.")


class EventPeople(Endpoint):
    """The players with their person, or with proposals and reasons. POST links several at once, DELETE undoes that."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(operation_id="player_person_list", responses=EventPersonSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        return self._list_players(slug)

    @extend_schema(
        operation_id="person_link",
        request=LinkSerializer(many=True),
        responses=EventPersonSerializer(many=True),
    )
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        serializer = LinkSerializer(data=request.data, many=True)
        serializer.is_valid(raise_exception=True)
        links = {link["player"]: link["person"] for link in serializer.validated_data}
        link_players(tournament, self.actor, links)
        return self._list_players(slug)

    @extend_schema(operation_id="person_link_undo", responses={200: EventPersonSerializer(many=True)})
    def delete(self, request: Request, slug: str) -> Response:
        undo_linking(self.organised(slug), self.actor)
        return self._list_players(slug)

    def _list_players(self, slug: str) -> Response:
        return self.list_response(EventPersonSerializer, people_of_event(self.organised(slug), self.actor))


class PlayerPerson(Endpoint):
    """The person a player is. PUT links them; DELETE removes the link, or rejects a proposed person (`?person=`)."""

    permission_classes = (IsAuthenticated,)

    class Who(serializers.Serializer[Any]):
        person = _key_field()

    @extend_schema(request=Who, responses={204: None})
    def put(self, request: Request, slug: str, number: int) -> Response:
        player = self._player(slug, number)
        link_player(
            player, self.actor, _visible_person(self.actor, self.body(self.Who).validated_data["person"])
        )
        return Response(status=204)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, slug: str, number: int) -> Response:
        player, key = self._player(slug, number), str(request.query_params.get("person", ""))
        if is_key(key):
            reject_proposal(player, self.actor, _visible_person(self.actor, int(key)))
        else:
            unlink_player(player, self.actor)
        return Response(status=204)

    def _player(self, slug: str, number: int) -> Player:
        return get_object_or_404(self.organised(slug).players.select_related("tournament"), number=number)
