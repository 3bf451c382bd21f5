"""Addresses of the public pages: what players and the hall see without an account."""

from django.urls import path

from tournament.api import converters  # noqa: F401  (registers the converter of screens' names)
from tournament.views.now import now
from tournament.views.public import (
    announcements,
    calculator,
    calendars,
    calls,
    ceremony,
    certificate,
    classical,
    draw,
    flags,
    fouls,
    home,
    papers,
    penalties,
    phones,
    players,
    puzzles,
    ranking,
    screens,
    sessions,
    statistics,
    systems,
    tournaments,
)
from tournament.views.service_workers import service_worker

urlpatterns = [
    path("", home.home, name="home"),
    path("now/", now, name="now"),
    path("calculator/", calculator.calculator, name="calculator"),
    path("calculator/score/", calculator.score, name="calculator_score"),
    path("calculator/systems/", systems.page, name="calculator_systems"),
    path("classical/", classical.evening, name="classical"),
    path("t/<slug:slug>/", tournaments.tournament, name="tournament"),
    path("t/<slug:slug>/announcements/", announcements.part, name="announcements"),
    path("t/<slug:slug>/quiz/", puzzles.listing, name="puzzles"),
    path("t/<slug:slug>/quiz/<uuid:uuid>/", puzzles.page, name="puzzle"),
    path("t/<slug:slug>/screens/", screens.listing, name="screens"),
    path("t/<slug:slug>/screens/<screen:screen>/", screens.page, name="screen"),
    path("t/<slug:slug>/ranking/", ranking.page, name="ranking"),
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
    path("t/<slug:slug>/draw/", draw.page, name="draw_page"),
    path("t/<slug:slug>/draw/certificate/", certificate.page, name="draw_certificate"),
    path("t/<slug:slug>/draw/certificate.json", certificate.download, name="draw_certificate_json"),
    path("t/<slug:slug>/statistics/", statistics.page, name="statistics_page"),
    path("t/<slug:slug>/documents/", papers.page, name="documents_page"),
    path("t/<slug:slug>/ceremony/", ceremony.page, name="ceremony"),
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
    path("t/<slug:slug>/calendar.ics", calendars.tournament_calendar, name="tournament_calendar"),
    path(
        "t/<slug:slug>/players/<int:number>/calendar.ics", calendars.player_calendar, name="player_calendar"
    ),
]
