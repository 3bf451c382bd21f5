"""Hands as text, for files, tests and conversation.

A hand is its tiles, its melds, ``+`` and the winning tile, then the circumstances::

    23m 55p 678s [EEE] (CCCC) +1m self-drawn seat=S round=E flowers=2

Tiles: digits before their suit (``123m``), honours by letter (``EEE``) or numbered as riichi programs do (``1z…7z`` for
E S W N P F C). Melds: ``[…]`` claimed, ``(…)`` a concealed kong. Without ``+``, the last tile outside the melds is the
winning tile once there are fourteen. Circumstances, in any order: ``self-drawn last-tile-of-wall last-of-kind
replacement robbing-kong``, and ``seat=``, ``round=`` (a wind, E when left out) and ``flowers=`` (0). Spaces between
tiles mean nothing. Full-width signs and Chinese characters (``１２３萬``, ``東``) are read too.

Tiles may also be written as Botzone does (``W1…W9`` Characters, ``B`` Dots, ``T`` Bamboos, ``F1…F4`` winds,
``J1…J3`` dragons) or as Unicode tiles (``🀇``), one way throughout a text: where a digit stands before a suit, ``F``
is the Green Dragon whatever follows it.

Texts of GB-Mahjong (github.com/zheng-fan/GB-Mahjong) have ``|``, or a number in a meld for the player who discarded the
tile: ``[NNN,3][4444p]78889m11p8m|EE0000|2``. There a kong without a number is concealed. The first ``|`` is followed by
round, seat, and 0 or 1 for self-drawn, last of its kind, last tile of the wall, and kong (replacement when self-drawn,
else robbing); the second by the flowers, as a number or as letters ``a…h``.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from scoring.engine.hand import CHOW, KONG, PUNG, Hand
from scoring.engine.problems import TILES_IN_HAND, InvalidHand, Problem, ProblemCode, problem_code
from scoring.engine.tiles import KIND, TILES

UNREADABLE = problem_code(
    "unreadable",
    "“{text}” at character {position} is neither a tile nor a circumstance. A hand is written like this: {example}",
)
ALSO_UNREADABLE = problem_code("also_unreadable", "Nor is “{text}” at character {position}.")
MISPLACED_MARK = problem_code("misplaced_mark", "“{text}” at character {position} does not belong there.")
MELD_NOT_CLOSED = problem_code(
    "meld_not_closed", "The meld that opens at character {position} does not close."
)
NO_WINNING_TILE = problem_code(
    "no_winning_tile", "The winning tile is missing: write + and the tile.", also=("position",)
)
TILE_AFTER_WINNING_TILE = problem_code(
    "tile_after_winning_tile", "Only one tile may follow the +; “{text}” at character {position} is extra."
)
UNKNOWN_CIRCUMSTANCE = problem_code(
    "unknown_circumstance", "There is no circumstance “{text}” (character {position})."
)

EXAMPLE: Final = "123m 55p 78s [EEE] (CCCC) +9s"
"""A hand whose tiles need every mark."""
MAX_TEXT_LENGTH: Final = 300
"""Characters of a text, where strangers send it."""
FLAGS: Final = ("self_drawn", "last_tile_of_wall", "last_of_kind", "replacement", "robbing_kong")
MARKS: Final = {True: ("(", ")"), False: ("[", "]")}
"""The brackets around a meld, by whether it is concealed."""
SETTINGS: Final = {"seat": "seat_wind", "round": "prevalent_wind", "flowers": "flowers"}

_BOTZONE: Final = (
    *(f"{suit}{number}" for suit in "WBT" for number in range(1, 10)),
    *(f"F{number}" for number in range(1, 5)),
    *(f"J{number}" for number in range(1, 4)),
)
_UNICODE: Final = (
    *map(chr, (*range(0x1F007, 0x1F010), *range(0x1F019, 0x1F022), *range(0x1F010, 0x1F019))),
    *"🀀🀁🀂🀃🀄🀅🀆",
)
ALPHABETS: Final = {"compact": TILES, "botzone": _BOTZONE, "unicode": _UNICODE}
"""How each notation writes the tiles, in the order of `scoring.engine.tiles.TILES`."""

_HONOURS_BY_NUMBER: Final = dict(zip("1234567", "ESWNPFC", strict=True))
_OTHER_SIGNS: Final = str.maketrans(
    {chr(sign + 0xFEE0): chr(sign) for sign in range(0x21, 0x7F)}  # full-width
    | dict(zip("一二三四五六七八九", "123456789", strict=True))
    | dict(zip("万萬饼餅筒条條索", "mmpppsss", strict=True))
    | dict(zip("东東南西北白发發中", "EESWNPFFC", strict=True))
    | dict(zip("【】", "[]", strict=True))
    | dict.fromkeys("\ufe0e\ufe0f", " ")  # choose how a Unicode tile is drawn
)
"""Other ways to write a sign, each of one character, so that positions stay."""

_OTHER_TOKENS: Final = (
    r"(?P<space>\s+)|(?P<setting>(?:seat|round|flowers)=\S*)|(?P<flag>[a-z]+(?:-[a-z]+)+|replacement)"
    r"|(?P<mark>[][()+])|(?P<offer>,\s*[1-7])|(?P<win>\|\s*[ESWN]{2}[01]{4}\s*(?:\|\s*(?:[a-h]{1,8}|[0-8])?)?)"
)
_LETTER: Final = r"(?P<tile>[ESWNCFP🀀-🀡])"
_COMPACT_TOKEN: Final = re.compile(rf"{_OTHER_TOKENS}|(?P<tiles>[1-9]+[mps]|[1-7]+z)|{_LETTER}")
_BOTZONE_TOKEN: Final = re.compile(rf"{_OTHER_TOKENS}|(?P<botzone>[WBTFJ][1-9])|{_LETTER}")
_COMPACT_SIGN: Final = re.compile(r"[1-9](?:[mpz]|s(?!e))|[|,]")
"""Occurs only in the compact notation (``1se`` begins ``self-drawn`` or ``seat=``). ``F`` and ``W`` before a
number mean another tile in Botzone's, so the notation is decided once for a text."""


class _Token(NamedTuple):
    sort: str
    text: str
    position: int


def parse(text: str) -> Hand:
    """Return the hand written in a text. Raises `InvalidHand` with every problem and its position.

    >>> parse("123m 456p 789s EEE 5p +5p self-drawn").winning_tile
    '5p'
    """
    return Hand.from_json(parse_record(text))


def parse_record(text: str, partial: bool = False) -> dict[str, object]:
    """Return the JSON record of a text, not yet checked as a hand. Raises `InvalidHand` for a syntax error.

    With ``partial``, a hand that is still short of 14 tiles may lack its winning tile; so does its record.
    """
    problems: list[Problem] = []
    reader = _Reader(text, problems)
    record = reader.read()
    if not reader.winning:
        if partial and reader.tile_count < TILES_IN_HAND:
            del record["winning_tile"]
        elif not problems:
            problems.append(_problem_at(NO_WINNING_TILE, len(text)))
    if problems:
        raise InvalidHand(tuple(problems))
    return record


def parse_tiles(text: str) -> tuple[tuple[str, ...], list[dict[str, Any]]]:
    """Return the concealed tiles and the melds of a text with any number of tiles.

    Raises `InvalidHand` for a syntax error.

    >>> parse_tiles("14m 9s [EEE]")
    (('1m', '4m', '9s'), [{'type': 'pung', 'tiles': ['E', 'E', 'E'], 'concealed': False}])
    """
    problems: list[Problem] = []
    reader = _Reader(text, problems)
    reader.read()
    if problems:
        raise InvalidHand(tuple(problems))
    return (*reader.concealed, *(reader.winning or ())), reader.melds


def without_circumstances(text: str) -> str:
    """Return the tiles of a text as they were typed; those in GB-Mahjong's notation, which needs both, rewritten."""
    reader = _Reader(text, [])
    record = reader.read()
    if reader.is_gb_mahjong:
        return tiles_to_text(record)
    tiles, end = "", 0
    for token in reader.tokens:
        if token.sort in ("flag", "setting"):
            tiles += text[end : token.position]
            end = token.position + len(token.text)
    return " ".join((tiles + text[end:]).split())


def _tokens(text: str, problems: list[Problem]) -> Iterator[_Token]:
    """Yield the tokens of a text; what lies between them is unreadable."""
    read = text.translate(_OTHER_SIGNS)
    token = _COMPACT_TOKEN if _COMPACT_SIGN.search(read) else _BOTZONE_TOKEN
    end = 0
    for match in token.finditer(read):
        _add_unreadable(text, end, match.start(), problems)
        end = match.end()
        if match.lastgroup and match.lastgroup != "space":
            yield _Token(match.lastgroup, match.group(), match.start())
    _add_unreadable(text, end, len(text), problems)


def _add_unreadable(text: str, start: int, end: int, problems: list[Problem]) -> None:
    """Add the problem of the text from `start` to `end`, if there is any; the first one with an example."""
    if start == end:
        return
    if any(problem.code == UNREADABLE.code for problem in problems):
        problems.append(_problem_at(ALSO_UNREADABLE, start, text=text[start:end]))
    else:
        problems.append(_problem_at(UNREADABLE, start, text=text[start:end], example=EXAMPLE))


def _problem_at(code: ProblemCode, position: int, **params: str | int) -> Problem:
    """Return a problem at a position, counted from 0 in ``where`` and from 1 in the sentence."""
    return code(f"text.{position}", position=position + 1, **params)


class _Reader:
    """Reads a text into a record and collects problems."""

    def __init__(self, text: str, problems: list[Problem]) -> None:
        self.tokens, self.problems = list(_tokens(text, problems)), problems
        self.is_gb_mahjong = any(token.sort in ("offer", "win") for token in self.tokens)
        self.is_offered = False
        """Whether the open meld has the number of the player it was claimed from."""
        self.concealed: list[str] = []
        self.melds: list[dict[str, Any]] = []
        self.open: tuple[_Token, list[str]] | None = None
        self.winning: list[str] | None = None
        self.facts: dict[str, object] = {"seat_wind": "E", "prevalent_wind": "E", "self_drawn": False}

    def read(self) -> dict[str, object]:
        actions: dict[str, Callable[[_Token], None]] = {
            "mark": self._mark,
            "flag": self._flag,
            "setting": self._setting,
            "offer": self._offer,
            "win": self._win,
        }
        for token in self.tokens:
            actions.get(token.sort, self._tiles)(token)
        if self.open:
            self.problems.append(_problem_at(MELD_NOT_CLOSED, self.open[0].position))
        if self.winning is None and self.concealed and self.tile_count == TILES_IN_HAND:
            self.winning = [self.concealed.pop()]
        winning = self.winning or []
        return {
            "concealed": self.concealed + winning,
            "melds": self.melds,
            "winning_tile": "".join(winning),
        } | self.facts

    @property
    def tile_count(self) -> int:
        """Tiles read, a meld counting as three."""
        return len(self.concealed) + len(self.winning or []) + 3 * len(self.melds)

    def _tiles(self, token: _Token) -> None:
        tiles = _tiles_of(token)
        if self.open:
            self.open[1].extend(tiles)
        elif self.winning is None:
            self.concealed.extend(tiles)
        elif self.winning or len(tiles) > 1:
            self.problems.append(_problem_at(TILE_AFTER_WINNING_TILE, token.position, text=token.text))
        else:
            self.winning = tiles

    def _mark(self, token: _Token) -> None:
        if token.text == "+" and self.winning is None and not self.open:
            self.winning = []
        elif token.text in "[(" and not self.open:
            self.open = (token, [])
        elif self.open and token.text == {"[": "]", "(": ")"}[self.open[0].text]:
            self._close(*self.open)
            self.open = None
        else:
            self.problems.append(_problem_at(MISPLACED_MARK, token.position, text=token.text))

    def _close(self, opened: _Token, tiles: list[str]) -> None:
        alike = KONG if len(tiles) == 4 else PUNG
        type_ = alike if len(set(tiles)) == 1 else CHOW
        unclaimed = self.is_gb_mahjong and type_ == KONG and not self.is_offered
        self.melds.append({"type": type_, "tiles": tiles, "concealed": opened.text == "(" or unclaimed})
        self.is_offered = False

    def _offer(self, token: _Token) -> None:
        if self.open:
            self.is_offered = True
        else:
            self.problems.append(_problem_at(MISPLACED_MARK, token.position, text=token.text))

    def _flag(self, token: _Token) -> None:
        name = token.text.replace("-", "_")
        if name in FLAGS:
            self.facts[name] = True
        else:
            self.problems.append(_problem_at(UNKNOWN_CIRCUMSTANCE, token.position, text=token.text))

    def _setting(self, token: _Token) -> None:
        name, value = token.text.split("=", 1)
        is_number = name == "flowers" and value.isdecimal()
        self.facts[SETTINGS[name]] = _number(value) if is_number else value

    def _win(self, token: _Token) -> None:
        """Take the circumstances as GB-Mahjong writes them."""
        _tiles, situation, *flowers = re.sub(r"\s", "", token.text).split("|")
        drawn, last_of_kind, last_tile, kong = (flag == "1" for flag in situation[2:])
        self.facts |= {
            "prevalent_wind": situation[0],
            "seat_wind": situation[1],
            "self_drawn": drawn,
            "last_of_kind": last_of_kind,
            "last_tile_of_wall": last_tile,
            "replacement" if drawn else "robbing_kong": kong,
        }
        if flowers and flowers[0]:
            self.facts["flowers"] = _number(flowers[0]) if flowers[0].isdecimal() else len(flowers[0])


def _number(digits: str) -> int:
    """Return a number of which only nine digits are read: `int` refuses thousands, and no count is as large."""
    return int(digits[:9])


def _tiles_of(token: _Token) -> list[str]:
    if token.sort == "tiles" and token.text[-1] == "z":
        return [_HONOURS_BY_NUMBER[number] for number in token.text[:-1]]
    if token.sort == "tiles":
        return [number + token.text[-1] for number in token.text[:-1]]
    if token.sort == "botzone":
        return [TILES[_BOTZONE.index(token.text)]] if token.text in _BOTZONE else [token.text]
    return [token.text if token.text in KIND else TILES[_UNICODE.index(token.text)]]


def to_text(hand: Hand, notation: str = "compact") -> str:
    """Return the text of a hand in one of the `ALPHABETS`; `parse` reads it back to an equal hand, but for tile
    order.

    >>> to_text(parse("5p EEE 123m789s 456p +5p seat=S"))
    '123m4556p789sEEE +5p seat=S'
    """
    words = [tiles_to_text(hand.to_json(), notation)]
    words += [name.replace("_", "-") for name in FLAGS if getattr(hand, name)]
    defaults = {"seat": "E", "round": "E", "flowers": 0}
    values = {name: getattr(hand, fact) for name, fact in SETTINGS.items()}
    words += [f"{name}={value}" for name, value in values.items() if value != defaults[name]]
    return " ".join(words)


def tiles_to_text(record: Mapping[str, Any], notation: str = "compact") -> str:
    """Return the text of the tiles of a record, which may be incomplete."""
    rest, winning = list(record["concealed"]), record["winning_tile"]
    if winning:
        rest.remove(winning)
    words = [_write_tiles(sorted(rest, key=KIND.__getitem__), notation)] if rest else []
    for meld in record["melds"]:
        opening, closing = MARKS[meld["concealed"]]
        words.append(opening + _write_tiles(meld["tiles"], notation) + closing)
    if winning:
        words.append("+" + _write_tiles([winning], notation))
    return " ".join(words)


def _write_tiles(tiles: Sequence[str], notation: str) -> str:
    names = [ALPHABETS[notation][KIND[tile]] for tile in tiles]
    if notation != "compact":
        return (" " if notation == "botzone" else "").join(names)
    shortened = ""
    for place, tile in enumerate(names):
        following = names[place + 1] if place + 1 < len(names) else ""
        same_suit = len(tile) == 2 and len(following) == 2 and tile[1] == following[1]
        shortened += tile[0] if same_suit else tile
    return shortened
