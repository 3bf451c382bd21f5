"""How fast it is told whether some hand counts exactly some fans, and that it is told right.

The fans of random hands must all be found; the same with one fan dropped, added or exchanged are what umpires mistype.
Prints one JSON object. `bin/bench fans` takes a million hands; `python -m tests.bench.fans mwt 50000` another rulebook
and number.
"""

import json
import sys
import time
from random import Random

from scoring.engine import FANS, Fan, Hand, Rulebook, find_exactly, find_rulebook, incompatible_fans, score
from scoring.engine.named import Fans
from tests.scoring.random_hands import random_record

SEED, HANDS, MISTYPED = 20_261_121, 1_000_000, 20_000
Asked = tuple[frozenset[tuple[Fan, int]], bool]


def counted(rulebook: Rulebook, hands: int) -> list[Asked]:
    """The different sets of fans that so many random hands count, each with whether it was self-drawn."""
    random, seen = Random(SEED), dict[Asked, None]()
    for _ in range(hands):
        hand = Hand.from_json(random_record(random))
        seen[frozenset(score(hand, rulebook).counts), hand.self_drawn] = None
    return list(seen)


def mistyped(right: list[Asked], rulebook: Rulebook) -> list[Asked]:
    """Some of them with one fan dropped, added or exchanged."""
    random = Random(SEED)
    fans = [fan for fan in FANS if fan in rulebook.points and fan is not Fan.FLOWER_TILES]
    found = []
    for these, drawn in random.sample(right, min(MISTYPED, len(right))):
        changed = dict(sorted(these, key=lambda line: line[0].number))
        how = random.randrange(3)
        if how != 0:
            del changed[random.choice(list(changed))]
        if how != 1:
            changed[random.choice(fans)] = 1
        found.append((frozenset(changed.items()), drawn))
    return found


def timed(asked: list[Asked], rulebook: Rulebook) -> dict[str, float]:
    """How long the answers take, in milliseconds of the processor, and how many are no."""
    taken, refused = [], 0
    for these, drawn in asked:
        start = time.process_time()
        witness = find_exactly(dict(these), rulebook, self_drawn=drawn)
        taken.append(time.process_time() - start)
        refused += witness is None
    return {"asked": len(asked), "refused": refused} | figures(taken)


def struck(asked: list[Asked], rulebook: Rulebook) -> dict[str, float]:
    """How long it takes to say what can still be added, in milliseconds of the processor."""
    taken = []
    for these, drawn in asked[:500]:
        fans: Fans = dict(these)
        start = time.process_time()
        incompatible_fans(fans, rulebook, self_drawn=drawn)
        taken.append(time.process_time() - start)
    return {"asked": len(taken)} | figures(taken)


def figures(taken: list[float]) -> dict[str, float]:
    """The usual one, the slow ones and the slowest."""
    ranked = sorted(taken)
    places = {"p50_ms": 0.5, "p95_ms": 0.95, "p99_ms": 0.99, "p99_9_ms": 0.999}
    found = {name: round(1000 * ranked[int(len(ranked) * place)], 2) for name, place in places.items()}
    return found | {"slowest_ms": round(1000 * ranked[-1], 2)}


def main(key: str = "mcr", hands: str = str(HANDS)) -> None:
    rulebook = find_rulebook(key)
    start = time.process_time()
    find_exactly({Fan.CHICKEN_HAND: 1}, rulebook, self_drawn=False)
    first = round(1000 * (time.process_time() - start))
    right = counted(rulebook, int(hands))
    answer = {
        "rulebook": key,
        "hands": int(hands),
        "first_ms": first,
        "counted": timed(right, rulebook),
        "mistyped": timed(mistyped(right, rulebook), rulebook),
        "struck": struck(right, rulebook),
    }
    print(json.dumps(answer))


if __name__ == "__main__":
    main(*sys.argv[1:])
