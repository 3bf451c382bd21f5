"""Former addresses of pages that people may have stored, and the present ones. Buttons have no former address."""

from typing import Final

from django.urls import path
from django.views.generic import RedirectView

FORMER: Final = {
    "rules/whole/": "rules_all",
    "t/<slug:slug>/coming/": "participants",
    "t/<slug:slug>/registration/<secret:token>/mine.json": "registration_data",
    "organiser/<slug:slug>/whole/": "organiser_tournament_file",
    "organiser/<slug:slug>/dues/reminders/": "organiser_message",
    "organiser/<slug:slug>/dues/fees/": "organiser_registration",
    "organiser/<slug:slug>/dues/account/": "organiser_registration",
    "organiser/<slug:slug>/dues/prices/": "organiser_registration",
    "organiser/<slug:slug>/dues/": "organiser_people",
    "organiser/<slug:slug>/players/": "organiser_people",
    "organiser/<slug:slug>/players/new/": "organiser_person_new",
    "organiser/<slug:slug>/registrations/": "organiser_people",
    "organiser/<slug:slug>/registrations/new/": "organiser_person_new",
    "organiser/<slug:slug>/registrations/plan/": "organiser_registration",
    "organiser/<slug:slug>/registrations/questions/": "organiser_registration",
    "organiser/<slug:slug>/registration/questions/": "organiser_registration",
    "organiser/<slug:slug>/prices/": "organiser_registration",
    "organiser/<slug:slug>/mail/texts/": "organiser_registration",
    "organiser/<slug:slug>/players/import/": "organiser_import",
    "organiser/<slug:slug>/players/update/": "organiser_import",
    "organiser/<slug:slug>/players/update/undo/": "organiser_list_undo",
    "organiser/<slug:slug>/registrations/import/": "organiser_import",
    "organiser/<slug:slug>/session/<int:number>/wrong-seats/": "organiser_seat_correction",
    "organiser/<slug:slug>/staff/new/": "organiser_invite",
    "organiser/<slug:slug>/rota/": "organiser_staff",
    "organiser/<slug:slug>/page/": "organiser_event",
    "organiser/<slug:slug>/settings/event/": "organiser_event",
    "organiser/<slug:slug>/screens/<screen:screen>/arrange/": "organiser_screen",
    "organiser/<slug:slug>/screens/<screen:screen>/turns/": "organiser_screen",
    "organiser/<slug:slug>/check-in/settings/": "organiser_check_in",
    "organiser/<slug:slug>/ema/columns/": "organiser_ema",
    "organiser/<slug:slug>/ceremony/": "organiser_results",
    "organiser/<slug:slug>/documents/certificates/": "organiser_results",
    "organiser/<slug:slug>/screens/": "organiser_hall",
    "organiser/<slug:slug>/announcements/": "organiser_hall",
    "organiser/<slug:slug>/puzzles/": "organiser_hall",
    "organiser/<slug:slug>/settings/": "organiser_rules",
    "organiser/<slug:slug>/settings/play/": "organiser_rules",
    "organiser/<slug:slug>/settings/attendance/": "organiser_rules",
    "organiser/<slug:slug>/fouls/": "organiser_rules",
    "organiser/<slug:slug>/fouls/new/": "organiser_rules",
    "organiser/<slug:slug>/fouls/<slug:key>/": "organiser_foul",
    "organiser/<slug:slug>/settings/privacy/": "organiser_data",
    "organiser/<slug:slug>/settings/privacy/delete-contacts/": "organiser_data",
    "organiser/<slug:slug>/delete/": "organiser_data",
    "organiser/<slug:slug>/webhooks/": "organiser_connections",
    "organiser/<slug:slug>/webhooks/new/": "organiser_connections",
    "organiser/<slug:slug>/webhooks/<int:number>/change/": "organiser_webhook",
    "organiser/<slug:slug>/penalties/<uuid:penalty>/cancel/": "organiser_penalty",
}
"""Address → name of the present one, with the same parameters."""

FORMER_PEOPLE: Final = {"players": "p", "registrations": "r"}
"""Former list → the letter before the number in the present address of somebody."""

urlpatterns = [
    *(
        path(address, RedirectView.as_view(pattern_name=name, permanent=True, query_string=True))
        for address, name in FORMER.items()
    ),
    *(
        path(
            f"organiser/<slug:slug>/{name}/<int:number>/",
            RedirectView.as_view(url=f"/organiser/%(slug)s/people/{letter}%(number)s/", permanent=True),
        )
        for name, letter in FORMER_PEOPLE.items()
    ),
]
