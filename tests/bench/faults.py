"""Never lose a hand: umpires write over HTTP, and retry as the page does, while one fault after the other comes.

    bin/bench faults [--faults 300] [--seed N] [--on sqlite|postgres|both]

After each fault every acknowledged write must be there exactly once, the standings what follows from the acknowledged
facts, the log whole, and every watcher at the newest version. Prints one JSON object; exits with 1 where that fails.
A third of the faults is on PostgreSQL and Redis of the bench's own, where they are installed.
"""

import json
import statistics
import sys
import time
from argparse import ArgumentParser
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from tests.bench._crew import Pace
from tests.bench._own_servers import are_installed, own_servers
from tests.bench._round import Round, plan
from tests.bench._server import Server, a_disk, fake_time
from tests.support.processes import Place

A_ROUND = 30
"""Faults of one event: its sixteen tables have hands for so many."""
IN_HASTE = Pace(patience=5, soon=0.2, late=1, thinks=0.05, line=0.2)
"""For a test: the same, with less waiting."""


@dataclass
class Tally:
    """What came of all rounds so far."""

    faults: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    acknowledged: int = 0
    overtaken: int = 0
    retried: Counter[str] = field(default_factory=Counter)
    looks: Counter[str] = field(default_factory=Counter)
    looks_failed: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    saved_again: list[tuple[str, float, float]] = field(default_factory=list)
    disks: set[str] = field(default_factory=set)

    def take(self, played: Round) -> None:
        self.acknowledged += len(played.ledger.known)
        self.overtaken += len(played.ledger.back)
        self.retried.update(played.ledger.retried)
        self.looks.update(played.readers.looks)
        for fault, reasons in played.readers.failed.items():
            self.looks_failed[fault] += reasons
        self.saved_again += played.saved_again
        self.disks.add(played.disk.kind)

    def told(self) -> dict[str, Any]:
        return {
            "faults": dict(self.faults),
            "acknowledged": self.acknowledged,
            "lost": sum("lost:" in one for one in self.wrong),
            "doubled": sum("doubled:" in one for one in self.wrong),
            "wrong": self.wrong,
            "overtaken": self.overtaken,
            "retried": dict(self.retried),
            "saved_again_s": {
                what: {
                    "after_first_answer": _figures([back for of, back, _ in self.saved_again if of == what]),
                    "after_kill": _figures([killed for of, _, killed in self.saved_again if of == what]),
                }
                for what in sorted({of for of, _, _ in self.saved_again})
            },
            "looks": dict(self.looks),
            "looks_failed": {fault: len(reasons) for fault, reasons in self.looks_failed.items()},
            "disk": sorted(self.disks),
        }


def _figures(seconds: list[float]) -> dict[str, float]:
    if not seconds:
        return {}
    return {
        "times": len(seconds),
        "median": round(statistics.median(seconds), 2),
        "worst": round(max(seconds), 2),
    }


def play(
    tally: Tally, seed: str, faults: int, *, on_postgres: bool, pace: Pace, static: Path, **more: Any
) -> None:
    """One event with so many faults. `static`: where static files are, or will be. `more`: how long faults last."""
    random = Random(seed)
    with a_round(random, on_postgres=on_postgres, pace=pace, static=static, **more) as played:
        for fault in plan(random, faults, on_postgres=on_postgres):
            began = time.monotonic()
            wrong = played.endure(fault)
            tally.faults[fault.__name__] += 1
            tally.wrong += [f"{seed}, {fault.__name__}: {one}" for one in wrong]
            _say(f"{seed} {fault.__name__}: {time.monotonic() - began:.1f} s", *wrong)
            if wrong:
                break
        tally.take(played)


@contextmanager
def a_round(random: Random, *, on_postgres: bool, pace: Pace, static: Path, **more: Any) -> Iterator[Round]:
    with ExitStack() as at_end:
        disk = at_end.enter_context(a_disk())
        words = Path(at_end.enter_context(TemporaryDirectory(prefix="hule-words-")))
        settings = {"STATIC_ROOT": str(static)}
        if on_postgres:
            more["postgres"], more["redis"] = at_end.enter_context(own_servers())
            settings |= {"DATABASE_URL": more["postgres"].url, "REDIS_URL": more["redis"].url}
        place = Place(disk.folder, settings)
        at_end.callback(place.close)
        place.migrate()
        server = Server(place, words / "words")
        at_end.callback(server.end)
        played = Round(place, disk, server, pace, random, **more)
        at_end.callback(played.close)
        yield played


def _say(*lines: str) -> None:
    print(*lines, sep="\n  ", file=sys.stderr, flush=True)


def main() -> None:
    asked = ArgumentParser(prog="bin/bench faults")
    asked.add_argument("--faults", type=int, default=300)
    asked.add_argument("--seed", type=int, default=None)
    asked.add_argument("--on", choices=("sqlite", "postgres", "both"), default="both")
    words = asked.parse_args()
    seed = words.seed if words.seed is not None else Random().randrange(10**6)
    _say(f"seed {seed}")
    tallies: defaultdict[str, Tally] = defaultdict(Tally)
    with TemporaryDirectory(prefix="hule-static-") as static:
        for at, faults in enumerate(_rounds(words.faults)):
            on_postgres = words.on == "postgres" or (words.on == "both" and at % 3 == 2 and are_installed())
            tally = tallies["postgres" if on_postgres else "sqlite"]
            where = Path(static) / "static"
            play(tally, f"{seed}-{at}", faults, on_postgres=on_postgres, pace=Pace(), static=where)
    clock = "off by an hour" if fake_time(0) else "left alone: libfaketime is not installed"
    found = {on: tally.told() for on, tally in tallies.items()}
    print(json.dumps({"benchmark": "faults", "seed": seed, "clock": clock} | found))
    sys.exit(any(tally.wrong for tally in tallies.values()))


def _rounds(faults: int) -> list[int]:
    return [A_ROUND] * (faults // A_ROUND) + [faults % A_ROUND] * bool(faults % A_ROUND)


if __name__ == "__main__":
    main()
