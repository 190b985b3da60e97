"""Shell: the files of a new host. In: texts. Out: a configuration and a password beside it, both or neither.

Each is written whole under another name and then given its own. The password is readable by its owner alone from the first
moment. What was there before stays beside it as `.bak`.
"""

import os
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path

from host.cli.terminal import Failure

SECRET, OPEN = 0o600, 0o644


def password_file(file: Path) -> Path:
    """The place of the password of the configuration `file`."""
    return file.parent / f"{file.stem}-secrets" / "password"


def refuse_existing(file: Path, is_forced: bool) -> None:
    """Can `file` be written? Raises `Failure` before anybody is asked anything."""
    if not file.parent.is_dir():
        raise Failure(f"There is no folder {file.parent}: make it first, or name another file with --config.")
    if os.path.lexists(file) and not is_forced:
        raise Failure(f"There is a {file} already, and nothing was changed: --force replaces it and keeps it as .bak.")
    if os.path.lexists(file) and not file.is_file():
        raise Failure(f"{file} is no file: name another one with --config.")
    if not os.access(file.parent, os.W_OK | os.X_OK):
        raise Failure(
            f"Nothing can be written in {file.parent.resolve()}: look at its rights, or name another --config."
        )


def put(file: Path, text: str, password: str | None, is_forced: bool, check: Callable[[Path], object]) -> list[Path]:
    """Write the configuration and the password, if there is one; gives the copies of what was there before.

    `check` reads the new configuration before it gets its name, and raises where it cannot be used. Raises `Failure`.
    """
    kept: list[Path] = []
    try:
        with ExitStack() as undo:
            if password is not None:
                secret = password_file(file)
                if not secret.parent.is_dir():
                    secret.parent.mkdir(mode=0o700)
                    undo.callback(_remove_folder, secret.parent)
                kept += _put(secret, f"{password}\n", SECRET, undo)
            kept += _put(file, text, OPEN, undo, check, is_forced)
            undo.pop_all()
    except FileExistsError as error:
        raise Failure(f"There is a {error.filename2 or error.filename} already, and nothing was changed.") from None
    except OSError as error:
        raise Failure(f"{error.filename or file} cannot be written ({error.strerror}); nothing was changed.") from None
    return kept


def _put(
    file: Path,
    text: str,
    mode: int,
    undo: ExitStack,
    check: Callable[[Path], object] = Path.exists,
    may_replace: bool = True,
) -> list[Path]:
    """Write a file with these rights, on the disk before it gets its name; gives the copy of what had that name, if any."""
    new = file.with_name(f".{file.name}.new-{os.getpid()}")
    undo.callback(new.unlink, missing_ok=True)
    with os.fdopen(os.open(new, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode), "w", encoding="utf-8", newline="") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())
    check(new)
    if not (may_replace and file.exists()):
        os.link(new, file)  # fails where somebody else has made it meanwhile
        undo.callback(file.unlink)
        new.unlink()
        return []
    names = [file.with_name(f"{file.name}.bak{number or ''}") for number in range(100)]
    backup = next((each for each in names if not os.path.lexists(each)), names[0])
    os.link(file, backup)
    undo.callback(backup.replace, file)
    new.replace(file)
    return [backup]


def _remove_folder(folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()
