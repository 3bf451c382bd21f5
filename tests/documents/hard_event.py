"""A tournament that is hard to print: texts of the greatest length, four scripts, penalties at every seat, a rota and a
withdrawn player."""

from typing import Final
from uuid import uuid4

from django.utils import timezone

from tests.support.factories import SYSTEM, make_tournament, make_umpire
from tournament.base.models.tournament import Role, Tournament
from tournament.documents.selectors import design_of
from tournament.documents.services import set_certificates
from tournament.fouls.services.penalties import give_penalty
from tournament.play.engine.statements import Accusation
from tournament.prizes.models import Prize
from tournament.prizes.selectors import prize_plan_of
from tournament.prizes.services import set_prizes
from tournament.staff.models import Watch

LONGEST: Final = ("Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh-" + "Cholmondeley" * 3)[:80]
CHINESE: Final = "牌" * 40
HANGUL: Final = "남궁 수민"


def hard_event(players: int = 8) -> Tournament:
    """Return a tournament with one session played and one running."""
    tournament = make_tournament(players=players, sessions=2, played=1, running=1)
    table = tournament.sessions.get(number=1).tables.get(number=1)
    for seat in table.seats.select_related("player"):
        give_penalty(table, SYSTEM, Accusation(seat.player.number, "false_hu", 1), uuid=uuid4())
    umpire = make_umpire(tournament)
    umpire.first_name = umpire.last_name = "Ümit" * 20
    umpire.save()
    member = tournament.memberships.get(user=umpire, role=Role.UMPIRE)
    for session in tournament.sessions.all():
        for watched in session.tables.order_by("number")[: 1 if players == 8 else 6]:
            Watch.objects.create(membership=member, table=watched)
    design = design_of(tournament)
    design.text, design.places = "Donaudampfschifffahrt " * 27, 8
    set_certificates(design, SYSTEM)
    tournament.players.filter(number__lte=4).update(
        last_name=LONGEST, first_name="", club="C" * 80, team="T" * 80
    )
    prizes = [Prize(kind=kind, text="Pokal" * 24) for kind in (Prize.Kind.OVERALL, Prize.Kind.TEAM)]
    set_prizes(prize_plan_of(tournament), SYSTEM, prizes)
    tournament.players.filter(number__gt=4, number__lte=8).update(
        last_name=CHINESE, first_name="", club="牌" * 40
    )
    tournament.players.filter(number=9).update(last_name=HANGUL, first_name="")
    tournament.players.filter(number=10).update(withdrawn_at=timezone.now())
    tournament.name = ("Großes Mahjong-Turnier " * 6)[:120]
    tournament.venue = "V" * 120
    tournament.save()
    return tournament
