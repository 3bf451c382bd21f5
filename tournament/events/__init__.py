"""The event's particulars, page, play settings, timetable and calendars."""
