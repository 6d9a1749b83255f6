"""A network line between two machines that can be cut without closing connections.

If network namespaces can be created, one of them is the other machine, and a cut changes the hardware
addresses on both sides: frames are lost, and no connection is closed. Otherwise both ends are on this
machine, and a relay between them stops reading; on restoring the line it closes the connections.
"""

from __future__ import annotations

import os
import socket
import struct
import subprocess
import threading
from contextlib import suppress

from tests.network_lock import hold_network

NOBODY = "02:00:00:00:00:01"  # a hardware address of no device


def run_ip(*words: str) -> None:
    """Run `ip`. Raises OSError or CalledProcessError if it is missing or not permitted."""
    subprocess.run(["ip", *words], check=True, capture_output=True)


class Relay:
    """Forwards connections to a port in both directions while `flows` is set."""

    def __init__(self, host: str, target: tuple[str, int] | str) -> None:
        self.target = target
        self.flows = threading.Event()
        self.flows.set()
        self.ends: list[socket.socket] = []
        self.listener = socket.create_server((host, 0))
        self.port = int(self.listener.getsockname()[1])
        self.taker = threading.Thread(target=self.take, daemon=True)
        self.taker.start()

    def take(self) -> None:
        with suppress(OSError):
            while True:
                near, _address = self.listener.accept()
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
                for source, other in ((near, far), (far, near)):
                    threading.Thread(target=self.pump, args=(source, other), daemon=True).start()

    def pump(self, source: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while True:
                self.flows.wait()
                data = source.recv(65536)
                self.flows.wait()
                if not data:
                    break
                other.sendall(data)
        for end in (source, other):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def hang_up(self) -> None:
        """Reset every connection, as a firewall does that has dropped its state."""
        for end in self.ends:
            with end, suppress(OSError):
                end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                end.shutdown(socket.SHUT_RDWR)
        self.ends.clear()

    def close(self) -> None:
        self.flows.set()
        with self.listener, suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)  # wakes the thread in accept()
        self.taker.join(10)
        self.hang_up()


class Line:
    """A line to a second, possibly simulated machine; prefix commands that run there with `before`."""

    def __init__(self) -> None:
        self.relays: list[Relay] = []
        number = os.getpid()
        self.name, self.device = f"otto-{number}", f"otto{number}"
        # A range reserved for network tests (RFC 2544).
        net, first = f"198.18.{number >> 6 & 255}", (number & 63) << 2
        self.local_address, self.remote_address = f"{net}.{first + 1}", f"{net}.{first + 2}"
        self.before = ["ip", "netns", "exec", self.name]
        try:
            with hold_network(exclusive=True):
                self.set_up()
            self.real = True
        except (OSError, subprocess.CalledProcessError):
            self.remove()
            self.real, self.before = False, []
            self.local_address = self.remote_address = "127.0.0.1"

    def set_up(self) -> None:
        run_ip("netns", "add", self.name)
        run_ip("link", "add", self.device, "type", "veth", "peer", "name", "eth0", "netns", self.name)
        run_ip("address", "add", f"{self.local_address}/30", "dev", self.device)
        run_ip("link", "set", self.device, "addrgenmode", "none")  # no IPv6 address is added later
        run_ip("link", "set", self.device, "up")
        run_ip("-n", self.name, "address", "add", f"{self.remote_address}/30", "dev", "eth0")
        run_ip("-n", self.name, "link", "set", "eth0", "up")
        run_ip("-n", self.name, "link", "set", "lo", "up")

    def to(self, target: tuple[str, int] | str) -> int:
        """Open a port on our side of the line that forwards to a target; return it."""
        self.relays.append(Relay(self.local_address, target))
        return self.relays[-1].port

    def cut(self) -> None:
        """Drop all traffic without closing connections."""
        if self.real:
            run_ip("neighbour", "replace", self.remote_address, "lladdr", NOBODY, "dev", self.device)
            run_ip(
                "-n", self.name, "neighbour", "replace", self.local_address, "lladdr", NOBODY, "dev", "eth0"
            )
        for relay in () if self.real else self.relays:
            relay.flows.clear()

    def restore(self) -> None:
        if self.real:
            run_ip("neighbour", "del", self.remote_address, "dev", self.device)
            run_ip("-n", self.name, "neighbour", "del", self.local_address, "dev", "eth0")
        for relay in () if self.real else self.relays:
            relay.hang_up()
            relay.flows.set()

    def remove(self) -> None:
        for relay in self.relays:
            relay.close()
        with hold_network(exclusive=True):
            with suppress(OSError, subprocess.CalledProcessError):
                run_ip("netns", "del", self.name)  # also deletes the device on both sides
            with suppress(OSError, subprocess.CalledProcessError):
                run_ip("link", "del", self.device)
