"""Addresses of what people owe, and of the letters they get, among the organiser's pages."""

from django.urls import path

from tournament.dues.views import due, dues, fees
from tournament.messages.mail.views import letters, mails

DUE = "<slug:slug>/dues/<int:pk>/"
MAIL = "<slug:slug>/mail/<int:pk>/"
LETTER = "<slug:slug>/mail/texts/<slug:key>/"

urlpatterns = [
    path("<slug:slug>/dues/", dues.listing, name="organiser_dues"),
    path("<slug:slug>/dues.xlsx", dues.workbook, name="organiser_dues_sheet"),
    path("<slug:slug>/dues.csv", dues.csv_file, name="organiser_dues_csv"),
    path("<slug:slug>/dues/ask/", dues.ask, name="organiser_dues_ask"),
    path("<slug:slug>/dues/ask/<uuid:uuid>/undo/", dues.undo_asking, name="organiser_dues_undo"),
    path("<slug:slug>/dues/reminders/", dues.reminders, name="organiser_dues_reminders"),
    path("<slug:slug>/dues/fees/", fees.fees, name="organiser_fees"),
    path("<slug:slug>/dues/account/", fees.account, name="organiser_account"),
    path("<slug:slug>/dues/payments/<uuid:uuid>/cancel/", due.cancel, name="organiser_payment_cancel"),
    path(DUE, due.page, name="organiser_due"),
    path(f"{DUE}cash/", due.cash, name="organiser_due_cash"),
    path(f"{DUE}change/", due.change, name="organiser_due_change"),
    path(f"{DUE}remove/", due.remove, name="organiser_due_remove"),
    path("<slug:slug>/mail/", mails.listing, name="organiser_mail"),
    path("<slug:slug>/mail/texts/", letters.listing, name="organiser_letters"),
    path(LETTER, letters.edit, name="organiser_letter"),
    path(f"{LETTER}restore/", letters.restore, name="organiser_letter_restore"),
    path("<slug:slug>/mail/again/", mails.all_again, name="organiser_mails_again"),
    path(MAIL, mails.page, name="organiser_mail_one"),
    path(f"{MAIL}again/", mails.again, name="organiser_mail_again"),
]
