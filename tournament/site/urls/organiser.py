"""URLs of the organiser's pages."""

from django.urls import include, path

from tournament.accounts import views as accounts_views
from tournament.backup import views as backup_views
from tournament.dues import views as dues_views
from tournament.ema import views as ema_views
from tournament.events import views as events_views
from tournament.exchange import views as exchange_views
from tournament.exchange.urls import organiser_urls
from tournament.fouls import views as penalties
from tournament.messages.announcements import views as announcements_views
from tournament.messages.mail import views as mail_views
from tournament.people import views as persons
from tournament.players.views import check_in, players
from tournament.privacy import views as privacy
from tournament.prizes.views import PrizesPage
from tournament.ranking import views as ranking_views
from tournament.registration.views.organising import RegistrationPage
from tournament.roster.views import importing, people, person
from tournament.roster.views import messaging as messaging_views
from tournament.screens.views import ceremony, hall, screens
from tournament.seating.views import changes, draw
from tournament.site.views import board, files, results, tournaments
from tournament.staff import views as staff
from tournament.web.api import base  # noqa: F401  (registers the converter of screens' names)

SESSION = "<slug:slug>/session/<int:number>/"
SCREEN = "<slug:slug>/screens/<screen:screen>/"
PLAYER = "<slug:slug>/players/<int:number>/"
PERSON = "<slug:slug>/people/<slug:who>/"
PASS = "<slug:slug>/passes/<int:pk>/"
BACKUP = "backups/<slug:backup>/"
MEMBER = "<slug:slug>/staff/<int:pk>/"
INVITATION = "<slug:slug>/staff/invitations/<int:pk>/"

DUE = "<slug:slug>/dues/<int:pk>/"
MAIL = "<slug:slug>/mail/<int:pk>/"
LETTER = "<slug:slug>/mail/texts/<slug:key>/"

urlpatterns = [
    path("", tournaments.organiser_home, name="organiser_home"),
    path("setup/", accounts_views.setup, name="setup"),
    path("setup/restore/", backup_views.first_restore, name="setup_restore"),
    path("setup/restore/status/", backup_views.first_restore_progress, name="setup_restore_status"),
    path("backups/", backup_views.backup_list, name="organiser_backups"),
    path("backups/make/", backup_views.backup_make, name="organiser_backup_make"),
    path("backups/status/", backup_views.backup_progress, name="organiser_backup_status"),
    path("backups/upload/", backup_views.backup_upload, name="organiser_backup_upload"),
    path(BACKUP, backup_views.restore_page, name="organiser_backup"),
    path(f"{BACKUP}file/", backup_views.backup_download, name="organiser_backup_file"),
    path(f"{BACKUP}delete/", backup_views.backup_delete, name="organiser_backup_delete"),
    path("people/", persons.merge_page, name="persons"),
    path("people/merge/", persons.person_merge, name="persons_merge"),
    path("people/merge/<int:pk>/undo/", persons.persons_undo, name="persons_undo"),
    path("people/<int:pk>/erase/", privacy.person_erase, name="persons_erase"),
    path("people/<int:pk>/visibility/", persons.person_shown, name="persons_visibility"),
    path("new/", tournaments.tournament_new, name="organiser_new"),
    path("new/file/", exchange_views.tournament_file_import, name="organiser_from_file"),
    path("trials/", tournaments.trial_request, name="organiser_trials"),
    path("trials/<int:job_id>/", tournaments.trial_progress, name="organiser_trial"),
    path("<slug:slug>/", board.board_current, name="organiser_board"),
    path("<slug:slug>/before/", board.before_page, name="organiser_before"),
    path("<slug:slug>/next-step/", board.next_step_section, name="organiser_next_step"),
    path(SESSION, board.board_session, name="organiser_session"),
    path(f"{SESSION}seats/", changes.seats_page, name="organiser_seats"),
    path(f"{SESSION}seat-correction/", changes.seat_correction_page, name="organiser_seat_correction"),
    path(
        f"{SESSION}seat-correction/undo/", changes.seat_correction_undo, name="organiser_seat_correction_undo"
    ),
    path(f"{SESSION}start/", board.session_start, name="organiser_session_start"),
    path(f"{SESSION}start/undo/", board.session_unstart, name="organiser_session_start_undo"),
    path(f"{SESSION}leave/", board.player_leave, name="organiser_player_leave"),
    path(f"{SESSION}stand-in/", board.stand_in, name="organiser_stand_in"),
    path(f"{SESSION}close/", board.session_close, name="organiser_session_close"),
    path(f"{SESSION}reopen/", board.session_reopen, name="organiser_session_reopen"),
    path(f"{SESSION}hide/", ranking_views.results_hide, name="organiser_results_hide"),
    path(f"{SESSION}reveal/", ranking_views.results_reveal, name="organiser_results_reveal"),
    *organiser_urls,
    path("<slug:slug>/results/", results.ResultsPage.as_view(), name="organiser_results"),
    path("<slug:slug>/prizes/", PrizesPage.as_view(), name="organiser_prizes"),
    path("<slug:slug>/ceremony/announce/", ceremony.ceremony_announce, name="organiser_ceremony_announce"),
    path("<slug:slug>/ceremony/undo/", ceremony.ceremony_undo, name="organiser_ceremony_undo"),
    path("<slug:slug>/ceremony/end/", ceremony.ceremony_end, name="organiser_ceremony_end"),
    path(
        "<slug:slug>/ceremony/publish/",
        ceremony.standings_publish_all,
        name="organiser_ceremony_publish",
    ),
    path("<slug:slug>/ema/", ema_views.EmaPage.as_view(), name="organiser_ema"),
    path(
        "<slug:slug>/ema/certification/",
        ema_views.CertificationPage.as_view(),
        name="organiser_certification",
    ),
    path("<slug:slug>/ema/numbers/", ema_views.NumbersPage.as_view(), name="organiser_ema_numbers"),
    path("<slug:slug>/ema/preview/", ema_views.PreviewPage.as_view(), name="organiser_ema_preview"),
    path("<slug:slug>/ema/columns/reset/", ema_views.reset_columns, name="organiser_ema_reset"),
    path("<slug:slug>/publish/", ranking_views.standings_publish, name="organiser_publish"),
    path("<slug:slug>/people/", people.people_list, name="organiser_people"),
    path("<slug:slug>/people/new/", person.person_new, name="organiser_person_new"),
    path("<slug:slug>/people/step/", people.step, name="organiser_step"),
    path("<slug:slug>/people/step/undo/", people.step_undo, name="organiser_step_undo"),
    path("<slug:slug>/people/charge/<uuid:uuid>/undo/", people.charge_undo, name="organiser_charge_undo"),
    path("<slug:slug>/people/known/", persons.people_page, name="organiser_known_people"),
    path("<slug:slug>/people/known/undo/", persons.people_undo, name="organiser_people_undo"),
    path(
        "<slug:slug>/people/known/<int:number>/reject/", persons.person_reject, name="organiser_person_reject"
    ),
    path(PERSON, person.person_page, name="organiser_person"),
    path(f"{PERSON}change/", person.person_change, name="organiser_person_change"),
    path(f"{PERSON}accept-change/", person.accept_change, name="organiser_accept_change"),
    path(f"{PERSON}payment/", person.payment, name="organiser_person_payment"),
    path(f"{PERSON}fee/", person.fee, name="organiser_person_fee"),
    path(f"{PERSON}data.json", privacy.data_of_person, name="organiser_person_data"),
    path(f"{PERSON}erase/", privacy.data_erase, name="organiser_person_erase"),
    path("<slug:slug>/players/substitutes/", players.substitutes, name="organiser_substitutes"),
    path("<slug:slug>/import/", importing.import_people, name="organiser_import"),
    path("<slug:slug>/import/undo/", importing.list_undo, name="organiser_list_undo"),
    path(f"{PLAYER}withdraw/", players.withdraw, name="organiser_player_withdraw"),
    path(f"{PLAYER}reinstate/", players.reinstate, name="organiser_player_reinstate"),
    path(f"{PLAYER}delete/", players.delete, name="organiser_player_delete"),
    path("<slug:slug>/check-in/", check_in.check_in_page, name="organiser_check_in"),
    path("<slug:slug>/check-in/restart/", check_in.check_in_restart, name="organiser_check_in_restart"),
    path("<slug:slug>/check-in/door/", check_in.check_in_door, name="organiser_check_in_door"),
    path("<slug:slug>/check-in/missing/", check_in.missing_page, name="organiser_missing"),
    path("<slug:slug>/check-in/missing/undo/", check_in.missing_undo, name="organiser_missing_undo"),
    path("<slug:slug>/settings/data/", privacy.DataPage.as_view(), name="organiser_data"),
    path("<slug:slug>/settings/data/delete/", privacy.DeleteTournament.as_view(), name="organiser_delete"),
    path("<slug:slug>/settings/data/delete-contacts/", privacy.contacts, name="organiser_contacts_delete"),
    path("<slug:slug>/registration/", RegistrationPage.as_view(), name="organiser_registration"),
    path("<slug:slug>/draw/", draw.draw_page, name="organiser_draw"),
    path("<slug:slug>/draw/preview/", draw.draw_preview, name="organiser_draw_preview"),
    path("<slug:slug>/draw/swap/", changes.swap_page, name="organiser_swap"),
    path("<slug:slug>/draw/replan/", changes.replan_page, name="organiser_replan"),
    path("<slug:slug>/draw/plan/", changes.plan_page, name="organiser_plan"),
    path("<slug:slug>/draw/plan.csv", changes.plan_download, name="organiser_plan_csv"),
    path("<slug:slug>/draw/stream/", changes.stream_page, name="organiser_stream"),
    path("<slug:slug>/draw/finals/", draw.finals_page, name="organiser_finals"),
    path("<slug:slug>/draw/finals/confirm/", draw.finalists_confirm, name="organiser_finalists_confirm"),
    path("<slug:slug>/draw/undo/", changes.seats_undo, name="organiser_seats_undo"),
    path("<slug:slug>/timetable/", events_views.TimetablePage.as_view(), name="organiser_timetable"),
    path("<slug:slug>/event/", events_views.EditEvent.as_view(), name="organiser_event"),
    path(
        "<slug:slug>/event/files/", events_views.EventDocumentAdd.as_view(), name="organiser_event_file_add"
    ),
    path(
        "<slug:slug>/event/files/<uuid:uuid>/remove/",
        events_views.event_document_remove,
        name="organiser_event_file_remove",
    ),
    path("<slug:slug>/event/files/<uuid:uuid>/logo/", events_views.event_logo, name="organiser_event_logo"),
    path("<slug:slug>/staff/", staff.TeamPage.as_view(), name="organiser_staff"),
    path("<slug:slug>/staff/invite/", staff.invitation_new, name="organiser_invite"),
    path(f"{INVITATION}revoke/", staff.invitation_revoke, name="organiser_invitation_revoke"),
    path(MEMBER, staff.ChangeMember.as_view(), name="organiser_member"),
    path(f"{MEMBER}hand-over/", staff.staff_hand_over, name="organiser_hand_over"),
    path(f"{MEMBER}end/", staff.staff_end, name="organiser_staff_end"),
    path("<slug:slug>/rota/edit/", staff.rota_edit, name="organiser_rota_edit"),
    path("<slug:slug>/passes/new/", staff.passes_new, name="organiser_pass_new"),
    path("<slug:slug>/passes/revoke/", staff.passes_revoke, name="organiser_passes_revoke"),
    path(f"{PASS}renew/", staff.pass_renew, name="organiser_pass_renew"),
    path(f"{PASS}revoke/", staff.passes_revoke, name="organiser_pass_revoke"),
    path("<slug:slug>/penalties/", penalties.penalty_list, name="organiser_penalties"),
    path("<slug:slug>/penalties/new/", penalties.penalty_new, name="organiser_penalty_new"),
    path(
        "<slug:slug>/penalties/visibility/",
        penalties.penalty_visibility,
        name="organiser_penalties_visibility",
    ),
    path("<slug:slug>/penalties/<uuid:penalty>/", penalties.PenaltyPage.as_view(), name="organiser_penalty"),
    path("<slug:slug>/hall/", hall.Hall.as_view(), name="organiser_hall"),
    path(
        "<slug:slug>/announcements/<uuid:uuid>/cancel/",
        announcements_views.announcement_cancel,
        name="organiser_announcement_cancel",
    ),
    path(
        "<slug:slug>/dues/payments/<uuid:uuid>/cancel/",
        dues_views.payment_cancel,
        name="organiser_payment_cancel",
    ),
    path(f"{DUE}cash/", dues_views.due_cash, name="organiser_due_cash"),
    path(f"{DUE}remove/", dues_views.due_remove, name="organiser_due_remove"),
    path("<slug:slug>/mail/", mail_views.mail_list, name="organiser_mail"),
    path("<slug:slug>/mail/write/", messaging_views.message_page, name="organiser_message"),
    path(LETTER, mail_views.letter_edit, name="organiser_letter"),
    path(f"{LETTER}restore/", mail_views.letter_restore, name="organiser_letter_restore"),
    path("<slug:slug>/mail/retry/", mail_views.mails_retry, name="organiser_mails_retry"),
    path(MAIL, mail_views.mail_page, name="organiser_mail_message"),
    path(f"{MAIL}retry/", mail_views.mail_retry, name="organiser_mail_retry"),
    path("", include("tournament.messages.webhooks.urls")),
    path("<slug:slug>/puzzles/<uuid:uuid>/remove/", hall.puzzle_remove, name="organiser_puzzle_remove"),
    path(SCREEN, screens.ScreenControl.as_view(), name="organiser_screen"),
    path(f"{SCREEN}control/", screens.screen_steer, name="organiser_screen_control"),
    path(f"{SCREEN}remove/", screens.screen_remove, name="organiser_screen_remove"),
    path("<slug:slug>/documents/", files.documents_page, name="organiser_documents"),
    path("<slug:slug>/archive/", files.archive_page, name="organiser_archive"),
    path("<slug:slug>/log/", files.log_page, name="organiser_log"),
    path("<slug:slug>/transcript.json", files.transcript, name="organiser_transcript"),
    path("<slug:slug>/file/", exchange_views.tournament_file_export, name="organiser_tournament_file"),
    path("<slug:slug>/settings/rules/", events_views.RulesPage.as_view(), name="organiser_rules"),
    path("<slug:slug>/settings/rules/new/", events_views.AddFoul.as_view(), name="organiser_foul_new"),
    path("<slug:slug>/settings/rules/<slug:key>/", events_views.ChangeFoul.as_view(), name="organiser_foul"),
]
