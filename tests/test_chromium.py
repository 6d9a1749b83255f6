"""The search for the browser of the tests, and its installation."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import chromium, program_install


@pytest.fixture
def make_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Return a function that creates programs on a PATH without others, each with a script."""
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "none"))

    def make(name: str, script: str = "exit 0") -> str:
        path = tmp_path / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        return str(path)

    chromium.find_playwright_browser.cache_clear()
    yield make
    chromium.find_playwright_browser.cache_clear()


def test_the_one_that_is_named_comes_first(make_program, monkeypatch: pytest.MonkeyPatch) -> None:
    make_program("chromium")
    own_program = make_program("mine")
    monkeypatch.setenv("CHROMIUM", own_program)
    assert chromium.find_chromium() == (own_program, "")


def test_a_name_that_does_not_start_is_an_answer_too(make_program, monkeypatch: pytest.MonkeyPatch) -> None:
    make_program("chromium")
    monkeypatch.setenv("CHROMIUM", "/no/such/program")
    assert chromium.find_chromium() == ("", "CHROMIUM names /no/such/program, which does not start")


def test_a_placeholder_on_the_path_is_passed_over(make_program) -> None:
    make_program("chromium", "echo 'this needs a package that is not here' >&2; exit 1")
    real = make_program("google-chrome")
    assert chromium.find_chromium() == (real, "")


def test_without_any_it_says_what_to_do(make_program) -> None:
    path, reason = chromium.find_chromium()
    assert not path
    assert "install chromium" in reason


def test_where_one_may_the_package_is_installed(
    make_program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spare = make_program("spare")
    copy = f"/bin/cp {spare} {tmp_path}/chromium"
    cases = f"*install*-shell) exit 100;; *install*) {copy};;"  # not every system has the first package
    make_program("apt-get", f'echo "$@" >> {tmp_path}/asked; case "$*" in {cases} esac')
    monkeypatch.setattr(chromium.os, "geteuid", lambda: 0)
    monkeypatch.setattr(program_install, "is_debian", lambda: True)
    assert chromium.install_chromium() == str(tmp_path / "chromium")
    update, shell, second_update, install = (tmp_path / "asked").read_text().splitlines()
    assert update.endswith(" update")
    assert second_update == update
    assert shell.endswith("install -y --no-install-recommends chromium-headless-shell")
    assert install.endswith("install -y --no-install-recommends chromium")
    assert "No Chromium here, so: apt-get" in capsys.readouterr().out


def test_where_nothing_helps_it_says_so_and_goes_on(
    make_program, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(chromium, "list_install_methods", lambda **machine: [[["/no/such/installer"]]])
    assert chromium.install_chromium() == ""
    output = capsys.readouterr().out
    assert "Chromium cannot be had here: install chromium" in output
    assert "skipped" in output


@pytest.mark.parametrize(("root", "debian"), [(True, False), (False, True), (False, False)])
def test_elsewhere_playwright_installs_it_for_the_user_alone(root: bool, debian: bool) -> None:
    [[command]] = chromium.list_install_methods(root=root, debian=debian)
    assert command[1:] == ["-m", "playwright", "install", "chromium"]
