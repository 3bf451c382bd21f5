"""Documents against what draws them: processor seconds and peak memory, divided by those of WeasyPrint with a bare
table of as many rows and cells, each in a process of its own. Prints one JSON object; about two minutes.

    bin/bench documents [--players 400] [--sessions 4]

Standings of 400 players, the score sheets of 100 tables, badges for 400. The bare table has no style but the fonts
that are printed, the names of the players and short figures. Badges say more than that in each row and show two
pictures: `words_…` is the bare table of as many rows with every text of theirs and every tile and flag in its cells.
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
    rows = figures() if {asked!r} == "bare" else words()
    fonts = finders.find("fonts/fonts.css")
    style = 'body {{ font: 10pt "Hule Sans", "Hule Chinese" }} img {{ width: 6mm }}'
    head = f'<link rel="stylesheet" href="file://{{fonts}}"><style>{{style}}</style>'
    return write_pdf(lay_out_html(f"{{head}}<table>{{rows}}</table>", progress), progress)
def words():
    said = DRAFT_BUILDERS[job.kind](job).text.partition("<body>")[2]
    told = [text.strip() for text in re.findall(">([^<>]+)<", said) if text.strip()]
    pictures = [f'<img src="{{each}}" alt="">' for each in re.findall('href="(file:[^"]+)"', said)]
    told = told + pictures
    wide = -(-len(told) // {rows})
    return "".join("<tr>" + "".join(f"<td>{{one}}</td>" for one in told[at:at + wide]) + "</tr>"
        for at in range(0, len(told), wide))
def figures():
    names = [player.name for player in job.tournament.players.all()]
    cells = "".join(f"<td>{{number}}</td>" for number in range(100, 99 + {cells}))
    return "".join(f"<tr><td>{{names[row % len(names)]}}</td>{{cells}}</tr>" for row in range({rows}))
begin = time.process_time()
content = render(job, progress) if {asked!r} == "made" else bare()
seconds = time.process_time() - begin
print(json.dumps([seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, len(content)]))
"""


def cases(players: int, sessions: int) -> tuple[tuple[str, int | None, int, int], ...]:
    """(kind, session, rows, cells a row). A sheet has two lines of headings, sixteen hands and three of totals."""
    return (
        ("standings", None, players, 6 + sessions),
        ("score-sheets", 1, players // 4 * 21, 10),
        ("badges", None, players, 6),
    )


def measured(place: Place, kind: str, session: int | None, rows: int, cells: int) -> dict[str, Any]:
    def once(asked: str) -> list[float]:
        code = MEASURE.format(kind=kind, session=session, rows=rows, cells=cells, asked=asked)
        return list(json.loads(place.python(code, patience=900).splitlines()[-1]))

    seconds, megabytes, size = once("made")
    bare_seconds, bare_megabytes, _size = once("bare")
    words = {}
    if kind == "badges":
        words_seconds, words_megabytes, _size = once("words")
        words = {
            "words_seconds_ratio": round(seconds / words_seconds, 2),
            "words_mb_ratio": round(megabytes / words_megabytes, 2),
        }
    return words | {
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
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--players", type=int, default=400)
    asked.add_argument("--sessions", type=int, default=4)
    wanted = asked.parse_args()
    with make_place() as place:
        place.migrate()
        place.python(MAKE.format(players=wanted.players, sessions=wanted.sessions), patience=900)
        found = [measured(place, *case) for case in cases(wanted.players, wanted.sessions)]
    print(json.dumps({"benchmark": "documents", "players": wanted.players, "documents": found}))


if __name__ == "__main__":
    main()
