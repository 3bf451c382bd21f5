"""How fast hands are scored, beside PyMahjongGB where it is installed (`bin/setup --bench`).

Both sides go from the same parsed records to ``{fan name: count}`` and points, each through a tight adapter, on hands
that neither has met in this process; then again, warm. Prints one JSON object. Times are of the processor, so other
programs on the machine disturb the ratios little.
"""

import gc
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from tests.scoring import pymahjonggb
from tests.scoring.pymahjonggb import Answer, Record
from tests.scoring.random_hands import random_record

SEED, HANDS, WARM_UP, LOT = 20_261_121, 20_000, 200, 500
Side = Callable[[Record], Answer]


def ours() -> Side:
    """The engine, from a record to fans and points."""
    from scoring.engine import Fan, Hand
    from scoring.engine.score import score

    flower = Fan.FLOWER_TILES.en

    def answer(record: Record) -> Answer:
        found = score(Hand.from_json(record))
        fans = {fan.en: count for fan, count in found.counts}
        if found.hand.flowers:
            fans[flower] = found.hand.flowers
        return fans, found.points

    return answer


def seconds(sides: list[Side], records: list[Record]) -> list[float]:
    """The processor time each side takes for all records, turn by turn in small lots: a busy machine slows both.

    Who comes second finds the records in the processor's cache, so the sides take turns at that too.
    """
    taken = [0.0] * len(sides)
    turn = list(enumerate(sides))
    for first in range(0, len(records), LOT):
        turn.reverse()
        for place, answer in turn:
            start = time.process_time()
            for record in records[first : first + LOT]:
                answer(record)
            taken[place] += time.process_time() - start
    return taken


def latencies_us(answer: Side, records: list[Record]) -> list[float]:
    """The time of each answer, in order of size."""
    times = []
    for record in records:
        start = time.perf_counter_ns()
        answer(record)
        times.append((time.perf_counter_ns() - start) / 1000)
    return sorted(times)


def in_a_process_of_its_own(program: str, runs: int) -> float:
    """The least of some runs of a program that prints a number. Bytecode is kept from run to run, as it usually is."""
    with TemporaryDirectory() as kept:
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        environment["PYTHONPYCACHEPREFIX"] = kept
        command = [sys.executable, "-c", program]
        done = [
            subprocess.run(command, env=environment, capture_output=True, check=True) for _ in range(runs)
        ]
    return min(float(run.stdout) for run in done)


IMPORT_MS = (
    "import time; t = time.process_time(); import scoring.engine; print(1000 * (time.process_time() - t))"
)
PEAK_MB = f"""
from pathlib import Path
from random import Random
def peak():
    status = Path("/proc/self/status").read_text().split()
    return int(status[status.index("VmHWM:") + 1]) / 1024
import json, dataclasses, enum, re
before = peak()
from scoring.engine import Hand, score
from tests.scoring.random_hands import random_record
random = Random({SEED})
for _ in range({HANDS}):
    score(Hand.from_json(random_record(random)))
print(peak() - before)
"""
"""Memory beyond that of the interpreter after as many hands, on Linux."""


def measure() -> dict[str, Any]:
    """The figures of one run."""
    random = Random(SEED)
    warm_up, fresh, other = (
        [random_record(random) for _ in range(many)] for many in (WARM_UP, HANDS, HANDS // 4)
    )
    us, them = ours(), pymahjonggb.scorer() if pymahjonggb.is_installed() else None
    sides = [us, them] if them else [us]
    gc.collect()
    gc.freeze()  # the records themselves are no business of either side's garbage collection
    seconds(sides, warm_up)
    first, again = seconds(sides, fresh), seconds(sides, fresh)
    times = latencies_us(us, other)
    figures: dict[str, Any] = {
        "bench": "scoring",
        "hands_per_second": round(HANDS / first[0]),
        "hands_per_second_warm": round(HANDS / again[0]),
        "p50_us": round(statistics.median(times), 1),
        "p99_us": round(times[len(times) * 99 // 100], 1),
        "import_ms": round(in_a_process_of_its_own(IMPORT_MS, runs=5), 1),
        "peak_mb": round(in_a_process_of_its_own(PEAK_MB, runs=1), 1),
    }
    if them:
        figures["pymahjonggb_per_second"] = round(HANDS / first[1])
        figures["ratio_to_pymahjonggb"] = round(first[1] / first[0], 2)
        figures["ratio_warm"] = round(again[1] / again[0], 2)
    return figures


if __name__ == "__main__":
    print(json.dumps(measure()))
