"""Reads what differs between machines: environment variables, the database URL, and keys kept in files."""

import os
import re
import secrets
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

# Detect a silent network within half a minute on both sides (TCP's defaults take hours), and release the
# locks of a vanished client within a minute.
NETWORK_TIMEOUT_OPTIONS: dict[str, Any] = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 25_000,
    "options": "-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3"
    " -c tcp_user_timeout=25s -c idle_in_transaction_session_timeout=60s",
}


def load_or_create_secret(path: Path, size: int = 50) -> str:
    """Return the random key of a file, created on first use; concurrent processes get the same key."""
    if not path.exists():
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_urlsafe(size))
        try:
            os.link(draft, path)  # atomic, and never overwrites another process's key
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text()


def is_vapid_key(text: str) -> bool:
    """Return whether a text may be a private key for push messages: 32 bytes in base64url."""
    return re.fullmatch(r"[\w-]{43}=?", text, re.ASCII) is not None


def env_bool(name: str, default: bool = False) -> bool:
    """Return an environment variable as a bool."""
    return os.environ.get(name, str(default)).lower() in {"1", "true", "yes", "on"}


def env_int(name: str, default: int) -> int:
    """Return an environment variable as an int. Raises SystemExit, with one line."""
    raw_value = os.environ.get(name) or str(default)
    try:
        return int(raw_value)
    except ValueError:
        raise SystemExit(f"OTTO online does not start: {name} is not a whole number: {raw_value}") from None


def env_networks(name: str) -> list[IPv4Network | IPv6Network]:
    """Return the comma-separated IP networks of an environment variable. Raises SystemExit."""
    try:
        words = os.environ.get(name, "").replace(",", " ").split()
        return [ip_network(word, strict=False) for word in words]
    except ValueError as error:
        raise SystemExit(f"OTTO online does not start: {name}: {error}") from None


def sqlite_settings(path: str | Path) -> dict[str, Any]:
    """Return the DATABASES entry of a SQLite file."""
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        "OPTIONS": {
            # WAL: readers never wait for the writer, and a commit needs no fsync.
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
            # Take the write lock at BEGIN: a transaction that reads first and then writes fails at once,
            # whatever the timeout, if another has written in between.
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,  # seconds to wait for the write lock
        },
    }


def parse_database_url(url: str) -> dict[str, Any]:
    """Return the DATABASES entry of a URL.

    sqlite:///relative, sqlite:////absolute, or postgres://user:password@host:port/name?option=value. The
    directory of a socket goes into ?host=. Without a password, PostgreSQL's programs use PGPASSWORD.
    Raises ValueError, which may contain the password.
    """
    parts = urlsplit(url)
    if parts.scheme == "sqlite":
        return sqlite_settings(unquote(parts.path[1:]))
    name, rest = parts.path[1:], parts.path[1:] + parts.query
    # An unescaped / # or ? in the password ends it too early; the rest turns up after the host.
    if (
        parts.scheme not in {"postgres", "postgresql"}
        or not name
        or "/" in name
        or "@" in rest
        or parts.fragment
    ):
        raise ValueError(url)
    options = dict(parse_qsl(parts.query))
    return {
        "ENGINE": "otto_site.postgres",
        "NAME": unquote(name),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": options.pop("host", parts.hostname or ""),
        "PORT": parts.port or "",
        # Prepare statements on their second use: PostgreSQL plans them once per connection.
        "OPTIONS": {"server_side_binding": True, "prepare_threshold": 2} | NETWORK_TIMEOUT_OPTIONS | options,
        # Connecting costs more than most queries; dead connections are detected and replaced.
        "CONN_MAX_AGE": 600,
        "CONN_HEALTH_CHECKS": True,
    }
