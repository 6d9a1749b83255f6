"""The commands `simulate` and `verify_record` as a shell runs them."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.core.management import execute_from_command_line

ROOT = Path(__file__).resolve().parents[2]


@dataclass
class CommandResult:
    """Exit code and output of a command."""

    returncode: int
    stdout: str
    stderr: str


def run_command(*words: str | Path) -> CommandResult:
    """Run a command through manage.py's entry function, without a new process."""
    out, err = io.StringIO(), io.StringIO()
    code = 0
    with redirect_stdout(out), redirect_stderr(err):
        try:
            execute_from_command_line(["manage.py", *map(str, words)])
        except SystemExit as stop:
            code = int(stop.code or 0)
    return CommandResult(code, out.getvalue(), err.getvalue())


def test_a_shell_gets_one_line_and_exit_1_for_rubbish(tmp_path: Path) -> None:
    path = tmp_path / "rubbish.json"
    path.write_text("rubbish")
    done = subprocess.run(
        [sys.executable, ROOT / "manage.py", "verify_record", path],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, len(done.stdout.splitlines()), done.stderr) == (1, 1, "")


@pytest.fixture
def record_files(tmp_path: Path) -> list[Path]:
    done = run_command(
        "simulate", "--games", "3", "--policy", "greedy", "--seed", "7", "--out", tmp_path / "a"
    )
    assert done.returncode == 0, done.stderr
    return sorted((tmp_path / "a").iterdir())


def test_the_same_seed_writes_the_same_bytes_and_another_does_not(
    record_files: list[Path], tmp_path: Path
) -> None:
    for seed, name in (("7", "b"), ("8", "c")):
        run_command(
            "simulate", "--games", "3", "--policy", "greedy", "--seed", seed, "--out", tmp_path / name
        )
    read = {name: [path.read_bytes() for path in sorted((tmp_path / name).iterdir())] for name in "abc"}
    assert len(read["a"]) == 3
    assert read["a"] == read["b"]
    assert not set(read["a"]) & set(read["c"])


def test_a_simulated_edition_is_played_as_its_book_says_unless_something_else_is_wanted(
    tmp_path: Path,
) -> None:
    wishes = {"book": [], "wish": ["--cards", "--seniority", "account"]}
    options = {}
    for name, words in wishes.items():
        run_command("simulate", "--edition", "pergioco-72", *words, "--out", tmp_path / name)
        options[name] = json.loads(next((tmp_path / name).iterdir()).read_text())["options"]
    assert (options["book"]["cards"], options["book"]["seniority"]) == (False, "lot")
    assert (options["wish"]["cards"], options["wish"]["seniority"]) == (True, "account")


def test_what_is_simulated_is_verified_with_one_line_a_file(record_files: list[Path]) -> None:
    done = run_command("verify_record", *record_files)
    assert done.returncode == 0
    assert [line.split(": ")[1] for line in done.stdout.splitlines()] == ["ok"] * 3
    assert done.stderr == ""


def test_one_bad_record_among_good_ones_fails_the_call_and_names_the_seq(record_files: list[Path]) -> None:
    data = json.loads(record_files[1].read_text())
    data["actions"][4]["action"] = "B-a5-0"
    record_files[1].write_text(json.dumps(data))
    done = run_command("verify_record", *record_files)
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert len(lines) == 3
    assert lines[1].startswith(f"{record_files[1]}: seq 5: ")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "raw",
    [b"", b"rubbish", b"[" * 100_000, b'{"format":"' + b"x" * 10_000_000 + b'"}', b"\x00\xff", b"{}"],
    ids=["empty", "no json", "deep", "ten megabytes", "bytes", "empty object"],
)
def test_rubbish_gets_one_line_and_exit_1(raw: bytes, tmp_path: Path) -> None:
    path = tmp_path / "rubbish.json"
    path.write_bytes(raw)
    done = run_command("verify_record", path)
    assert done.returncode == 1
    assert len(done.stdout.splitlines()) == 1
    assert len(done.stdout) < 500
    assert done.stderr == ""


def test_a_missing_file_and_a_folder_get_one_line_each(tmp_path: Path) -> None:
    done = run_command("verify_record", tmp_path / "nowhere.json", tmp_path)
    assert done.returncode == 1
    assert done.stdout.count("cannot be opened") == 2
    assert done.stderr == ""


def test_an_unfinished_record_is_reported_as_unfinished(record_files: list[Path]) -> None:
    data = json.loads(record_files[0].read_text())
    data["actions"], data["result"], data["fairness"]["server_seed"] = data["actions"][:5], None, None
    record_files[0].write_text(json.dumps(data))
    done = run_command("verify_record", record_files[0])
    assert done.returncode == 1
    assert "unfinished" in done.stdout


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--games", "0"], "--games"),
        (["--mode", "pairs", "--seats", "3"], "pairs is played by 4 seats"),
        (["--mode", "solo", "--seats", "2"], "solo is played by 1 seats"),
        (["--seats", "5"], "singles is played by 2 or 3 or 4"),
        (["--target", "100"], "--target"),
        (["--policy", "clever"], "--policy"),
        (["--edition", "nowhere"], "--edition"),
    ],
)
def test_simulate_says_what_is_wrong_with_its_words(words: list[str], complaint: str) -> None:
    done = run_command("simulate", *words)
    assert done.returncode != 0
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("mode", ["singles", "pairs", "solo"])
@pytest.mark.parametrize("edition", ["arcastudio-2.2", "bannan-nl"])
def test_mixed_games_of_every_mode_are_simulated_and_verified(
    mode: str, edition: str, tmp_path: Path
) -> None:
    done = run_command(
        "simulate",
        "--games",
        "4",
        "--mode",
        mode,
        "--edition",
        edition,
        "--policy",
        "mixed",
        "--out",
        tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert "4 games" in done.stdout
    assert run_command("verify_record", *tmp_path.iterdir()).returncode == 0
