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
    "organiser/<slug:slug>/dues/fees/": "organiser_prices",
    "organiser/<slug:slug>/dues/account/": "organiser_prices",
    "organiser/<slug:slug>/dues/ask/": "organiser_dues_charge",
    "organiser/<slug:slug>/players/import/": "organiser_import",
    "organiser/<slug:slug>/players/update/": "organiser_import",
    "organiser/<slug:slug>/players/update/undo/": "organiser_list_undo",
    "organiser/<slug:slug>/registrations/import/": "organiser_import",
    "organiser/<slug:slug>/session/<int:number>/wrong-seats/": "organiser_seat_correction",
    "organiser/<slug:slug>/screens/<screen:screen>/arrange/": "organiser_screen_turns",
}
"""Address → name of the present one, with the same parameters."""

urlpatterns = [
    path(address, RedirectView.as_view(pattern_name=name, permanent=True, query_string=True))
    for address, name in FORMER.items()
]
