"""Score recorded games of other programs anew, and say where they differ."""

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
        "Reads games recorded by other programs (docs/games.md), plays each deal over and prints its win as recorded "
        "and as scored, with every difference and its reason. Ends with 1 when there is one."
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
        wins = draws = differ = unread = 0
        for file in files:
            for found in _judged(Path(file), rules):
                if isinstance(found, UnreadableGame):
                    unread += 1
                    self.stderr.write(_refusal(found), self.style.ERROR)
                elif found.win is None:
                    draws += 1
                else:
                    wins, differ = wins + 1, differ + (not found.agrees)
                    if not (differing and found.agrees):
                        self.stdout.write("\n".join(_lines(found)))
        self.stdout.write(f"{wins} wins, {draws} draws, {differ} differ, {unread} unreadable")
        if differ or unread:
            raise CommandError("Not everything agrees.", returncode=1)


def _judged(path: Path, rulebook: Rulebook) -> Iterator[Judgement | UnreadableGame]:
    """Every deal of a file; one that cannot have been so keeps nobody from the next."""
    try:
        if path.stat().st_size > LARGEST:
            raise CommandError(f"{path}: more than {LARGEST // 1_000_000} MB")
        deals = read(path.read_text("utf-8"), path.name)
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{path}: {error}") from None
    except UnreadableGame as refused:
        yield refused
        return
    for deal in deals:
        try:
            yield judge(deal, rulebook)
        except UnreadableGame as refused:
            yield refused


def _refusal(refused: UnreadableGame) -> str:
    where = refused.problem.where
    return f"{where}: {problem_sentence(refused.problem)}" if where else problem_sentence(refused.problem)


def _lines(found: Judgement) -> Iterator[str]:
    won, explanation = found.win, found.explanation
    assert won is not None
    assert explanation is not None
    score = explanation.score
    way = "self-drawn" if won.discarder is None else f"from {WINDS[won.discarder]}"
    yield f"{found.deal.identity}: {WINDS[won.winner]} {way}: {to_text(won.hand)}"
    yield f"  recorded {_recorded(found.deal)}"
    counted = joined(f"{fan_name(line.fan)} ×{line.count}" for line in score.fans)
    yield f"  scored   {score.points}: {counted}"
    for difference in found.differences:
        yield f"  differs: {difference_sentence(difference.to_json())}"
    for name in found.unknown:
        yield f"  differs: “{name}” is no fan of these rules."
    if found.payments_differ and found.deal.recorded:
        yield f"  differs: paid {found.deal.recorded.payments}"


def _recorded(deal: Deal) -> str:
    if deal.recorded is None:
        return "–"
    match_fans = joined(f"{name} ×{times}" for name, times in deal.recorded.fans.items())
    return f"{deal.recorded.points}: {match_fans}"
