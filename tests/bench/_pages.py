"""The ranking page and its JSON at 400 players, against a bare ASGI application that answers with as many bytes.

Both servers run beside each other and are asked in turns, in short rounds; the ratio is that of the medians. A client
that is slower than the servers would make every ratio 1, so the processor time a request costs is compared as well.
"""

import asyncio
import os
import statistics
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.support.processes import Place, Site

CONNECTIONS, SECONDS, ROUNDS = 8, 1.0, 7
REQUEST = "GET {path} HTTP/1.1\r\nHost: hall\r\nAccept-Encoding: gzip\r\nAccept-Language: en\r\n\r\n"


async def ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: bytes) -> int:
    """One request on an open connection; how many bytes its body has."""
    writer.write(request)
    head = await reader.readuntil(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200"), head
    length = int(head.lower().partition(b"content-length:")[2].split()[0])
    await reader.readexactly(length)
    return length


async def body_size(site: Site, path: str) -> int:
    address = urlsplit(site.url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    size = await ask(reader, writer, REQUEST.format(path=path).encode())
    writer.close()
    return size


async def round_of(site: Site, path: str) -> tuple[float, float]:
    """Requests a second, and processor microseconds a request."""
    address, request = urlsplit(site.url), REQUEST.format(path=path).encode()
    began, spent, counts = time.perf_counter(), processor_seconds(site), [0] * CONNECTIONS

    async def client(number: int) -> None:
        reader, writer = await asyncio.open_connection(address.hostname, address.port)
        while time.perf_counter() - began < SECONDS:
            await ask(reader, writer, request)
            counts[number] += 1
        writer.close()

    await asyncio.gather(*(client(number) for number in range(CONNECTIONS)))
    took, served = time.perf_counter() - began, sum(counts)
    return served / took, 1e6 * (processor_seconds(site) - spent) / served


def processor_seconds(site: Site) -> float:
    fields = Path(f"/proc/{site.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def against_bare(place: Place, site: Site, path: str) -> dict[str, Any]:
    size = await body_size(site, path)
    place.environment["BODY"] = str(size)
    rounds: dict[str, list[tuple[float, float]]] = {"ours": [], "bare": []}
    with place.web("-m", "uvicorn", "tests.bench._bare:application", "--port", "{port}", *QUIET) as bare:
        for _ in range(ROUNDS):
            rounds["bare"].append(await round_of(bare, "/"))
            rounds["ours"].append(await round_of(site, path))
    medians = {
        name: [statistics.median(each[at] for each in found) for at in (0, 1)]
        for name, found in rounds.items()
    }
    return {
        "bytes": size,
        "requests_per_second": round(medians["ours"][0]),
        "ratio_to_bare": round(medians["ours"][0] / medians["bare"][0], 2),
        "cpu_us": round(medians["ours"][1]),
        "cpu_us_bare": round(medians["bare"][1]),
    }


QUIET = ("--log-level", "warning", "--no-access-log")
