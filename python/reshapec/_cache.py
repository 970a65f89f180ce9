# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cache: a folder of compiled programs, by key, so that later processes need not compile them."""
from __future__ import annotations

import os
import tempfile
import warnings
from typing import Optional

from reshapec import _core

MOST_FILES = 4096


def _folder() -> Optional[str]:
    """The folder, created if necessary. None: nothing is cached."""
    given = os.environ.get("RESHAPEC_CACHE")
    if given == "":
        return None
    folder = given or os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "reshapec")
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        status = os.stat(folder)
        why = "" if status.st_uid == os.geteuid() and not status.st_mode & 0o022 else "others can write to it, and it contains machine code"
    except OSError as error:
        why = error.strerror or str(error)
    if why and given:
        warnings.warn(f"RESHAPEC_CACHE: no code is kept in '{folder}': {why}", RuntimeWarning, stacklevel=2)
    return None if why else folder


def _write(folder: str, key: str, code: bytes) -> None:
    """Writes the file atomically; others may write it at the same time. Ignores errors: the program has its code.
    Leaves no part of it behind, not even if Ctrl-C ends the call."""
    path = None
    try:
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".", delete=False) as file:
            path = file.name
            file.write(code)
        os.replace(path, os.path.join(folder, key))
        _shorten(folder)
    except OSError:
        pass
    finally:
        if path is not None and os.path.exists(path):
            os.unlink(path)


def _shorten(folder: str) -> None:
    """Deletes the oldest quarter of the files if there are more than MOST_FILES."""
    if len(os.listdir(folder)) <= MOST_FILES:
        return
    with os.scandir(folder) as entries:
        files = sorted((entry.stat().st_mtime, entry.path) for entry in entries)
    for _, path in files[:len(files) // 4]:
        os.unlink(path)


def keep(program: _core.Program) -> None:
    """Called before the code of a program is needed: loads it from the folder, or compiles and stores it."""
    folder = _folder()
    key = program.key() if folder else None
    if folder is None or key is None:
        return
    try:
        with open(os.path.join(folder, key), "rb") as file:
            if program.restore(file.read()):
                return
    except OSError:
        pass
    _write(folder, key, program.save())
