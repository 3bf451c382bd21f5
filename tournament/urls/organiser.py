"""Addresses of the organiser's pages."""

from django.urls import path

from tournament.views.organiser import (
    board,
    draw,
    fouls,
    importing,
    passes,
    penalties,
    plan,
    players,
    records,
    replan,
    seats,
    setup,
    swap,
    tournaments,
    umpires,
    wrong_seats,
)

SESSION = "<slug:slug>/session/<int:number>/"
PLAYER = "<slug:slug>/players/<int:number>/"
PASS = "<slug:slug>/passes/<int:pk>/"
UMPIRE = "<slug:slug>/umpires/<int:pk>/"

urlpatterns = [
    path("", tournaments.home, name="organiser_home"),
    path("setup/", setup.setup, name="setup"),
    path("new/", tournaments.new, name="organiser_new"),
    path("<slug:slug>/", board.current, name="organiser_board"),
    path(SESSION, board.session, name="organiser_session"),
    path(f"{SESSION}seats/", seats.page, name="organiser_seats"),
    path(f"{SESSION}wrong-seats/", wrong_seats.page, name="organiser_wrong_seats"),
    path(f"{SESSION}wrong-seats/undo/", wrong_seats.undo, name="organiser_wrong_seats_undo"),
    path(f"{SESSION}start/", board.start, name="organiser_session_start"),
    path(f"{SESSION}close/", board.close, name="organiser_session_close"),
    path(f"{SESSION}reopen/", board.reopen, name="organiser_session_reopen"),
    path("<slug:slug>/publish/", board.publish, name="organiser_publish"),
    path("<slug:slug>/players/", players.listing, name="organiser_players"),
    path("<slug:slug>/players/new/", players.new, name="organiser_player_new"),
    path("<slug:slug>/players/import/", importing.import_players, name="organiser_import"),
    path(PLAYER, players.edit, name="organiser_player"),
    path(f"{PLAYER}withdraw/", players.withdraw, name="organiser_player_withdraw"),
    path(f"{PLAYER}readmit/", players.readmit, name="organiser_player_readmit"),
    path("<slug:slug>/draw/", draw.page, name="organiser_draw"),
    path("<slug:slug>/draw/preview/", draw.preview, name="organiser_draw_preview"),
    path("<slug:slug>/draw/swap/", swap.page, name="organiser_swap"),
    path("<slug:slug>/draw/replan/", replan.page, name="organiser_replan"),
    path("<slug:slug>/draw/plan/", plan.page, name="organiser_plan"),
    path("<slug:slug>/draw/plan.csv", plan.download, name="organiser_plan_csv"),
    path("<slug:slug>/draw/undo/", seats.undo, name="organiser_seats_undo"),
    path("<slug:slug>/umpires/", umpires.listing, name="organiser_umpires"),
    path("<slug:slug>/umpires/new/", umpires.new, name="organiser_umpire_new"),
    path(UMPIRE, umpires.edit, name="organiser_umpire"),
    path(f"{UMPIRE}revoke/", umpires.revoke, name="organiser_umpire_revoke"),
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
    path("<slug:slug>/documents/", records.documents, name="organiser_documents"),
    path("<slug:slug>/log/", records.log, name="organiser_log"),
    path("<slug:slug>/settings/", tournaments.settings, name="organiser_settings"),
]
