"""The queue that needs no server."""

from pathlib import Path

import pytest
from kombu.connection import Connection

AN_HOUR = 3600


def test_waiting_for_messages_ends_soon_however_long_it_was_asked_for(tmp_path: Path) -> None:
    folders = dict.fromkeys(("data_folder_in", "data_folder_out", "control_folder"), str(tmp_path))
    with Connection(transport="config.queue_folder:Transport", transport_options=folders) as connection:
        queue = connection.SimpleQueue("jobs")
        with pytest.raises(TimeoutError):
            connection.drain_events(timeout=AN_HOUR)
        queue.close()
