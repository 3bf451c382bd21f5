"""Detect the format of a recorded game and read it."""

import json

from scoring.engine.problems import problem_code
from scoring.games.botzone import is_botzone, is_pku, read_botzone, read_pku
from scoring.games.deal import Deal, UnreadableGame
from scoring.games.salasasa import is_salasasa, read_salasasa
from scoring.games.tziakcha import is_tziakcha, read_tziakcha

GAME_FORMAT = problem_code("game_format", "This is not a game record in any known format.")


def read(text: str, identity: str = "") -> list[Deal]:
    """Return the deals of a record in any format; `identity` names those without an id. Raises `UnreadableGame`."""
    if is_pku(text):
        return read_pku(text)
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise UnreadableGame(GAME_FORMAT(identity)) from None
    if is_salasasa(data):
        return read_salasasa(data, identity)
    if is_tziakcha(data):
        return read_tziakcha(data, identity)
    if is_botzone(data):
        return read_botzone(data, identity)
    raise UnreadableGame(GAME_FORMAT(identity))
