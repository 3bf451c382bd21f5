"""No hand is lost: faults are injected while umpires write over HTTP and retry as the desk does.

    bin/bench faults [--faults 300] [--seed N] [--on sqlite|postgres|both]

After each fault every acknowledged write has to be stored exactly once, the standings have to follow from the
acknowledged writes, the log has to be intact, and every watcher has to be at the newest version. Prints one JSON
object; exits with 1 otherwise. A third of the faults is injected on PostgreSQL and Redis, if they are installed.
"""

import json
import statistics
import sys
import time
from argparse import ArgumentParser
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from tests.bench._crew import Pace
from tests.bench._own_servers import are_installed, own_servers
from tests.bench._round import Fault, Round, plan
from tests.bench._server import Server, fake_time, make_disk
from tests.support.processes import Place

FAULTS_PER_ROUND = 30
"""The sixteen tables of an event have enough hands for these."""
FAST_PACE = Pace(timeout=3, first_retry=0.2, last_retry=1, between_writes=0.05, reconnect=0.2)
"""Short delays, for a test."""


@dataclass
class Tally:
    """The sum of all rounds."""

    faults: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    acknowledged: int = 0
    overtaken: int = 0
    retried: Counter[str] = field(default_factory=Counter)
    reads: Counter[str] = field(default_factory=Counter)
    reads_failed: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    save_delays: list[tuple[str, float, float]] = field(default_factory=list)
    disks: set[str] = field(default_factory=set)

    def add(self, played: Round) -> None:
        self.acknowledged += len(played.ledger.acknowledged)
        self.overtaken += len(played.ledger.refused)
        self.retried.update(played.ledger.retried)
        self.reads.update(played.readers.requests)
        for fault, reasons in played.readers.failed.items():
            self.reads_failed[fault] += reasons
        self.save_delays += played.save_delays
        self.disks.add(played.disk.kind)

    def to_json(self) -> dict[str, Any]:
        return {
            "faults": dict(self.faults),
            "acknowledged": self.acknowledged,
            "lost": sum("lost:" in problem for problem in self.problems),
            "doubled": sum("doubled:" in problem for problem in self.problems),
            "wrong": self.problems,
            "overtaken": self.overtaken,
            "retried": dict(self.retried),
            "saved_again_s": {
                what: {
                    "after_first_answer": _figures(
                        [seconds for killed, seconds, _ in self.save_delays if killed == what]
                    ),
                    "after_kill": _figures(
                        [seconds for killed, _, seconds in self.save_delays if killed == what]
                    ),
                }
                for what in sorted({killed for killed, _, _ in self.save_delays})
            },
            "looks": dict(self.reads),
            "looks_failed": {fault: len(reasons) for fault, reasons in self.reads_failed.items()},
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


def play(tally: Tally, seed: str, faults: Sequence[Fault], **options: Any) -> None:
    """Play one event with these faults. `options`: those of `make_round`."""
    with make_round(Random(seed), **options) as played:
        for fault in faults:
            began = time.monotonic()
            problems = played.endure(fault)
            tally.faults[fault.__name__] += 1
            tally.problems += [f"{seed}, {fault.__name__}: {problem}" for problem in problems]
            _log(f"{seed} {fault.__name__}: {time.monotonic() - began:.1f} s", *problems)
            if problems:
                break
        tally.add(played)


@contextmanager
def make_round(
    random: Random,
    *,
    on_postgres: bool,
    pace: Pace,
    static: Path,
    prepare: Callable[[Place], None] = Place.migrate,
    **options: Any,
) -> Iterator[Round]:
    """Start an event. `static`: the folder of the static files. `prepare`: makes the tables. `options`: of `Round`."""
    with ExitStack() as stack:
        disk = stack.enter_context(make_disk())
        log_folder = Path(stack.enter_context(TemporaryDirectory(prefix="hule-log-")))
        settings = {"STATIC_ROOT": str(static)}
        if on_postgres:
            options["postgres"], options["redis"] = stack.enter_context(own_servers())
            settings |= {"DATABASE_URL": options["postgres"].url, "REDIS_URL": options["redis"].url}
        place = Place(disk.folder, settings)
        stack.callback(place.close)
        prepare(place)
        server = Server(place, log_folder / "log")
        stack.callback(server.end)
        played = Round(place, disk, server, pace, random, **options)
        stack.callback(played.close)
        yield played


def _log(*lines: str) -> None:
    print(*lines, sep="\n  ", file=sys.stderr, flush=True)


def main() -> None:
    parser = ArgumentParser(prog="bin/bench faults")
    parser.add_argument("--faults", type=int, default=300)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--on", choices=("sqlite", "postgres", "both"), default="both")
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else Random().randrange(10**6)
    _log(f"seed {seed}")
    tallies: defaultdict[str, Tally] = defaultdict(Tally)
    with TemporaryDirectory(prefix="hule-static-") as folder:
        for n, faults in enumerate(_rounds(options.faults)):
            on_postgres = options.on == "postgres" or (
                options.on == "both" and n % 3 == 2 and are_installed()
            )
            tally = tallies["postgres" if on_postgres else "sqlite"]
            static, name = Path(folder) / "static", f"{seed}-{n}"
            planned = plan(Random(name), faults, on_postgres=on_postgres)
            play(tally, name, planned, on_postgres=on_postgres, pace=Pace(), static=static)
    clock = "off by an hour" if fake_time(0) else "left alone: libfaketime is not installed"
    results = {database: tally.to_json() for database, tally in tallies.items()}
    print(json.dumps({"benchmark": "faults", "seed": seed, "clock": clock} | results))
    sys.exit(any(tally.problems for tally in tallies.values()))


def _rounds(faults: int) -> list[int]:
    """Return the number of faults of each round."""
    full, rest = divmod(faults, FAULTS_PER_ROUND)
    return [FAULTS_PER_ROUND] * full + [rest] * bool(rest)


if __name__ == "__main__":
    main()
