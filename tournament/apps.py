"""The tournament room: people, sessions, tables, hands, standings."""

from django.apps import AppConfig


class TournamentConfig(AppConfig):
    name = "tournament"

    def ready(self) -> None:
        """What lies above hears of what is below: those who watch, phones and programs of writes, the book of fans."""
        from django.contrib.auth.signals import user_logged_in

        from scoring.book import made
        from tournament import tasks
        from tournament.accounts import visits
        from tournament.base import log
        from tournament.live.wake import notify
        from tournament.messages.push.services import after_write
        from tournament.messages.webhooks.post import post_entry
        from tournament.ranking.selectors.statistics import fans_made
        from tournament.site.texts import log as log_texts
        from tournament.site.texts import problems

        for texts in (log_texts, problems):
            assert texts, "entries of the log and problems have their sentences from here on"
        assert tasks, "the worker's tasks are known by their names from here on"
        log.hear(lambda tournament, _version, _action: notify(tournament))
        log.hear(after_write)
        log.write_beside(post_entry)
        made.answer_with(fans_made)
        user_logged_in.connect(visits.note_sign_in, dispatch_uid="visits")
