"""Documents compared with WeasyPrint alone. Prints one JSON object; takes about two minutes.

    bin/bench documents [--players 400] [--sessions 4]

Processor seconds and peak memory of standings of 400 players, score sheets of 100 tables and badges for 400 players,
divided by those of WeasyPrint with a bare table of as many rows and cells, each in a process of its own. The bare table
has only the printed fonts, the players' names and short figures. A badge has more text and two pictures: `words_…` are
the ratios to a bare table of as many rows with all texts and pictures of the badges.
"""

import argparse
import json
from typing import Any

from tests.support.processes import Place, make_place

MAKE = """
from tests.support.factories import make_tournament
make_tournament(players={players}, sessions={sessions})
"""
MEASURE = """
import json, re, resource, time
import config.urls, weasyprint  # loaded before anything is measured
from tournament.documents.exports.jobs import DRAFT_BUILDERS, render
from tournament.documents.exports.drafts import Progress, lay_out_html, write_pdf
from tournament.base.models.documents import DocumentJob
from tournament.base.models.tournament import Tournament
from django.contrib.staticfiles import finders
job = DocumentJob.objects.create(tournament=Tournament.objects.get(), kind={kind!r}, language="en", session={session},
    site="https://hall.example/")
progress = Progress(job)
def bare():
    rows = figures() if {content!r} == "bare" else texts()
    fonts = finders.find("fonts/fonts.css")
    style = 'body {{ font: 10pt "Hule Sans", "Hule Chinese" }} img {{ width: 6mm }}'
    head = f'<link rel="stylesheet" href="file://{{fonts}}"><style>{{style}}</style>'
    return write_pdf(lay_out_html(f"{{head}}<table>{{rows}}</table>", progress), progress)
def texts():
    html = DRAFT_BUILDERS[job.kind](job).text.partition("<body>")[2]
    cells = [text.strip() for text in re.findall(">([^<>]+)<", html) if text.strip()]
    cells += [f'<img src="{{url}}" alt="">' for url in re.findall('href="(file:[^"]+)"', html)]
    width = -(-len(cells) // {rows})
    return "".join("<tr>" + "".join(f"<td>{{cell}}</td>" for cell in cells[start:start + width]) + "</tr>"
        for start in range(0, len(cells), width))
def figures():
    names = [player.name for player in job.tournament.players.all()]
    cells = "".join(f"<td>{{number}}</td>" for number in range(100, 99 + {cells}))
    return "".join(f"<tr><td>{{names[row % len(names)]}}</td>{{cells}}</tr>" for row in range({rows}))
begin = time.process_time()
pdf = render(job, progress) if {content!r} == "document" else bare()
seconds = time.process_time() - begin
print(json.dumps([seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, len(pdf)]))
"""


def cases(players: int, sessions: int) -> tuple[tuple[str, int | None, int, int], ...]:
    """Return (kind, session, rows, cells in a row); a score sheet has 21 rows: two headings, 16 hands, three totals."""
    return (
        ("standings", None, players, 6 + sessions),
        ("score-sheets", 1, players // 4 * 21, 10),
        ("badges", None, players, 6),
    )


def measure_document(place: Place, kind: str, session: int | None, rows: int, cells: int) -> dict[str, Any]:
    def measure(content: str) -> list[float]:
        code = MEASURE.format(kind=kind, session=session, rows=rows, cells=cells, content=content)
        return list(json.loads(place.python(code, patience=900).splitlines()[-1]))

    seconds, megabytes, size = measure("document")
    bare_seconds, bare_megabytes, _size = measure("bare")
    text_ratios = {}
    if kind == "badges":
        text_seconds, text_megabytes, _size = measure("texts")
        text_ratios = {
            "words_seconds_ratio": round(seconds / text_seconds, 2),
            "words_mb_ratio": round(megabytes / text_megabytes, 2),
        }
    return text_ratios | {
        "kind": kind,
        "rows": rows,
        "seconds": round(seconds, 2),
        "bare_seconds": round(bare_seconds, 2),
        "seconds_ratio": round(seconds / bare_seconds, 2),
        "mb": round(megabytes),
        "bare_mb": round(bare_megabytes),
        "mb_ratio": round(megabytes / bare_megabytes, 2),
        "kb": round(size / 1024),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=400)
    parser.add_argument("--sessions", type=int, default=4)
    options = parser.parse_args()
    with make_place() as place:
        place.migrate()
        place.python(MAKE.format(players=options.players, sessions=options.sessions), patience=900)
        documents = [measure_document(place, *case) for case in cases(options.players, options.sessions)]
    print(json.dumps({"benchmark": "documents", "players": options.players, "documents": documents}))


if __name__ == "__main__":
    main()
