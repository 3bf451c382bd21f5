"""The walk of tests/browser/pages.py leaves out no page, so that a new one is looked at the day it is added."""

from django.urls import resolve

from tests.browser.pages import PAGES, STATUS
from tests.browser.steps import THEN
from tests.house.addresses import NAMES

ONLY_WRITTEN_TO = """
    appeal_committee appeal_rule appeal_waive appearance call_done call_take call_umpire check_in_undo
    document_request hall_clock_extend hall_clock_go_on hall_clock_pause logout
    organiser_announcement_withdraw organiser_backup_delete organiser_backup_make organiser_backup_upload
    organiser_ceremony_back organiser_ceremony_end organiser_ceremony_tell organiser_check_in_again
    organiser_delivery_again organiser_due_cash organiser_due_change organiser_due_remove
    organiser_dues_undo organiser_ema_usual organiser_event_file_add organiser_event_file_remove
    organiser_foul_restore organiser_hand_over organiser_invitation_revoke organiser_letter_restore
    organiser_mail_again organiser_mails_again organiser_member_player organiser_missing_undo
    organiser_not_them organiser_pass_renew organiser_pass_revoke organiser_passes_revoke
    organiser_payment_cancel organiser_penalties_visibility organiser_people_undo organiser_player_delete
    organiser_player_readmit organiser_player_withdraw organiser_puzzle_remove organiser_registration_step
    organiser_registration_undo organiser_results_hide organiser_screen_remove organiser_screen_steer
    organiser_seats_undo organiser_session_reopen organiser_session_start organiser_session_unstart
    organiser_staff_end organiser_stand_in organiser_substitutes organiser_take_file organiser_trials
    organiser_webhook_pause organiser_webhook_remove organiser_webhook_resume organiser_webhook_secret
    organiser_webhook_test organiser_wrong_seats_undo paper_aside paper_keep persons_merge persons_shown
    persons_undo player_phone recovery_codes registration_confirm second_factor second_factor_begin
    set_language token_end visit_end visits_end_others
"""
"""Steps: they answer with a page that is walked."""
PARTS = """
    announcements calculator_score call_bar document_status organiser_backup_status organiser_trial
    organiser_what_now player_card ranking_nations_rows ranking_rows ranking_teams_rows setup_restore_status
"""
"""Of a page that is walked, asked for by its script."""
FILES = """
    desk_engines desk_service_worker desk_words document_file draw_certificate_json event_document
    events_calendar flag_sheet list_file now organiser_backup_file organiser_check_in_list
    organiser_dues_csv organiser_dues_sheet organiser_ema_csv organiser_ema_sheet organiser_list_file
    organiser_plan_csv organiser_player_data organiser_players_csv organiser_players_sheet
    organiser_registration_data organiser_registrations_csv organiser_registrations_sheet
    organiser_transcript paper_blank player_calendar player_manifest push_worker ranking_sheet
    registration_mine tournament_calendar tournament_schema
"""
REASONS = {
    "desk_next": "leads to a desk",
    "desk_previous": "leads to a desk",
    "head_to_head": "of two people, as that of one",
    "login_code": "asked for after a right password: tests/web/test_second_factor.py",
    "organiser_delivery": "a message that was written: tests/web/test_webhooks.py",
    "organiser_due": "somebody's who owes: tests/web/test_dues.py",
    "organiser_mail_one": "a message that was written: tests/web/test_dues.py",
    "organiser_registration_erase": "as a player’s, which is walked: tests/web/test_privacy.py",
    "organiser_webhook": "of one that was added: tests/web/test_webhooks.py",
    "organiser_webhook_change": "as a new one’s, which is walked",
    "person": "there once an organiser says who somebody is: tests/browser/test_people.py",
    "persons_erase": "of somebody known: tests/web/test_people.py",
    "puzzle": "made by an organiser first; the page is the quiz’s own: tests/web/test_puzzles.py",
    "quiz_another": "leads to a puzzle",
    "quiz_today": "leads to the set of the day",
    "second_factor_off": "where a second factor is on: tests/web/test_second_factor.py",
    "setup_restore": "gone once there is an account: tests/browser/test_backup.py looks at it",
}
"""Other addresses that are not looked at in a browser."""
NOT_WALKED = {*ONLY_WRITTEN_TO.split(), *PARTS.split(), *FILES.split(), *REASONS}
WORDS = {
    "slug": "evening",
    "umpire": "1",
    "penalty": "00000000-0000-4000-8000-000000000000",
    "token": "t",
    "link": "t",
    "unconfirmed": "t",
    "backup": "hule-2026-05-02-1431",
}


def walked() -> set[str | None]:
    return {
        resolve(address.format(**WORDS).partition("?")[0].partition("#")[0]).url_name
        for _, address in PAGES.values()
    }


def test_every_page_is_walked_or_it_is_said_why_not() -> None:
    pages = {name for name in NAMES if not name.startswith("api_")}
    assert pages - walked() - NOT_WALKED == set()
    assert NOT_WALKED - set(NAMES) == set()
    assert NOT_WALKED & walked() == set()


def test_what_is_done_first_is_done_on_a_page() -> None:
    assert (set(THEN) | set(STATUS)) - set(PAGES) == set()
