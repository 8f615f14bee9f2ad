"""A disk that fills up: one sentence, nothing acknowledged is lost, and the match goes on when there is room."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
MOUNT = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"]


def on_a_full_disk(journal: Path, way: str) -> Any:
    program = [sys.executable, "-m", "tests.live.full_disk", str(journal), way]
    if way == "tmpfs":
        mount = f'mount -t tmpfs -o size=400k none \'{journal.parent}\' && exec "$0" "$@"'
        if subprocess.run([*MOUNT, "mount -t tmpfs none /tmp"], capture_output=True, check=False).returncode:
            pytest.skip("This machine lets nobody mount a small file system.")
        program = [*MOUNT, mount, *program]
    done = subprocess.run(program, capture_output=True, text=True, cwd=ROOT, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("way", ["limit", "tmpfs"])
def test_a_full_disk_makes_the_match_wait_and_loses_nothing(tmp_path: Path, way: str) -> None:
    found = on_a_full_disk(tmp_path / "journal.db", way)
    assert found["refusal"].startswith("The journal ")
    assert found["refusal"].count(". ") == 0, "one sentence"
    assert found["said"] is not None, "the page is told"
    assert found["stood"], "nothing is played that is not written"
    assert found["answers"], "a full disk is nothing that a new start would mend"
    assert found["went_on"] is not None, "the program's throws go on by themselves"
    assert found["healthy"] is not None
    assert found["lost"] == []
    assert found["kept"] == found["throws"]
