"""A folder with hardly any space: a small file system if one can be mounted, else a limit on file sizes."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

# Limits files to 5 kB, less than any mail. The log of the command goes through a pipe, without a limit.
LIMITED = '(ulimit -f 10; exec "$@") 2>&1 | cat'


@dataclass
class Room:
    """A full folder until it is widened; prefix the command that writes there with `before`."""

    folder: Path
    mounted: bool
    before: list[str] = field(default_factory=list)

    def widen(self) -> bool:
        """Add space and return True; on False, the writing process must be restarted without `before`."""
        if self.mounted:
            subprocess.run(["mount", "-o", "remount,size=8m", str(self.folder)], check=True)
        return self.mounted


@contextmanager
def small_room(folder: Path, size: str = "64k", *, full: bool = True) -> Iterator[Room]:
    """Provide a small folder, by default a full one; afterwards it is an ordinary folder."""
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
    """Leave space for a file name but for no contents."""
    with (folder / "filler").open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"\0" * 4096)
        except OSError:
            return
