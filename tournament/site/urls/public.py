"""URLs of the public pages."""

from django.urls import path

from tournament.book.views import calculator
from tournament.documents import views as documents_views
from tournament.ema import views as ema_views
from tournament.events import views as events_views
from tournament.exchange import views as exchange_views
from tournament.exchange.event_file.encoding import SCHEMA
from tournament.exchange.urls import public_urls
from tournament.fouls import views as fouls
from tournament.messages.announcements import views as announcements_views
from tournament.messages.push import views as phones
from tournament.people import views as people
from tournament.play.views import sessions as calls
from tournament.players.views import check_in
from tournament.privacy import views as privacy
from tournament.ranking import views as ranking_views
from tournament.registration.views import registration
from tournament.screens.views import ceremony, hall, overlays, screens
from tournament.seating.views import draw
from tournament.site.views import tournaments
from tournament.web import views as pages
from tournament.web.api import base  # noqa: F401  (registers the converter of screens' names)
from tournament.web.views import server_time, service_worker

REGISTRATION = "t/<slug:slug>/registration/<secret:token>/"

urlpatterns = [
    path("", tournaments.home, name="home"),
    path("tournaments.ics", tournaments.events_calendar, name="events_calendar"),
    path(SCHEMA, exchange_views.tournament_file_schema, name="tournament_schema"),
    path("now/", server_time, name="now"),
    path("chinese.woff2", pages.chinese_font_file, name="chinese_font"),
    path("privacy/", privacy.site_privacy, name="privacy"),
    path("t/<slug:slug>/privacy/", privacy.privacy_page_public, name="tournament_privacy"),
    path("t/<slug:slug>/registration/<secret:token>/data.json", privacy.own_data, name="registration_data"),
    path("calculator/", calculator.calculator, name="calculator"),
    path("calculator/score/", calculator.score, name="calculator_score"),
    path("calculator/systems/", calculator.systems_page, name="calculator_systems"),
    path("mers/", ema_views.score_calculator, name="mers"),
    path("mers/quotas/", ema_views.quotas_calculator, name="mers_quotas"),
    path("classical/", calculator.evening, name="classical"),
    path("people/", people.people_search, name="people"),
    path("people/<str:person>/", people.person_public_page, name="person"),
    path("people/<str:person>/with/<str:other>/", people.head_to_head_page, name="head_to_head"),
    path("t/<slug:slug>/", tournaments.tournament, name="tournament"),
    path("t/<slug:slug>/files/<uuid:uuid>/", tournaments.document, name="event_document"),
    path("t/<slug:slug>/announcements/", announcements_views.part, name="announcements"),
    path("t/<slug:slug>/quiz/", hall.puzzles_public, name="puzzles"),
    path("t/<slug:slug>/quiz/<uuid:uuid>/", hall.puzzle_public, name="puzzle"),
    path("t/<slug:slug>/screens/", screens.screens_public, name="screens"),
    path("t/<slug:slug>/screens/<screen:screen>/", screens.screen_page, name="screen"),
    path("t/<slug:slug>/ranking/", ranking_views.ranking_page, name="ranking"),
    *public_urls,
    path("t/<slug:slug>/ranking/ranks/", ranking_views.ranks, name="ranks"),
    path("t/<slug:slug>/ranking/rows/", ranking_views.ranking_lines, name="ranking_rows"),
    path(
        "t/<slug:slug>/ranking/teams/", ranking_views.ranking_groups, {"kind": "teams"}, name="ranking_teams"
    ),
    path(
        "t/<slug:slug>/ranking/teams/rows/",
        ranking_views.ranking_group_part,
        {"kind": "teams"},
        name="ranking_teams_rows",
    ),
    path(
        "t/<slug:slug>/ranking/nations/",
        ranking_views.ranking_groups,
        {"kind": "nations"},
        name="ranking_nations",
    ),
    path(
        "t/<slug:slug>/ranking/nations/rows/",
        ranking_views.ranking_group_part,
        {"kind": "nations"},
        name="ranking_nations_rows",
    ),
    path("t/<slug:slug>/sessions/<int:number>/", calls.session, name="session_page"),
    path("t/<slug:slug>/sessions/<int:number>/<int:table>/", calls.table, name="table_page"),
    path("t/<slug:slug>/sessions/<int:number>/<int:table>/call/", calls.call_umpire, name="call_umpire"),
    path("t/<slug:slug>/check-in/", check_in.self_check_in, name="check_in"),
    path("t/<slug:slug>/check-in/undo/", check_in.self_check_in_undo, name="check_in_undo"),
    path("t/<slug:slug>/draw/", draw.draw_page_public, name="draw_page"),
    path("t/<slug:slug>/draw/certificate/", draw.certificate_page, name="draw_certificate"),
    path("t/<slug:slug>/draw/certificate.json", draw.certificate_download, name="draw_certificate_json"),
    path("t/<slug:slug>/statistics/", ranking_views.statistics_page, name="statistics_page"),
    path("t/<slug:slug>/documents/", documents_views.papers_page, name="documents_page"),
    path("t/<slug:slug>/ceremony/", ceremony.ceremony_page_public, name="ceremony"),
    path("t/<slug:slug>/overlay/", overlays.overlays, name="overlays"),
    path(
        "t/<slug:slug>/overlay/lower-third/<int:number>/",
        overlays.overlay,
        {"kind": "lower_third"},
        name="overlay_lower_third",
    ),
    path(
        "t/<slug:slug>/overlay/table/<int:number>/", overlays.overlay, {"kind": "table"}, name="overlay_table"
    ),
    path("t/<slug:slug>/overlay/hand/<int:number>/", overlays.overlay, {"kind": "hand"}, name="overlay_hand"),
    path(
        "t/<slug:slug>/overlay/player/<int:number>/",
        overlays.overlay,
        {"kind": "player"},
        name="overlay_player",
    ),
    path("t/<slug:slug>/overlay/clock/", overlays.overlay, {"kind": "clock"}, name="overlay_clock"),
    path("t/<slug:slug>/ceremony/hall/", ceremony.ceremony_hall, name="ceremony_hall"),
    path("t/<slug:slug>/fouls/", fouls.foul_book_public, name="fouls_page"),
    path("t/<slug:slug>/penalties/", fouls.penalties_public, name="penalties_page"),
    path("t/<slug:slug>/flags/<str:digest>.svg", pages.flags_svg, name="flag_sheet"),
    path("t/<slug:slug>/players/", ranking_views.players_list, name="players_page"),
    path("t/<slug:slug>/players/<int:number>/", ranking_views.player_public_page, name="player_page"),
    path(
        "t/<slug:slug>/players/<int:number>/card/",
        ranking_views.player_part,
        {"template": "_player_card"},
        name="player_card",
    ),
    path(
        "t/<slug:slug>/players/<int:number>/live/",
        ranking_views.player_part,
        {"template": "player_live", "concerns_places": True},
        name="player_live",
    ),
    path(
        "t/<slug:slug>/players/<int:number>/goal/",
        ranking_views.player_part,
        {"template": "_rank_goal"},
        name="player_goal",
    ),
    path("t/<slug:slug>/players/<int:number>/hands/", ranking_views.player_hands, name="player_hands"),
    path("t/push-worker.js", service_worker, {"script": "js/phone/push-worker.js"}, name="push_worker"),
    path("t/<slug:slug>/players/<int:number>/phone/", phones.phone, name="player_phone"),
    path("t/<slug:slug>/players/<int:number>/home.webmanifest", phones.manifest, name="player_manifest"),
    path("t/<slug:slug>/register/", registration.register_page, name="register"),
    path("t/<slug:slug>/register/sent/", registration.sent, name="registration_sent"),
    path("t/<slug:slug>/participants/", registration.attendees, name="participants"),
    path(REGISTRATION, registration.page, name="registration"),
    path(f"{REGISTRATION}confirm/", registration.confirm, name="registration_confirm"),
    path(f"{REGISTRATION}change/", registration.change, name="registration_change"),
    path(f"{REGISTRATION}cancel/", registration.cancel, name="registration_cancel"),
    path("t/<slug:slug>/calendar.ics", events_views.tournament_calendar, name="tournament_calendar"),
    path(
        "t/<slug:slug>/players/<int:number>/calendar.ics",
        events_views.player_calendar,
        name="player_calendar",
    ),
]
