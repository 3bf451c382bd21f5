"""Watchers in a process of their own: when the last of them had heard of each version.

    python -m tests.bench._watching ADDRESS WATCHERS

Says "watching" once all lines stand; at the end of its input it prints, as JSON, for each watcher the versions it heard
and their moments.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from tests.bench._watchers import Hall, allow_many_files
from tests.support.processes import ROOT


@dataclass
class Heard:
    """What each watcher heard: versions in their order, and when."""

    lines: list[tuple[list[int], list[float]]] = field(default_factory=list)

    def last(self, version: int) -> float | None:
        """When the last watcher knew of the version, or of a later one; None where somebody never did."""
        moments = []
        for versions, when in self.lines:
            at = bisect_left(versions, version)
            if at == len(versions):
                return None
            moments.append(when[at])
        return max(moments)


@contextmanager
def watching(sites: list[str], event: str, watchers: int, environment: Mapping[str, str]) -> Iterator[Heard]:
    """So many watchers, spread over the web processes; what they heard is there when the block is left."""
    share = watchers // len(sites)
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.bench._watching", f"{site}/live/{event}/", str(share)],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for site in sites
    ]
    heard = Heard()
    try:
        for process in processes:
            assert process.stdout
            assert process.stdout.readline() == "watching\n"
        yield heard
        for process in processes:
            said, _ = process.communicate(timeout=60)
            heard.lines += [(versions, when) for versions, when in json.loads(said)]
    finally:
        for process in processes:
            process.kill()
            process.wait()


async def watch(address: str, watchers: int) -> None:
    hall = Hall(address)
    await hall.fill(watchers)
    print("watching", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    print(json.dumps(list(zip(hall.heard, hall.when, strict=True))))
    await hall.leave()


if __name__ == "__main__":
    allow_many_files()
    asyncio.run(watch(sys.argv[1], int(sys.argv[2])))
