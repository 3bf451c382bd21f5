"""Score recorded games of other programs, and print where they differ."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from scoring.engine import RULEBOOKS, WINDS, Rulebook, find_rulebook, to_text
from scoring.games import Deal, Judgement, UnreadableGame, judge, read
from scoring.texts import difference_sentence, fan_name, joined, problem_sentence

LARGEST = 500_000_000
"""Bytes of a file; the collection of 98,209 deals has 150 million."""


class Command(BaseCommand):
    help = (
        "Scores games recorded by other programs anew (docs/api/games.md) and prints each win as recorded and as "
        "scored, with every difference and its reason. Exits with 1 when there is one."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE")
        parser.add_argument(
            "--rulebook",
            choices=[rulebook.key for rulebook in RULEBOOKS],
            default="botzone",
            help="the rules it was played by; default botzone",
        )
        parser.add_argument("--differing", action="store_true", help="print only wins that differ")

    def handle(self, *, files: list[str], rulebook: str, differing: bool, **options: Any) -> None:
        rules = find_rulebook(rulebook)
        wins = draws = differ = unreadable = 0
        for file in files:
            for outcome in _judge_file(Path(file), rules):
                if isinstance(outcome, UnreadableGame):
                    unreadable += 1
                    self.stderr.write(_error_text(outcome), self.style.ERROR)
                elif outcome.win is None:
                    draws += 1
                else:
                    wins, differ = wins + 1, differ + (not outcome.agrees)
                    if not (differing and outcome.agrees):
                        self.stdout.write("\n".join(_lines(outcome)))
        self.stdout.write(f"{wins} wins, {draws} draws, {differ} differ, {unreadable} unreadable")
        if differ or unreadable:
            raise CommandError("Not everything agrees.", returncode=1)


def _judge_file(path: Path, rulebook: Rulebook) -> Iterator[Judgement | UnreadableGame]:
    """Yield the judgement of every deal in a file, or why it cannot be read."""
    try:
        if path.stat().st_size > LARGEST:
            raise CommandError(f"{path}: more than {LARGEST // 1_000_000} MB")
        deals = read(path.read_text("utf-8"), path.name)
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{path}: {error}") from None
    except UnreadableGame as error:
        yield error
        return
    for deal in deals:
        try:
            yield judge(deal, rulebook)
        except UnreadableGame as error:
            yield error


def _error_text(error: UnreadableGame) -> str:
    where = error.problem.where
    return f"{where}: {problem_sentence(error.problem)}" if where else problem_sentence(error.problem)


def _lines(outcome: Judgement) -> Iterator[str]:
    win, explanation = outcome.win, outcome.explanation
    assert win is not None
    assert explanation is not None
    score = explanation.score
    way = "self-drawn" if win.discarder is None else f"from {WINDS[win.discarder]}"
    yield f"{outcome.deal.identity}: {WINDS[win.winner]} {way}: {to_text(win.hand)}"
    yield f"  recorded {_recorded(outcome.deal)}"
    counted = joined(f"{fan_name(line.fan)} ×{line.count}" for line in score.fans)
    yield f"  scored   {score.points}: {counted}"
    for difference in outcome.differences:
        yield f"  differs: {difference_sentence(difference.to_json())}"
    for name in outcome.unknown:
        yield f"  differs: “{name}” is no fan of these rules."
    if outcome.payments_differ and outcome.deal.recorded:
        yield f"  differs: paid {outcome.deal.recorded.payments}"


def _recorded(deal: Deal) -> str:
    if deal.recorded is None:
        return "–"
    match_fans = joined(f"{name} ×{times}" for name, times in deal.recorded.fans.items())
    return f"{deal.recorded.points}: {match_fans}"
