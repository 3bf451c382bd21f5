"""The models of an event, each after those that it names."""

from __future__ import annotations

from typing import Final

from tournament.exchange.carried.declared import Carried

_AT_TABLE: Final = "table__session__tournament"
_FOLLOWS: Final = "follows from the rest"

CARRIED: Final[tuple[Carried, ...]] = (
    Carried(
        "tournament.Person",
        "persons",
        of="players__tournament",
        left={
            "key": _FOLLOWS,
            "merged_into": "somebody who was merged is nobody's player",
            "made_at": "when the row was made in one installation",
        },
    ),
    Carried(
        "tournament.PersonName", "person_names", of="person__players__tournament", left={"key": _FOLLOWS}
    ),
    Carried("tournament.Player", "players", key=("number",)),
    Carried("tournament.EventPage", "event_page", single=True),
    Carried("tournament.EmaColumns", "ema_columns", single=True),
    Carried("tournament.CertificateDesign", "certificates", single=True),
    Carried("tournament.EventDocument", "event_documents", key=("uuid",), left={"size": _FOLLOWS}),
    Carried("tournament.TimetableItem", "timetable", key=("uuid",)),
    Carried("tournament.CheckIn", "check_in", single=True),
    Carried("tournament.PrivacyPlan", "privacy", single=True),
    Carried("tournament.RegistrationPlan", "registration_plan", single=True),
    Carried("tournament.KeptPlaces", "kept_places", of="plan__tournament"),
    Carried("tournament.Question", "questions", of="plan__tournament"),
    Carried(
        "tournament.Registration",
        "registrations",
        key=("number",),
        keyed={"answers": "tournament.Question"},
    ),
    Carried("tournament.LetterText", "letter_texts"),
    Carried(
        "tournament.Mail",
        "letters",
        key=("key",),
        left={"try_at": "a letter that came with a file is not tried again"},
    ),
    Carried("tournament.TournamentAccount", "account", single=True),
    Carried("tournament.Fee", "fees"),
    Carried("tournament.Due", "dues"),
    Carried("tournament.Payment", "payments", of="due__tournament", key=("uuid",)),
    Carried("tournament.Session", "sessions", key=("number",)),
    Carried("tournament.Table", "tables", of="session__tournament", key=("session", "number")),
    Carried("tournament.Seat", "seats", of=_AT_TABLE),
    Carried("tournament.Final", "finals"),
    Carried("tournament.Hand", "hands", of=_AT_TABLE, key=("uuid",)),
    Carried("tournament.Totals", "totals", of=_AT_TABLE, key=("uuid",)),
    Carried("penalties.Penalty", "penalties", key=("uuid",)),
    Carried("tournament.Absence", "absences", of=_AT_TABLE, key=("uuid",)),
    Carried("tournament.Appeal", "appeals", of=_AT_TABLE, key=("uuid",)),
    Carried("tournament.Signature", "signatures", of=_AT_TABLE),
    Carried("tournament.Call", "calls", of=_AT_TABLE),
    Carried("tournament.Membership", "memberships"),
    Carried("tournament.Watch", "rota", of="membership__tournament"),
    Carried("tournament.Screen", "screens", key=("name",)),
    Carried("tournament.Announcement", "announcements", key=("uuid",)),
    Carried("tournament.Publication", "publications", key=("version",)),
    Carried("tournament.Ceremony", "ceremonies"),
    Carried("tournament.Puzzle", "puzzles", key=("uuid",)),
    Carried("tournament.LogEntry", "log", key=("seq",)),
    Carried("tournament.Extension", "extensions", key=("name",), names={"name": "id", "spec_url": "specUrl"}),
)
"""In the order in which they are stored."""
OF_TOURNAMENT_LEFT: Final[dict[str, str]] = {
    "id": "a number of one installation",
    "created_at": "when the row was made in one installation; the first entry of the log says when the event was",
}
"""Fields of the tournament itself that its file does not say."""
