"""A page of several parts that are saved together (`tournament.web.generic.PartsView`)."""

from decimal import Decimal
from typing import Any

import pytest
from django.contrib.messages.storage.cookie import CookieStorage
from django.db.models import QuerySet
from django.http import HttpResponse
from django.test import RequestFactory

from tests.support.factories import SYSTEM, make_member, make_organiser, make_tournament
from tournament.base.access import Right
from tournament.base.models.log import LogEntry
from tournament.base.models.registration import RegistrationPlan
from tournament.base.models.tournament import Role, Tournament
from tournament.dues.forms import FeeFormSet
from tournament.dues.models import Fee
from tournament.dues.services import set_fees
from tournament.registration.forms import PlanForm
from tournament.registration.selectors.plan import plan_of
from tournament.registration.services.admissions import set_plan
from tournament.web.generic import Part, PartsView

pytestmark = pytest.mark.django_db


class Places(Part):
    name = "places"
    form_class = PlanForm

    def get_object(self) -> RegistrationPlan:
        return plan_of(self.tournament) or RegistrationPlan(tournament=self.tournament)

    def save(self, instance: RegistrationPlan, rows: list[Any]) -> None:
        set_plan(instance, self.actor)


class Prices(Part):
    name, rows_name = "prices", "fees"
    rights = (Right.CASH,)
    formset_class = FeeFormSet

    def get_queryset(self) -> QuerySet[Fee]:
        return self.tournament.fees.all()

    def save(self, instance: None, rows: list[Fee]) -> None:
        set_fees(self.tournament, self.actor, rows)


class Page(PartsView):
    rights = (Right.ORGANISE, Right.CASH)
    part_classes = (Places, Prices)
    success_page = "organiser_board"
    context: dict[str, Any]

    def render(self, context: dict[str, Any], status: int = 200) -> HttpResponse:
        type(self).context = context
        return HttpResponse(status=status)


@pytest.fixture
def event() -> Tournament:
    return make_tournament(players=4, drawn=False)


def send(event: Tournament, user: Any, sent: dict[str, str] | None = None) -> HttpResponse:
    requests = RequestFactory()
    request = requests.get("/") if sent is None else requests.post("/", sent)
    request.user, request._messages = user, CookieStorage(request)  # type: ignore[attr-defined]
    answer = Page.as_view()(request, slug=event.slug)
    assert isinstance(answer, HttpResponse)
    return answer


def prices(*names: str) -> dict[str, str]:
    rows = {f"prices-{n}-name": name for n, name in enumerate(names)}
    rows |= {f"prices-{n}-amount": "20" for n in range(len(names))}
    return rows | {"prices-TOTAL_FORMS": str(len(names)), "prices-INITIAL_FORMS": "0"}


def stored(event: Tournament) -> tuple[int | None, list[str]]:
    plan = plan_of(event)
    return plan.places if plan else None, [fee.name for fee in event.fees.all()]


PLACES = {"places-is_open": "on", "places-places": "24", "places-moves_up_automatically": "on"}


def test_parts_are_saved_together_and_only_if_they_changed(event: Tournament) -> None:
    olga = make_organiser(event)
    assert send(event, olga, PLACES | prices("Members")).status_code == 302
    assert stored(event) == (24, ["Members"])
    n = LogEntry.objects.count()
    assert send(event, olga, PLACES | {"places-list_is_public": "on"} | prices()).status_code == 302
    assert LogEntry.objects.count() == n + 1, "no entry for prices"


def test_all_mistakes_are_shown_and_nothing_is_stored(event: Tournament) -> None:
    olga = make_organiser(event)
    version = event.version
    assert send(event, olga, PLACES | {"places-places": "x"} | prices("Members", "")).status_code == 422
    assert set(Page.context["places"].form.errors) == {"places"}
    assert [set(errors) for errors in Page.context["prices"].formset.errors] == [set(), {"name"}]
    assert Page.context["n_errors"] == 2
    assert send(event, olga, PLACES | prices("Members", "members")).status_code == 422, "the service refuses"
    assert stored(event) == (None, []), "nor are the places stored"
    assert Page.context["n_errors"] == 1
    assert Page.context["prices"].tournament.version == version


def test_everybody_changes_what_their_rights_allow(event: Tournament) -> None:
    set_fees(event, SYSTEM, [Fee(name="All", amount=Decimal(10))])
    theo = make_member(event, Role.TREASURER, "theo")
    send(event, theo)
    assert [part.name for part in Page.context["parts"]] == ["prices"]
    assert send(event, theo, PLACES | prices("Late")).status_code == 302
    assert stored(event) == (None, ["Late"])
