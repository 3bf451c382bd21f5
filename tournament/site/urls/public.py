"""Addresses of the public pages: what players and the hall see without an account."""

from django.urls import path

from tournament.book.views import calculator, classical, systems
from tournament.documents.views import papers
from tournament.ema.views import mers
from tournament.events.views import calendars
from tournament.exchange.event_file.versions import SCHEMA
from tournament.exchange.views import formats, lists
from tournament.fouls.views import fouls_public as fouls
from tournament.fouls.views import penalties_public as penalties
from tournament.messages.announcements.views import announcements_public as announcements
from tournament.messages.push import views as phones
from tournament.people.views import people_public as people
from tournament.people.views import privacy_public as privacy
from tournament.play.views import calls_public as calls
from tournament.play.views import sessions
from tournament.players.views import check_in_public as check_in
from tournament.ranking.views import players, ranking, statistics
from tournament.registration.views import registration
from tournament.screens.views import (
    ceremony_public as ceremony,
)
from tournament.screens.views import (
    overlays,
)
from tournament.screens.views import (
    puzzles_public as puzzles,
)
from tournament.screens.views import (
    screens_public as screens,
)
from tournament.seating.views import certificate
from tournament.seating.views import draw_public as draw
from tournament.site.views import home
from tournament.site.views import tournaments_public as tournaments
from tournament.web.api import converters  # noqa: F401  (registers the converter of screens' names)
from tournament.web.views import flags
from tournament.web.views.now import now
from tournament.web.views.service_workers import service_worker

REGISTRATION = "t/<slug:slug>/registration/<str:token>/"

urlpatterns = [
    path("", home.home, name="home"),
    path("tournaments.ics", home.events_calendar, name="events_calendar"),
    path(SCHEMA, formats.tournament_file, name="tournament_schema"),
    path("now/", now, name="now"),
    path("privacy/", privacy.site, name="privacy"),
    path("t/<slug:slug>/privacy/", privacy.page, name="tournament_privacy"),
    path("t/<slug:slug>/registration/<str:token>/mine.json", privacy.mine, name="registration_mine"),
    path("calculator/", calculator.calculator, name="calculator"),
    path("calculator/score/", calculator.score, name="calculator_score"),
    path("calculator/systems/", systems.page, name="calculator_systems"),
    path("mers/", mers.player, name="mers"),
    path("mers/quotas/", mers.seats, name="mers_quotas"),
    path("classical/", classical.evening, name="classical"),
    path("people/", people.search, name="people"),
    path("people/<str:person>/", people.page, name="person"),
    path("people/<str:person>/with/<str:other>/", people.beside, name="head_to_head"),
    path("t/<slug:slug>/", tournaments.tournament, name="tournament"),
    path("t/<slug:slug>/files/<uuid:uuid>/", tournaments.document, name="event_document"),
    path("t/<slug:slug>/announcements/", announcements.part, name="announcements"),
    path("t/<slug:slug>/quiz/", puzzles.listing, name="puzzles"),
    path("t/<slug:slug>/quiz/<uuid:uuid>/", puzzles.page, name="puzzle"),
    path("t/<slug:slug>/screens/", screens.listing, name="screens"),
    path("t/<slug:slug>/screens/<screen:screen>/", screens.page, name="screen"),
    path("t/<slug:slug>/ranking/", ranking.page, name="ranking"),
    path("t/<slug:slug>/lists/<open_list:name>.<list_format:form>", lists.open_list, name="list_file"),
    path("t/<slug:slug>/ranking.xlsx", papers.standings, name="ranking_sheet"),
    path("t/<slug:slug>/ranking/rows/", ranking.rows, name="ranking_rows"),
    path("t/<slug:slug>/ranking/teams/", ranking.groups, {"kind": "teams"}, name="ranking_teams"),
    path(
        "t/<slug:slug>/ranking/teams/rows/", ranking.group_part, {"kind": "teams"}, name="ranking_teams_rows"
    ),
    path("t/<slug:slug>/ranking/nations/", ranking.groups, {"kind": "nations"}, name="ranking_nations"),
    path(
        "t/<slug:slug>/ranking/nations/rows/",
        ranking.group_part,
        {"kind": "nations"},
        name="ranking_nations_rows",
    ),
    path("t/<slug:slug>/sessions/<int:number>/", sessions.session, name="session_page"),
    path("t/<slug:slug>/sessions/<int:number>/<int:table>/", sessions.table, name="table_page"),
    path("t/<slug:slug>/sessions/<int:number>/<int:table>/call/", calls.call_umpire, name="call_umpire"),
    path("t/<slug:slug>/check-in/", check_in.page, name="check_in"),
    path("t/<slug:slug>/check-in/undo/", check_in.undo, name="check_in_undo"),
    path("t/<slug:slug>/draw/", draw.page, name="draw_page"),
    path("t/<slug:slug>/draw/certificate/", certificate.page, name="draw_certificate"),
    path("t/<slug:slug>/draw/certificate.json", certificate.download, name="draw_certificate_json"),
    path("t/<slug:slug>/statistics/", statistics.page, name="statistics_page"),
    path("t/<slug:slug>/documents/", papers.page, name="documents_page"),
    path("t/<slug:slug>/ceremony/", ceremony.page, name="ceremony"),
    path("t/<slug:slug>/overlay/", overlays.listing, name="overlays"),
    path("t/<slug:slug>/overlay/table/<int:table>/", overlays.table, name="overlay_table"),
    path("t/<slug:slug>/overlay/hand/<int:table>/", overlays.hand, name="overlay_hand"),
    path("t/<slug:slug>/overlay/player/<int:number>/", overlays.player, name="overlay_player"),
    path("t/<slug:slug>/overlay/clock/", overlays.clock, name="overlay_clock"),
    path("t/<slug:slug>/ceremony/hall/", ceremony.hall, name="ceremony_hall"),
    path("t/<slug:slug>/fouls/", fouls.page, name="fouls_page"),
    path("t/<slug:slug>/penalties/", penalties.page, name="penalties_page"),
    path("t/<slug:slug>/flags/<str:digest>.svg", flags.sheet, name="flag_sheet"),
    path("t/<slug:slug>/players/", players.listing, name="players_page"),
    path("t/<slug:slug>/players/<int:number>/", players.page, name="player_page"),
    path("t/<slug:slug>/players/<int:number>/card/", players.card, name="player_card"),
    path("t/push-worker.js", service_worker, {"script": "js/phone/push-worker.js"}, name="push_worker"),
    path("t/<slug:slug>/players/<int:number>/phone/", phones.phone, name="player_phone"),
    path("t/<slug:slug>/players/<int:number>/home.webmanifest", phones.manifest, name="player_manifest"),
    path("t/<slug:slug>/register/", registration.form, name="register"),
    path("t/<slug:slug>/register/sent/", registration.sent, name="registration_sent"),
    path("t/<slug:slug>/coming/", registration.coming, name="coming"),
    path(REGISTRATION, registration.page, name="registration"),
    path(f"{REGISTRATION}confirm/", registration.confirm, name="registration_confirm"),
    path(f"{REGISTRATION}change/", registration.change, name="registration_change"),
    path(f"{REGISTRATION}cancel/", registration.cancel, name="registration_cancel"),
    path("t/<slug:slug>/calendar.ics", calendars.tournament_calendar, name="tournament_calendar"),
    path(
        "t/<slug:slug>/players/<int:number>/calendar.ics", calendars.player_calendar, name="player_calendar"
    ),
]
