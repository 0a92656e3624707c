"""The demo as it is started from the command line."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from service.demo import player
from service.demo.narration import WIDTH
from tests.harness.server import Service

PROJECT = Path(__file__).resolve().parents[3]


def demo(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if name != "DATABASE_URL" and "TABLELOG" not in name}
    return subprocess.run(
        [sys.executable, "-m", "service", "demo", *arguments],
        cwd=PROJECT,
        env={**clean, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def require_whole_game(shown: subprocess.CompletedProcess[str], *names: str) -> None:
    assert shown.returncode == 0, shown.stderr
    assert shown.stderr == ""
    lines = shown.stdout.splitlines()
    assert max(map(len, lines)) <= WIDTH
    versions = [int(found[1]) for line in lines if (found := re.match(r" {0,2}(\d+)  ", line))]
    assert versions == list(range(1, len(versions) + 1))
    assert len(versions) > 20
    for name in names:
        assert re.search(rf"^{name} (wins with )?\d+ points$", shown.stdout, re.MULTILINE)
    assert re.search(r"^\w+ wins with \d+ points$", shown.stdout, re.MULTILINE)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_whole_game_is_shown_on_a_service_that_runs(shared_service: Service, seats: int) -> None:
    shown = demo("--seats", str(seats), "--seed", "7", TABLELOG_URL=shared_service.url)
    require_whole_game(shown, *("Ann", "Bob", "Cid", "Dee")[:seats])


def test_the_service_on_the_usual_port_is_found(shared_service: Service) -> None:
    shown = demo(PORT=shared_service.url.rpartition(":")[2])
    require_whole_game(shown, "Ann", "Bob")
    assert shared_service.url in shown.stdout


def test_without_a_service_one_is_started_and_stopped_again(tmp_path: Path) -> None:
    shown = demo(PORT="9", TMPDIR=str(tmp_path))
    require_whole_game(shown, "Ann", "Bob")
    found = re.search(r"http://\S+:\d+", shown.stdout)
    assert found is not None
    with pytest.raises(httpx.ConnectError):
        httpx.get(found[0], trust_env=False)
    assert list(tmp_path.iterdir()) == []


def test_whoever_has_seen_enough_ends_it_without_a_word(shared_service: Service) -> None:
    for command in (f"demo --url {shared_service.url}", "openapi"):
        shown = subprocess.run(
            ["/bin/bash", "-c", f"set -o pipefail; {sys.executable} -m service {command} | head -n 3"],
            cwd=PROJECT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (shown.returncode, shown.stderr) == (0, ""), command
        assert len(shown.stdout.splitlines()) == 3


def test_a_service_that_is_named_and_does_not_answer_is_told(shared_service: Service) -> None:
    for told in (demo("--url", "http://127.0.0.1:9"), demo(TABLELOG_URL=f"{shared_service.url}/nowhere")):
        assert told.returncode == 1
        assert told.stderr.startswith("tablelog demo: no service answers at http://127.0.0.1:")


def test_what_is_refused_is_told_and_is_a_failure(shared_service: Service) -> None:
    shown = demo("--title", "nothing", "--url", shared_service.url)
    assert shown.returncode == 1
    assert "no-such-title" in shown.stderr


def test_a_player_that_is_refused_fails(
    shared_service: Service, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TABLELOG_TOKEN", "tl_nobody")
    assert player.main(shared_service.url, f"g{'0' * 20}", "0") == 1
    assert "refused: invalid-token" in capsys.readouterr().err
