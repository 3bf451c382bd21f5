"""Addresses of the organiser's pages."""

from django.urls import include, path

from tournament.accounts.views import setup
from tournament.backup.views import backups, restoring
from tournament.documents.views import certificates
from tournament.ema.views import ema
from tournament.events.views import event_page, settings, timetable
from tournament.exchange.views import lists, tournament_files
from tournament.fouls.views import fouls, penalties
from tournament.messages.announcements.views import announcements
from tournament.people.views import people, persons, privacy
from tournament.players.views import check_in, importing, list_undo, missing, players
from tournament.ranking.views import embargo, publishing
from tournament.registration.views import registration_plan, registration_steps, registrations
from tournament.screens.views import ceremony, puzzles, screens
from tournament.seating.views import draw, finals, plan, replan, seats, stream, swap, wrong_seats
from tournament.site.views import board, records, tournaments, trials
from tournament.staff.views import invitations, passes, rota, staff
from tournament.web.api import converters  # noqa: F401  (registers the converter of screens' names)

SESSION = "<slug:slug>/session/<int:number>/"
SCREEN = "<slug:slug>/screens/<screen:screen>/"
PLAYER = "<slug:slug>/players/<int:number>/"
PASS = "<slug:slug>/passes/<int:pk>/"
REGISTRATION = "<slug:slug>/registrations/<int:number>/"
BACKUP = "backups/<slug:backup>/"
MEMBER = "<slug:slug>/staff/<int:pk>/"
INVITATION = "<slug:slug>/staff/invitations/<int:pk>/"

urlpatterns = [
    path("", tournaments.home, name="organiser_home"),
    path("setup/", setup.setup, name="setup"),
    path("setup/restore/", restoring.first, name="setup_restore"),
    path("setup/restore/status/", restoring.first_progress, name="setup_restore_status"),
    path("backups/", backups.listing, name="organiser_backups"),
    path("backups/make/", backups.make, name="organiser_backup_make"),
    path("backups/status/", backups.progress, name="organiser_backup_status"),
    path("backups/upload/", backups.upload, name="organiser_backup_upload"),
    path(BACKUP, restoring.restore, name="organiser_backup"),
    path(f"{BACKUP}file/", backups.download, name="organiser_backup_file"),
    path(f"{BACKUP}delete/", backups.delete, name="organiser_backup_delete"),
    path("people/", persons.page, name="persons"),
    path("people/merge/", persons.merge, name="persons_merge"),
    path("people/merge/<int:pk>/undo/", persons.undo, name="persons_undo"),
    path("people/<int:pk>/erase/", persons.erase, name="persons_erase"),
    path("people/<int:pk>/shown/", persons.shown, name="persons_shown"),
    path("new/", tournaments.new, name="organiser_new"),
    path("new/file/", tournament_files.bring, name="organiser_from_file"),
    path("trials/", trials.request_one, name="organiser_trials"),
    path("trials/<int:job_id>/", trials.status, name="organiser_trial"),
    path("<slug:slug>/", board.current, name="organiser_board"),
    path("<slug:slug>/what-now/", board.what_now, name="organiser_what_now"),
    path(SESSION, board.session, name="organiser_session"),
    path(f"{SESSION}seats/", seats.page, name="organiser_seats"),
    path(f"{SESSION}wrong-seats/", wrong_seats.page, name="organiser_wrong_seats"),
    path(f"{SESSION}wrong-seats/undo/", wrong_seats.undo, name="organiser_wrong_seats_undo"),
    path(f"{SESSION}start/", board.start, name="organiser_session_start"),
    path(f"{SESSION}unstart/", board.unstart, name="organiser_session_unstart"),
    path(f"{SESSION}stand-in/", board.stand_in, name="organiser_stand_in"),
    path(f"{SESSION}close/", board.close, name="organiser_session_close"),
    path(f"{SESSION}reopen/", board.reopen, name="organiser_session_reopen"),
    path(f"{SESSION}hide/", embargo.hide, name="organiser_results_hide"),
    path(f"{SESSION}open/", embargo.reveal, name="organiser_results_open"),
    path(
        "<slug:slug>/lists/check-in.<list_format:form>", lists.check_in_list, name="organiser_check_in_list"
    ),
    path(
        "<slug:slug>/lists/<staff_list:name>.<list_format:form>", lists.staff_list, name="organiser_list_file"
    ),
    path("<slug:slug>/ceremony/", ceremony.page, name="organiser_ceremony"),
    path("<slug:slug>/ceremony/tell/", ceremony.tell, name="organiser_ceremony_tell"),
    path("<slug:slug>/ceremony/back/", ceremony.back, name="organiser_ceremony_back"),
    path("<slug:slug>/ceremony/end/", ceremony.end, name="organiser_ceremony_end"),
    path("<slug:slug>/ceremony/publish/", publishing.everything, name="organiser_ceremony_publish"),
    path("<slug:slug>/ema/", ema.page, name="organiser_ema"),
    path("<slug:slug>/ema/columns/", ema.columns, name="organiser_ema_columns"),
    path("<slug:slug>/ema/columns/usual/", ema.usual, name="organiser_ema_usual"),
    path("<slug:slug>/ema.xlsx", ema.workbook, name="organiser_ema_sheet"),
    path("<slug:slug>/ema.csv", ema.csv_file, name="organiser_ema_csv"),
    path("<slug:slug>/publish/", publishing.standings, name="organiser_publish"),
    path("<slug:slug>/players/", players.listing, name="organiser_players"),
    path("<slug:slug>/players.xlsx", players.download, name="organiser_players_sheet"),
    path("<slug:slug>/players.csv", players.download_csv, name="organiser_players_csv"),
    path("<slug:slug>/players/new/", players.new, name="organiser_player_new"),
    path("<slug:slug>/players/substitutes/", players.substitutes, name="organiser_substitutes"),
    path("<slug:slug>/players/import/", importing.import_players, name="organiser_import"),
    path("<slug:slug>/players/update/", importing.update_players, name="organiser_players_update"),
    path("<slug:slug>/players/update/undo/", list_undo.undo, name="organiser_list_undo"),
    path(PLAYER, players.edit, name="organiser_player"),
    path(f"{PLAYER}withdraw/", players.withdraw, name="organiser_player_withdraw"),
    path(f"{PLAYER}readmit/", players.readmit, name="organiser_player_readmit"),
    path(f"{PLAYER}delete/", players.delete, name="organiser_player_delete"),
    path("<slug:slug>/check-in/", check_in.desk, name="organiser_check_in"),
    path("<slug:slug>/check-in/settings/", check_in.settings, name="organiser_check_in_settings"),
    path("<slug:slug>/check-in/again/", check_in.again, name="organiser_check_in_again"),
    path("<slug:slug>/check-in/door/", check_in.door, name="organiser_check_in_door"),
    path("<slug:slug>/check-in/missing/", missing.page, name="organiser_missing"),
    path("<slug:slug>/check-in/missing/undo/", missing.undo, name="organiser_missing_undo"),
    path(f"{PLAYER}data.json", privacy.player_data, name="organiser_player_data"),
    path(f"{PLAYER}erase/", privacy.player_erase, name="organiser_player_erase"),
    path(
        "<slug:slug>/registrations/<int:number>/data.json",
        privacy.registration_data,
        name="organiser_registration_data",
    ),
    path(
        "<slug:slug>/registrations/<int:number>/erase/",
        privacy.registration_erase,
        name="organiser_registration_erase",
    ),
    path("<slug:slug>/settings/privacy/", privacy.page, name="organiser_privacy"),
    path("<slug:slug>/settings/privacy/delete-contacts/", privacy.contacts, name="organiser_contacts_delete"),
    path("<slug:slug>/people/", people.page, name="organiser_people"),
    path("<slug:slug>/people/undo/", people.undo, name="organiser_people_undo"),
    path("<slug:slug>/people/<int:number>/not-them/", people.not_them, name="organiser_not_them"),
    path("<slug:slug>/registrations/", registrations.listing, name="organiser_registrations"),
    path("<slug:slug>/registrations/plan/", registration_plan.plan, name="organiser_registration_plan"),
    path(
        "<slug:slug>/registrations/questions/",
        registration_plan.questions,
        name="organiser_registration_questions",
    ),
    path("<slug:slug>/registrations/new/", registrations.new, name="organiser_registration_new"),
    path("<slug:slug>/registrations/step/", registration_steps.step, name="organiser_registration_step"),
    path("<slug:slug>/registrations/undo/", registration_steps.undo, name="organiser_registration_undo"),
    path(
        "<slug:slug>/registrations/import/",
        registration_steps.import_list,
        name="organiser_registrations_import",
    ),
    path(
        "<slug:slug>/registrations.xlsx",
        registrations.download,
        {"kind": "xlsx"},
        name="organiser_registrations_sheet",
    ),
    path(
        "<slug:slug>/registrations.csv",
        registrations.download,
        {"kind": "csv"},
        name="organiser_registrations_csv",
    ),
    path(REGISTRATION, registrations.one, name="organiser_registration"),
    path(f"{REGISTRATION}change/", registrations.edit, name="organiser_registration_change"),
    path("<slug:slug>/draw/", draw.page, name="organiser_draw"),
    path("<slug:slug>/draw/preview/", draw.preview, name="organiser_draw_preview"),
    path("<slug:slug>/draw/swap/", swap.page, name="organiser_swap"),
    path("<slug:slug>/draw/replan/", replan.page, name="organiser_replan"),
    path("<slug:slug>/draw/plan/", plan.page, name="organiser_plan"),
    path("<slug:slug>/draw/plan.csv", plan.download, name="organiser_plan_csv"),
    path("<slug:slug>/draw/stream/", stream.page, name="organiser_stream"),
    path("<slug:slug>/draw/finals/", finals.page, name="organiser_finals"),
    path("<slug:slug>/draw/undo/", seats.undo, name="organiser_seats_undo"),
    path("<slug:slug>/timetable/", timetable.page, name="organiser_timetable"),
    path("<slug:slug>/documents/certificates/", certificates.page, name="organiser_certificates"),
    path("<slug:slug>/page/", event_page.page, name="organiser_event_page"),
    path("<slug:slug>/page/files/", event_page.add, name="organiser_event_file_add"),
    path("<slug:slug>/page/files/<uuid:uuid>/remove/", event_page.remove, name="organiser_event_file_remove"),
    path("<slug:slug>/staff/", staff.listing, name="organiser_staff"),
    path("<slug:slug>/staff/new/", staff.new, name="organiser_staff_new"),
    path("<slug:slug>/staff/invite/", invitations.new, name="organiser_invite"),
    path(f"{INVITATION}revoke/", invitations.revoke, name="organiser_invitation_revoke"),
    path(MEMBER, staff.edit, name="organiser_member"),
    path(f"{MEMBER}player/", staff.plays, name="organiser_member_player"),
    path(f"{MEMBER}hand-over/", staff.hand_over_to, name="organiser_hand_over"),
    path(f"{MEMBER}end/", staff.end, name="organiser_staff_end"),
    path("<slug:slug>/rota/", rota.page, name="organiser_rota"),
    path("<slug:slug>/rota/edit/", rota.edit, name="organiser_rota_edit"),
    path("<slug:slug>/passes/new/", passes.new, name="organiser_pass_new"),
    path("<slug:slug>/passes/revoke/", passes.revoke_all, name="organiser_passes_revoke"),
    path(f"{PASS}renew/", passes.renew, name="organiser_pass_renew"),
    path(f"{PASS}revoke/", passes.revoke, name="organiser_pass_revoke"),
    path("<slug:slug>/penalties/", penalties.listing, name="organiser_penalties"),
    path("<slug:slug>/penalties/new/", penalties.new, name="organiser_penalty_new"),
    path("<slug:slug>/penalties/visibility/", penalties.visibility, name="organiser_penalties_visibility"),
    path("<slug:slug>/penalties/<uuid:penalty>/cancel/", penalties.cancel, name="organiser_penalty_cancel"),
    path("<slug:slug>/fouls/", fouls.listing, name="organiser_fouls"),
    path("<slug:slug>/fouls/new/", fouls.new, name="organiser_foul_new"),
    path("<slug:slug>/fouls/<slug:key>/", fouls.edit, name="organiser_foul"),
    path("<slug:slug>/fouls/<slug:key>/restore/", fouls.restore, name="organiser_foul_restore"),
    path("<slug:slug>/announcements/", announcements.page, name="organiser_announcements"),
    path(
        "<slug:slug>/announcements/<uuid:uuid>/withdraw/",
        announcements.withdraw,
        name="organiser_announcement_withdraw",
    ),
    path("", include("tournament.site.urls.dues_and_letters")),
    path("", include("tournament.messages.webhooks.urls")),
    path("<slug:slug>/puzzles/", puzzles.page, name="organiser_puzzles"),
    path("<slug:slug>/puzzles/<uuid:uuid>/remove/", puzzles.remove, name="organiser_puzzle_remove"),
    path("<slug:slug>/screens/", screens.listing, name="organiser_screens"),
    path(SCREEN, screens.control, name="organiser_screen"),
    path(f"{SCREEN}steer/", screens.steer, name="organiser_screen_steer"),
    path(f"{SCREEN}arrange/", screens.arrange, name="organiser_screen_arrange"),
    path(f"{SCREEN}remove/", screens.remove, name="organiser_screen_remove"),
    path("<slug:slug>/documents/", records.documents, name="organiser_documents"),
    path("<slug:slug>/log/", records.log, name="organiser_log"),
    path("<slug:slug>/transcript.json", records.transcript, name="organiser_transcript"),
    path("<slug:slug>/settings/", settings.index, name="organiser_settings"),
    path("<slug:slug>/settings/event/", settings.particulars, name="organiser_particulars"),
    path("<slug:slug>/whole/", tournament_files.take, name="organiser_take_file"),
    path("<slug:slug>/delete/", tournaments.delete, name="organiser_delete"),
    path("<slug:slug>/settings/attendance/", settings.attendance, name="organiser_attendance"),
]
