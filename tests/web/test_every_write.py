"""Steps at a table and about the staff, one after the other as programs take them; each is answered well."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from tests.support.factories import SYSTEM, make_member, make_tournament, make_user
from tests.support.programs import ROOT, client_of
from tournament.base.models.play import Table
from tournament.base.models.tournament import Role, Tournament
from tournament.people.services import link_several

AT = "sessions/1/tables/1/"


class Steps:
    """What a program of this account asks, at an event's addresses, is answered with this status."""

    def __init__(self, user: Any, root: str) -> None:
        self.client, self.root = client_of(user), root

    def __call__(self, method: str, path: str, body: Any = None, status: int = 200) -> Any:
        url = path if path.startswith("/") else self.root + path
        answer = getattr(self.client, method.lower())(url, body)
        assert answer.status_code == status, answer.text
        return answer.json() if answer.content else None


@pytest.fixture
def event() -> Tournament:
    return make_tournament(players=8, running=1)


@pytest.fixture
def owner(event: Tournament) -> Steps:
    return Steps(make_member(event, Role.OWNER, "olga"), f"{ROOT}{event.slug}/")


@pytest.fixture
def seats(event: Tournament) -> list[int]:
    table = Table.objects.get(session__tournament=event, session__number=1, number=1)
    return [seat.player.number for seat in table.seats.order_by("wind")]


def test_fouls_and_a_withdrawal(owner: Steps, seats: list[int]) -> None:
    foul = {"player": seats[0], "foul": "false_hu", "hand_number": 2}
    owner("POST", f"{AT}penalties/preview/", foul)
    uuid = str(uuid4())
    owner("POST", f"{AT}penalties/", foul | {"uuid": uuid}, 201)
    owner("POST", f"{AT}penalties/{uuid}/undo/", {})
    uuid = str(uuid4())
    owner("POST", f"{AT}penalties/", foul | {"uuid": uuid}, 201)
    owner("DELETE", f"{AT}penalties/{uuid}/", {"reason": "It was another player."})
    owner("POST", "players/8/withdrawal/")
    owner("DELETE", "players/8/withdrawal/")


def test_appeals(owner: Steps, seats: list[int], event: Tournament) -> None:
    chief = Steps(make_member(event, Role.CHIEF, "carl"), owner.root)
    for name in ("uma", "ueli"):
        make_member(event, Role.UMPIRE, name)
    first, second = str(uuid4()), str(uuid4())
    for uuid in (first, second):
        appeal = {"uuid": uuid, "player": seats[0], "hand_number": 1, "text": "The tile was not called."}
        owner("POST", f"{AT}appeals/", appeal, 201)
    owner("PUT", f"{AT}appeals/{second}/committee/", {"members": ["carl", "uma", "ueli"]})
    chief("POST", f"{AT}appeals/{first}/ruling/", {"granted": True, "ruling": "The hand is void."})
    chief("POST", f"{AT}appeals/{first}/waiver/", {"because": "The players agreed to play on."})


@pytest.mark.thorough
def test_the_sheet_and_who_is_missing(owner: Steps, seats: list[int]) -> None:
    arrives, mistaken = str(uuid4()), str(uuid4())
    for uuid, player in ((arrives, seats[1]), (mistaken, seats[2])):
        owner("POST", f"{AT}absences/", {"uuid": uuid, "player": player}, 201)
    owner("PATCH", f"{AT}absences/{arrives}/", {"arrived": True})
    owner("DELETE", f"{AT}absences/{mistaken}/")
    owner("POST", f"{AT}extra-time/", {"minutes": 5, "reason": "A wall fell over."})
    owner("POST", f"{AT}signatures/{seats[0]}/", {"table_version": owner("GET", AT)["version"]})
    owner("DELETE", f"{AT}signatures/{seats[0]}/")
    owner("POST", f"{AT}hand-in/", {"table_version": owner("GET", AT)["version"]})


def test_the_staff(owner: Steps, event: Tournament) -> None:
    day = (timezone.localdate() + timedelta(days=3)).isoformat()
    invitation = owner("POST", "staff/invitations/", {"role": "scorer", "expires_on": day}, 201)
    nina = Steps(make_user("nina"), owner.root)
    member = nina("POST", "/api/v1/invitations/", {"token": invitation["token"]}, 201)
    owner("PATCH", f"staff/{member['id']}/", {"player": 8})
    umpire_client = make_member(event, Role.UMPIRE, "uma").memberships.get().pk
    owner("PUT", "rota/", {"rota": [{"session": 1, "table": 1, "umpire": umpire_client}]})
    owner("POST", f"staff/{member['id']}/hand-over/")


def test_certificates_publishing_a_paper_and_results_that_are_reckoned() -> None:
    event = make_tournament(players=8, sessions=2, played=1)
    owner = Steps(make_member(event, Role.OWNER, "olga"), f"{ROOT}{event.slug}/")
    owner("PUT", "certificates/", {"text": "With thanks to our hosts.", "places": 3, "best_hand": True})
    owner("POST", "standings/publish/", {"reason": "As it stands at noon."}, 201)
    assert owner("POST", "documents/", {"kind": "standings", "language": "en"}, 202)["kind"] == "standings"
    results = [{"base": base, "weight": "2"} for base in (1000, 500, 0)]
    assert owner("POST", "/api/v1/mers/score/", {"results": results})["score"] is not None


def test_somebody_who_is_known_twice() -> None:
    maker = Steps(make_user("olga", staff=True), "/api/v1/")
    here, elsewhere = make_tournament(players=8), make_tournament(players=8, name="Elsewhere")
    ((_, person),) = link_several(here, SYSTEM, {1: None})
    ((_, other),) = link_several(elsewhere, SYSTEM, {2: None})
    assert maker("POST", f"people/{person.pk}/merging/", {"into": other.pk})["id"] == other.pk
    assert maker("DELETE", f"people/{other.pk}/merging/")["id"] == other.pk
    assert maker("PATCH", f"people/{person.pk}/", {"shown": False})["name"] == "M. B."
