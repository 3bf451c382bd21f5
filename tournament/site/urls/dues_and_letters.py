"""Addresses of what people owe, and of the letters they get, among the organiser's pages."""

from django.urls import path

from tournament.dues import views as dues_views
from tournament.messages.mail import views as mail_views

DUE = "<slug:slug>/dues/<int:pk>/"
MAIL = "<slug:slug>/mail/<int:pk>/"
LETTER = "<slug:slug>/mail/texts/<slug:key>/"

urlpatterns = [
    path("<slug:slug>/dues/", dues_views.dues_list, name="organiser_dues"),
    path("<slug:slug>/dues.xlsx", dues_views.dues_workbook, name="organiser_dues_sheet"),
    path("<slug:slug>/dues.csv", dues_views.dues_csv, name="organiser_dues_csv"),
    path("<slug:slug>/dues/ask/", dues_views.dues_ask, name="organiser_dues_ask"),
    path("<slug:slug>/dues/ask/<uuid:uuid>/undo/", dues_views.dues_ask_undo, name="organiser_dues_undo"),
    path("<slug:slug>/dues/reminders/", dues_views.dues_reminders, name="organiser_dues_reminders"),
    path("<slug:slug>/dues/fees/", dues_views.fees, name="organiser_fees"),
    path("<slug:slug>/dues/account/", dues_views.account, name="organiser_account"),
    path(
        "<slug:slug>/dues/payments/<uuid:uuid>/cancel/",
        dues_views.payment_cancel,
        name="organiser_payment_cancel",
    ),
    path(DUE, dues_views.due_page, name="organiser_due"),
    path(f"{DUE}cash/", dues_views.due_cash, name="organiser_due_cash"),
    path(f"{DUE}change/", dues_views.due_change, name="organiser_due_change"),
    path(f"{DUE}remove/", dues_views.due_remove, name="organiser_due_remove"),
    path("<slug:slug>/mail/", mail_views.mail_list, name="organiser_mail"),
    path("<slug:slug>/mail/texts/", mail_views.letter_list, name="organiser_letters"),
    path(LETTER, mail_views.letter_edit, name="organiser_letter"),
    path(f"{LETTER}restore/", mail_views.letter_restore, name="organiser_letter_restore"),
    path("<slug:slug>/mail/again/", mail_views.mails_again, name="organiser_mails_again"),
    path(MAIL, mail_views.mail_page, name="organiser_mail_one"),
    path(f"{MAIL}again/", mail_views.mail_again, name="organiser_mail_again"),
]
