"""The line between two machines, which can be cut without a word.

Where network namespaces can be made, one is the other machine, and the cut is a real one: neither side knows
any more where the other's frames go, nobody is told, and no connection is closed. Elsewhere both are this
machine, and what stands in between stops reading without closing, then hangs up.
"""

from __future__ import annotations

import os
import socket
import struct
import subprocess
import threading
from contextlib import suppress

NOBODY = "02:00:00:00:00:01"  # a hardware address that no device here has


def ip(*words: str) -> None:
    """Raises OSError or CalledProcessError where one may not, or there is no such program."""
    subprocess.run(["ip", *words], check=True, capture_output=True)


class Relay:
    """Takes connections at a port and passes on all that is said, both ways, unless it is held."""

    def __init__(self, host: str, target: tuple[str, int] | str) -> None:
        self.target = target
        self.flows = threading.Event()
        self.flows.set()
        self.ends: list[socket.socket] = []
        self.door = socket.create_server((host, 0))
        self.port = int(self.door.getsockname()[1])
        self.taker = threading.Thread(target=self.take, daemon=True)
        self.taker.start()

    def take(self) -> None:
        with suppress(OSError):
            while True:
                near, _address = self.door.accept()
                self.flows.wait()
                family = socket.AF_UNIX if isinstance(self.target, str) else socket.AF_INET
                far = socket.socket(family)
                try:
                    far.connect(self.target)
                except OSError:
                    near.close()
                    far.close()
                    continue
                self.ends += [near, far]
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=self.pump, args=(one, other), daemon=True).start()

    def pump(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while True:
                self.flows.wait()
                said = one.recv(65536)
                self.flows.wait()
                if not said:
                    break
                other.sendall(said)
        for end in (one, other):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def hang_up(self) -> None:
        """End every connection, as a firewall does that has forgotten them."""
        for end in self.ends:
            with end, suppress(OSError):
                end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                end.shutdown(socket.SHUT_RDWR)
        self.ends.clear()

    def close(self) -> None:
        self.flows.set()
        with self.door, suppress(OSError):
            self.door.shutdown(socket.SHUT_RDWR)  # whoever waits there is woken
        self.taker.join(10)
        self.hang_up()


class Line:
    """Another machine, real enough or not: `before` stands before the commands that run there."""

    def __init__(self) -> None:
        self.relays: list[Relay] = []
        number = os.getpid()
        self.name, self.device = f"otto-{number}", f"otto{number}"
        # A range that is set aside for trying out networks (RFC 2544).
        net, first = f"198.18.{number >> 6 & 255}", (number & 63) << 2
        self.here, self.there = f"{net}.{first + 1}", f"{net}.{first + 2}"
        self.before = ["ip", "netns", "exec", self.name]
        try:
            self.lay()
            self.real = True
        except (OSError, subprocess.CalledProcessError):
            self.remove()
            self.real, self.before = False, []
            self.here = self.there = "127.0.0.1"

    def lay(self) -> None:
        ip("netns", "add", self.name)
        ip("link", "add", self.device, "type", "veth", "peer", "name", "eth0", "netns", self.name)
        ip("address", "add", f"{self.here}/30", "dev", self.device)
        ip("link", "set", self.device, "up")
        ip("-n", self.name, "address", "add", f"{self.there}/30", "dev", "eth0")
        ip("-n", self.name, "link", "set", "eth0", "up")
        ip("-n", self.name, "link", "set", "lo", "up")

    def to(self, target: tuple[str, int] | str) -> int:
        """A port on our side that leads somewhere."""
        self.relays.append(Relay(self.here, target))
        return self.relays[-1].port

    def cut(self) -> None:
        """Nothing comes through any more, and nobody is told."""
        if self.real:
            ip("neighbour", "replace", self.there, "lladdr", NOBODY, "dev", self.device)
            ip("-n", self.name, "neighbour", "replace", self.here, "lladdr", NOBODY, "dev", "eth0")
        for relay in () if self.real else self.relays:
            relay.flows.clear()

    def mend(self) -> None:
        if self.real:
            ip("neighbour", "del", self.there, "dev", self.device)
            ip("-n", self.name, "neighbour", "del", self.here, "dev", "eth0")
        for relay in () if self.real else self.relays:
            relay.hang_up()
            relay.flows.set()

    def remove(self) -> None:
        for relay in self.relays:
            relay.close()
        with suppress(OSError, subprocess.CalledProcessError):
            ip("netns", "del", self.name)  # and with it the device, on both sides
        with suppress(OSError, subprocess.CalledProcessError):
            ip("link", "del", self.device)
