"""The speed of scoring, compared with PyMahjongGB if it is installed (`bin/setup --bench`). Prints one JSON object.

Both compute ``{fan name: count}`` and points from the same parsed records, each with a thin adapter: first hands that
are new to the process, then the same ones again (`warm`). Times are processor times, so other programs on the machine
affect the ratios little.
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

SEED, HANDS, WARM_UP, BATCH = 20_261_121, 20_000, 200, 500
Side = Callable[[Record], Answer]


def hule_side() -> Side:
    """Return the function from a record to fans and points of Hule's engine."""
    from scoring.engine import Fan, Hand
    from scoring.engine.score import score

    flower = Fan.FLOWER_TILES.en

    def answer(record: Record) -> Answer:
        result = score(Hand.from_json(record))
        fans = {fan.en: count for fan, count in result.counts}
        if result.hand.flowers:
            fans[flower] = result.hand.flowers
        return fans, result.points

    return answer


def seconds(sides: list[Side], records: list[Record]) -> list[float]:
    """Return the processor time of each side for all records.

    The sides take turns in small batches, so that a busy machine slows both, and change the order with each batch,
    because the second one finds the records in the processor's cache.
    """
    totals = [0.0] * len(sides)
    order = list(enumerate(sides))
    for first in range(0, len(records), BATCH):
        order.reverse()
        for index, answer in order:
            start = time.process_time()
            for record in records[first : first + BATCH]:
                answer(record)
            totals[index] += time.process_time() - start
    return totals


def latencies_us(answer: Side, records: list[Record]) -> list[float]:
    """Return the time of each answer, sorted."""
    times = []
    for record in records:
        start = time.perf_counter_ns()
        answer(record)
        times.append((time.perf_counter_ns() - start) / 1000)
    return sorted(times)


def run_in_process(program: str, runs: int) -> float:
    """Run a program that prints a number several times; return the least. Bytecode is cached, as it usually is."""
    with TemporaryDirectory() as cache:
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        environment["PYTHONPYCACHEPREFIX"] = cache
        command = [sys.executable, "-c", program]
        processes = [
            subprocess.run(command, env=environment, capture_output=True, check=True) for _ in range(runs)
        ]
    return min(float(process.stdout) for process in processes)


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
"""Prints the memory in addition to the interpreter's after as many hands (Linux only)."""


def measure() -> dict[str, Any]:
    random = Random(SEED)
    warm_up, new, other = (
        [random_record(random) for _ in range(count)] for count in (WARM_UP, HANDS, HANDS // 4)
    )
    hule, other_side = hule_side(), pymahjonggb.scorer() if pymahjonggb.is_installed() else None
    sides = [hule, other_side] if other_side else [hule]
    gc.collect()
    gc.freeze()  # Keep the records out of the garbage collections of both sides.
    seconds(sides, warm_up)
    first, again = seconds(sides, new), seconds(sides, new)
    times = latencies_us(hule, other)
    figures: dict[str, Any] = {
        "bench": "scoring",
        "hands_per_second": round(HANDS / first[0]),
        "hands_per_second_warm": round(HANDS / again[0]),
        "p50_us": round(statistics.median(times), 1),
        "p99_us": round(times[len(times) * 99 // 100], 1),
        "import_ms": round(run_in_process(IMPORT_MS, runs=5), 1),
        "peak_mb": round(run_in_process(PEAK_MB, runs=1), 1),
    }
    if other_side:
        figures["pymahjonggb_per_second"] = round(HANDS / first[1])
        figures["ratio_to_pymahjonggb"] = round(first[1] / first[0], 2)
        figures["ratio_warm"] = round(again[1] / again[0], 2)
    return figures


if __name__ == "__main__":
    print(json.dumps(measure()))
