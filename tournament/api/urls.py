"""Addresses of the REST API, version 1, with its schema and its documentation."""

from csp.constants import SELF, UNSAFE_INLINE
from csp.decorators import csp_update
from django.urls import include, path, register_converter
from django.urls.converters import StringConverter
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.authtoken.views import ObtainAuthToken

from tournament.api import (
    absences,
    announcements,
    appeals,
    finals,
    people,
    player_lists,
    seats,
    standings,
    tables,
    tournaments,
)


class SessionStepConverter(StringConverter):
    regex = "start|unstart|close|reopen|hide|show"


class TableStepConverter(StringConverter):
    regex = "hand-in|reopen"


class AbsenceStepConverter(StringConverter):
    regex = "arrived|take-back|begin"


register_converter(SessionStepConverter, "session_step")
register_converter(TableStepConverter, "table_step")
register_converter(AbsenceStepConverter, "absence_step")

documentation = csp_update({"style-src": [SELF, UNSAFE_INLINE]})(
    SpectacularSwaggerSplitView.as_view(url_name="api_schema")
)
"""Swagger UI writes styles into its elements; on this page alone that is allowed."""

ONE = "v1/tournaments/<slug:slug>/"
TABLE = ONE + "sessions/<int:session>/tables/<int:number>/"

urlpatterns = [
    path("schema/", SpectacularAPIView.as_view(), name="api_schema"),
    path("", documentation, name="api_docs"),
    path("v1/score/", include("scoring.urls")),
    path("v1/token/", ObtainAuthToken.as_view(), name="api_token"),
    path("v1/tournaments/", tournaments.Tournaments.as_view(), name="api_tournaments"),
    path(ONE, tournaments.OneTournament.as_view(), name="api_tournament"),
    path(ONE + "players/", tournaments.Players.as_view(), name="api_players"),
    path(ONE + "players/list/", player_lists.PlayerLists.as_view(), name="api_player_list"),
    path(ONE + "players/list/preview/", player_lists.PreviewList.as_view(), name="api_player_list_preview"),
    path(ONE + "players/substitutes/", people.Substitutes.as_view(), name="api_substitutes"),
    path(ONE + "players/<int:number>/", tournaments.OnePlayer.as_view(), name="api_player"),
    path(ONE + "players/<int:number>/withdrawal/", tournaments.Withdrawal.as_view(), name="api_withdrawal"),
    path(ONE + "sessions/", tournaments.Sessions.as_view(), name="api_sessions"),
    path(ONE + "attendance/", absences.AttendanceSettings.as_view(), name="api_attendance"),
    path(ONE + "timetable/", tournaments.Timetable.as_view(), name="api_timetable"),
    path(
        ONE + "sessions/<int:number>/<session_step:step>/",
        tournaments.SessionStep.as_view(),
        name="api_session_step",
    ),
    path(ONE + "sessions/<int:number>/seats/", seats.Seats.as_view(), name="api_seats"),
    path(
        ONE + "sessions/<int:number>/seats/preview/", seats.PreviewSeats.as_view(), name="api_seats_preview"
    ),
    path(ONE + "finals/", finals.Finals.as_view(), name="api_finals"),
    path(ONE + "finals/preview/", finals.PreviewFinal.as_view(), name="api_finals_preview"),
    path(ONE + "seats/undo/", seats.UndoSeats.as_view(), name="api_seats_undo"),
    path(TABLE, tables.OneTable.as_view(), name="api_table"),
    path(TABLE + "hands/", tables.Hands.as_view(), name="api_hands"),
    path(TABLE + "hands/<int:hand>/", tables.OneHand.as_view(), name="api_hand"),
    path(TABLE + "hands/<int:hand>/undo/", tables.UndoHand.as_view(), name="api_hand_undo"),
    path(TABLE + "preview/", tables.Preview.as_view(), name="api_preview"),
    path(TABLE + "penalties/", tables.Penalties.as_view(), name="api_penalties"),
    path(TABLE + "penalties/<uuid:uuid>/cancel/", tables.CancelPenalty.as_view(), name="api_penalty_cancel"),
    path(TABLE + "absences/", absences.Absences.as_view(), name="api_absences"),
    path(
        TABLE + "absences/<uuid:uuid>/<absence_step:step>/",
        absences.AbsenceStep.as_view(),
        name="api_absence_step",
    ),
    path(TABLE + "stand-ins/<int:player>/", absences.StandIn.as_view(), name="api_stand_in"),
    path(TABLE + "appeals/", appeals.Appeals.as_view(), name="api_appeals"),
    path(TABLE + "appeals/<uuid:appeal>/ruling/", appeals.Ruling.as_view(), name="api_appeal_ruling"),
    path(TABLE + "appeals/<uuid:appeal>/waiver/", appeals.Waiver.as_view(), name="api_appeal_waiver"),
    path(TABLE + "<table_step:step>/", tables.TableStep.as_view(), name="api_table_step"),
    path(ONE + "standings/", standings.CurrentStandings.as_view(), name="api_standings"),
    path(ONE + "standings/teams/", standings.CurrentTeams.as_view(), name="api_standings_teams"),
    path(ONE + "standings/nations/", standings.CurrentNations.as_view(), name="api_standings_nations"),
    path(ONE + "standings/publish/", standings.Publish.as_view(), name="api_publish"),
    path(ONE + "announcements/", announcements.Announcements.as_view(), name="api_announcements"),
    path(
        ONE + "announcements/<uuid:uuid>/",
        announcements.OneAnnouncement.as_view(),
        name="api_announcement",
    ),
    path(ONE + "transcript/", standings.Transcript.as_view(), name="api_transcript"),
    path(ONE + "log/", standings.Log.as_view(), name="api_log"),
    path(ONE + "documents/", standings.Documents.as_view(), name="api_documents"),
    path(ONE + "documents/<int:job>/", standings.DocumentFile.as_view(), name="api_document"),
]
