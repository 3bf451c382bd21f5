"""Who is let in at each address of an event: to read, and to write. A new address has to be put down here.

What somebody let in may then do is said by the services (tests/services/rights.py): an address asks at its door, a
service for each write.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tournament.access import Right

NOBODY: Final[frozenset[Right]] = frozenset()
"""There is nothing to read, or to write."""
PUBLIC: Final = frozenset(Right)
"""Everybody, with or without an account."""

_RULES: Final = (
    (
        PUBLIC,
        PUBLIC,
        """
        api_own_registration api_table_calls check_in register registration registration_cancel
        registration_change registration_confirm
        """,
    ),
    (
        PUBLIC,
        NOBODY,
        """
        api_list_file api_lists list_file
        announcements api_clock api_standings api_standings_nations api_standings_teams api_table
        ceremony ceremony_hall coming document_file documents_page draw_certificate
        draw_certificate_json draw_page event_document flag_sheet fouls_page penalties_page
        player_calendar player_card player_manifest player_page player_phone players_page puzzle puzzles
        ranking ranking_nations ranking_nations_rows ranking_rows ranking_sheet ranking_teams
        ranking_teams_rows registration_mine registration_sent screen screens session_page
        overlay_clock overlay_hand overlay_player overlay_table overlays
        statistics_page table_page tournament tournament_calendar tournament_privacy
        """,
    ),
    (
        PUBLIC,
        {Right.ENTER},
        """
        api_hand api_hands api_penalties api_totals
        """,
    ),
    (
        PUBLIC,
        {Right.SHOW},
        """
        api_announcements api_screen api_screens
        """,
    ),
    (
        PUBLIC,
        {Right.ORGANISE},
        """
        api_attendance api_ceremony api_event_page api_foul api_fouls api_penalties_shown api_player
        api_players api_privacy api_registration_plan api_registration_questions api_sessions
        api_timetable api_tournament
        """,
    ),
    (
        NOBODY,
        PUBLIC,
        """
        call_umpire check_in_undo
        """,
    ),
    (
        NOBODY,
        {Right.ENTER},
        """
        api_absence api_absences api_extra_time api_penalty_preview api_penalty_undo api_preview
        api_signature api_stand_in api_table_step api_totals_second
        """,
    ),
    (
        NOBODY,
        {Right.JUDGE},
        """
        api_clock_step api_penalty call_done call_take hall_clock_extend hall_clock_go_on
        hall_clock_pause paper_aside
        """,
    ),
    (
        NOBODY,
        {Right.RULE},
        """
        api_appeal_committee api_appeal_ruling api_appeal_waiver api_results_open api_session_step
        appeal_committee appeal_rule appeal_waive
        """,
    ),
    (
        NOBODY,
        {Right.SHOW},
        """
        api_announcement api_screen_steering organiser_announcement_withdraw organiser_screen_remove
        organiser_screen_steer
        """,
    ),
    (
        NOBODY,
        {Right.ORGANISE},
        """
        api_delivery_again api_webhook_secret api_webhook_steps api_webhook_test organiser_delivery_again
        organiser_webhook_pause organiser_webhook_remove organiser_webhook_resume organiser_webhook_secret
        organiser_webhook_test
        api_ceremony_places api_ceremony_publish api_correction_preview api_corrections
        api_event_document api_event_documents api_finals_preview api_invitation api_member api_missing
        api_pass api_pass_renewal api_player_list api_player_list_preview api_player_person api_publish
        api_seats api_seats_plan api_seats_plan_preview api_seats_preview api_seats_replan
        api_seats_replan_preview api_seats_stream api_seats_stream_preview api_seats_swap
        api_seats_swap_preview api_seats_undo api_substitutes api_withdrawal document_request
        api_paper paper_keep
        organiser_ceremony_back organiser_ceremony_end organiser_ceremony_tell organiser_check_in_again
        organiser_ema_usual organiser_event_file_add organiser_event_file_remove
        organiser_foul_restore
        organiser_invitation_revoke organiser_letter_restore organiser_member_player
        organiser_missing_undo organiser_not_them organiser_pass_renew organiser_pass_revoke
        organiser_passes_revoke organiser_penalties_visibility organiser_people_undo
        organiser_player_delete organiser_player_readmit organiser_player_withdraw
        organiser_puzzle_remove organiser_results_hide organiser_seats_undo organiser_session_reopen
        organiser_session_start organiser_session_unstart organiser_staff_end organiser_stand_in
        organiser_substitutes organiser_wrong_seats_undo
        """,
    ),
    (
        NOBODY,
        {Right.OWN},
        """
        api_hand_over api_player_erasure api_registration_erasure organiser_hand_over
        organiser_take_file
        """,
    ),
    (
        {Right.READ},
        NOBODY,
        """
        api_log organiser_board organiser_log organiser_penalties organiser_rota organiser_session
        organiser_staff organiser_what_now
        """,
    ),
    (
        {Right.READ},
        {Right.RULE},
        """
        api_rota
        """,
    ),
    (
        {Right.READ},
        {Right.ORGANISE},
        """
        api_staff
        """,
    ),
    (
        {Right.READ, Right.ADMIT, Right.CASH},
        NOBODY,
        """
        organiser_players
        """,
    ),
    (
        {Right.READ, Right.SHOW},
        {Right.SHOW},
        """
        organiser_announcements organiser_screens
        """,
    ),
    (
        {Right.ENTER},
        NOBODY,
        """
        api_calls api_desk appeals desk desk_next desk_previous desk_words umpire_tables
        """,
    ),
    (
        {Right.ENTER},
        NOBODY,
        """
        paper_blank
        """,
    ),
    (
        {Right.ENTER},
        {Right.ENTER},
        """
        api_appeals
        """,
    ),
    (
        {Right.JUDGE},
        NOBODY,
        """
        hall_clock
        """,
    ),
    (
        {Right.JUDGE},
        {Right.JUDGE},
        """
        api_call
        """,
    ),
    (
        {Right.RULE},
        {Right.RULE},
        """
        organiser_results_open organiser_rota_edit
        """,
    ),
    (
        {Right.SHOW},
        NOBODY,
        """
        organiser_screen
        """,
    ),
    (
        {Right.SHOW},
        {Right.SHOW},
        """
        organiser_screen_arrange
        """,
    ),
    (
        {Right.READ},
        NOBODY,
        """
        api_staff_list_file organiser_list_file
        """,
    ),
    (
        {Right.ADMIT},
        NOBODY,
        """
        api_check_in_list_file organiser_check_in_list
        """,
    ),
    (
        {Right.ORGANISE},
        NOBODY,
        """
        api_document api_ema api_ema_csv api_ema_sheet api_transcript document_status
        organiser_documents organiser_ema organiser_ema_csv organiser_ema_sheet organiser_fouls
        organiser_letters organiser_plan_csv organiser_player_data organiser_players_csv organiser_players_sheet
        organiser_registration_data organiser_settings organiser_transcript
        api_deliveries organiser_delivery organiser_webhook organiser_webhooks
        """,
    ),
    (
        {Right.ORGANISE},
        {Right.ORGANISE},
        """
        api_certificates organiser_certificates
        api_documents api_ema_columns api_event_people api_finals api_invitations api_passes
        organiser_attendance organiser_ema_columns
        organiser_ceremony organiser_ceremony_publish organiser_check_in_settings organiser_draw
        organiser_draw_preview organiser_event_page organiser_finals organiser_foul organiser_foul_new
        api_player_list_undo organiser_import organiser_list_undo organiser_players_update
        organiser_invite organiser_letter organiser_member organiser_missing
        organiser_particulars organiser_pass_new organiser_penalty_cancel organiser_penalty_new
        organiser_people organiser_plan organiser_player organiser_player_new organiser_privacy
        organiser_publish organiser_puzzles organiser_registration_plan organiser_registration_questions
        organiser_replan organiser_seats organiser_session_close organiser_staff_new organiser_stream
        organiser_swap organiser_timetable organiser_wrong_seats
        api_webhook api_webhooks organiser_webhook_change organiser_webhook_new
        """,
    ),
    (
        {Right.OWN},
        NOBODY,
        """
        api_tournament_file
        """,
    ),
    (
        {Right.OWN},
        {Right.OWN},
        """
        organiser_contacts_delete organiser_delete organiser_player_erase organiser_registration_erase
        """,
    ),
    (
        {Right.ADMIT},
        {Right.ADMIT},
        """
        api_check_in api_registration organiser_check_in organiser_registration_change
        organiser_registration_new organiser_registrations_import
        """,
    ),
    (
        {Right.ENTER},
        {Right.ENTER},
        """
        paper paper_file paper_second paper_table
        """,
    ),
    (
        {Right.ADMIT},
        NOBODY,
        """
        api_player_data api_registration_data organiser_check_in_door organiser_mail organiser_mail_one
        organiser_registration organiser_registrations organiser_registrations_csv
        organiser_registrations_sheet
        """,
    ),
    (
        NOBODY,
        {Right.ADMIT},
        """
        api_check_in_player api_registration_list api_registration_steps api_registration_undo
        organiser_mail_again organiser_mails_again organiser_registration_step organiser_registration_undo
        """,
    ),
    (
        {Right.CASH},
        NOBODY,
        """
        api_dues organiser_dues organiser_dues_csv organiser_dues_sheet
        """,
    ),
    (
        {Right.CASH},
        {Right.CASH},
        """
        api_account api_due api_fees organiser_account organiser_due organiser_due_change
        organiser_dues_ask organiser_dues_reminders organiser_fees
        """,
    ),
    (
        NOBODY,
        {Right.CASH},
        """
        api_due_payments api_payment organiser_due_cash organiser_due_remove organiser_dues_undo
        organiser_payment_cancel
        """,
    ),
    (
        {Right.ADMIT},
        PUBLIC,
        """
        api_registrations
        """,
    ),
)
"""Read by whoever has one of these rights, written by whoever has one of those: the names of the addresses."""


def _rules() -> Iterator[tuple[str, tuple[frozenset[Right], frozenset[Right]]]]:
    for reads, writes, names in _RULES:
        for name in names.split():
            yield name, (frozenset(reads), frozenset(writes))


URL_RIGHTS: Final = dict(_rules())
