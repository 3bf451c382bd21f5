"""Files in the data folder that only the server's user can read: keys, codes, the database."""

import os
import secrets
from collections.abc import Callable
from pathlib import Path


def private_folder(path: Path) -> Path:
    """Create the folder and its parents if need be, with mode 0700, and return it."""
    if not path.is_dir():
        private_folder(path.parent)  # `mkdir(parents=True)` ignores the mode for parents
        path.mkdir(mode=0o700, exist_ok=True)
    return path


def private_file(path: Path) -> Path:
    """Create the file if need be, with mode 0600, and return it."""
    path.touch(mode=0o600)
    return path


def read_or_create(path: Path, make: Callable[[], str]) -> str:
    """Return the file's text; if it is missing or empty, first write what `make` returns, atomically."""
    if path.exists():
        if text := path.read_text().strip():
            return text
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
    except PermissionError:  # a file system without hard links, such as FAT
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    return path.read_text().strip()
