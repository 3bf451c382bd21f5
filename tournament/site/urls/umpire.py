"""Addresses of the umpire pages."""

from django.urls import path

from tournament.fouls.views import appeals
from tournament.play.views import calls, desk, hall_clock, offline, paper, paper_file, paper_table
from tournament.site.views import tables
from tournament.web.views.service_workers import service_worker

urlpatterns = [
    path("", tables.home, name="umpire_home"),
    path(
        "service-worker.js",
        service_worker,
        {"script": "js/desk/service-worker.js"},
        name="desk_service_worker",
    ),
    path("calls.html", calls.bar, name="call_bar"),
    path("engines/<str:digest>.zip", offline.engines_file, name="desk_engines"),
    path("<slug:slug>/words/", offline.words, name="desk_words"),
    path("<slug:slug>/", tables.tables, name="umpire_tables"),
    path("<slug:slug>/appeals/", appeals.appeals, name="appeals"),
    path("<slug:slug>/appeals/<uuid:appeal>/", appeals.rule, name="appeal_rule"),
    path("<slug:slug>/appeals/<uuid:appeal>/committee/", appeals.committee, name="appeal_committee"),
    path("<slug:slug>/appeals/<uuid:appeal>/waive/", appeals.waive, name="appeal_waive"),
    path("<slug:slug>/clock/", hall_clock.page, name="hall_clock"),
    path("<slug:slug>/clock/pause/", hall_clock.step, {"step": "pause"}, name="hall_clock_pause"),
    path("<slug:slug>/clock/go-on/", hall_clock.step, {"step": "go-on"}, name="hall_clock_go_on"),
    path("<slug:slug>/clock/extend/", hall_clock.step, {"step": "extend"}, name="hall_clock_extend"),
    path("<slug:slug>/calls/<int:call>/take/", calls.take, name="call_take"),
    path("<slug:slug>/calls/<int:call>/done/", calls.done, name="call_done"),
    path("<slug:slug>/<int:session>/paper/", paper.session, name="paper"),
    path("<slug:slug>/<int:session>/paper/second/", paper.second, name="paper_second"),
    path("<slug:slug>/<int:session>/paper/file/", paper_file.page, name="paper_file"),
    path("<slug:slug>/<int:session>/paper/totals.csv", paper_file.blank, name="paper_blank"),
    path("<slug:slug>/<int:session>/paper/keep/", paper_table.keep, name="paper_keep"),
    path("<slug:slug>/<int:session>/<int:table>/paper/", paper_table.page, name="paper_table"),
    path("<slug:slug>/<int:session>/<int:table>/paper/aside/", paper_table.set_aside, name="paper_aside"),
    path("<slug:slug>/<int:session>/<int:table>/", desk.desk, name="desk"),
    path("<slug:slug>/<int:session>/<int:table>/next/", tables.beside, {"way": "next"}, name="desk_next"),
    path(
        "<slug:slug>/<int:session>/<int:table>/previous/",
        tables.beside,
        {"way": "previous"},
        name="desk_previous",
    ),
]
