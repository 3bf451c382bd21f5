"""What stands in addresses besides numbers and slugs."""

from django.urls import register_converter
from django.urls.converters import StringConverter


class SessionStep(StringConverter):
    regex = "start|unstart|close|reopen|hide|show"


class ClockStep(StringConverter):
    regex = "pause|go-on|extend"


class TableStep(StringConverter):
    regex = "hand-in|reopen"


class ScreenName(StringConverter):
    """Letters of any script, digits and hyphens."""

    regex = r"[-\w]{1,40}"


class OpenList(StringConverter):
    regex = "ranking|teams|nations|results|players|seats|hands|fans|penalties"


class StaffList(StringConverter):
    regex = "log|staff"


class ListFormat(StringConverter):
    regex = "xlsx|csv|json"


register_converter(OpenList, "open_list")
register_converter(StaffList, "staff_list")
register_converter(ListFormat, "list_format")
register_converter(SessionStep, "session_step")
register_converter(ClockStep, "clock_step")
register_converter(TableStep, "table_step")
register_converter(ScreenName, "screen")
