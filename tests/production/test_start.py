"""An unsafe production configuration stops the start with one line."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core import signing
from django.test import override_settings

from docker.cluster import Cluster
from games import signed_links
from otto_site import production_checks

ROOT = Path(__file__).resolve().parents[2]
SAFE = {
    "PRODUCTION": "1",
    "SECRET_KEY": "several-words-and-numbers-0123456789-that-nobody-could-ever-guess",
    "DATABASE_URL": "postgres://otto:secret@127.0.0.1:1/otto",
    "REDIS_URL": "redis://127.0.0.1:1/0",
    "SITE_URL": "https://otto.example.org",
    "EMAIL_HOST": "127.0.0.1",
    "DEFAULT_FROM_EMAIL": "OTTO online <otto@example.org>",
}


def build_environment(tmp_path: Path, **other: str) -> dict[str, str]:
    bare = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return {**bare, "VAR_DIR": str(tmp_path), **SAFE, **other}


def run_command(tmp_path: Path, *command: str, **other: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "ignore", "manage.py", *command],
        cwd=ROOT,
        env=build_environment(tmp_path, **other),
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_what_is_safe_passes_the_checks_for_deployment(tmp_path: Path) -> None:
    done = run_command(tmp_path, "check", "--deploy", "--fail-level", "WARNING")
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout


def test_one_line_says_all_that_is_wrong(tmp_path: Path) -> None:
    done = run_command(tmp_path, "check", DEBUG="1", SECRET_KEY="", DATABASE_URL="", REDIS_URL="")
    assert done.returncode == 1
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("OTTO online does not start in production: ")
    for sentence in ("DEBUG is on", "SECRET_KEY is not set", "PostgreSQL", "REDIS_URL is not set"):
        assert sentence in line


def test_a_setting_that_is_empty_is_as_if_it_were_not_there(tmp_path: Path) -> None:
    numbers = ("EMAIL_PORT", "EMAIL_TIMEOUT", "MAIL_LEASE", "HSTS_SECONDS", "API_RATE", "KEEP_KEYS")
    empty = dict.fromkeys((*numbers, "SWEEP_EVERY", "LOG_LEVEL", "TRUSTED_PROXIES", "ALLOWED_HOSTS"), "")
    done = run_command(tmp_path, "check", **empty)
    assert done.returncode == 0, done.stderr


def test_a_number_that_is_none_is_named_in_one_line(tmp_path: Path) -> None:
    done = run_command(tmp_path, "check", KEEP_KEYS="a day")
    assert done.returncode == 1
    assert done.stderr == "OTTO online does not start: KEEP_KEYS is not a whole number: a day\n"


@pytest.mark.parametrize(
    "url",
    [
        "postgres://otto:hunter/two@db:5432/otto",
        "postgres://otto:hunter#two@db:5432/otto",
        "postgres://otto:hunter?two@db:5432/otto",
        "postgres://otto:12/hunter@db:5432/otto",
        "postgres://otto:12#hunter@db:5432/otto",
        "postgres://otto:12/a?hunter@db/otto",
        "postgres://otto:[hunter@db:5432/otto",
        "postgres://otto:hunter\N{FULLWIDTH COMMERCIAL AT}@db:5432/otto",
        "postgres://otto:hunter@db:two/otto",
        "postgres://otto:hunter@db:5432/",
        "mysql://otto:hunter@db/otto",
    ],
)
def test_a_database_that_cannot_be_read_is_one_line_without_its_password(tmp_path: Path, url: str) -> None:
    done = run_command(tmp_path, "check", DATABASE_URL=url)
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith("OTTO online does not start: DATABASE_URL cannot be read.")
    assert "hunter" not in line
    assert "two" not in line


def test_without_a_domain_of_replies_the_container_that_takes_them_in_waits_until_it_is_stopped(
    tmp_path: Path,
) -> None:
    command = Cluster(tmp_path).build_command("inbound")
    with subprocess.Popen(
        [sys.executable, "-W", "ignore", *command[1:]],
        cwd=ROOT,
        env=build_environment(tmp_path, REPLY_DOMAIN=""),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as waiting:
        assert waiting.stdout
        try:
            assert "REPLY_DOMAIN is empty" in waiting.stdout.readline()
            time.sleep(0.3)
            assert waiting.poll() is None
            waiting.terminate()
            assert waiting.wait(30) == 0
            assert waiting.stdout.read() == ""
        finally:
            waiting.kill()


def test_who_starts_it_by_hand_without_a_domain_reads_so(tmp_path: Path) -> None:
    done = run_command(tmp_path, "inbound_mail", REPLY_DOMAIN="")
    assert done.returncode == 1
    assert "REPLY_DOMAIN is empty" in done.stderr


def build_settings(**other: Any) -> dict[str, Any]:
    return {
        "SITE_URL": "https://otto.example.org",
        "SECRET_KEY": SAFE["SECRET_KEY"],
        "SECRET_KEY_IS_SET": True,
        "DEBUG": False,
        "TRIAL": False,
        "DATABASES": {"default": {"ENGINE": "otto_site.postgres"}},
        "REDIS_URL": SAFE["REDIS_URL"],
        "ALLOWED_HOSTS": ["otto.example.org"],
        "EMAIL_HOST": "smtp.example.org",
        "PROJECT_APPS": settings.PROJECT_APPS,
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "DEFAULT_FROM_EMAIL": "OTTO <otto@example.org>",
        **other,
    }


@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        ({"DEBUG": True}, "DEBUG is on"),
        ({"TRIAL": True}, "TRIAL is on"),
        ({"SECRET_KEY": "", "SECRET_KEY_IS_SET": False}, "SECRET_KEY is not set"),
        ({"SECRET_KEY": "short"}, "fewer than 50"),
        ({"SECRET_KEY": "abc" * 30}, "fewer than 5 different"),
        ({"SECRET_KEY": "change-me: " + "0123456789" * 6}, "the example value"),
        ({"DATABASES": {"default": {"ENGINE": "django.db.backends.sqlite3"}}}, "PostgreSQL"),
        ({"REDIS_URL": None}, "REDIS_URL is not set"),
        ({"SITE_URL": "http://otto.example.org"}, "SITE_URL does not start with https://"),
        ({"ALLOWED_HOSTS": ["*"]}, "allows every host"),
        ({"ALLOWED_HOSTS": ["other.example.org"]}, "lacks otto.example.org"),
        (
            {"EMAIL_HOST": "", "EMAIL_BACKEND": "notifications.channels.email.mailbox.EmailBackend"},
            "no mail would be sent",
        ),
        ({"DEFAULT_FROM_EMAIL": "OTTO online <otto@localhost>"}, "DEFAULT_FROM_EMAIL is not set"),
    ],
)
def test_each_thing_that_is_unsafe_is_found_alone(other: dict[str, Any], sentence: str) -> None:
    assert production_checks.find_faults(build_settings()) == []
    (fault,) = production_checks.find_faults(build_settings(**other))
    assert sentence in fault


def test_after_a_key_is_changed_what_the_old_one_signed_stays_good_until_it_is_dropped() -> None:
    old, new = "old-" + SAFE["SECRET_KEY"], "new-" + SAFE["SECRET_KEY"]
    with override_settings(SECRET_KEY=old, SECRET_KEY_FALLBACKS=[]):
        signed, invitation = signing.dumps({"a": 1}), signed_links.make_invitation_token(7)
    with override_settings(SECRET_KEY=new, SECRET_KEY_FALLBACKS=[old]):
        assert signing.loads(signed) == {"a": 1}
        assert signed_links.read_invitation(invitation) == 7
        fresh = signed_links.make_invitation_token(7)
    assert fresh != invitation
    with override_settings(SECRET_KEY=new, SECRET_KEY_FALLBACKS=[]):
        assert signed_links.read_invitation(fresh) == 7
        assert signed_links.read_invitation(invitation) is None
        with pytest.raises(signing.BadSignature):
            signing.loads(signed)


LOADED_PAGES = """
import sys
import django
django.setup()
from otto_site.celery import app
for queue in ("turns", "mail"):
    app.WorkController(queues=[queue], pool="solo")
    print(queue, "otto_site.urls" in sys.modules)
"""


def test_of_the_workers_only_that_of_mails_loads_all_pages_to_link_to_them(tmp_path: Path) -> None:
    environment = build_environment(tmp_path, DJANGO_SETTINGS_MODULE="otto_site.settings")
    command = [sys.executable, "-W", "ignore", "-c", LOADED_PAGES]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120)
    assert done.stdout.splitlines() == ["turns False", "mail True"], done.stderr
