"""What is made once and kept in the data folder for the server's user alone: keys, codes, the database."""

import os
import secrets
from collections.abc import Callable
from pathlib import Path


def private_folder(path: Path) -> Path:
    """The folder, made if need be with those above it; nobody else looks into one that is made here."""
    if not path.is_dir():
        private_folder(path.parent)  # `mkdir(parents=True)` would leave these open
        path.mkdir(mode=0o700, exist_ok=True)
    return path


def private_file(path: Path) -> Path:
    """The file, made empty if need be; nobody else reads one that is made here."""
    path.touch(mode=0o600)
    return path


def kept(path: Path, make: Callable[[], str]) -> str:
    """The words in the file. Of several who make it at the same time the first wins, and it is there whole or not at
    all: a server that is killed while it writes leaves no half a key.

    A file that a full disk left empty is made anew.
    """
    if path.exists():
        if words := path.read_text().strip():
            return words
        path.unlink(missing_ok=True)
    draft = path.with_name(f"{path.name}-{secrets.token_hex(4)}")
    try:
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(make())
            file.flush()
            os.fsync(file.fileno())
        os.link(draft, path)
    except FileExistsError:
        pass
    except PermissionError:  # a file system without hard links, as on a stick
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    return path.read_text().strip()
