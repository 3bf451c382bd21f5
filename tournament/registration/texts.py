"""The texts of registration: answers to questions, and log entries."""

from collections.abc import Iterable, Mapping

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from scoring.texts import joined
from tournament.base.access import Right
from tournament.base.engine.notices import Audience, Kind, Notice, Topic
from tournament.base.log_actions import Data, LogAction
from tournament.base.models.people import Player
from tournament.base.models.registration import Question, Registration
from tournament.web.sections import register_section
from tournament.web.texts.log import MAX_NAMES, LogWords, log_supplement, sentences

# The log stores numbers of registrations; names are looked up for its readers.
STATES = {
    Registration.State.PENDING: gettext_lazy("Registration confirmed, waiting for review: {registrant}."),
    Registration.State.WAITING: gettext_lazy("Registration confirmed, on the waiting list: {registrant}."),
    Registration.State.ACCEPTED: gettext_lazy("Registration confirmed, with a place: {registrant}."),
    Registration.State.DECLINED: gettext_lazy(
        "Registration confirmed after all places were taken: {registrant}."
    ),
}

DECIDED = {
    Registration.State.ACCEPTED: gettext_lazy("Accepted: {names}."),
    Registration.State.WAITING: gettext_lazy("Moved to the waiting list: {names}."),
    Registration.State.DECLINED: gettext_lazy("Declined: {names}."),
    Registration.State.CANCELLED: gettext_lazy("Cancelled by the staff: {names}."),
}


def _names(words: LogWords, numbers: list[int]) -> str:
    """Join the first names, and say how many more there are."""
    names = joined(map(words.registrant, numbers[:MAX_NAMES]))
    if (more := len(numbers) - MAX_NAMES) <= 0:
        return names
    text = ngettext("{names} and {n} more", "{names} and {n} more", more)
    return text.format(names=names, n=more)


def _step(code: str, text: Promise) -> LogAction:
    """Declare a step of the desk over several registrations."""
    return LogAction(
        code,
        lambda words, data: str(text).format(names=_names(words, data["registrations"])),
        topics=(Topic.EVENT, Topic.REGISTRATION),
    )


def numbers_by_new_state(data: Data) -> dict[str, list[int]]:
    """Return new state → numbers of an entry about states. Entries of earlier versions have one state for all."""
    by_state: dict[str, list[int]] = data.get("became") or {data["to"]: data["registrations"]}
    return by_state


def _moved(words: LogWords, data: Data) -> str:
    return sentences(
        *(
            str(DECIDED[Registration.State(state)]).format(names=_names(words, numbers))
            for state, numbers in numbers_by_new_state(data).items()
        )
    )


def _confirmed(words: LogWords, data: Data) -> str:
    return words.fill(STATES[Registration.State(data["state"])], data)


def _expired(words: LogWords, data: Data) -> str:
    n = len(data["registrations"])
    text = ngettext(
        "{n} unconfirmed registration deleted.",
        "{n} unconfirmed registrations deleted.",
        n,
    )
    return text.format(n=n)


def _plan_set(words: LogWords, data: Data) -> str:
    if not data["is_open"]:
        return _("Registration is closed.")
    if data["places"] is None:
        return _("Registration planned, with a place for everybody.")
    text = ngettext(
        "Registration planned, with {n} place.", "Registration planned, with {n} places.", data["places"]
    )
    return text.format(n=data["places"])


def _questions_set(words: LogWords, data: Data) -> str:
    text = ngettext(
        "{n} question asked at registration.", "{n} questions asked at registration.", data["questions"]
    )
    return text.format(n=data["questions"])


REGISTRATION_CREATED = LogAction(
    "registration_made",
    gettext_lazy("Registered, to be confirmed: {registrant}."),
    topics=(Topic.REGISTRATION,),
    audience=Audience.STAFF,
)
REGISTRATION_CHANGED = LogAction(
    "registration_changed", gettext_lazy("Registration changed: {registrant}."), topics=(Topic.REGISTRATION,)
)
REGISTRATION_CANCELLED = LogAction(
    "registration_cancelled",
    gettext_lazy("Registration cancelled: {registrant}."),
    topics=(Topic.REGISTRATION,),
    webhooks=(Notice(Kind.REGISTRATION, undone=True),),
)
REGISTERED_PLAYER_CHANGED = LogAction(
    "registered_changed", gettext_lazy("Registration changed, and player {player} with it.")
)
REGISTERED_PLAYER_WITHDRAWN = LogAction(
    "registered_left", gettext_lazy("Registration cancelled: {registrant} withdrew.")
)
REGISTRATIONS_ADDED = _step("registrations_added", gettext_lazy("Registered by the staff: {names}."))
REGISTRATIONS_CONFIRMED = _step("registrations_confirmed", gettext_lazy("Confirmed by the staff: {names}."))
REGISTRATIONS_ENTERED = _step("registrations_entered", gettext_lazy("Added to the player list: {names}."))
REGISTRATIONS_UNDONE = _step("registrations_undone", gettext_lazy("Step undone: {names}."))
REGISTRATIONS_MOVED = LogAction("registrations_moved", _moved, topics=(Topic.EVENT, Topic.REGISTRATION))
REGISTRATION_CONFIRMED = LogAction(
    "registration_confirmed", _confirmed, topics=(Topic.REGISTRATION,), webhooks=(Notice(Kind.REGISTRATION),)
)
REGISTRATION_EXPIRED = LogAction(
    "registration_expired", _expired, topics=(Topic.REGISTRATION,), audience=Audience.STAFF
)
REGISTRATION_PLAN_SET = LogAction(
    "registration_plan_set", _plan_set, topics=(Topic.EVENT, Topic.REGISTRATION)
)
REGISTRATION_QUESTIONS_SET = LogAction(
    "registration_questions_set", _questions_set, topics=(Topic.REGISTRATION,)
)


@log_supplement
def _moved_up(words: LogWords, data: Data) -> str:
    """Name those who were promoted from the waiting list by an entry."""
    numbers = data.get("moved_up", ())
    return (
        _("Moved up from the waiting list: {names}.").format(names=_names(words, numbers)) if numbers else ""
    )


@log_supplement
def _linked(words: LogWords, data: Data) -> str:
    """Name those who were players already when they were entered."""
    numbers = [link["registration"] for link in data.get("linked", ())]
    return _("Players already: {names}.").format(names=_names(words, numbers)) if numbers else ""


@log_supplement
def _registration_closed(words: LogWords, data: Data) -> str:
    """Say that a draw closed registration."""
    return _("Registration is closed.") if data.get("registration_closed") else ""


def in_language(texts: Mapping[str, str]) -> str:
    """Return the text in the active language, else in the first language that has one."""
    candidates = [texts.get(get_language() or ""), *(texts.get(code) for code, _name in settings.LANGUAGES)]
    return next((text for text in candidates if text), "")


def answers_of(registration: Registration, questions: Iterable[Question]) -> list[tuple[str, str]]:
    """Return (question, answer) pairs of the answered questions, in the active language."""
    pairs = [(in_language(question.text), answer_to(question, registration)) for question in questions]
    return [(text, answer) for text, answer in pairs if answer]


def answer_to(question: Question, registration: Registration) -> str:
    """Return the answer as text; "" without one."""
    answer = registration.answers.get(str(question.pk), "")
    if isinstance(answer, bool):
        return _("yes") if answer else _("no")
    if isinstance(answer, int):
        return in_language(question.choices[answer]) if answer < len(question.choices) else ""
    return str(answer)


def double_mark(double: Player | Registration) -> str:
    """Return the mark of a registration whose person is probably there twice: "also player no. 10"."""
    text = _("also player no. {n}") if isinstance(double, Player) else _("also registration no. {n}")
    return text.format(n=double.number)


def step_title(step: str, n: int) -> str:
    """Return what a step over n people does, for its heading and its button."""
    return _STEPS[step](n) % {"n": n}


def done_text(step: str, n: int, n_waiting: int = 0) -> str:
    """Return the message after a step over n people. `n_waiting`: further ones who were put on the waiting list."""
    waiting = _DONE["wait"](n_waiting) % {"n": n_waiting} if n_waiting else ""
    return sentences(_DONE[step](n) % {"n": n}, waiting)


_STEPS = {
    "accept": lambda n: ngettext("Accept %(n)s person", "Accept %(n)s people", n),
    "move_up": lambda n: ngettext("Let %(n)s person move up", "Let %(n)s people move up", n),
    "wait": lambda n: ngettext(
        "Move %(n)s person to the waiting list", "Move %(n)s people to the waiting list", n
    ),
    "decline": lambda n: ngettext("Decline %(n)s person", "Decline %(n)s people", n),
    "cancel": lambda n: ngettext("Cancel %(n)s registration", "Cancel %(n)s registrations", n),
    "confirm": lambda n: ngettext("Confirm %(n)s registration", "Confirm %(n)s registrations", n),
    "enter": lambda n: ngettext(
        "Add %(n)s person to the player list", "Add %(n)s people to the player list", n
    ),
}
_DONE = {
    "accept": lambda n: ngettext("%(n)s person has a place.", "%(n)s people have a place.", n),
    "move_up": lambda n: ngettext("%(n)s person moved up.", "%(n)s people moved up.", n),
    "wait": lambda n: ngettext(
        "%(n)s person is on the waiting list.", "%(n)s people are on the waiting list.", n
    ),
    "decline": lambda n: ngettext("%(n)s person is declined.", "%(n)s people are declined.", n),
    "cancel": lambda n: ngettext("%(n)s registration is cancelled.", "%(n)s registrations are cancelled.", n),
    "confirm": lambda n: ngettext(
        "%(n)s registration is confirmed.", "%(n)s registrations are confirmed.", n
    ),
    "enter": lambda n: ngettext("%(n)s person is a player now.", "%(n)s people are players now.", n),
}

register_section(
    "registration",
    "before",
    20,
    gettext_lazy("Registration"),
    "organiser_registration",
    Right.ORGANISE,
    Right.CASH,
    help="organisers/registration/",
)
