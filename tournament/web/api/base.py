"""What every endpoint shares: who asks, and which tournament is meant."""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar

from django.http import Http404
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from rest_framework.exceptions import PermissionDenied, ValidationError
from rest_framework.request import Request
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from tournament.base import access, zones
from tournament.base.access import Actor, Audience, Right
from tournament.base.models.play import Session, Table
from tournament.base.models.signed_in import ApiToken
from tournament.base.models.tournament import Tournament
from tournament.base.selectors.embargo import keeps_back
from tournament.play.selectors.tables import find_table
from tournament.web.api.headers import body_of, fields_of
from tournament.web.api.paging import cut

S = TypeVar("S", bound="Serializer[Any]")


class Endpoint(APIView):
    """Anonymous visitors may read public tournaments; writing is for the services to allow."""

    cuts_itself: ClassVar[bool] = False
    """Whether its lists are cut into pages as they are asked of the database; others are cut before they are sent."""

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        rows = getattr(response, "data", None)
        if isinstance(rows, list) and request.method == "GET" and not self.cuts_itself:
            try:
                response.data, links = cut(rows, request)
                for name, value in links.items():
                    response.headers[name] = value
            except ValidationError as error:
                response = self.handle_exception(error)
        return super().finalize_response(request, response, *args, **kwargs)

    @cached_property
    def actor(self) -> Actor:
        """Whoever is signed in; by a token, as far as it reaches."""
        token: ApiToken | None = self.request.auth  # type: ignore[assignment]  # ours, not the framework's
        return Actor.of(self.request.user, access.grant_of(token))

    def tournament(self, slug: str) -> Tournament:
        """The tournament; 404 also for one that the asker may not see."""
        return self._seen(Tournament.objects.filter(slug=slug).first())

    def _seen(self, found: Tournament | None) -> Tournament:
        if found is None or not access.can_see(self.actor, found):
            raise Http404
        zones.tell_time_of(found)
        return found

    def organised(self, slug: str) -> Tournament:
        """One that the asker organises."""
        return self.allowed(slug, Right.ORGANISE)

    def allowed(self, slug: str, right: Right) -> Tournament:
        """One in which the asker has a right."""
        tournament = self.tournament(slug)
        access.require(self.actor, tournament, right)
        return tournament

    def audience(self, tournament: Tournament) -> Audience:
        """For whom its results are read."""
        return access.audience_of(self.actor, tournament)

    def told(self, table: Table) -> Audience:
        """The audience of the results at a table; 403 where it is not told of them."""
        audience = self.audience(table.session.tournament)
        if keeps_back(audience, table.session):
            raise PermissionDenied(
                _("The results of this session are hidden until the organiser opens them.")
            )
        return audience

    def as_it_stands(self) -> dict[str, Any]:
        """What a write that came too late is answered with beside the changes."""
        return {}

    def organised_session(self, slug: str, number: int) -> Session:
        session = self.session(slug, number)
        access.require_organiser(self.actor, session.tournament)
        return session

    def session(self, slug: str, number: int) -> Session:
        found = self.tournament(slug).sessions.select_related("tournament").filter(number=number).first()
        if found is None:
            raise Http404
        return found

    def table(self, slug: str, session: int, table: int) -> Table:
        try:
            found = find_table(slug, session, table)
        except Table.DoesNotExist:
            raise Http404 from None
        self._seen(found.session.tournament)
        return found

    def body(self, form: type[S], **context: Any) -> S:
        """The request's body in that form, and what headers say in its place; 400 with every field's fault when its
        types are wrong."""
        filled = form(data=body_of(self.request, form), context=context)
        if not context:
            filled.fields = fields_of(form)
        filled.is_valid(raise_exception=True)
        return filled


NOT_KEPT = {"Cache-Control": "no-store"}
"""The headers of an answer with a secret in it."""
