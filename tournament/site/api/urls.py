"""Addresses of the REST API, version 1, with its schema and its documentation."""

from csp.constants import SELF, UNSAFE_INLINE
from csp.decorators import csp_update
from django.urls import URLPattern, URLResolver, include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from tournament.accounts import api as tokens
from tournament.documents import api as certificates
from tournament.ema.api import ema, mers
from tournament.events.api import event_page, timetable, tournaments
from tournament.exchange.api import tournament_files, transcripts
from tournament.exchange.api.urls import list_urls
from tournament.fouls.api import appeals, fouls, penalties
from tournament.messages.announcements import api as announcements
from tournament.people.api import persons, privacy
from tournament.play.api import absences, calls, hall_clock, hands, results, tables, totals
from tournament.players.api import list_undo, people, player_lists
from tournament.ranking import api as standings
from tournament.screens.api import ceremony, screens
from tournament.seating.api import finals, reseating, seats, wrong_seats
from tournament.site.api.urls_of_people import (
    Addresses,
    check_in_urls,
    due_urls,
    privacy_urls,
    registration_urls,
    staff_urls,
)
from tournament.site.api.urls_of_webhooks import webhook_urls
from tournament.staff.api import invitations, passes, rota
from tournament.web.api import converters  # noqa: F401  (registers what stands in addresses)

documentation = csp_update({"style-src": [SELF, UNSAFE_INLINE]})(
    SpectacularSwaggerSplitView.as_view(url_name="api_schema", http_method_names=["get", "head"])
)
"""Swagger UI writes styles into its elements; on this page alone that is allowed."""

player_urls: Addresses = [
    path("", tournaments.Players.as_view(), name="api_players"),
    path("list/", player_lists.PlayerLists.as_view(), name="api_player_list"),
    path("list/preview/", player_lists.PreviewList.as_view(), name="api_player_list_preview"),
    path("list/undo/", list_undo.UndoList.as_view(), name="api_player_list_undo"),
    path("substitutes/", people.Substitutes.as_view(), name="api_substitutes"),
    path("<int:number>/", tournaments.OnePlayer.as_view(), name="api_player"),
    path("<int:number>/person/", persons.PlayersPerson.as_view(), name="api_player_person"),
    path("<int:number>/withdrawal/", tournaments.Withdrawal.as_view(), name="api_withdrawal"),
    path("<int:number>/data/", privacy.PlayerData.as_view(), name="api_player_data"),
    path("<int:number>/erasure/", privacy.PlayerErasure.as_view(), name="api_player_erasure"),
]

appeal_urls: Addresses = [
    path("", appeals.Appeals.as_view(), name="api_appeals"),
    path("<uuid:appeal>/ruling/", appeals.Ruling.as_view(), name="api_appeal_ruling"),
    path("<uuid:appeal>/committee/", appeals.Committee.as_view(), name="api_appeal_committee"),
    path("<uuid:appeal>/waiver/", appeals.Waiver.as_view(), name="api_appeal_waiver"),
]

absence_urls: Addresses = [
    path("", absences.Absences.as_view(), name="api_absences"),
    path("<uuid:uuid>/", absences.OneAbsence.as_view(), name="api_absence"),
]

hand_urls: Addresses = [
    path("", hands.Hands.as_view(), name="api_hands"),
    path("<int:hand>/", hands.OneHand.as_view(), name="api_hand"),
]

penalty_urls: Addresses = [
    path("", penalties.Penalties.as_view(), name="api_penalties"),
    path("preview/", penalties.PreviewPenalty.as_view(), name="api_penalty_preview"),
    path("<uuid:uuid>/", penalties.OnePenalty.as_view(), name="api_penalty"),
    path("<uuid:uuid>/undo/", penalties.UndoPenalty.as_view(), name="api_penalty_undo"),
]

table_urls: Addresses = [
    path("", tables.OneTable.as_view(), name="api_table"),
    path("hands/", include(hand_urls)),
    path("desk/", tables.Desk.as_view(), name="api_desk"),
    path("preview/", hands.Preview.as_view(), name="api_preview"),
    path("penalties/", include(penalty_urls)),
    path("absences/", include(absence_urls)),
    path("stand-ins/<int:player>/", absences.StandIn.as_view(), name="api_stand_in"),
    path("signatures/<int:player>/", tables.Signature.as_view(), name="api_signature"),
    path("totals/", totals.TableTotals.as_view(), name="api_totals"),
    path("totals/second/", totals.SecondTotals.as_view(), name="api_totals_second"),
    path("extra-time/", tables.ExtraTime.as_view(), name="api_extra_time"),
    path("appeals/", include(appeal_urls)),
    path("calls/", calls.TableCalls.as_view(), name="api_table_calls"),
    path("<table_step:step>/", tables.TableStep.as_view(), name="api_table_step"),
]

correction_urls: Addresses = [
    path("", wrong_seats.Corrections.as_view(), name="api_corrections"),
    path("preview/", wrong_seats.PreviewCorrection.as_view(), name="api_correction_preview"),
]

session_urls: Addresses = [
    path("", tournaments.Sessions.as_view(), name="api_sessions"),
    path("<int:number>/<session_step:step>/", tournaments.SessionStep.as_view(), name="api_session_step"),
    path("<int:number>/clock/", hall_clock.TheClock.as_view(), name="api_clock"),
    path("<int:number>/clock/<clock_step:step>/", hall_clock.ClockStep.as_view(), name="api_clock_step"),
    path("<int:number>/seats/", seats.Seats.as_view(), name="api_seats"),
    path("<int:number>/seats/preview/", seats.PreviewSeats.as_view(), name="api_seats_preview"),
    path("<int:number>/seats/corrections/", include(correction_urls)),
    path("<int:session>/tables/<int:number>/", include(table_urls)),
]

standings_urls: Addresses = [
    path("", standings.CurrentStandings.as_view(), name="api_standings"),
    path("teams/", standings.CurrentTeams.as_view(), name="api_standings_teams"),
    path("nations/", standings.CurrentNations.as_view(), name="api_standings_nations"),
    path("publish/", standings.Publish.as_view(), name="api_publish"),
]


def seats_change(what: str, form: type[reseating.Change]) -> URLPattern | URLResolver:
    """The two addresses of a way to change seats."""
    made, shown = reseating.ChangeSeats, reseating.PreviewChange
    found: Addresses = [
        path("", made.as_view(serializer_class=form), name=f"api_seats_{what}"),
        path("preview/", shown.as_view(serializer_class=form), name=f"api_seats_{what}_preview"),
    ]
    return path(f"{what}/", include(found))


seats_urls: Addresses = [
    path("undo/", seats.UndoSeats.as_view(), name="api_seats_undo"),
    seats_change("swap", reseating.SwapRequest),
    seats_change("replan", reseating.ReplanRequest),
    seats_change("plan", reseating.PlanRequest),
    seats_change("stream", reseating.StreamRequest),
]

pass_urls: Addresses = [
    path("", passes.Passes.as_view(), name="api_passes"),
    path("<int:pk>/", passes.OnePass.as_view(), name="api_pass"),
    path("<int:pk>/renewal/", passes.Renewal.as_view(), name="api_pass_renewal"),
]

call_urls: Addresses = [
    path("", calls.Calls.as_view(), name="api_calls"),
    path("<int:call>/", calls.OneCall.as_view(), name="api_call"),
]

ceremony_urls: Addresses = [
    path("", ceremony.TheCeremony.as_view(), name="api_ceremony"),
    path("places/", ceremony.CeremonyPlaces.as_view(), name="api_ceremony_places"),
    path("publish/", ceremony.OpenAndPublish.as_view(), name="api_ceremony_publish"),
]

screen_urls: Addresses = [
    path("", screens.Screens.as_view(), name="api_screens"),
    path("<screen:screen>/", screens.OneScreen.as_view(), name="api_screen"),
    path("<screen:screen>/steering/", screens.ScreenSteering.as_view(), name="api_screen_steering"),
]

foul_urls: Addresses = [
    path("", fouls.Fouls.as_view(), name="api_fouls"),
    path("<slug:key>/", fouls.OneFoul.as_view(), name="api_foul"),
]

ema_urls: Addresses = [
    path("", ema.EmaResultsNow.as_view(), name="api_ema"),
    path("columns/", ema.EmaFileColumns.as_view(), name="api_ema_columns"),
    path("results.xlsx", ema.EmaSheet.as_view(), name="api_ema_sheet"),
    path("results.csv", ema.EmaCsv.as_view(), name="api_ema_csv"),
]

tournament_urls: Addresses = [
    path("", tournaments.OneTournament.as_view(), name="api_tournament"),
    path("sessions/", include(session_urls)),  # first: a hall asks it thousands of times a day
    path("players/", include(player_urls)),
    path("people/", persons.EventPeople.as_view(), name="api_event_people"),
    path("check-in/", include(check_in_urls)),
    path("", include(privacy_urls)),
    path("registrations/", include(registration_urls)),
    path("attendance/", absences.AttendanceSettings.as_view(), name="api_attendance"),
    path("timetable/", timetable.Timetable.as_view(), name="api_timetable"),
    path("certificates/", certificates.Certificates.as_view(), name="api_certificates"),
    path("page/", event_page.TheEventPage.as_view(), name="api_event_page"),
    path("page/files/", event_page.EventDocuments.as_view(), name="api_event_documents"),
    path("page/files/<uuid:uuid>/", event_page.OneEventDocument.as_view(), name="api_event_document"),
    path("finals/", finals.Finals.as_view(), name="api_finals"),
    path("finals/preview/", finals.PreviewFinal.as_view(), name="api_finals_preview"),
    path("lists/", include(list_urls)),
    path("seats/", include(seats_urls)),
    path("staff/", include(staff_urls)),
    path("rota/", rota.Rota.as_view(), name="api_rota"),
    path("passes/", include(pass_urls)),
    path("results/open/", results.OpenResults.as_view(), name="api_results_open"),
    path("standings/", include(standings_urls)),
    path("announcements/", announcements.Announcements.as_view(), name="api_announcements"),
    path("announcements/<uuid:uuid>/", announcements.OneAnnouncement.as_view(), name="api_announcement"),
    path("calls/", include(call_urls)),
    path("ceremony/", include(ceremony_urls)),
    path("ema/", include(ema_urls)),
    path("screens/", include(screen_urls)),
    path("fouls/", include(foul_urls)),
    path("webhooks/", include(webhook_urls)),
    path("dues/", include(due_urls)),
    path("paper/", totals.Paper.as_view(), name="api_paper"),
    path("penalties-shown/", penalties.PenaltiesShown.as_view(), name="api_penalties_shown"),
    path("file/", tournament_files.TournamentFile.as_view(), name="api_tournament_file"),
    path("transcript/", transcripts.Transcript.as_view(), name="api_transcript"),
    path("log/", standings.Log.as_view(), name="api_log"),
    path("documents/", standings.Documents.as_view(), name="api_documents"),
    path("documents/<int:job>/", standings.DocumentFile.as_view(), name="api_document"),
]

urlpatterns = [
    path("schema/", SpectacularAPIView.as_view(), name="api_schema"),
    path("", documentation, name="api_docs"),
    path("v1/mers/score/", mers.MersScore.as_view(), name="api_mers_score"),
    path("v1/mers/quotas/", mers.MersQuotas.as_view(), name="api_mers_quotas"),
    path("v1/score/", include("scoring.urls")),
    path("v1/token/", tokens.Tokens.as_view(), name="api_token"),
    path("v1/people/", persons.People.as_view(), name="api_people"),
    path("v1/people/<int:person>/", persons.OnePerson.as_view(), name="api_person"),
    path("v1/people/<int:person>/merging/", persons.Merging.as_view(), name="api_person_merging"),
    path("v1/invitations/", invitations.Acceptance.as_view(), name="api_invitation_accept"),
    path("v1/tournament-files/", tournament_files.TournamentFiles.as_view(), name="api_tournament_files"),
    path("v1/tournaments/", tournaments.Tournaments.as_view(), name="api_tournaments"),
    path("v1/tournaments/<slug:slug>/", include(tournament_urls)),
]
