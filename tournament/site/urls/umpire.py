"""URLs of the umpire's pages."""

from django.urls import path

from tournament.fouls import views as appeals
from tournament.play.views import desk, disputes, paper, sessions
from tournament.site.views import tournaments
from tournament.web.views import service_worker

urlpatterns = [
    path("", tournaments.umpire_home, name="umpire_home"),
    path(
        "service-worker.js",
        service_worker,
        {"script": "js/desk/service-worker.js"},
        name="desk_service_worker",
    ),
    path("calls.html", sessions.calls_bar, name="call_bar"),
    path("engines/<str:digest>.zip", desk.engines_file, name="desk_engines"),
    path("<slug:slug>/words/", desk.offline_words, name="desk_words"),
    path("<slug:slug>/", tournaments.umpire_tables, name="umpire_tables"),
    path("<slug:slug>/appeals/", appeals.Appeals.as_view(), name="appeals"),
    path("<slug:slug>/appeals/<uuid:appeal>/", appeals.RuleAppeal.as_view(), name="appeal_rule"),
    path(
        "<slug:slug>/appeals/<uuid:appeal>/committee/",
        appeals.NameCommittee.as_view(),
        name="appeal_committee",
    ),
    path("<slug:slug>/appeals/<uuid:appeal>/waive/", appeals.WaiveRuling.as_view(), name="appeal_waive"),
    path("<slug:slug>/clock/", sessions.hall_clock_page, name="hall_clock"),
    path("<slug:slug>/clock/pause/", sessions.hall_clock_step, {"step": "pause"}, name="hall_clock_pause"),
    path("<slug:slug>/clock/resume/", sessions.hall_clock_step, {"step": "resume"}, name="hall_clock_resume"),
    path("<slug:slug>/clock/extend/", sessions.hall_clock_step, {"step": "extend"}, name="hall_clock_extend"),
    path("<slug:slug>/calls/<int:call>/accept/", sessions.call_accept, name="call_accept"),
    path("<slug:slug>/calls/<int:call>/end/", sessions.call_end, name="call_end"),
    path("<slug:slug>/<int:session>/paper/", paper.paper_session, name="paper"),
    path("<slug:slug>/<int:session>/paper/second/", paper.paper_second, name="paper_second"),
    path("<slug:slug>/<int:session>/paper/file/", paper.paper_file, name="paper_file"),
    path("<slug:slug>/<int:session>/paper/totals.csv", paper.paper_file_blank, name="paper_blank"),
    path("<slug:slug>/<int:session>/paper/tables/", paper.choose_paper_tables, name="paper_tables"),
    path("<slug:slug>/<int:session>/<int:table>/paper/", paper.paper_table, name="paper_table"),
    path(
        "<slug:slug>/<int:session>/<int:table>/paper/set-aside/",
        paper.paper_set_aside,
        name="paper_set_aside",
    ),
    path("<slug:slug>/<int:session>/<int:table>/", desk.desk, name="desk"),
    path(
        "<slug:slug>/<int:session>/<int:table>/hands/<int:hand>/",
        disputes.disputed_hand,
        name="disputed_hand",
    ),
    path(
        "<slug:slug>/<int:session>/<int:table>/hands/<int:hand>/photos/<uuid:uuid>/delete/",
        disputes.photo_delete,
        name="photo_delete",
    ),
    path("<slug:slug>/<int:session>/<int:table>/time-lost/", sessions.time_lost_add, name="time_lost_add"),
    path(
        "<slug:slug>/<int:session>/<int:table>/next/",
        tournaments.umpire_neighbour,
        {"direction": "next"},
        name="desk_next",
    ),
    path(
        "<slug:slug>/<int:session>/<int:table>/previous/",
        tournaments.umpire_neighbour,
        {"direction": "previous"},
        name="desk_previous",
    ),
]
