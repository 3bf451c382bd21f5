"""The tournament room: people, sessions, tables, hands, standings."""

from django.apps import AppConfig


class TournamentConfig(AppConfig):
    name = "tournament"

    def ready(self) -> None:
        """What lies above hears of what is below: of writes those who watch and the phones, of fans made the book."""
        from django.contrib.auth.signals import user_logged_in

        from scoring.book import made
        from tournament import log, tasks, visits
        from tournament.live import notify
        from tournament.push.queue import after_write
        from tournament.selectors.fans_made import fans_made

        assert tasks, "the worker's tasks are known by their names from here on"
        log.hear(lambda tournament, _version, _action: notify(tournament))
        log.hear(after_write)
        made.answer_with(fans_made)
        user_logged_in.connect(visits.note_sign_in, dispatch_uid="visits")
