"""The walk of tests/browser/pages.py leaves out no page, so that a new one is looked at the day it is added."""

from django.urls import resolve

from tests.browser.pages import PAGES, STATUS
from tests.browser.steps import THEN
from tests.house.addresses import NAMES

STEP = "only written to: it answers with a page that is walked"
PART = "a part of a page that is walked, asked for by its script"
FILE = "a file, not a page"
NOT_WALKED = {
    "paper_aside": STEP,
    "paper_blank": FILE,
    "paper_keep": STEP,
    "person": "there once an organiser says who somebody is: tests/browser/test_people.py",
    "head_to_head": "likewise",
    "recovery_codes": STEP,
    "second_factor": STEP,
    "second_factor_begin": STEP,
    "second_factor_off": "where a second factor is on: tests/web/test_second_factor.py",
    "token_end": STEP,
    "visit_end": STEP,
    "visits_end_others": STEP,
    "announcements": PART,
    "appeal_committee": STEP,
    "appeal_rule": STEP,
    "appeal_waive": STEP,
    "appearance": STEP,
    "calculator_score": PART,
    "call_bar": PART,
    "call_done": STEP,
    "call_take": STEP,
    "call_umpire": STEP,
    "desk_engines": FILE,
    "desk_next": "leads to a desk",
    "desk_previous": "leads to a desk",
    "desk_service_worker": FILE,
    "desk_words": FILE,
    "document_file": FILE,
    "document_request": STEP,
    "document_status": PART,
    "draw_certificate_json": FILE,
    "event_document": FILE,
    "events_calendar": FILE,
    "flag_sheet": FILE,
    "hall_clock_extend": STEP,
    "hall_clock_go_on": STEP,
    "hall_clock_pause": STEP,
    "login_code": "asked for after a right password: tests/web/test_second_factor.py",
    "logout": STEP,
    "now": FILE,
    "organiser_announcement_withdraw": STEP,
    "organiser_backup_delete": STEP,
    "organiser_backup_file": FILE,
    "organiser_backup_make": STEP,
    "organiser_backup_status": PART,
    "organiser_backup_upload": STEP,
    "check_in_undo": STEP,
    "organiser_ceremony_back": STEP,
    "organiser_ceremony_end": STEP,
    "organiser_ceremony_tell": STEP,
    "organiser_check_in_again": STEP,
    "organiser_ema_csv": FILE,
    "organiser_ema_sheet": FILE,
    "organiser_ema_usual": STEP,
    "organiser_event_file_add": STEP,
    "organiser_event_file_remove": STEP,
    "organiser_foul_restore": STEP,
    "organiser_missing_undo": STEP,
    "organiser_due": "somebody's who owes: tests/web/test_dues.py",
    "organiser_due_cash": STEP,
    "organiser_due_change": STEP,
    "organiser_due_remove": STEP,
    "organiser_dues_csv": FILE,
    "organiser_dues_sheet": FILE,
    "organiser_dues_undo": STEP,
    "organiser_letter_restore": STEP,
    "organiser_mail_again": STEP,
    "organiser_mails_again": STEP,
    "organiser_mail_one": "a message that was written: tests/web/test_dues.py",
    "organiser_delivery": "a message that was written: tests/web/test_webhooks.py",
    "organiser_delivery_again": STEP,
    "organiser_webhook": "of one that was added: tests/web/test_webhooks.py",
    "organiser_webhook_change": "as a new one’s, which is walked",
    "organiser_webhook_pause": STEP,
    "organiser_webhook_remove": STEP,
    "organiser_webhook_resume": STEP,
    "organiser_webhook_secret": STEP,
    "organiser_webhook_test": STEP,
    "organiser_not_them": STEP,
    "organiser_people_undo": STEP,
    "persons_erase": "of somebody known: tests/web/test_people.py",
    "persons_merge": STEP,
    "persons_shown": STEP,
    "persons_undo": STEP,
    "organiser_hand_over": STEP,
    "organiser_invitation_revoke": STEP,
    "organiser_member_player": STEP,
    "organiser_pass_renew": STEP,
    "organiser_pass_revoke": STEP,
    "organiser_passes_revoke": STEP,
    "organiser_payment_cancel": STEP,
    "organiser_penalties_visibility": STEP,
    "organiser_plan_csv": FILE,
    "organiser_player_delete": STEP,
    "organiser_player_readmit": STEP,
    "organiser_player_withdraw": STEP,
    "organiser_player_data": FILE,
    "list_file": FILE,
    "organiser_check_in_list": FILE,
    "organiser_list_file": FILE,
    "organiser_players_csv": FILE,
    "organiser_players_sheet": FILE,
    "organiser_registration_data": FILE,
    "organiser_registration_erase": "as a player’s, which is walked: tests/web/test_privacy.py",
    "registration_mine": FILE,
    "organiser_puzzle_remove": STEP,
    "organiser_results_hide": STEP,
    "organiser_screen_remove": STEP,
    "organiser_screen_steer": STEP,
    "organiser_seats_undo": STEP,
    "organiser_session_reopen": STEP,
    "organiser_session_start": STEP,
    "organiser_session_unstart": STEP,
    "organiser_stand_in": STEP,
    "organiser_substitutes": STEP,
    "organiser_take_file": STEP,
    "tournament_schema": FILE,
    "organiser_transcript": FILE,
    "organiser_trial": PART,
    "organiser_trials": STEP,
    "organiser_staff_end": STEP,
    "organiser_what_now": PART,
    "organiser_wrong_seats_undo": STEP,
    "player_calendar": FILE,
    "player_card": PART,
    "player_manifest": FILE,
    "player_phone": STEP,
    "push_worker": FILE,
    "puzzle": "made by an organiser first; the page is the quiz’s own: tests/web/test_puzzles.py",
    "quiz_another": "leads to a puzzle",
    "quiz_today": "leads to the set of the day",
    "organiser_registration_step": STEP,
    "organiser_registration_undo": STEP,
    "organiser_registrations_csv": FILE,
    "organiser_registrations_sheet": FILE,
    "registration_confirm": STEP,
    "ranking_nations_rows": PART,
    "ranking_rows": PART,
    "ranking_sheet": FILE,
    "ranking_teams_rows": PART,
    "set_language": STEP,
    "setup_restore_status": PART,
    "setup_restore": "gone once there is an account: tests/browser/test_backup.py looks at it",
    "tournament_calendar": FILE,
}
"""Addresses that are not looked at in a browser, with the reason."""

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
    pages = {name for name in NAMES if not name.startswith("api_") and name not in NOT_WALKED}
    assert pages - walked() == set()


def test_what_is_not_walked_is_there_and_is_not_walked() -> None:
    assert set(NOT_WALKED) - set(NAMES) == set()
    assert set(NOT_WALKED) & walked() == set()


def test_what_is_done_first_is_done_on_a_page() -> None:
    assert (set(THEN) | set(STATUS)) - set(PAGES) == set()
