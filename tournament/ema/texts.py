"""Sentences about results for the European Mahjong Association."""

from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from typing import Final

from django.utils.formats import date_format, number_format
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from scoring.texts import joined
from tournament.base.access import Right
from tournament.base.engine.notices import Audience
from tournament.base.log_actions import Data, LogAction
from tournament.ema.engine.certification import Clause
from tournament.web.sections import register_section
from tournament.web.texts.log import LogWords


def _columns_set(words: LogWords, data: Data) -> str:
    text = ngettext(
        "The results file for the EMA has {n} column.",
        "The results file for the EMA has {n} columns.",
        data["columns"],
    )
    return text.format(n=data["columns"])


EMA_COLUMNS_SET = LogAction("ema_columns_set", _columns_set, audience=Audience.STAFF)


CERTIFICATION_FIELDS: Final[Mapping[str, Promise]] = {
    "applied_on": _("day of the application"),
    "is_national": _("national championship"),
    "observer": _("observer"),
    "observer_country": _("country of the observer"),
    "observer_named_on": _("observer named to the EMA on"),
}


def _certification_set(words: LogWords, data: Data) -> str:
    fields = joined(str(CERTIFICATION_FIELDS.get(name, name)) for name in data["fields"])
    return gettext("Certification by the EMA changed: {fields}.").format(fields=fields)


EMA_CERTIFICATION_SET = LogAction("ema_certification_set", _certification_set)


# --- The clauses of the certification ---


REQUIREMENTS: Final[Mapping[str, Promise]] = {
    "application": _(
        "The national association applies to the EMA with its form, 3 months to 1 year before the event."
    ),
    "national": _(
        "A national championship has two days or more, and a country has one in each calendar year."
    ),
    "coincidence": _(
        "At least 36 hours lie between this event and any other. Two events may coincide, unless one of them is a "
        "national championship; a third one needs the written consent of both."
    ),
    "protest": _(
        "The event is certified two weeks after the application, unless a member of the board protests."
    ),
    "members": _("At least 16 players are from member countries of the EMA; 80 at a European championship."),
    "local": _(
        "At a local or national event, at most half of the seats are kept for the national association of its country."
    ),
    "quotas": _("The quotas of a championship are final six months before."),
    "open": _("Players of the whole world may enter. A limit is named in the application."),
    "location": _("The place is easy to reach, by public transport or with enough parking."),
    "room": _(
        "The tables are at least 70 × 70 cm, and the hall has room to play in comfort and for umpires to pass "
        "between the players."
    ),
    "comfort": _(
        "The hall is quiet, and has fresh or cooled air in summer, heating in winter, a cloakroom, and enough toilets."
    ),
    "calendar": _("The EMA’s calendar has a link to the event page."),
    "page_place": _("The English event page has the name, the dates and the place."),
    "page_registration": _("The event page says how to register."),
    "page_fee": _("The event page has the fee."),
    "page_timetable": _("The event page has the timetable."),
    "page_prizes": _("The event page lists the prizes."),
    "page_umpires": _("The event page names the umpires."),
    "page_observer": _("The event page names the observer once known."),
    "page_participants": _("The event page shows the participants and is kept up to date."),
    "page_catering": _("The English event page describes the catering."),
    "page_travel": _("The English event page describes accommodation and transport."),
    "costs": _("The fee covers costs only."),
    "rule_set": _("The event is played by MCR with the EMA’s tournament regulations."),
    "sessions": _(
        "One day has at least 4 sessions of 90 minutes, two days 6 of 120 minutes, three days 9 of 120 minutes."
    ),
    "a_day": _("A day has at most 4 sessions."),
    "breaks": _("Breaks last at least 15 minutes."),
    "lunch": _("Lunch lasts at least 30 minutes."),
    "results_shown": _("Results are shown before the next session begins."),
    "countdown": _("The countdown can be seen from all tables."),
    "draw": _("Seats are drawn openly and at random, before players: at the start, or at an earlier event."),
    "tiles": _(
        "The tiles are standard, of a good size, alike at all tables, and preferably without Arabic numerals."
    ),
    "equipment": _(
        "There are tables and tiles with spares, a clock that all tables see, a gong, score sheets, a programme for "
        "each player, signs for each table and for East, and a computer for scores and results."
    ),
    "substitutes": _(
        "Substitutes are present. A substitute who plays from the first session on is asked before it "
        "whether the result shall count."
    ),
    "umpires_announced": _("The players learn the names of the umpires before the first session."),
    "umpires": _("There is an umpire for each 32 players."),
    "neutral": _(
        "Umpires are certified by the EMA and do not play. At national and European championships this is a must."
    ),
    "benefits": _(
        "Umpires are lodged from the night before the event to its last day, and are catered for as the players are."
    ),
    "observer": _("An observer is named to the EMA at least two weeks before the event."),
    "foreign_observer": _("The observer is from another country."),
    "observer_announced": _("The players learn the observer’s name at the beginning of the event."),
    "report": _("The observer reports to the EMA in English soon after the event."),
    "prizes": _(
        "The first three each get a prize. No prize is money or worth as much as money. Prizes for teams are customary."
    ),
    "results": _(
        "The organisers send the results in the EMA’s format, with EMA numbers, and answer for them."
    ),
}
"""Key of a clause → what the EMA asks for."""
FACTS: Final[Mapping[str, Promise]] = {
    "apply": _("Apply from {from_day} to {until_day}, then enter the day here."),
    "applied": _("Applied on {applied_day}; possible from {from_day} to {until_day}."),
    "no_coincidence": _("No other event on this server coincides. Check the EMA’s calendar too."),
    "coincides": _("It coincides with {names}. Check the EMA’s calendar for a third one."),
    "needs_consent": _(
        "It coincides with {names}. Attach the written consent of both to the application, unless yours is among the "
        "first two."
    ),
    "coincides_with_national": _(
        "It coincides with {names}, and one of them is a national championship: only the first to apply is certified."
    ),
    "national": _("Number of days: {n}. Name the championship in the application: later is too late."),
    "nationals": _("There is another one this year: {names}."),
    "not_national": _("This is not a national championship."),
    "not_applied": _("The two weeks begin with the application."),
    "protest_until": _("The two weeks end on {day}. Ask the EMA whether the event is certified."),
    "members": _("So far {n} of at least {need}."),
    "no_players": _("Nobody is entered yet."),
    "home": _(
        "{n} of {of} are from the country of the event. More may be, if half of the seats were open to all."
    ),
    "no_country": _("Enter the country on the event page."),
    "quotas": _("Publish the quotas in time. You can calculate them with “Seats by country”."),
    "open": _("Name any limit in the application, and do not reserve all places."),
    "private": _("Only your staff see the event. Make it public."),
    "location": _("Describe the way on the event page."),
    "room": _("Measure the tables, and plan the hall with aisles."),
    "comfort": _("Ask the venue."),
    "calendar": _("Send the address of the event page to the EMA."),
    "on_page": _("It is there."),
    "page_place": _("Enter venue and address."),
    "page_registration": _("Open the registration in Hule, or describe it."),
    "page_fee": _("Enter the fee under Registration."),
    "page_timetable": _("Plan the sessions under Timetable."),
    "page_prizes": _("Enter the prizes: the event page shows them."),
    "page_umpires": _("Enter the umpires on the event page."),
    "page_observer": _("Enter the observer here; the event page then shows the name."),
    "page_participants": _("Make the event public."),
    "page_catering": _("The English description does not mention catering."),
    "page_travel": _("The English description does not mention accommodation or transport."),
    "costs": _("Calculate the fee from the costs, and keep the accounts."),
    "rule_set": _("Rulebook and foul book are those of an EMA event."),
    "other_rule_set": _("Choose the rulebook MCR and the foul book MERS Tournament Regulations."),
    "sessions": _("{n} × {minutes} minutes; at least {need} × {need_minutes}."),
    "no_timetable": _("There is no timetable yet."),
    "a_day": _("Most sessions on one day: {n}."),
    "no_breaks": _("There is no such break in the timetable."),
    "shortest": _("Shortest break, in minutes: {n}."),
    "results_shown": _("Show the ranking on a screen, or print the standings after each session."),
    "countdown": _("Show the clock on screens that all tables can see."),
    "draw": _("Draw the seats before players. Print the draw certificate, which proves the draw."),
    "tiles": _(
        "Check the sets. Flowers, bamboo 1 and dot 1 may look different if they are easy to recognise."
    ),
    "equipment": _("Bring clock, gong and tiles. Print score sheets, seat cards and table numbers."),
    "substitutes": _("Substitutes entered: {n}. Ask each of them before the first session."),
    "umpires": _("Umpires on the team: {n} of at least {need}."),
    "playing_umpires": _("Umpires who also play: {n}."),
    "certified_umpires": _("No umpire plays. Ask each for the EMA’s certificate."),
    "benefits": _("Arrange rooms and meals for the umpires; a share of their travel is welcome."),
    "observer": _("{name}, named on {day}; due by {until_day}."),
    "name_observer": _("Name the observer to the EMA by {until_day}, then enter name and day here."),
    "no_observer": _("No observer is entered."),
    "observer_country": _("Enter the observer’s country here, and the event’s on the event page."),
    "foreign_observer": _("The observer is from another country than the event."),
    "home_observer": _("The observer is from the country of the event."),
    "report": _("Print “Observer’s report” after the event. It is filled in with what Hule knows."),
    "prizes": _("Each of the first three gets a prize; check that none is worth as much as money."),
    "no_prizes": _("Enter a prize for each of the first three."),
    "money_prizes": _("A prize is money: replace it."),
    "results_later": _("Send the file after the last session."),
    "results": _("Nothing is missing in the results."),
    "results_missing": _("Things that are missing in the results: {n}."),
}
"""Key of a fact → a sentence with its parameters; those that end with "day" are days."""


def fact_text(clause: Clause) -> str:
    """Return what is known about a clause, and what to do."""
    params = {
        name: date_format(date.fromordinal(value))
        if name.endswith("day")
        else joined(value)
        if isinstance(value, tuple)
        else value
        for name, value in clause.params.items()
    }
    return str(FACTS[clause.fact]).format(**params)


def weight_text(weight: Fraction) -> str:
    """Write a weight: 2.5, 3."""
    return number_format(float(weight), 0 if weight.denominator == 1 else 1)


register_section(
    "ema", "after", 20, _("EMA results"), "organiser_ema", Right.ORGANISE, help="organisers/ema/"
)
register_section(
    "certification",
    "before",
    45,
    _("EMA certification"),
    "organiser_certification",
    Right.ORGANISE,
    help="organisers/ema/#certification",
)
