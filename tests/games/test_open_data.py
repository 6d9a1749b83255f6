"""`dump_games` writes a file of finished public games for each month, and a page offers them."""

from __future__ import annotations

import hashlib
import io
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import zstandard
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.services import players
from games.models import Game
from games.selectors import game_records
from games.selectors.open_data import Month
from games.services.open_data import write_open_data
from tests.factories.cast import NOW, player, start_cast_game
from tests.helpers.game_records import create_finished_game

pytestmark = pytest.mark.django_db
MARCH, APRIL = Month(2026, 3), Month(2026, 4)
IN_APRIL = datetime(2026, 4, 3, tzinfo=UTC)


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path) -> Path:
    settings.OPEN_DATA_DIR = tmp_path / "open-data"
    return tmp_path / "open-data"


def dump_games(*words: str) -> str:
    out = io.StringIO()
    call_command("dump_games", *words, stdout=out)
    return out.getvalue()


def verify_files(*paths: Path) -> tuple[int, str]:
    """Run verify_record; return its exit code and lines."""
    out, code = io.StringIO(), 0
    try:
        call_command("verify_record", *paths, stdout=out)
    except SystemExit as stop:
        code = int(stop.code or 0)
    return code, out.getvalue()


def unpack(path: Path) -> list[dict[str, Any]]:
    with zstandard.open(path, "rb") as file:
        return [json.loads(line) for line in file.read().splitlines()]


def read_body(answer: Any) -> bytes:
    """Return the body of a streamed response."""
    return b"".join(answer.streaming_content)


def read_folder(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_each_month_has_its_finished_public_games_and_no_other(folder: Path) -> None:
    first, second = create_finished_game(), create_finished_game("cleo", "dirk", "ada")
    last_of_march = create_finished_game(now=APRIL.start - timedelta(microseconds=1))
    of_april = create_finished_game(now=APRIL.start)
    create_finished_game(private=True)
    start_cast_game("ada", "bob")
    lines = dump_games()
    assert [line.split(":")[0] for line in lines.splitlines()] == [MARCH.file_name, APRIL.file_name]
    march_codes = [record["game"] for record in unpack(folder / MARCH.file_name)]
    assert march_codes == [first.code, second.code, last_of_march.code]
    assert [record["game"] for record in unpack(folder / APRIL.file_name)] == [of_april.code]
    assert verify_files(folder / MARCH.file_name, folder / APRIL.file_name) == (
        0,
        f"{folder / MARCH.file_name}: ok: 3 records\n{folder / APRIL.file_name}: ok: 1 records\n",
    )


def test_checksums_and_manifest_fit_the_files(folder: Path) -> None:
    create_finished_game()
    create_finished_game(now=IN_APRIL)
    dump_games()
    lines = (folder / "SHA256SUMS").read_text().splitlines()
    assert lines == [
        f"{hashlib.sha256((folder / month.file_name).read_bytes()).hexdigest()}  {month.file_name}"
        for month in (MARCH, APRIL)
    ]
    rows = json.loads((folder / "files.json").read_text())
    assert [(row["month"], row["games"], row["bytes"]) for row in rows] == [
        (str(month), 1, (folder / month.file_name).stat().st_size) for month in (MARCH, APRIL)
    ]


def test_running_it_again_writes_the_same_bytes_and_one_month_alone_keeps_the_others(folder: Path) -> None:
    create_finished_game()
    create_finished_game(now=IN_APRIL)
    dump_games()
    before = read_folder(folder)
    assert set(before) == {MARCH.file_name, APRIL.file_name, "SHA256SUMS", "files.json"}
    dump_games()
    assert read_folder(folder) == before
    dump_games("--month", "2026-04")
    assert read_folder(folder) == before


def test_a_deleted_account_is_anonymous_after_the_next_run(folder: Path) -> None:
    create_finished_game("bob", "ada")
    dump_games()
    assert [seat["name"] for seat in unpack(folder / MARCH.file_name)[0]["seats"]] == ["bob", "ada"]
    players.remove_player(player=player("bob"), now=NOW)
    dump_games()
    [record] = unpack(folder / MARCH.file_name)
    assert [seat["name"] for seat in record["seats"]] == ["a former player", "ada"]
    assert b"bob" not in json.dumps(record["seats"]).encode()
    assert verify_files(folder / MARCH.file_name)[0] == 0


def test_a_month_whose_games_became_private_loses_its_file(folder: Path) -> None:
    create_finished_game()
    dump_games()
    Game.objects.update(private=True)
    dump_games("--month", "2026-03")
    assert read_folder(folder) == {"SHA256SUMS": b"", "files.json": b"[]\n"}


def test_a_run_that_breaks_off_leaves_the_old_files_and_nothing_else(folder: Path) -> None:
    create_finished_game()
    dump_games()
    before = read_folder(folder)
    create_finished_game()

    def break_off(count: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_open_data(months=[MARCH], folder=folder, report_games=break_off)
    assert read_folder(folder) == before


def test_memory_is_that_of_a_chunk_and_queries_grow_by_chunks(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_records, "RECORD_CHUNK_SIZE", 2)
    for _ in range(5):
        create_finished_game()
    counts: list[int] = []
    with CaptureQueriesContext(connection) as queries:
        write_open_data(months=[MARCH], folder=folder, report_games=counts.append)
    assert counts == [2, 2, 1]
    assert len(queries) == 5 * len(counts) + 1, (
        "ids, games, seats, actions and seeds; and that there are no more"
    )
    assert all(
        "LIMIT 2" in query["sql"]
        for query in queries
        if query["sql"].startswith('SELECT "games_game"."id" A')
    )


def test_bad_months_are_refused(folder: Path) -> None:
    for month in ("2026-13", "march", "9998-01"):
        with pytest.raises(CommandError):
            dump_games("--month", month)
    assert not folder.exists()
    assert dump_games() == "No public games ended in these months.\n"


# --------------------------------------------------------------------------------------------- verification


def test_every_record_of_a_file_is_checked(folder: Path, tmp_path: Path) -> None:
    create_finished_game()
    create_finished_game()
    dump_games()
    records = unpack(folder / MARCH.file_name)
    records[1]["result"]["winner"] = 3 - records[1]["result"]["winner"]
    lines = "".join(f"{json.dumps(record)}\n" for record in records)
    plain, packed = tmp_path / "games.ndjson", tmp_path / "games.ndjson.zst"
    plain.write_text(lines)
    packed.write_bytes(zstandard.compress(lines.encode()))
    for path in (plain, packed):
        code, text = verify_files(path)
        assert code == 1
        assert text.startswith(f"{path}: bad: 1 of 2 records; line 2: ")
        assert len(text.splitlines()) == 1


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.ndjson", b"", "the file holds no record"),
        ("a.ndjson", b"{}\n\n", "bad: 2 of 2 records; line 1: "),
        ("a.ndjson.zst", b"not packed", "cannot be unpacked: "),
        ("a.json.zst", zstandard.compress(b"[]"), "the file does not hold a JSON object"),
    ],
)
def test_a_file_that_cannot_be_read_is_bad(tmp_path: Path, name: str, content: bytes, words: str) -> None:
    (tmp_path / name).write_bytes(content)
    code, text = verify_files(tmp_path / name)
    assert code == 1
    assert text.startswith(f"{tmp_path / name}: {words}")


def test_a_file_that_was_cut_off_is_bad(folder: Path, tmp_path: Path) -> None:
    create_finished_game()
    dump_games()
    packed = (folder / MARCH.file_name).read_bytes()
    cut = tmp_path / "cut.ndjson.zst"
    cut.write_bytes(packed[: len(packed) // 2])
    assert verify_files(cut)[0] == 1


def test_the_records_of_the_api_are_checked_the_same_way(tmp_path: Path) -> None:
    create_finished_game()
    client = Client()
    path = tmp_path / "ada.ndjson"
    path.write_bytes(read_body(client.get("/api/v1/players/ada/games/records/")))
    assert verify_files(path) == (0, f"{path}: ok: 1 records\n")
    start_cast_game("ada", "bob")
    path.write_bytes(read_body(client.get("/api/v1/players/ada/games/records/")))
    code, text = verify_files(path)
    assert code == 1
    assert text.startswith(f"{path}: unfinished: 1 of 2 records; line 2: ")


# --------------------------------------------------------------------------------------------- the page


def test_the_page_lists_the_files_and_gives_them(client: Client, folder: Path, settings: Any) -> None:
    assert "No files yet." in client.get("/data/").text
    create_finished_game()
    dump_games()
    page = client.get("/data/").text
    assert MARCH.file_name in page
    assert "March 2026" in page
    assert "has not chosen a licence" in page
    answer = client.get(f"/data/{MARCH.file_name}")
    assert answer["Content-Type"] == "application/zstd"
    assert read_body(answer) == (folder / MARCH.file_name).read_bytes()
    assert read_body(client.get("/data/SHA256SUMS")) == (folder / "SHA256SUMS").read_bytes()
    settings.OPEN_DATA_LICENCE = "CC0 1.0"
    page = client.get("/data/").text
    assert "under this licence: CC0 1.0" in page
    assert "has not chosen" not in page
    assert 'href="/data/"' in client.get("/rules/").text, "in the foot of every page"


def test_nothing_else_of_the_folder_is_given(client: Client, folder: Path) -> None:
    create_finished_game()
    dump_games()
    (folder / "otto-games-2026-09.ndjson.zst").write_bytes(b"nobody published this")
    (folder.parent / "secret").write_text("secret")
    for name in ("files.json", "otto-games-2026-09.ndjson.zst", "..%2fsecret", "..", ".", "%00", "secret"):
        assert client.get(f"/data/{name}").status_code in (400, 404), name
