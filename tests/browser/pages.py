"""Every kind of page, with its reader and its address (data/pages.csv).

test_accessibility.py opens all of them; tests/house/test_walk.py compares them with the URL configuration.
"""

from tests.support.data import read_csv

ANYBODY, UMPIRE, ORGANISER, KEEPER = "", "uma", "olga", "kim"
PEOPLE = (UMPIRE, ORGANISER, KEEPER)
FIRST_VISIT = "first visit"
"""The only page that exists only before there is an account."""

PAGES = {row["page"]: (row["who"], row["address"]) for row in read_csv("pages.csv")}
"""(reader, address) by kind of page. The first visit comes first."""

STATUS = {
    "not found": 404,
    "a pass that is over": 410,
    "a link that opens nothing": 404,
    "an invitation that opens nothing": 410,
}
"""Status codes other than 200."""
