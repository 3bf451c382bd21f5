"""The Django app of everything about tournaments, one package per subject."""

from importlib import import_module
from pkgutil import walk_packages

from django.apps import AppConfig


class TournamentConfig(AppConfig):
    name = "tournament"

    def ready(self) -> None:
        """Register receivers of hooks: see `base/hooks.py`."""
        from django.contrib.auth.signals import user_logged_in

        from scoring.book import fans
        from tournament.accounts import visits
        from tournament.base import hooks
        from tournament.ema.selectors.results import unused_ema
        from tournament.fouls.api.appeals import fouls_at
        from tournament.fouls.selectors import penalties_section
        from tournament.fouls.services.appeals import settle_appeals_for_hand
        from tournament.live.wake import notify
        from tournament.messages.announcements.api import announcements_at
        from tournament.messages.announcements.selectors import announcement_ends, announcements_section
        from tournament.messages.push.services import notify_after_write
        from tournament.messages.webhooks.outbox import queue_deliveries
        from tournament.play.selectors.clock import change_times_of_sessions
        from tournament.ranking.selectors.standings import rank_changes
        from tournament.ranking.selectors.statistics import fan_counts
        from tournament.ranking.services import publish_club_evening
        from tournament.registration.selectors.plan import opening_times, unused_registration
        from tournament.registration.services.registrations import (
            copy_from_players,
            promote_from_waiting_list,
        )
        from tournament.screens.selectors import ceremony_banner
        from tournament.seating.selectors.draws import sessions_seated_by_standing
        from tournament.seating.selectors.finals import finalist_warning
        from tournament.site.display import bar_section

        for module in walk_packages([self.path], "tournament."):
            if ".texts" in module.name or module.name.endswith(".tasks"):
                import_module(module.name)  # log actions and tasks are found by their names from here on
        hooks.entry_written.register(queue_deliveries)
        hooks.entry_committed.register(lambda tournament, _version, _action: notify(tournament))
        hooks.entry_committed.register(notify_after_write)
        for moments in (change_times_of_sessions, announcement_ends, opening_times):
            hooks.moments.register(moments)
        for section in (penalties_section, announcements_section):
            hooks.page_sections.register(section)
        hooks.banners.register(ceremony_banner)
        hooks.organiser_sections.register(bar_section)
        for unused in (unused_registration, unused_ema):
            hooks.unused_sections.register(unused)
        for part in (fouls_at, announcements_at):
            hooks.table_state.register(part)
        hooks.session_closed.register(publish_club_evening)
        hooks.player_changed.register(copy_from_players)
        hooks.player_withdrawn.register(promote_from_waiting_list)
        hooks.hand_replaced.register(settle_appeals_for_hand)
        hooks.ranks_after.register(rank_changes)
        hooks.seated_by_standing.register(sessions_seated_by_standing)
        hooks.finalist_warnings.register(finalist_warning)
        fans.register_fan_statistics(fan_counts)
        user_logged_in.connect(visits.record_sign_in, dispatch_uid="visits")
