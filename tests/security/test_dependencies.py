"""Dependencies: exactly the locked versions, none with a known vulnerability.

`make audit` asks an index of advisories; this list serves where none can be reached.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from importlib.metadata import distributions
from itertools import groupby
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[2]
TOOLS = {"pip", "setuptools", "wheel"}  # part of every environment

# The lowest version without a published vulnerability, and that vulnerability: of direct dependencies and of
# parsers of untrusted bytes. "0" means that none is known.
SAFE = {
    "django": ("5.2.12", "CVE-2026-25673 and CVE-2026-25674; CVE-2025-64459, SQL injection, before 5.2.8"),
    "djangorestframework": ("3.18.2", "CVE-2026-114137: a token that seems revoked and is not"),
    "django-allauth": ("65.19.4", "CVE-2026-97764: accents in an address get around the count of failures"),
    "django-oauth-toolkit": ("0", ""),
    "drf-spectacular": ("0", ""),
    "django-cors-headers": ("0", ""),
    "django-anymail": ("1.4", "CVE-2018-1000089: the webhook secret was logged"),
    "aiosmtpd": (
        "1.4.6",
        "CVE-2024-34083: commands before STARTTLS; CVE-2024-27305, smuggling, before 1.4.5",
    ),
    "celery": ("5.2.2", "CVE-2021-23727: a stored result could run commands"),
    "redis": ("4.5.5", "CVE-2023-28859: answers of one request given to another"),
    "psycopg": ("0", ""),
    "whitenoise": ("0", ""),
    "rjsmin": ("0", ""),
    "rcssmin": ("0", ""),
    "granian": ("0", ""),
    "resvg-py": ("0", ""),
    "pillow": ("13.0.0", "CGA-6r43-cc9v-c6c4, of 12.3.0; PYSEC-2026-3451, -3452 and -3453 before 12.3.0"),
    "httpx": ("0.23.0", "CVE-2021-41945: addresses that are read wrongly"),
    "h11": ("0.16.0", "CVE-2025-43859: chunked bodies that are read wrongly"),
    "standardwebhooks": ("0", ""),
    "icalendar": ("7.1.3", "CVE-2026-55099: comparing two calendars may take for ever; we compare none"),
    "css-inline": ("0", ""),
    "weasyprint": ("68.0", "CVE-2025-68616: a redirect gets around the limits of the URL fetcher"),
    "tqdm": ("4.66.3", "CVE-2024-34062: arguments of its command line were evaluated"),
    "networkx": ("0", ""),
    "zstandard": ("0", ""),
    "openskill": ("0", ""),
    "prometheus-client": ("0", ""),
    "precis-i18n": ("0", ""),
    "confusable-homoglyphs": ("0", ""),
    "cryptography": ("50.0.0", "CVE-2026-69247; CVE-2026-39892, a buffer overflow, before 46.0.7"),
    "oauthlib": ("3.2.2", "CVE-2022-36087: an address that stops the server"),
    "jwcrypto": ("1.5.6", "CVE-2024-28102: a small token that unpacks to a huge one"),
    "sqlparse": ("0.5.0", "CVE-2024-4340: nesting that stops the server"),
    "urllib3": ("2.8.0", "CVE-2026-97687 and CVE-2026-97689; CVE-2026-44431 before 2.7.0"),
    "requests": ("2.32.4", "CVE-2024-47081: passwords of .netrc told to others"),
    "certifi": ("2024.7.4", "CVE-2024-39689: a root that nobody trusts any more"),
    "idna": ("3.7", "CVE-2024-3651: a name that takes minutes to read"),
}


def read_requirements(name: str) -> list[Requirement]:
    lines = (ROOT / name).read_text().splitlines()
    return [Requirement(line) for line in lines if line and not line.startswith("#")]


def read_lock(name: str) -> dict[str, str]:
    """Read names and versions from a lock file, for this platform."""
    return {
        canonicalize_name(requirement.name): str(requirement.specifier).removeprefix("==")
        for requirement in read_requirements(name)
        if requirement.marker is None or requirement.marker.evaluate()
    }


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-bench.lock"])
def test_every_line_of_a_lock_file_is_one_exact_version(name: str) -> None:
    for requirement in read_requirements(name):
        assert re.fullmatch(r"==[\w.]+", str(requirement.specifier)), requirement
        assert requirement.url is None
        assert not requirement.extras


def test_what_is_installed_is_what_is_locked_and_nothing_else() -> None:
    wanted, more = read_lock("requirements.lock"), read_lock("requirements-bench.lock")
    versions = {
        canonicalize_name(distribution.metadata["Name"]): distribution.version
        for distribution in distributions()
    }
    assert {name: versions.get(name) for name in wanted} == wanted
    extra_names = versions.keys() - wanted.keys() - TOOLS
    assert {name: versions[name] for name in extra_names} == {name: more.get(name) for name in extra_names}


def test_the_lock_file_holds_all_that_the_project_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted, versions = map(Requirement, project["dependencies"]), read_lock("requirements.lock")
    for requirement in wanted:
        assert requirement.specifier.contains(versions[canonicalize_name(requirement.name)]), requirement
        assert canonicalize_name(requirement.name) in SAFE, "somebody has looked for its advisories"


def test_no_version_has_a_hole_that_we_know_of() -> None:
    for requirement in read_requirements("requirements.lock"):
        lowest, reason = SAFE.get(canonicalize_name(requirement.name), ("0", ""))
        assert Version(str(requirement.specifier).removeprefix("==")) >= Version(lowest), reason
    assert SAFE.keys() <= {
        canonicalize_name(requirement.name) for requirement in read_requirements("requirements.lock")
    }


def list_image_commands() -> list[list[str]]:
    """List the words of every command that the Dockerfile runs or copies with, without comments."""
    lines = (ROOT / "docker" / "Dockerfile").read_text().splitlines()
    text = "\n".join(line for line in lines if not line.lstrip().startswith("#"))
    commands = []
    for instruction in text.replace("\\\n", " ").splitlines():
        keyword, _, rest = instruction.strip().partition(" ")
        if keyword == "RUN":
            words = shlex.shlex(rest, posix=True, punctuation_chars=True)
            words.whitespace_split = True
            for is_separator, part in groupby(words, lambda word: word in {"&&", "||", ";", "|", "&"}):
                commands += [] if is_separator else [list(part)]
        elif keyword in {"COPY", "ADD"}:
            commands.append([keyword, *shlex.split(rest)])
    return commands


def test_the_image_is_made_of_the_lock_file() -> None:
    """Production builds take no other versions: pip is called once, held to the copied lock file."""
    commands = list_image_commands()
    assert [words for words in commands if {"pip", "uv", "pipx", "easy_install"} & {*words}] == []
    [install] = [words for words in commands if any("pip" in Path(word).name for word in words)]
    assert install == [
        *("/venv/bin/pip", "install", "--no-cache-dir"),
        *("--constraint", "requirements.lock", "--requirement", "wanted.txt"),
    ]
    [copy] = [words for words in commands if words[0] in {"COPY", "ADD"} and "requirements.lock" in words]
    assert copy == ["COPY", "requirements.lock", "pyproject.toml", "./"]
    before = commands[: commands.index(install)]
    assert copy in before
    [wanted] = [words for words in before if "wanted.txt" in words]
    assert wanted[-2:] == [">", "wanted.txt"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    printed = subprocess.run(
        [sys.executable, *wanted[1:-2]], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    assert printed.splitlines() == project["dependencies"]
