"""Template tags of public and organiser's pages: navigation, penalties, changes, seats."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from penalties.engine import Sanction
from penalties.models import Penalty
from penalties.texts import foul_name_in, sanction_text
from scoring.texts import joined_parts
from tournament.base.engine.rules import WINDS
from tournament.base.log_actions import ACTIONS
from tournament.base.models.play import Hand
from tournament.base.models.tournament import Membership, Tournament
from tournament.play.display import fans_counted
from tournament.play.selectors.public import Change
from tournament.play.selectors.tables import SeatNow, TableNow
from tournament.play.selectors.totals import ListedHand, NotedHand
from tournament.staff.models import Invitation
from tournament.web.forms import numbers_text
from tournament.web.sections import NavGroup, find_section, nav_groups
from tournament.web.texts.log import override_text, where_text
from tournament.web.texts.words import days_text, percent_of, weekday, when
from tournament.web.views import rights_of

register = template.Library()
register.filter(numbers_text)
register.filter(weekday)
register.filter(when)
register.filter("fans_counted", fans_counted)
register.filter("percent_of", percent_of)


@register.inclusion_tag("web/_nav_groups.html", takes_context=True)
def organiser_nav(
    context: template.Context, tournament: Tournament, groups: Sequence[NavGroup], section: str
) -> dict[str, Any]:
    """Render the navigation of organiser's pages with its `marks`; `section` is the current one."""
    path, marks = context["request"].path, context.get("marks") or {}
    here = row.group if (row := find_section(section)) else ""
    return {
        "name": tournament.name,
        "groups": [
            {
                "name": group.name,
                "url": group.url,
                "is_here": group.key == here,
                "links": [
                    {
                        "name": link.name,
                        "url": link.url,
                        "mark": marks.get(link.key),
                        "is_here": link.key == section,
                        "is_page": link.url == path,
                    }
                    for link in group.links
                ],
            }
            for group in groups
        ],
    }


@register.inclusion_tag("web/_nav_groups.html", takes_context=True)
def error_nav(context: template.Context) -> dict[str, Any]:
    """Render the navigation of the event in whose pages an error happened, for those with a role in it."""
    request: Any = context.get("request")
    match = re.match(r"/organiser/([-\w]+)/", request.path) if hasattr(request, "user") else None
    event = Tournament.objects.filter(slug=match[1]).first() if match else None
    groups = nav_groups(event, rights_of(request, event)) if event else []
    return organiser_nav(context, event, groups, "") if event and groups else {}


@register.filter
def help_of(section: str) -> str:
    """Return where the documentation describes a section, below `/help/`."""
    row = find_section(section)
    return row.help if row else "organisers/first-tournament/"


@register.filter
def how_won(hand: ListedHand) -> str:
    """Return "from" and the discarder, "self-drawn", or where a hand without either was noted."""
    if isinstance(hand, NotedHand):
        return _("recorded on the sheet")
    return _("from %(name)s") % {"name": hand.discarder.name} if hand.discarder else _("self-drawn")


FIGURES = {
    "repeats": gettext_lazy("Repeat meetings"),
    "repeats_minimum": gettext_lazy("The fewest that are possible"),
    "most_meetings": gettext_lazy("Most meetings of any two players"),
    "wind_spread": gettext_lazy("Largest difference in starting winds"),
    "table_most": gettext_lazy("Sessions at the same table, at most"),
    "team_meetings": gettext_lazy("Meetings of team-mates"),
    "club_meetings": gettext_lazy("Meetings of club-mates"),
    "country_meetings": gettext_lazy("Meetings of compatriots"),
}
"""Names of the figures of a draw's certificate."""


@register.filter
def figure_name(name: str) -> str:
    return str(FIGURES[name])


@register.filter
def invited_where(invitation: Invitation) -> str:
    """Return where an invitation is for, as `scope_text`."""
    tables = [(session, table) for table in invitation.tables for session in invitation.sessions or [0]]
    every = bool(tables) and not invitation.sessions
    return where_text(
        [] if tables else invitation.sessions, tables, every_session=every, role=invitation.role
    )


@register.filter
def as_list(value: object) -> list[object]:
    """Return the value of a form's field as a list."""
    return list(value) if isinstance(value, list | tuple) else [value]


@register.filter
def scope_text(umpire: Membership) -> str:
    """Return where an umpire may write: "all tables", "session 4: tables 1, 2", "table 3 in every session"."""
    if umpire.table_number is not None:
        return where_text([], [(0, umpire.table_number)], every_session=True)
    sessions = [session.number for session in umpire.sessions.all()]
    tables = [(table.session.number, table.number) for table in umpire.tables.all()]
    if not (umpire.everywhere or sessions or tables):
        return _("nowhere: its tables no longer exist")
    return where_text(sessions, tables, every_session=umpire.every_session, role=umpire.role)


@register.inclusion_tag("web/_nav.html")
def tournament_nav(tournament: Tournament, page_context: Mapping[str, Any], here: str = "") -> dict[str, Any]:
    """Render the links to a tournament's pages; `here` is the current one."""
    links = [
        ("tournament", _("Tournament"), reverse("tournament", args=[tournament.slug])),
        ("ranking", _("Ranking"), reverse("ranking", args=[tournament.slug])),
    ]
    if page_context["session"] is not None:
        links.append(
            (
                "session",
                _("Tables"),
                reverse("session_page", args=[tournament.slug, page_context["session"].number]),
            )
        )
    links += [
        ("draw", _("Draw"), reverse("draw_page", args=[tournament.slug])),
        ("players", _("Players"), reverse("players_page", args=[tournament.slug])),
    ]
    if page_context["is_registering"]:
        links.append(("register", _("Registration"), reverse("register", args=[tournament.slug])))
    if page_context["has_penalties"]:
        links.append(("penalties", _("Penalties"), reverse("penalties_page", args=[tournament.slug])))
    return {"links": links, "here": here}


@register.filter
def in_list(number: int) -> list[int]:
    """Return a list of one number."""
    return [number]


@register.filter
def override_of(hand: Hand) -> str:
    """Return a sentence for an umpire's decision to count the announcement."""
    return capfirst(override_text(hand.points_by_tiles, hand.overridden_because))


@register.filter
def foul_of(penalty: Penalty) -> str:
    """Return the name of a penalty's foul."""
    return foul_name_in(penalty.tournament.rules.fouls, penalty.foul)


@register.filter
def sanction_of(penalty: Penalty) -> str:
    """Return the sanction imposed."""
    return sanction_text(Sanction.from_json(penalty.sanction))


@register.simple_tag
def imposed(penalty: Penalty) -> SafeString:
    """Render the sanction, struck out if the penalty was cancelled."""
    return format_html("<s>{}</s>" if penalty.is_cancelled else "{}", sanction_of(penalty))


@register.simple_tag
def foul_and_sanction(penalty: Penalty) -> SafeString:
    """Render foul, sanction and, if points went to somebody, their name."""
    to = _(" (%(name)s)") % {"name": penalty.victim.name} if penalty.victim else ""
    return format_html("{}{}{}{}", foul_of(penalty), _(", "), imposed(penalty), to)


@register.filter
def proposal_of(penalty: Penalty) -> str:
    """Return the sanction that the foul book proposed."""
    return sanction_text(Sanction.from_json(penalty.proposed or {}))


@register.filter
def change_text(change: Change) -> str:
    """Return the last write in a few words: "Table 2, hand 6"."""
    news = str(ACTIONS[change.action].news)
    return news.format(table=change.table, hand=change.hand, session=change.session)


@register.filter
def described(tournament: Tournament) -> str:
    """Return a tournament in one line: name, days and venue."""
    parts = (tournament.name, days(tournament), tournament.venue)
    return joined_parts(part for part in parts if part)


@register.filter
def days(tournament: Tournament) -> str:
    """Return the days of a tournament."""
    return days_text(tournament.starts_on, tournament.ends_on)


@register.filter
def began(at: datetime, planned: datetime) -> str:
    """Return when a session began: 14:12, with the day if it differs from the planned one."""
    local = localtime(at)
    if local.date() == localtime(planned).date():
        return f"{local:%H:%M}"
    return f"{weekday(local.date())} {local:%H:%M}"


@register.filter
def starting_seats(now: TableNow) -> list[SeatNow]:
    """Return the seats ordered by starting wind."""
    return sorted(now.seats, key=lambda seat: WINDS.index(seat.start_wind))


@register.filter
def picture_seats(now: TableNow) -> list[dict[str, Any]]:
    """Return the seats for `table_picture`, each with a link to its player."""
    slug = now.table.session.tournament.slug
    return [
        {
            "position": seat.side,
            "wind": seat.wind,
            "name": seat.player.name,
            "player": seat.player,
            "stand_in": seat.stand_in,
            "score": seat.score,
            "url": reverse("player_page", args=[slug, seat.player.number]),
        }
        for seat in now.seats
    ]
