"""Chinese formats of dates and times: 2026年11月14日 18:42."""

DATE_FORMAT = SHORT_DATE_FORMAT = "Y年n月j日"
MONTH_DAY_FORMAT = "n月j日"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = SHORT_DATETIME_FORMAT = "Y年n月j日 H:i"
