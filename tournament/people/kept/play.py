"""Of the event: what was played, decided, said and written down."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

from tournament.people.kept.declared import PLAY, RULES, WHO_WROTE, Kept, nobodys, players, staffs

OF_PLAY: Final[dict[str, tuple[Kept, ...]]] = {
    "tournament.Seat": (
        players(
            "table wind game_points hands_won wins_by_discard deal_ins",
            _("Where you sat and your results"),
            PLAY,
            public=True,
        ),
        players("stand_in stand_in_from", _("The name of who played in somebody’s place"), PLAY, public=True),
        nobodys("id player"),
    ),
    "tournament.Hand": (
        players(
            "table number outcome winner discarder tiles announced points fans payments claimants absent recorded_at",
            _("The hands you won, and those you dealt into"),
            PLAY,
            public=True,
        ),
        players("reason overridden_because", _("Why a hand was corrected"), RULES, public=True),
        staffs("recorded_by", _("Who recorded a hand"), WHO_WROTE),
        nobodys(
            "id uuid points_without_flowers points_by_tiles scored_by version is_current replaces deepens"
        ),
    ),
    "tournament.Totals": (
        players(
            "table points payments wins deal_ins hands best recorded_at",
            _("Your totals, where the sheet was kept on paper"),
            PLAY,
            public=True,
        ),
        players("reason", _("Why totals were corrected"), RULES, public=True),
        staffs("recorded_by settled_by", _("Who typed totals, or settled a difference"), WHO_WROTE),
        nobodys("id uuid version is_current replaces is_second settled_as settled_at"),
    ),
    "penalties.Penalty": (
        players(
            "table player victim foul hand_number facts occurrence sanction proposed effects given_at cancelled_at",
            _("Penalties"),
            RULES,
            public=True,
        ),
        players("because note cancelled_because", _("What was noted about a penalty"), RULES),
        staffs("given_by cancelled_by", _("Who gave a penalty or took it back"), WHO_WROTE),
        nobodys("id tournament uuid"),
    ),
    "tournament.Absence": (
        players("table since arrived_at taken_back_at begun_because", _("When you were late"), RULES),
        nobodys("id player uuid"),
    ),
    "tournament.Appeal": (
        players(
            "table hand_number text opened_at granted ruling ruled_at alone_because settled_as settled_at "
            "settled_because",
            _("Appeals and rulings"),
            RULES,
            public=True,
        ),
        staffs(
            "opened_by ruled_by settled_by committee",
            _("Who took up an appeal, and who ruled on it"),
            WHO_WROTE,
        ),
        nobodys("id uuid player penalty"),
    ),
    "tournament.Signature": (
        players("table sheet signed_at void_at void_because", _("What you signed, and when"), RULES),
        staffs("recorded_by", _("On whose device a sheet was signed"), WHO_WROTE),
        nobodys("id player"),
    ),
    "tournament.LogEntry": (
        players(
            "data texts",
            _("Entries of the log that name you by number, and what was typed in them"),
            WHO_WROTE,
        ),
        staffs(
            "actor actor_code", _("Who wrote an entry of the log, by the number of the account"), WHO_WROTE
        ),
        nobodys("id tournament seq public_seq at action previous_hash hash"),
    ),
    "tournament.Announcement": (
        players(
            "text translations",
            _("Announcements, which may call somebody by name"),
            _("to tell the hall"),
            public=True,
        ),
        staffs("made_by", _("Who made an announcement"), WHO_WROTE),
        nobodys("id tournament uuid tables session made_at ends_at withdrawn_at"),
    ),
    "tournament.Ceremony": (
        players("lines", _("The places as they were read out"), PLAY, public=True),
        staffs("started_by", _("Who held a ceremony"), WHO_WROTE),
        nobodys("id tournament kind first told started_at ended_at"),
    ),
    "tournament.Publication": (
        players("rows", _("The standings as they were published, by number"), PLAY, public=True),
        staffs("published_by", _("Who published standings"), WHO_WROTE),
        nobodys("id tournament version after_session is_final published_at"),
    ),
    "tournament.DocumentJob": (
        players("file", _("Standings as a document, with names"), _("to be printed and put up"), public=True),
        staffs("requested_by", _("Who asked for a document"), WHO_WROTE),
        nobodys(
            "id session site state done_steps steps error requested_at finished_at tournament kind language second "
            "paper standings_version standings_state edition digest"
        ),
    ),
    "tournament.Final": (
        players("groups", _("Who is in a final, by number"), PLAY, public=True),
        nobodys("id tournament after_session carry"),
    ),
    "tournament.Table": (
        staffs("in_by", _("Who handed a sheet in"), WHO_WROTE),
        nobodys("id session number version hands_played counts_totals on_paper is_in extra_minutes in_at"),
    ),
    "tournament.Call": (
        staffs("taken_by", _("Who went to a table that called"), WHO_WROTE),
        nobodys("id table topic called_at taken_at done_at"),
    ),
    "tournament.Puzzle": (
        staffs("made_by", _("Who added a puzzle"), WHO_WROTE),
        nobodys("id tournament uuid record made_at"),
    ),
    "tournament.TrialJob": (
        staffs("requested_by", _("Who tried Hule out"), WHO_WROTE),
        nobodys("id state done_steps steps error requested_at finished_at tournament players"),
    ),
    "tournament.Tournament": (
        nobodys(
            "id slug name venue starts_on ends_on rulebook rules_snapshot sessions_planned minutes time_zone is_public "
            "appeal_minutes penalties_public on_paper is_trial draw_seed version public_version log_head created_at"
        ),
    ),
    "tournament.Session": (
        nobodys("id tournament number state started_at closed_at extra_minutes pauses hidden on_paper"),
    ),
    "tournament.Arrival": (
        staffs("by", _("Who brought an event here from a file"), WHO_WROTE),
        nobodys("id tournament version head at"),
    ),
    "tournament.FormerAccount": (
        staffs(
            "account user", _("Who wrote in an event that came from elsewhere, by name and number"), WHO_WROTE
        ),
        nobodys("id tournament uuid until"),
    ),
    "tournament.Extension": (nobodys("id tournament name spec_url data"),),
    "tournament.Screen": (nobodys("id tournament name turns since only page turn steered_at"),),
    "tournament.TimetableItem": (nobodys("id tournament uuid session title day starts ends"),),
}
