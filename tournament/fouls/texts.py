"""Log actions of penalties, appeals, the foul book and attendance."""

from django.utils.translation import gettext_lazy as _

from penalties.engine import Names, Sanction
from penalties.texts import sanction_text
from scoring.texts import joined, translated
from tournament.base.access import Right
from tournament.base.engine.notices import Kind, Notice
from tournament.base.engine.rules import Credit
from tournament.base.log_actions import Data, LogAction
from tournament.web.sections import register_section
from tournament.web.texts.log import LogWords, log_placeholder, log_supplement, sentences
from tournament.web.texts.words import signed


@log_placeholder("foul")
def _foul(words: LogWords, data: Data) -> str:
    """Return the foul's name from the entry if it has one, else from the foul book."""
    if "names" in data:
        return translated(Names.from_json(data["names"]))
    return words.foul(data["foul"])


def _penalty_given(words: LogWords, data: Data) -> str:
    # Sorted, because PostgreSQL does not preserve the order of keys in JSON.
    by_number = sorted(data.get("effects", {}).items(), key=lambda item: int(item[0]))
    effects = joined(f"{words.player(int(number))} {signed(points)}" for number, points in by_number)
    text = _("{foul}: {player}, {at} ({effects}).") if effects else _("{foul}: {player}, {at}.")
    sentence = words.fill(text, data, effects=effects)
    if "because" not in data:
        return sentence
    if "proposed" not in data:
        return sentences(sentence, _("Reason: {reason}").format(reason=data["because"]))
    override = _("Imposed: {sanction}; the foul book says: {proposed}. Reason: {reason}").format(
        sanction=sanction_text(Sanction.from_json(data["sanction"])),
        proposed=sanction_text(Sanction.from_json(data["proposed"])),
        reason=data["because"],
    )
    return sentences(sentence, override)


def _penalties_shown(words: LogWords, data: Data) -> str:
    everybody = _("Penalties are shown to everybody.")
    return str(everybody if data["public"] else _("Penalties are shown to organisers and umpires only."))


def _attendance_changed(words: LogWords, data: Data) -> str:
    credit = {
        Credit.NOBODY: _("A stand-in’s result does not count."),
        Credit.PLAYER: _("A stand-in’s result is the absent player’s."),
        Credit.STAND_IN: _("A stand-in who plays the whole session takes a place."),
    }
    start = _(
        "Starting points per session: {points}. A lateness penalty cannot exceed the points a player holds."
    )
    points = data.get("starting_points")
    return sentences(
        credit[Credit(data["stand_in"])],
        _("Withdrawn players keep a rank.")
        if data["withdrawn_ranked"]
        else _("Withdrawn players are not ranked."),
        _("Disqualified players are last, with 0 points.") if data.get("disqualified_ranked") else "",
        start.format(points=points) if points else "",
    )


def _committee_named(words: LogWords, data: Data) -> str:
    names = joined(map(words.user, data["committee"]))
    text = _("Committee for the appeal of {appellant}, {at}: {names}.")
    if not names:
        text = _("No committee for the appeal of {appellant}, {at}.")
    return words.fill(text, data, names=names)


@log_supplement
def _ruled_together(words: LogWords, data: Data) -> str:
    """Return the sentence about the committee of a ruling, or ""."""
    if "granted" not in data or not data.get("committee"):
        return ""
    return _("Ruled by a committee: {names}.").format(names=joined(map(words.user, data["committee"])))


def _appeal_opened(words: LogWords, data: Data) -> str:
    appellant = words.player(data["appellant"])
    if penalty := data.get("about_penalty"):
        text = _("Appeal: {player}, {at}, against the penalty of {offender} ({foul}): {text}")
        offender = words.player(penalty["player"])
        return words.fill(text, data, player=appellant, offender=offender, foul=words.foul(penalty["foul"]))
    if data["about_hand"] is None:
        return words.fill(_("Appeal: {player}, {at}: {text}"), data, player=appellant)
    return words.fill(
        _("Appeal: {player}, {at}, hand {hand}: {text}"), data, player=appellant, hand=data["about_hand"]
    )


def _appeal_ruled(words: LogWords, data: Data) -> str:
    granted, dismissed = (
        _("Appeal granted: {player}, {at}: {text}"),
        _("Appeal dismissed: {player}, {at}: {text}"),
    )
    ruled = words.fill(
        granted if data["granted"] else dismissed, data, player=words.player(data["appellant"])
    )
    because = data.get("alone_because")
    return sentences(
        ruled,
        _("Ruled by the person who took the decision: {because}").format(because=because) if because else "",
    )


def _ruling_waived(words: LogWords, data: Data) -> str:
    text = _("Granted appeal closed without a change: {player}, {at}. Reason: {reason}")
    return words.fill(text, data, player=words.player(data["appellant"]))


PENALTY_CANCELLED = LogAction(
    "penalty_cancelled",
    _("Penalty cancelled: {foul}, {player}, {at}. Reason: {reason}"),
    webhooks=(Notice(Kind.PENALTY, undone=True), Notice(Kind.STANDINGS_CHANGED)),
    news=_("Table {table}, penalty cancelled"),
    at_table=_("A penalty was cancelled."),
)
FOUL_CHANGED = LogAction("foul_changed", _("Foul changed: {foul}."))
FOUL_ADDED = LogAction("foul_added", _("House foul added: {foul}."))
FOUL_RESTORED = LogAction("foul_restored", _("Foul restored to the rulebook, or removed: {foul}."))
PENALTY_CREATED = LogAction(
    "penalty_given",
    _penalty_given,
    webhooks=(Notice(Kind.PENALTY), Notice(Kind.STANDINGS_CHANGED)),
    news=_("Table {table}, penalty"),
    at_table=_("A penalty was given."),
)
PENALTY_VISIBILITY_SET = LogAction("penalties_shown", _penalties_shown)
ATTENDANCE_CHANGED = LogAction("attendance_changed", _attendance_changed)
COMMITTEE_NAMED = LogAction("committee_named", _committee_named)
APPEAL_OPENED = LogAction("appeal_opened", _appeal_opened, webhooks=(Notice(Kind.APPEAL),))
APPEAL_RULED = LogAction("appeal_ruled", _appeal_ruled)
RULING_WAIVED = LogAction("ruling_waived", _ruling_waived)

register_section(
    "penalties",
    "play",
    30,
    _("Penalties and appeals"),
    "organiser_penalties",
    Right.READ,
    help="organisers/on-the-day/#penalties",
)
