"""The tournament itself: its page, timetable, particulars, end."""
