"""Steps at a table and about the staff, one after the other as programs take them; each is answered well."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from tests.support.factories import SYSTEM, make_member, make_tournament, make_user
from tournament.models import Role, Table, Tournament
from tournament.services.people import link_several
from tournament.services.signed_in import make_token

pytestmark = pytest.mark.django_db


class Program:
    """One with a token of an account."""

    def __init__(self, user: Any, root: str) -> None:
        self.client = Client(headers={"Authorization": f"Bearer {make_token(user)[1]}"})
        self.root = root

    def __call__(self, method: str, path: str, body: Any = None, status: int = 200) -> Any:
        url = path if path.startswith("/") else self.root + path
        answer = self.client.generic(method, url, _json(body), content_type="application/json")
        assert answer.status_code == status, answer.text
        return answer.json() if answer.content else None


def _json(body: Any) -> str:
    return "" if body is None else json.dumps(body)


@pytest.fixture
def event() -> Tournament:
    return make_tournament(players=8, sessions=2, played=0, running=1, hands=1)


@pytest.fixture
def owner(event: Tournament) -> Program:
    return Program(make_member(event, Role.OWNER, "olga"), f"/api/v1/tournaments/{event.slug}/")


@pytest.fixture
def at(event: Tournament) -> str:
    return "sessions/1/tables/1/"


@pytest.fixture
def seats(event: Tournament) -> list[int]:
    table = Table.objects.get(session__tournament=event, session__number=1, number=1)
    return [seat.player.number for seat in table.seats.order_by("wind")]


def test_fouls(owner: Program, at: str, seats: list[int]) -> None:
    foul = {"player": seats[0], "foul": "false_hu", "hand_number": 2}
    owner("POST", f"{at}penalties/preview/", foul)
    uuid = str(uuid4())
    owner("POST", f"{at}penalties/", foul | {"uuid": uuid}, 201)
    owner("POST", f"{at}penalties/{uuid}/undo/", {})
    uuid = str(uuid4())
    owner("POST", f"{at}penalties/", foul | {"uuid": uuid}, 201)
    owner("DELETE", f"{at}penalties/{uuid}/", {"reason": "It was another player."})


def test_a_withdrawal_is_taken_back(owner: Program) -> None:
    owner("POST", "players/8/withdrawal/")
    owner("DELETE", "players/8/withdrawal/")


def test_appeals(owner: Program, at: str, seats: list[int], event: Tournament) -> None:
    chief = Program(make_member(event, Role.CHIEF, "carl"), owner.root)
    for name in ("uma", "ueli"):
        make_member(event, Role.UMPIRE, name)
    first, second = str(uuid4()), str(uuid4())
    for uuid in (first, second):
        said = {"uuid": uuid, "player": seats[0], "hand_number": 1, "text": "The tile was not called."}
        owner("POST", f"{at}appeals/", said, 201)
    owner("PUT", f"{at}appeals/{second}/committee/", {"members": ["carl", "uma", "ueli"]})
    chief("POST", f"{at}appeals/{first}/ruling/", {"granted": True, "ruling": "The hand is void."})
    chief("POST", f"{at}appeals/{first}/waiver/", {"because": "The players agreed to play on."})


def test_somebody_is_missing(owner: Program, at: str, seats: list[int]) -> None:
    uuid = str(uuid4())
    owner("POST", f"{at}absences/", {"uuid": uuid, "player": seats[1]}, 201)
    owner("PATCH", f"{at}absences/{uuid}/", {"arrived": True})
    other = str(uuid4())
    owner("POST", f"{at}absences/", {"uuid": other, "player": seats[2]}, 201)
    owner("DELETE", f"{at}absences/{other}/")


def test_the_sheet(owner: Program, at: str, seats: list[int]) -> None:
    owner("POST", f"{at}extra-time/", {"minutes": 5, "reason": "A wall fell over."})
    owner("POST", f"{at}signatures/{seats[0]}/", {"table_version": owner("GET", at)["version"]})
    owner("DELETE", f"{at}signatures/{seats[0]}/")
    owner("POST", f"{at}hand-in/", {"table_version": owner("GET", at)["version"]})


def test_the_staff(owner: Program, event: Tournament) -> None:
    day = (timezone.localdate() + timedelta(days=3)).isoformat()
    made = owner("POST", "staff/invitations/", {"role": "scorer", "expires_on": day}, 201)
    nina = Program(make_user("nina"), owner.root)
    member = nina("POST", "/api/v1/invitations/", {"token": made["token"]}, 201)
    owner("PATCH", f"staff/{member['id']}/", {"player": 8})
    umpire = make_member(event, Role.UMPIRE, "uma").memberships.get().pk
    owner("PUT", "rota/", {"rota": [{"session": 1, "table": 1, "umpire": umpire}]})
    owner("POST", f"staff/{member['id']}/hand-over/")


def test_certificates_and_publishing() -> None:
    event = make_tournament(players=8, sessions=2, played=1)
    owner = Program(make_member(event, Role.OWNER, "olga"), f"/api/v1/tournaments/{event.slug}/")
    owner("PUT", "certificates/", {"text": "With thanks to our hosts.", "places": 3, "best_hand": True})
    owner("POST", "standings/publish/", {"reason": "As it stands at noon."}, 201)


def test_somebody_who_is_known_twice() -> None:
    maker = Program(make_user("olga", staff=True), "/api/v1/")
    here, elsewhere = make_tournament(players=8), make_tournament(players=8, name="Elsewhere")
    ((_one, one),) = link_several(here, SYSTEM, {1: None})
    ((_other, other),) = link_several(elsewhere, SYSTEM, {2: None})
    assert maker("POST", f"people/{one.pk}/merging/", {"into": other.pk})["id"] == other.pk
    assert maker("DELETE", f"people/{other.pk}/merging/")["id"] == other.pk
    assert maker("PATCH", f"people/{one.pk}/", {"shown": False})["name"] == "M. B."


def test_a_paper_is_asked_for(owner: Program) -> None:
    assert owner("POST", "documents/", {"kind": "standings", "language": "en"}, 202)["kind"] == "standings"


def test_results_are_reckoned_by_anybody(owner: Program) -> None:
    results = [{"base": base, "weight": "2"} for base in (1000, 500, 0)]
    assert owner("POST", "/api/v1/mers/score/", {"results": results})["score"] is not None
