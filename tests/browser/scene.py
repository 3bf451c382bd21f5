"""Scripts for `house.place.python` that create the data of the pages: tournaments in every state, and long names."""

EVENING = """
from tests.support.factories import evening, make_organiser, make_umpire
from tournament.exchange.transcripts.transcript import Stop
played = evening(Stop(2, (4, 6, 7, 4)))
make_organiser(played, "olga")
make_umpire(played, "uma")
"""
"""An evening up to the middle of its second session."""
OTHERS = """
import json
from datetime import timedelta
from uuid import uuid4
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from penalties.models import Penalty
from tests.support.factories import SYSTEM, make_tournament
from tests.support.registrations import confirmed, for_france, make_plan, question, register_one
from tournament.backup.services import make_backup
from tournament.base.models.people import Player
from tournament.base.models.play import Table
from tournament.base.models.tournament import Membership, Role, Tournament
from tournament.base.selectors import registration_token
from tournament.documents.services import request_document
from tournament.events.engine import TimetablePattern
from tournament.base.models.events import EventPage
from tournament.events.selectors import propose_timetable
from tournament.events.services import add_event_document, set_event_page, set_timetable
from tournament.fouls.services.appeals import open_appeal
from tournament.fouls.services.penalties import give_penalty
from tournament.messages.announcements.models import Announcement
from tournament.messages.announcements.services import announce
from tournament.play.engine.statements import Accusation, TotalsEntry
from tournament.play.services.sessions import raise_call
from tournament.play.services.totals import enter_totals, set_on_paper, enter_second_reading
from tournament.registration.services.admissions import set_questions
from tournament.screens.models import Ceremony
from tournament.screens.services import announce_next_place, start_ceremony
from tournament.staff.passes import PassScope
from tournament.staff.services import make_passes

def key_of(name):
    client = Client()
    client.force_login(User.objects.get(username=name))
    return client.cookies["sessionid"].value

LONGEST = ("Wolfeschlegelsteinhausenbergerdorffwelch", "Maria Aparecida dos Santos de Oliveira-Pinto", "欧阳修远")
for number, name in zip((1, 6, 14), LONGEST, strict=True):
    Player.objects.filter(number=number).update(last_name=name)

def read(at, east, write):
    numbers = at.seats.order_by("id").values_list("player__number", flat=True)
    write(at, SYSTEM, TotalsEntry(dict(zip(numbers, (east, -40, -50)))), uuid=uuid4())

played, olga = Tournament.objects.get(), User.objects.get(username="olga")
for other in (
    make_tournament(name="Nobody yet", players=0),
    make_tournament(name="Not drawn", players=16, drawn=False),
    make_tournament(name="Before the gong", players=8),
    make_tournament(name="On paper", players=8, sessions=1, running=0),
    make_tournament(name="Closed", players=8, sessions=1, played=1),
):
    Membership.objects.create(tournament=other, user=olga, role=Role.ORGANISER)
announce_next_place(start_ceremony(other, SYSTEM, Ceremony.Kind.PLAYERS, 3), SYSTEM, seen=0)
not_drawn = Tournament.objects.get(slug="not-drawn")
welcome = ("# Welcome", "Two days of **MCR**.", "- lunch", "|a|b|\\n|-|-|\\n|1|2|", "long" * 40)
set_event_page(EventPage(tournament=not_drawn,
    description={"en": "\\n\\n".join(welcome), "zh-hant": "歡迎"},
    address="1 Wall Street, 69001 Lyon", country="FRA", map_url="https://example.org/" + "map" * 40,
    website="https://example.org/", referees="Uma", contact="open@example.org", mers="ranked"), SYSTEM)
add_event_document(not_drawn, SYSTEM, "How to come " + "there" * 12, b"%PDF-1", uuid=uuid4())
set_on_paper(Tournament.objects.get(slug="on-paper"), SYSTEM, True)
on_paper = Table.objects.get(session__tournament__slug="on-paper", number=1)
read(on_paper, 120, enter_totals)
read(on_paper, 102, enter_second_reading)
set_timetable(played, SYSTEM, propose_timetable(played, TimetablePattern(), lunch="Lunch"))
request_document(played, SYSTEM, kind="standings", language="en")
announce(Announcement(tournament=played, text="Lunch at 12:30"), SYSTEM)
second = Table.objects.get(session__tournament=played, session__number=2, number=2)
penalty = give_penalty(second, SYSTEM, Accusation(second.seats.first().player.number, "false_hu", 1), uuid=uuid4())
open_appeal(second, SYSTEM, second.seats.last().player.number, "Hand 1 was not won.", uuid=uuid4())
raise_call(second, SYSTEM, "tiles")
(desk_pass,) = make_passes(played, SYSTEM, [PassScope("Table 2", table_number=2)], timezone.now() + timedelta(days=1))
umpire = Membership.objects.get(tournament=played, user__username="uma")
url_params = {"slug": played.slug, "umpire": umpire.pk, "penalty": str(penalty.uuid), "token": desk_pass.token}
before = Tournament.objects.get(slug="not-drawn")
make_plan(before, places=3, reserved=[for_france()])
questions = [question("choice", "Rice", "Noodles", text={"en": "Lunch"})]
set_questions(before, SYSTEM, questions)
registered = [confirmed(before, number, name_shown=number % 2 == 0) for number in range(1, 7)]
url_params["link"] = registration_token(registered[0])
url_params["unconfirmed"] = registration_token(register_one(before, 8))
User.objects.create_superuser("kim", first_name="Kim", last_name="Keeper")
url_params["backup"] = make_backup(SYSTEM).stem
print(json.dumps({name: key_of(name) for name in ("olga", "uma", "kim")} | url_params))
"""
"""Tournaments in other states, very long names, and one of each thing that can be opened.

Prints the session keys of the readers and the parameters of the addresses.
"""
