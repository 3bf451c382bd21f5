"""Who is let in at each address of an event: to read, and to write. A new address has to be put down here.

What somebody let in may then do is said by the services (tests/support/rights.py): an address asks at its door, a
service for each write.
"""

import re
from typing import Final

from tournament.base.access import Right

TABLE: Final = """
public / public: api_own_registration api_table_calls check_in register registration registration_cancel
    registration_change registration_confirm
public / enter: api_hand api_hands api_penalties api_totals
public / show: api_announcements api_screen api_screens
public / organise: api_attendance api_ceremony api_event_page api_foul api_fouls api_penalties_shown
    api_player api_players api_privacy api_registration_plan api_registration_questions api_sessions
    api_timetable api_tournament
public / nobody: announcements api_clock api_list_file api_lists api_standings api_standings_nations
    api_standings_teams api_table ceremony ceremony_hall coming document_file documents_page draw_certificate
    draw_certificate_json draw_page event_document flag_sheet fouls_page list_file overlay_clock overlay_hand
    overlay_player overlay_table overlays penalties_page player_calendar player_card player_manifest
    player_page player_phone players_page puzzle puzzles ranking ranking_nations ranking_nations_rows
    ranking_rows ranking_sheet ranking_teams ranking_teams_rows registration_mine registration_sent screen
    screens session_page statistics_page table_page tournament tournament_calendar tournament_privacy
read / rule: api_rota
read / organise: api_staff
read / nobody: api_log api_staff_list_file organiser_board organiser_list_file organiser_log
    organiser_penalties organiser_rota organiser_session organiser_staff organiser_what_now
read+admit+cash / nobody: organiser_players
read+show / show: organiser_announcements organiser_screens
enter / enter: api_appeals paper paper_file paper_second paper_table
enter / nobody: api_calls api_desk appeals desk desk_next desk_previous desk_words paper_blank umpire_tables
judge / judge: api_call
judge / nobody: hall_clock
rule / rule: organiser_results_open organiser_rota_edit
show / show: organiser_screen_arrange
show / nobody: organiser_screen
admit / public: api_registrations
admit / admit: api_check_in api_registration organiser_check_in organiser_registration_change
    organiser_registration_new organiser_registrations_import
admit / nobody: api_check_in_list_file api_player_data api_registration_data organiser_check_in_door
    organiser_check_in_list organiser_mail organiser_mail_one organiser_registration organiser_registrations
    organiser_registrations_csv organiser_registrations_sheet
cash / cash: api_account api_due api_fees organiser_account organiser_due organiser_due_change
    organiser_dues_ask organiser_dues_reminders organiser_fees
cash / nobody: api_dues organiser_dues organiser_dues_csv organiser_dues_sheet
organise / organise: api_certificates api_documents api_ema_columns api_event_people api_finals
    api_invitations api_passes api_player_list_undo api_webhook api_webhooks organiser_attendance
    organiser_ceremony organiser_ceremony_publish organiser_certificates organiser_check_in_settings
    organiser_draw organiser_draw_preview organiser_ema_columns organiser_event_page organiser_finals
    organiser_foul organiser_foul_new organiser_import organiser_invite organiser_letter organiser_list_undo
    organiser_member organiser_missing organiser_particulars organiser_pass_new organiser_penalty_cancel
    organiser_penalty_new organiser_people organiser_plan organiser_player organiser_player_new
    organiser_players_update organiser_privacy organiser_publish organiser_puzzles organiser_registration_plan
    organiser_registration_questions organiser_replan organiser_seats organiser_session_close
    organiser_staff_new organiser_stream organiser_swap organiser_timetable organiser_webhook_change
    organiser_webhook_new organiser_wrong_seats
organise / nobody: api_deliveries api_document api_ema api_ema_csv api_ema_sheet api_transcript
    document_status organiser_delivery organiser_documents organiser_ema organiser_ema_csv organiser_ema_sheet
    organiser_fouls organiser_letters organiser_plan_csv organiser_player_data organiser_players_csv
    organiser_players_sheet organiser_registration_data organiser_settings organiser_transcript
    organiser_webhook organiser_webhooks
own / own: organiser_contacts_delete organiser_delete organiser_player_erase organiser_registration_erase
own / nobody: api_tournament_file
nobody / public: call_umpire check_in_undo
nobody / enter: api_absence api_absences api_extra_time api_penalty_preview api_penalty_undo api_preview
    api_signature api_stand_in api_table_step api_totals_second
nobody / judge: api_clock_step api_penalty call_done call_take hall_clock_extend hall_clock_go_on
    hall_clock_pause paper_aside
nobody / rule: api_appeal_committee api_appeal_ruling api_appeal_waiver api_results_open api_session_step
    appeal_committee appeal_rule appeal_waive
nobody / show: api_announcement api_screen_steering organiser_announcement_withdraw organiser_screen_remove
    organiser_screen_steer
nobody / admit: api_check_in_player api_registration_list api_registration_steps api_registration_undo
    organiser_mail_again organiser_mails_again organiser_registration_step organiser_registration_undo
nobody / cash: api_due_payments api_payment organiser_due_cash organiser_due_remove organiser_dues_undo
    organiser_payment_cancel
nobody / organise: api_ceremony_places api_ceremony_publish api_correction_preview api_corrections
    api_delivery_again api_event_document api_event_documents api_finals_preview api_invitation api_member
    api_missing api_paper api_pass api_pass_renewal api_player_list api_player_list_preview api_player_person
    api_publish api_seats api_seats_plan api_seats_plan_preview api_seats_preview api_seats_replan
    api_seats_replan_preview api_seats_stream api_seats_stream_preview api_seats_swap api_seats_swap_preview
    api_seats_undo api_substitutes api_webhook_secret api_webhook_steps api_webhook_test api_withdrawal
    document_request organiser_ceremony_back organiser_ceremony_end organiser_ceremony_tell
    organiser_check_in_again organiser_delivery_again organiser_ema_usual organiser_event_file_add
    organiser_event_file_remove organiser_foul_restore organiser_invitation_revoke organiser_letter_restore
    organiser_member_player organiser_missing_undo organiser_not_them organiser_pass_renew
    organiser_pass_revoke organiser_passes_revoke organiser_penalties_visibility organiser_people_undo
    organiser_player_delete organiser_player_readmit organiser_player_withdraw organiser_puzzle_remove
    organiser_results_hide organiser_seats_undo organiser_session_reopen organiser_session_start
    organiser_session_unstart organiser_staff_end organiser_stand_in organiser_substitutes
    organiser_webhook_pause organiser_webhook_remove organiser_webhook_resume organiser_webhook_secret
    organiser_webhook_test organiser_wrong_seats_undo paper_keep
nobody / own: api_hand_over api_player_erasure api_registration_erasure organiser_hand_over
    organiser_take_file
"""
"""Who reads / who writes: the names of the addresses. A word is a right, or `public`: everybody, with or without an
account; or `nobody`: there is nothing to read, or to write. Of several rights with a + one is enough."""


def rights(words: str) -> frozenset[Right]:
    if words == "public":
        return frozenset(Right)
    return frozenset(Right[word.upper()] for word in words.split("+") if word != "nobody")


def url_rights() -> dict[str, tuple[frozenset[Right], frozenset[Right]]]:
    """Name of an address → the rights of which one is needed to read, and to write."""
    table = {}
    for rule in re.split(r"\n(?=\S)", TABLE.strip()):
        who, names = rule.split(":")
        readers, writers = who.split(" / ")
        for name in names.split():
            assert name not in table, f"{name} stands in the table twice"
            table[name] = rights(readers), rights(writers)
    return table


URL_RIGHTS: Final = url_rights()
