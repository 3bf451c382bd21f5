"""Addresses of the umpire pages."""

from django.urls import path

from tournament.views.service_workers import service_worker
from tournament.views.umpire import (
    absences,
    appeals,
    calls,
    desk,
    hands,
    offline,
    penalties,
    sheet,
    tables,
    timing,
)

TABLE = "<slug:slug>/<int:session>/<int:table>/"

urlpatterns = [
    path("", tables.home, name="umpire_home"),
    path(
        "service-worker.js",
        service_worker,
        {"script": "js/desk/service-worker.js"},
        name="desk_service_worker",
    ),
    path("engines/<str:digest>.zip", offline.engines_file, name="desk_engines"),
    path("<slug:slug>/words/", offline.words, name="desk_words"),
    path("<slug:slug>/", tables.tables, name="umpire_tables"),
    path("<slug:slug>/appeals/", appeals.appeals, name="appeals"),
    path("<slug:slug>/appeals/<uuid:appeal>/", appeals.rule, name="appeal_rule"),
    path("<slug:slug>/appeals/<uuid:appeal>/waive/", appeals.waive, name="appeal_waive"),
    path("<slug:slug>/calls/<int:call>/take/", calls.take, name="call_take"),
    path("<slug:slug>/calls/<int:call>/done/", calls.done, name="call_done"),
    path(TABLE, desk.desk, name="desk"),
    path(f"{TABLE}state/", sheet.state, name="desk_state"),
    path(f"{TABLE}preview/", hands.preview, name="desk_preview"),
    path(f"{TABLE}hands/", hands.save, name="desk_save"),
    path(f"{TABLE}hands/<int:number>/correct/", hands.correct, name="desk_correct"),
    path(f"{TABLE}hands/<int:number>/undo/", hands.undo, name="desk_undo"),
    path(f"{TABLE}penalties/preview/", penalties.preview, name="desk_penalty_preview"),
    path(f"{TABLE}penalties/", penalties.give, name="desk_penalty"),
    path(f"{TABLE}penalties/<uuid:penalty>/cancel/", penalties.cancel, name="desk_penalty_cancel"),
    path(f"{TABLE}absent/", absences.absent, name="desk_absent"),
    path(f"{TABLE}absent/<uuid:uuid>/arrived/", absences.arrived, name="desk_arrived"),
    path(f"{TABLE}absent/<uuid:uuid>/take-back/", absences.taken_back, name="desk_absence_taken_back"),
    path(f"{TABLE}absent/<uuid:uuid>/begin/", absences.begun_without, name="desk_begun_without"),
    path(f"{TABLE}stand-in/", absences.stand_in, name="desk_stand_in"),
    path(f"{TABLE}stand-in/over/", absences.seated_again, name="desk_seated_again"),
    path(f"{TABLE}sign/<int:number>/", sheet.sign_sheet, name="desk_sign"),
    path(f"{TABLE}sign/<int:number>/take-back/", sheet.unsign_sheet, name="desk_unsign"),
    path(f"{TABLE}extra-time/", timing.extra_time, name="desk_extra_time"),
    path(f"{TABLE}appeals/", appeals.open_at_desk, name="desk_appeal"),
    path(f"{TABLE}hand-in/", sheet.hand_in_table, name="desk_hand_in"),
    path(f"{TABLE}reopen/", sheet.reopen_table, name="desk_reopen"),
]
