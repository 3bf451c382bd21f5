"""The search for a hand that counts exactly some fans: latency and correctness. Prints one JSON object.

For the fans of random hands a hand has to be found (`counted`). The same fans with one removed, added or exchanged are
what umpires mistype (`mistyped`). `struck`: the fans that can no longer be added. `bin/bench fans` takes a million
hands; `python -m tests.bench.fans mwt 50000` another rulebook and number.
"""

import json
import sys
import time
from random import Random

from scoring.engine import FANS, Fan, Hand, Rulebook, find_exactly, find_rulebook, incompatible_fans, score
from scoring.engine.named import Fans
from tests.scoring.random_hands import random_record

SEED, HANDS, MISTYPED = 20_261_121, 1_000_000, 20_000
Query = tuple[frozenset[tuple[Fan, int]], bool]
"""Fans with their counts, and whether the hand is self-drawn."""


def random_counts(rulebook: Rulebook, hands: int) -> list[Query]:
    """Return the different queries that so many random hands fulfil."""
    random, seen = Random(SEED), dict[Query, None]()
    for _ in range(hands):
        hand = Hand.from_json(random_record(random))
        seen[frozenset(score(hand, rulebook).counts), hand.self_drawn] = None
    return list(seen)


def make_mistyped(queries: list[Query], rulebook: Rulebook) -> list[Query]:
    """Return a sample of the queries with one fan removed, added or exchanged."""
    random = Random(SEED)
    fans = [fan for fan in FANS if fan in rulebook.points and fan is not Fan.FLOWER_TILES]
    mistyped = []
    for counts, self_drawn in random.sample(queries, min(MISTYPED, len(queries))):
        changed = dict(sorted(counts, key=lambda line: line[0].number))
        kind = random.randrange(3)
        if kind != 0:
            del changed[random.choice(list(changed))]
        if kind != 1:
            changed[random.choice(fans)] = 1
        mistyped.append((frozenset(changed.items()), self_drawn))
    return mistyped


def time_answers(queries: list[Query], rulebook: Rulebook) -> dict[str, float]:
    """Return the processor times of the searches, and how many found no hand."""
    seconds, refused = [], 0
    for counts, self_drawn in queries:
        start = time.process_time()
        hand = find_exactly(dict(counts), rulebook, self_drawn=self_drawn)
        seconds.append(time.process_time() - start)
        refused += hand is None
    return {"asked": len(queries), "refused": refused} | percentiles(seconds)


def time_incompatible(queries: list[Query], rulebook: Rulebook) -> dict[str, float]:
    """Return the processor times of finding the fans that can no longer be added."""
    seconds = []
    for counts, self_drawn in queries[:500]:
        fans: Fans = dict(counts)
        start = time.process_time()
        incompatible_fans(fans, rulebook, self_drawn=self_drawn)
        seconds.append(time.process_time() - start)
    return {"asked": len(seconds)} | percentiles(seconds)


def percentiles(seconds: list[float]) -> dict[str, float]:
    """Return the median, high percentiles and the maximum in milliseconds."""
    ordered = sorted(seconds)
    quantiles = {"p50_ms": 0.5, "p95_ms": 0.95, "p99_ms": 0.99, "p99_9_ms": 0.999}
    figures = {name: round(1000 * ordered[int(len(ordered) * share)], 2) for name, share in quantiles.items()}
    return figures | {"slowest_ms": round(1000 * ordered[-1], 2)}


def main(key: str = "mcr", hands: str = str(HANDS)) -> None:
    rulebook = find_rulebook(key)
    start = time.process_time()
    find_exactly({Fan.CHICKEN_HAND: 1}, rulebook, self_drawn=False)
    first = round(1000 * (time.process_time() - start))
    queries = random_counts(rulebook, int(hands))
    figures = {
        "rulebook": key,
        "hands": int(hands),
        "first_ms": first,
        "counted": time_answers(queries, rulebook),
        "mistyped": time_answers(make_mistyped(queries, rulebook), rulebook),
        "struck": time_incompatible(queries, rulebook),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main(*sys.argv[1:])
