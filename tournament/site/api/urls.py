"""URLs of the REST API, version 1, with its schema and documentation."""

from csp.constants import SELF, UNSAFE_INLINE
from csp.decorators import csp_update
from django.urls import URLPattern, URLResolver, include, path
from drf_spectacular.views import SpectacularSwaggerSplitView

from tournament.accounts import api as tokens
from tournament.documents import api as documents_api
from tournament.dues import api as dues
from tournament.ema import api as ema_api
from tournament.events import api as events_api
from tournament.exchange import api as exchange_api
from tournament.exchange.urls import api_urls as list_urls
from tournament.fouls.api import appeals, penalties
from tournament.messages.announcements import api as announcements
from tournament.messages.webhooks import api as webhooks
from tournament.people import api as people_api
from tournament.play.api import hall, photos, tables, totals
from tournament.players import api as players_api
from tournament.privacy import api as privacy_api
from tournament.prizes.api import Prizes
from tournament.ranking import api as standings
from tournament.registration import api as registration_api
from tournament.roster import api as roster_api
from tournament.screens import api as screens_api
from tournament.seating import api as seating_api
from tournament.site.api.published import PublishedSchema
from tournament.staff import api as staff_api
from tournament.web.api import base  # noqa: F401  (registers what stands in addresses)

UrlPatterns = list[URLPattern | URLResolver]

privacy_urls: UrlPatterns = [
    path("privacy/", privacy_api.Privacy.as_view(), name="api_privacy"),
    path(
        "registrations/<int:number>/data/",
        privacy_api.RegistrationData.as_view(),
        name="api_registration_data",
    ),
    path(
        "registrations/<int:number>/erasure/",
        privacy_api.RegistrationErasure.as_view(),
        name="api_registration_erasure",
    ),
]

check_in_urls: UrlPatterns = [
    path("", players_api.CheckInEndpoint.as_view(), name="api_check_in"),
    path("missing/", players_api.MissingPlayers.as_view(), name="api_missing"),
    path("<int:number>/", players_api.PlayerCheckIn.as_view(), name="api_check_in_player"),
]

due_urls: UrlPatterns = [
    path("", dues.Dues.as_view(), name="api_dues"),
    path("fees/", dues.Fees.as_view(), name="api_fees"),
    path("account/", dues.Account.as_view(), name="api_account"),
    path("<int:pk>/", dues.DueDetail.as_view(), name="api_due"),
    path("<int:pk>/payments/", dues.DuePayments.as_view(), name="api_due_payments"),
    path("payments/<uuid:uuid>/", dues.PaymentDetail.as_view(), name="api_payment"),
]

registration_urls: UrlPatterns = [
    path("", registration_api.Registrations.as_view(), name="api_registrations"),
    path("plan/", registration_api.RegistrationPlanEndpoint.as_view(), name="api_registration_plan"),
    path("questions/", registration_api.Questions.as_view(), name="api_registration_questions"),
    path("list/", registration_api.RegistrationList.as_view(), name="api_registration_list"),
    path("steps/", registration_api.RegistrationSteps.as_view(), name="api_registration_steps"),
    path("steps/undo/", registration_api.StepUndo.as_view(), name="api_registration_undo"),
    path("<int:number>/", registration_api.RegistrationDetail.as_view(), name="api_registration"),
    path("own/<secret:token>/", registration_api.OwnRegistration.as_view(), name="api_own_registration"),
]

staff_urls: UrlPatterns = [
    path("", staff_api.Staff.as_view(), name="api_staff"),
    path("<int:pk>/", staff_api.MemberDetail.as_view(), name="api_member"),
    path("<int:pk>/hand-over/", staff_api.HandOver.as_view(), name="api_hand_over"),
    path("invitations/", staff_api.Invitations.as_view(), name="api_invitations"),
    path("invitations/<int:pk>/", staff_api.InvitationDetail.as_view(), name="api_invitation"),
]

webhook_urls: UrlPatterns = [
    path("", webhooks.Webhooks.as_view(), name="api_webhooks"),
    path("<int:number>/", webhooks.WebhookDetail.as_view(), name="api_webhook"),
    path("<int:number>/steps/", webhooks.WebhookSteps.as_view(), name="api_webhook_steps"),
    path("<int:number>/secret/", webhooks.WebhookSecret.as_view(), name="api_webhook_secret"),
    path("<int:number>/test/", webhooks.WebhookTest.as_view(), name="api_webhook_test"),
    path("<int:number>/deliveries/", webhooks.Deliveries.as_view(), name="api_deliveries"),
    path(
        "<int:number>/deliveries/<uuid:uuid>/again/",
        webhooks.DeliveryAgain.as_view(),
        name="api_delivery_retry",
    ),
]

player_urls: UrlPatterns = [
    path("", events_api.Players.as_view(), name="api_players"),
    path("list/", roster_api.PlayerLists.as_view(), name="api_player_list"),
    path("list/preview/", roster_api.PreviewList.as_view(), name="api_player_list_preview"),
    path("list/undo/", players_api.UndoList.as_view(), name="api_player_list_undo"),
    path("substitutes/", players_api.Substitutes.as_view(), name="api_substitutes"),
    path("<int:number>/", events_api.PlayerDetail.as_view(), name="api_player"),
    path("<int:number>/person/", people_api.PlayerPerson.as_view(), name="api_player_person"),
    path("<int:number>/withdrawal/", events_api.Withdrawal.as_view(), name="api_withdrawal"),
    path("<int:number>/data/", privacy_api.PlayerData.as_view(), name="api_player_data"),
    path("<int:number>/erasure/", privacy_api.PlayerErasure.as_view(), name="api_player_erasure"),
]

appeal_urls: UrlPatterns = [
    path("", appeals.Appeals.as_view(), name="api_appeals"),
    path("<uuid:appeal>/ruling/", appeals.Ruling.as_view(), name="api_appeal_ruling"),
    path("<uuid:appeal>/committee/", appeals.Committee.as_view(), name="api_appeal_committee"),
    path("<uuid:appeal>/waiver/", appeals.Waiver.as_view(), name="api_appeal_waiver"),
]

absence_urls: UrlPatterns = [
    path("", hall.Absences.as_view(), name="api_absences"),
    path("<uuid:uuid>/", hall.OneAbsence.as_view(), name="api_absence"),
]

hand_urls: UrlPatterns = [
    path("", tables.Hands.as_view(), name="api_hands"),
    path("<int:hand>/", tables.OneHand.as_view(), name="api_hand"),
    path("<int:hand>/photos/", photos.Photos.as_view(), name="api_photos"),
    path("<int:hand>/photos/<uuid:uuid>/", photos.OnePhoto.as_view(), name="api_photo"),
]

penalty_urls: UrlPatterns = [
    path("", penalties.Penalties.as_view(), name="api_penalties"),
    path("preview/", penalties.PreviewPenalty.as_view(), name="api_penalty_preview"),
    path("<uuid:uuid>/", penalties.PenaltyDetail.as_view(), name="api_penalty"),
    path("<uuid:uuid>/undo/", penalties.UndoPenalty.as_view(), name="api_penalty_undo"),
]

table_urls: UrlPatterns = [
    path("", tables.OneTable.as_view(), name="api_table"),
    path("hands/", include(hand_urls)),
    path("desk/", tables.Desk.as_view(), name="api_desk"),
    path("preview/", tables.Preview.as_view(), name="api_preview"),
    path("penalties/", include(penalty_urls)),
    path("absences/", include(absence_urls)),
    path("stand-ins/<int:player>/", hall.StandIn.as_view(), name="api_stand_in"),
    path("signatures/<int:player>/", tables.Signature.as_view(), name="api_signature"),
    path("totals/", totals.TableTotals.as_view(), name="api_totals"),
    path("totals/second/", totals.SecondTotals.as_view(), name="api_totals_second"),
    path("extra-time/", tables.ExtraTime.as_view(), name="api_extra_time"),
    path("appeals/", include(appeal_urls)),
    path("calls/", hall.TableCalls.as_view(), name="api_table_calls"),
    path("<table_step:step>/", tables.TableStep.as_view(), name="api_table_step"),
]

correction_urls: UrlPatterns = [
    path("", seating_api.Corrections.as_view(), name="api_corrections"),
    path("preview/", seating_api.PreviewCorrection.as_view(), name="api_correction_preview"),
]

session_urls: UrlPatterns = [
    path("", events_api.Sessions.as_view(), name="api_sessions"),
    path("<int:number>/<session_step:step>/", events_api.SessionStep.as_view(), name="api_session_step"),
    path("<int:number>/clock/", hall.TheClock.as_view(), name="api_clock"),
    path("<int:number>/clock/<clock_step:step>/", hall.ClockStep.as_view(), name="api_clock_step"),
    path("<int:number>/seats/", seating_api.Seats.as_view(), name="api_seats"),
    path("<int:number>/seats/preview/", seating_api.PreviewSeats.as_view(), name="api_seats_preview"),
    path("<int:number>/seats/corrections/", include(correction_urls)),
    path("<int:session>/tables/<int:number>/", include(table_urls)),
]

standings_urls: UrlPatterns = [
    path("", standings.CurrentStandings.as_view(), name="api_standings"),
    path("teams/", standings.CurrentTeams.as_view(), name="api_standings_teams"),
    path("nations/", standings.CurrentNations.as_view(), name="api_standings_nations"),
    path("publish/", standings.Publish.as_view(), name="api_publish"),
]


def seats_change(what: str, form: type[seating_api.PlanChangeRequest]) -> URLPattern | URLResolver:
    """Return the two URLs of a kind of change to seats."""
    change, preview = seating_api.ChangeSeats, seating_api.PreviewChange
    urls: UrlPatterns = [
        path("", change.as_view(serializer_class=form), name=f"api_seats_{what}"),
        path("preview/", preview.as_view(serializer_class=form), name=f"api_seats_{what}_preview"),
    ]
    return path(f"{what}/", include(urls))


seats_urls: UrlPatterns = [
    path("undo/", seating_api.UndoSeats.as_view(), name="api_seats_undo"),
    seats_change("swap", seating_api.SwapRequest),
    seats_change("replan", seating_api.ReplanRequest),
    seats_change("plan", seating_api.PlanRequest),
    seats_change("stream", seating_api.StreamRequest),
]

pass_urls: UrlPatterns = [
    path("", staff_api.Passes.as_view(), name="api_passes"),
    path("<int:pk>/", staff_api.PassDetail.as_view(), name="api_pass"),
    path("<int:pk>/renewal/", staff_api.Renewal.as_view(), name="api_pass_renewal"),
]

call_urls: UrlPatterns = [
    path("", hall.Calls.as_view(), name="api_calls"),
    path("<int:call>/", hall.OneCall.as_view(), name="api_call"),
]

ceremony_urls: UrlPatterns = [
    path("", screens_api.CeremonyDetail.as_view(), name="api_ceremony"),
    path("places/", screens_api.CeremonyPlaces.as_view(), name="api_ceremony_places"),
    path("publish/", screens_api.OpenAndPublish.as_view(), name="api_ceremony_publish"),
]

screen_urls: UrlPatterns = [
    path("", screens_api.Screens.as_view(), name="api_screens"),
    path("<screen:screen>/", screens_api.ScreenDetail.as_view(), name="api_screen"),
    path("<screen:screen>/steering/", screens_api.ScreenSteering.as_view(), name="api_screen_steering"),
]

foul_urls: UrlPatterns = [
    path("", penalties.Fouls.as_view(), name="api_fouls"),
    path("<slug:key>/", penalties.FoulDetail.as_view(), name="api_foul"),
]

EMA = {"name": "ema"}
ema_urls: UrlPatterns = [
    path("", ema_api.EmaResultsEndpoint.as_view(), name="api_ema"),
    path("certification/", ema_api.CertificationEndpoint.as_view(), name="api_ema_certification"),
    path("columns/", ema_api.EmaFileColumns.as_view(), name="api_ema_columns"),
    path("results.xlsx", exchange_api.ListFile.as_view(), EMA | {"form": "xlsx"}, name="api_ema_sheet"),
    path("results.csv", exchange_api.ListFile.as_view(), EMA | {"form": "csv"}, name="api_ema_csv"),
]

tournament_urls: UrlPatterns = [
    path("", events_api.TournamentDetail.as_view(), name="api_tournament"),
    path("sessions/", include(session_urls)),  # first: a hall asks it thousands of times a day
    path("players/", include(player_urls)),
    path("people/", people_api.EventPeople.as_view(), name="api_event_people"),
    path("check-in/", include(check_in_urls)),
    path("", include(privacy_urls)),
    path("registrations/", include(registration_urls)),
    path("play-settings/", events_api.PlaySettingsEndpoint.as_view(), name="api_play_settings"),
    path("attendance/", penalties.AttendanceSettings.as_view(), name="api_attendance"),
    path("timetable/", events_api.Timetable.as_view(), name="api_timetable"),
    path("certificates/", documents_api.Certificates.as_view(), name="api_certificates"),
    path("page/", events_api.EventPageEndpoint.as_view(), name="api_event_page"),
    path("page/files/", events_api.EventDocuments.as_view(), name="api_event_documents"),
    path("page/files/<uuid:uuid>/", events_api.EventDocumentDetail.as_view(), name="api_event_document"),
    path("finals/", seating_api.Finals.as_view(), name="api_finals"),
    path("finals/preview/", seating_api.PreviewFinal.as_view(), name="api_finals_preview"),
    path("finals/check/", seating_api.CheckFinalists.as_view(), name="api_finalists"),
    path("lists/", include(list_urls)),
    path("seats/", include(seats_urls)),
    path("staff/", include(staff_urls)),
    path("rota/", staff_api.Rota.as_view(), name="api_rota"),
    path("passes/", include(pass_urls)),
    path("results/open/", standings.OpenResults.as_view(), name="api_results_open"),
    path("standings/", include(standings_urls)),
    path("announcements/", announcements.Announcements.as_view(), name="api_announcements"),
    path("announcements/<uuid:uuid>/", announcements.AnnouncementDetail.as_view(), name="api_announcement"),
    path("calls/", include(call_urls)),
    path("ceremony/", include(ceremony_urls)),
    path("prizes/", Prizes.as_view(), name="api_prizes"),
    path("ema/", include(ema_urls)),
    path("screens/", include(screen_urls)),
    path("fouls/", include(foul_urls)),
    path("webhooks/", include(webhook_urls)),
    path("dues/", include(due_urls)),
    path("paper/", totals.Paper.as_view(), name="api_paper"),
    path("penalties-shown/", penalties.PenaltiesShown.as_view(), name="api_penalties_shown"),
    path("file/", exchange_api.TournamentFile.as_view(), name="api_tournament_file"),
    path("transcript/", exchange_api.Transcript.as_view(), name="api_transcript"),
    path("log/", standings.Log.as_view(), name="api_log"),
    path("documents/", documents_api.Documents.as_view(), name="api_documents"),
    path("documents/<int:job>/", documents_api.DocumentFile.as_view(), name="api_document"),
]

documentation = csp_update({"style-src": [SELF, UNSAFE_INLINE]})(
    SpectacularSwaggerSplitView.as_view(url_name="api_schema", http_method_names=["get", "head"])
)
"""Swagger UI sets inline styles, which only this page allows."""

urlpatterns = [
    path("schema/", PublishedSchema.as_view(), name="api_schema"),
    path("", documentation, name="api_docs"),
    path("v1/mers/score/", ema_api.MersScore.as_view(), name="api_mers_score"),
    path("v1/mers/quotas/", ema_api.MersQuotas.as_view(), name="api_mers_quotas"),
    path("v1/score/", include("scoring.urls")),
    path("v1/token/", tokens.Tokens.as_view(), name="api_token"),
    path("v1/people/", people_api.People.as_view(), name="api_people"),
    path("v1/people/<int:person>/", people_api.PersonDetail.as_view(), name="api_person"),
    path("v1/people/<int:person>/merging/", people_api.PersonMerge.as_view(), name="api_person_merging"),
    path("v1/invitations/", staff_api.Acceptance.as_view(), name="api_invitation_accept"),
    path("v1/tournament-files/", exchange_api.TournamentFiles.as_view(), name="api_tournament_files"),
    path("v1/tournaments/", events_api.Tournaments.as_view(), name="api_tournaments"),
    path("v1/tournaments/<slug:slug>/", include(tournament_urls)),
]
