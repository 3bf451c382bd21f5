"""Every kind of page there is to look at: who opens it, and where it is (data/pages.csv).

test_accessibility.py walks all of them; tests/house/test_walk.py holds them to the URL configuration.
"""

from tests.support.data import read_csv

ANYBODY, UMPIRE, ORGANISER, KEEPER = "", "uma", "olga", "kim"
PEOPLE = (UMPIRE, ORGANISER, KEEPER)
FIRST_VISIT = "first visit"
"""The one page that is gone once there is an account."""

PAGES = {row["page"]: (row["who"], row["address"]) for row in read_csv("pages.csv")}
"""Kind of page: who looks at it, and where it is. The first visit comes first."""

STATUS = {
    "not found": 404,
    "a pass that is over": 410,
    "a link that opens nothing": 404,
    "an invitation that opens nothing": 410,
}
"""What answers otherwise than with 200."""
