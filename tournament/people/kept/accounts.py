"""Of those who sign in."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

from tournament.people.kept.declared import SIGN_IN, WHO_WROTE, Kept, Until, nobodys, staffs

OF_ACCOUNTS: Final[dict[str, tuple[Kept, ...]]] = {
    "tournament.Membership": (
        staffs("user role", _("Who organises and umpires"), SIGN_IN),
        nobodys("id tournament everywhere sessions tables every_session table_number player"),
    ),
    "tournament.Invitation": (
        staffs("email", _("Where an invitation was sent"), SIGN_IN, Until.CONTACT),
        staffs("role used_by used_at made_by", _("Who was invited to what, by whom"), WHO_WROTE),
        nobodys("id tournament sessions tables token_hash expires_at made_at revoked_at"),
    ),
    "tournament.Watch": (nobodys("id membership table"),),
    "tournament.Pass": (
        staffs("opened_at made_by", _("Who made a pass, and when it was last opened"), SIGN_IN),
        nobodys("id membership token_hash expires_at revoked_at made_at"),
    ),
    "tournament.Visit": (
        staffs(
            "user session_data",
            _("Where an account is signed in: browser and place"),
            SIGN_IN,
            Until.SIGN_IN,
        ),
        nobodys("session_key expire_date"),
    ),
    "tournament.ApiToken": (
        staffs("user name used_at", _("Which programs use an account"), SIGN_IN, Until.SIGN_IN),
        nobodys("digest token_key created expiry scope everywhere tournaments"),
    ),
    "auth.User": (
        staffs(
            "username first_name last_name email password last_login date_joined",
            _("Account: name, password as a hash, when it was last used"),
            SIGN_IN,
            Until.ACCOUNT,
        ),
        nobodys("id is_superuser is_staff is_active"),
    ),
    "otp_totp.TOTPDevice": (
        staffs("user key", _("The second factor of an account"), SIGN_IN, Until.ACCOUNT),
        nobodys(
            "id name confirmed throttling_failure_timestamp throttling_failure_count created_at last_used_at step t0 "
            "digits tolerance drift last_t"
        ),
    ),
    "otp_static.StaticDevice": (
        staffs("user", _("The second factor of an account"), SIGN_IN, Until.ACCOUNT),
        nobodys(
            "id name confirmed throttling_failure_timestamp throttling_failure_count created_at last_used_at"
        ),
    ),
    "otp_static.StaticToken": (nobodys("id device token"),),
}
