"""Addresses of the REST API for those who come and those who run the event: registration, check-in, dues, staff."""

from django.urls import URLPattern, URLResolver, path

from tournament.dues import api as dues
from tournament.players import api as players_api
from tournament.privacy import api as privacy_api
from tournament.registration import api as registration_api
from tournament.staff import api as staff_api

Addresses = list[URLPattern | URLResolver]

privacy_urls: Addresses = [
    path("privacy/", privacy_api.Privacy.as_view(), name="api_privacy"),
    path(
        "registrations/<int:number>/data/",
        privacy_api.RegistrationData.as_view(),
        name="api_registration_data",
    ),
    path(
        "registrations/<int:number>/erasure/",
        privacy_api.RegistrationErasure.as_view(),
        name="api_registration_erasure",
    ),
]

check_in_urls: Addresses = [
    path("", players_api.TheCheckIn.as_view(), name="api_check_in"),
    path("missing/", players_api.TheMissing.as_view(), name="api_missing"),
    path("<int:number>/", players_api.OneCheckIn.as_view(), name="api_check_in_player"),
]

due_urls: Addresses = [
    path("", dues.Dues.as_view(), name="api_dues"),
    path("fees/", dues.Fees.as_view(), name="api_fees"),
    path("account/", dues.Account.as_view(), name="api_account"),
    path("<int:pk>/", dues.OneDue.as_view(), name="api_due"),
    path("<int:pk>/payments/", dues.DuePayments.as_view(), name="api_due_payments"),
    path("payments/<uuid:uuid>/", dues.OnePayment.as_view(), name="api_payment"),
]

registration_urls: Addresses = [
    path("", registration_api.Registrations.as_view(), name="api_registrations"),
    path("plan/", registration_api.OnePlan.as_view(), name="api_registration_plan"),
    path("questions/", registration_api.Questions.as_view(), name="api_registration_questions"),
    path("list/", registration_api.RegistrationList.as_view(), name="api_registration_list"),
    path("steps/", registration_api.RegistrationSteps.as_view(), name="api_registration_steps"),
    path("steps/undo/", registration_api.StepUndo.as_view(), name="api_registration_undo"),
    path("<int:number>/", registration_api.OneRegistration.as_view(), name="api_registration"),
    path("own/<str:token>/", registration_api.OwnRegistration.as_view(), name="api_own_registration"),
]

staff_urls: Addresses = [
    path("", staff_api.Staff.as_view(), name="api_staff"),
    path("<int:pk>/", staff_api.OneMember.as_view(), name="api_member"),
    path("<int:pk>/hand-over/", staff_api.HandOver.as_view(), name="api_hand_over"),
    path("invitations/", staff_api.Invitations.as_view(), name="api_invitations"),
    path("invitations/<int:pk>/", staff_api.OneInvitation.as_view(), name="api_invitation"),
]
