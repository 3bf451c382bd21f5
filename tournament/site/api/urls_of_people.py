"""Addresses of the REST API for those who come and those who run the event: registration, check-in, dues, staff."""

from django.urls import URLPattern, URLResolver, path

from tournament.dues import api as dues
from tournament.people.api import privacy
from tournament.players.api import check_in
from tournament.registration.api import own_registration, registration_plan, registrations
from tournament.staff.api import invitations, staff

Addresses = list[URLPattern | URLResolver]

privacy_urls: Addresses = [
    path("privacy/", privacy.Privacy.as_view(), name="api_privacy"),
    path(
        "registrations/<int:number>/data/", privacy.RegistrationData.as_view(), name="api_registration_data"
    ),
    path(
        "registrations/<int:number>/erasure/",
        privacy.RegistrationErasure.as_view(),
        name="api_registration_erasure",
    ),
]

check_in_urls: Addresses = [
    path("", check_in.TheCheckIn.as_view(), name="api_check_in"),
    path("missing/", check_in.TheMissing.as_view(), name="api_missing"),
    path("<int:number>/", check_in.OneCheckIn.as_view(), name="api_check_in_player"),
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
    path("", registrations.Registrations.as_view(), name="api_registrations"),
    path("plan/", registration_plan.OnePlan.as_view(), name="api_registration_plan"),
    path("questions/", registration_plan.Questions.as_view(), name="api_registration_questions"),
    path("list/", registrations.RegistrationList.as_view(), name="api_registration_list"),
    path("steps/", registrations.RegistrationSteps.as_view(), name="api_registration_steps"),
    path("steps/undo/", registrations.StepUndo.as_view(), name="api_registration_undo"),
    path("<int:number>/", registrations.OneRegistration.as_view(), name="api_registration"),
    path("own/<str:token>/", own_registration.OwnRegistration.as_view(), name="api_own_registration"),
]

staff_urls: Addresses = [
    path("", staff.Staff.as_view(), name="api_staff"),
    path("<int:pk>/", staff.OneMember.as_view(), name="api_member"),
    path("<int:pk>/hand-over/", staff.HandOver.as_view(), name="api_hand_over"),
    path("invitations/", invitations.Invitations.as_view(), name="api_invitations"),
    path("invitations/<int:pk>/", invitations.OneInvitation.as_view(), name="api_invitation"),
]
