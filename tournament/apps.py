"""The tournament room: people, sessions, tables, hands, standings."""

from django.apps import AppConfig


class TournamentConfig(AppConfig):
    name = "tournament"

    def ready(self) -> None:
        """What lies above hears of what is below: those who watch, phones and programs of writes, the book of fans."""
        from django.contrib.auth.signals import user_logged_in

        from scoring.book import made
        from tournament import log, tasks, visits
        from tournament.live import notify
        from tournament.push.queue import after_write
        from tournament.selectors.fans_made import fans_made
        from tournament.webhooks.post import post_entry

        assert tasks, "the worker's tasks are known by their names from here on"
        log.hear(lambda tournament, _version, _action: notify(tournament))
        log.hear(after_write)
        log.write_beside(post_entry)
        made.answer_with(fans_made)
        user_logged_in.connect(visits.note_sign_in, dispatch_uid="visits")
