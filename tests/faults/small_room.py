"""A folder with hardly any room: a small file system where one may be made, else a limit for files."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

# What runs so may write files of 5 kB, less than any mail. Its own log goes through a pipe, without limit.
LIMITED = '(ulimit -f 10; exec "$@") 2>&1 | cat'


@dataclass
class Room:
    """Where there is no room until it is widened; `before` stands before the command of who writes there."""

    folder: Path
    mounted: bool
    before: list[str] = field(default_factory=list)

    def widen(self) -> bool:
        """Whether there is room now; else whoever writes there has to be started anew, without `before`."""
        if self.mounted:
            subprocess.run(["mount", "-o", "remount,size=8m", str(self.folder)], check=True)
        return self.mounted


@contextmanager
def small_room(folder: Path, size: str = "64k", *, full: bool = True) -> Iterator[Room]:
    """A small folder, which is full unless it is said otherwise; on the way out it is a plain one again."""
    folder.mkdir(parents=True, exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    try:
        mounted = os.geteuid() == 0 and subprocess.run(mount, capture_output=True).returncode == 0
    except OSError:
        mounted = False
    if not mounted:
        yield Room(folder, False, ["sh", "-c", LIMITED, "sh"])
        return
    try:
        if full:
            fill_folder(folder)
        yield Room(folder, True)
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill_folder(folder: Path) -> None:
    """Leave room for a name, and for nothing in it."""
    with (folder / "filler").open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"\0" * 4096)
        except OSError:
            return
