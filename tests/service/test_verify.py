"""`tablelog verify`: what it says of a record, and by which exit code."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest

from domain.catalogue import TITLES
from domain.kernel import game as kernel
from domain.kernel.events import Blank, encode, event_type
from service.main import main
from tests.conformance.titles import ENTRIES, Entry
from tests.harness.recording import Logged, Recorded, recorded, write
from tests.toy import TITLE as TOY

KNOWN = {**TITLES, "toy": TOY}
ENTRY = next(entry for entry in ENTRIES if entry.title.id == "toy")


@pytest.fixture(scope="module")
def played() -> Recorded:
    """Give a game with moves that were taken back."""
    return recorded(ENTRY.title, ENTRY.text, 3, 3, undo=0.3)


def told(
    data: bytes, folder: Path, capsys: pytest.CaptureFixture[str], *more: str, title: bool = True
) -> tuple[int, list[str]]:
    """The exit code and the lines."""
    file = folder / "record.ndjson"
    file.write_bytes(data)
    code = main(["verify", str(file), *more], KNOWN if title else {})
    return code, capsys.readouterr().out.splitlines()


def test_a_record_that_is_right_is_verified_with_a_line_for_each_check(
    played: Recorded, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, lines = told(played.record, tmp_path, capsys)
    assert code == 0
    assert lines[0] == f"{played.game_id} (toy, toy-1): {len(played.log)} events, complete"
    names = [line.split()[1] for line in lines[1:-1]]
    assert names == [
        *("form", "end", "digest", "versions", "components", "commitment", "chain", "facts", "draws", "rules"),
        "result",
    ]
    assert {line.split()[0] for line in lines[1:-1]} == {"ok"}
    assert lines[-1] == "verified"


def test_a_changed_record_is_told_with_line_and_version(
    played: Recorded, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = played.record.splitlines(keepends=True)
    lines[7] = lines[7].replace(b'"seat":', b'"seat" :', 1)
    code, told_lines = told(b"".join(lines), tmp_path, capsys)
    assert code == 1
    assert told_lines[-1] == "WRONG: the record differs first on line 8, at version 7"
    assert any(line.startswith("FAILED      chain") and line.endswith("(line 8, version 7)") for line in told_lines)
    assert any(line.startswith("not checked rules") for line in told_lines)


def test_damage_outside_the_events_is_told_by_the_line(
    played: Recorded, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, lines = told(played.record[:-10] + b"0000000" + played.record[-3:], tmp_path, capsys)
    assert code == 1
    assert lines[-1] == f"WRONG: the record differs first on line {len(played.log) + 2}, outside its events"


def redacted(played: Recorded, upto: int) -> bytes:
    """The record as the public gets it while the game runs."""
    log: list[Logged] = []
    for event, each in zip(played.events[:upto], played.log, strict=False):
        seen = kernel.redact(event, played.rules, None)
        log.append(
            Logged(event_type(seen), None if isinstance(seen, Blank) else each.actor, each.rules_version, encode(seen))
        )
    return write(played.opening, played.seed, log, complete=False)


def test_a_redacted_record_exits_with_3_and_says_what_was_not_checked(
    played: Recorded, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, lines = told(redacted(played, 8), tmp_path, capsys)
    assert code == 3
    assert lines[0].endswith("8 events, redacted")
    assert sum(line.startswith("not checked") for line in lines) == 3
    assert lines[-1].startswith("not verified in full: the record is redacted")


@pytest.mark.parametrize("entry", ENTRIES, ids=repr)
def test_a_complete_record_that_was_cut_exits_with_4_wherever_it_was_cut(
    entry: Entry, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = recorded(entry.title, entry.text, entry.title.seats[0], 3, undo=0.3)
    middle = whole.games[len(whole.games) // 2].state
    sandbox = recorded(entry.title, entry.text, entry.title.seats[0], 4, position=middle)
    for one in (whole, sandbox):
        for count in (1, len(one.log) // 2, len(one.log) - 1):
            data = write(one.opening, one.seed, one.log[:count], complete=False)
            code, lines = told(data, tmp_path, capsys)
            assert code == 4, (count, lines)
            assert lines[0].endswith(f"{count} events, cut short")
            assert lines[-1].startswith("CUT SHORT: ")
    started = next(version for version, game in enumerate(whole.games, 1) if game.state is not None)
    for one, count in ((whole, started), (whole, len(whole.log) - 1), (sandbox, 1), (sandbox, len(sandbox.log) - 1)):
        assert told(redacted(one, count), tmp_path, capsys)[0] == 3


def test_a_whole_record_that_claims_not_to_be_complete_is_wrong(
    played: Recorded, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = write(played.opening, played.seed, played.log, complete=False)
    code, lines = told(data, tmp_path, capsys)
    assert code == 1
    assert lines[-1] == f"WRONG: the record differs first on line {len(played.log) + 2}, outside its events"


def test_a_record_of_earlier_rules_exits_with_3_since_its_moves_were_not_decided_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = Path(__file__).parents[1] / "logs" / "toy-0-2-seats.ndjson"
    code, lines = told(old.read_bytes(), tmp_path, capsys)
    assert code == 3
    assert any(line.startswith("not checked rules") for line in lines)
    assert lines[-1].startswith("not verified in full: nothing is wrong")


def test_the_hash_of_the_last_known_version_shows_that_a_record_was_cut_before_it(
    played: Recorded, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    later = redacted(played, 9)
    last = later.splitlines()[9].split(b'"hash":"')[1][:64].decode()
    assert told(later, tmp_path, capsys, f"--hash=9:{last}")[0] == 3
    assert told(redacted(played, 8), tmp_path, capsys, f"--hash=9:{last}")[0] == 1


def test_what_could_not_be_checked_for_want_of_the_title_is_said(
    played: Recorded, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, lines = told(played.record, tmp_path, capsys, title=False)
    assert code == 3
    assert "not checked rules       its events, draws and moves: the title toy is not known here" in lines
    assert lines[-1].startswith("not verified in full: nothing is wrong")


def test_hashes_that_a_watcher_remembers_are_held_against_the_record(
    played: Recorded, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hashes = [line.split(b'"hash":"')[1][:64].decode() for line in played.record.splitlines()[1:-1]]
    right = (f"--hash=1:{hashes[0]}", "--hash", f"9:{hashes[8]}")
    assert told(played.record, tmp_path, capsys, *right)[0] == 0
    code, lines = told(played.record, tmp_path, capsys, f"--hash=9:{hashes[7]}")
    assert code == 1
    assert lines[-1] == "WRONG: the record differs first on line 10, at version 9"
    assert told(played.record, tmp_path, capsys, f"--hash=999:{hashes[7]}")[0] == 1
    for junk in ("9", f"0:{hashes[0]}", "9:abc", f"x:{hashes[0]}", f"9:{hashes[8]}\n"):
        assert told(played.record, tmp_path, capsys, f"--hash={junk}")[0] == 2


def test_a_file_that_is_not_there_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(tmp_path / "nothing")], KNOWN) == 2
    assert "nothing: No such file" in capsys.readouterr().err
    assert main(["verify", str(tmp_path)], KNOWN) == 2


def test_stdin_is_read_for_a_dash(
    played: Recorded, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(played.record)))
    assert main(["verify", "-"], KNOWN) == 0
    assert capsys.readouterr().out.endswith("\nverified\n")


def test_what_a_record_says_cannot_play_with_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = b'{"type":"record","format":1,"game":"\\u001b[2J"}\n'
    code, lines = told(data, tmp_path, capsys)
    assert code == 1
    assert all(line.isascii() and line.isprintable() for line in lines)


def test_the_command_needs_no_database_and_no_web_framework(played: Recorded, tmp_path: Path) -> None:
    file = tmp_path / "record.ndjson"
    file.write_bytes(played.record)
    program = (
        "import sys\n"
        "from service.verify import main\n"
        "from tests.toy import TITLE\n"
        f"code = main({str(file)!r}, {{'toy': TITLE}})\n"
        "assert not {'litestar', 'asyncpg', 'uvicorn'} & set(sys.modules)\n"
        "sys.exit(code)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("\nverified\n")
