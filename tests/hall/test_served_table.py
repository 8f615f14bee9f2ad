"""``companion serve --hall``: without it nothing of the hall is imported; with it the table tells a broker."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from companion.commands.serve import hall
from tests.commands.running import run
from tests.hall.listening import Listener, hashes, soon
from tests.hall.mosquitto import Mosquitto

SERVED = """
import sys
from companion.cli import main
from companion.commands.serve import web_runner

def told(app, host, port, announce, base_path):
    announce("nowhere")
    sys.stdout.write("imported: " + " ".join(name for name in sys.modules if name.startswith(FOREIGN)) + "\\n")

FOREIGN = ("paho", "pythonosc", "psycopg", "companion.hall", "companion.web.owner.doors", "sqlalchemy")
web_runner.serve = told
main(sys.argv[1:], standalone_mode=False)
"""


def test_without_a_hall_nothing_of_it_is_imported(tmp_path: Path) -> None:
    command = [sys.executable, "-c", SERVED, "serve", "--journal", str(tmp_path / "journal.db"), "--port", "0"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split("imported:")[1].split("\n")[0].strip() == ""
    (tmp_path / "hall.toml").write_text('hall = "museum"\ntable = "north"\n[broker]\nport = 1\n')
    with_hall = [*command, "--hall", str(tmp_path / "hall.toml")]
    done = subprocess.run(with_hall, capture_output=True, text=True, check=True)
    assert "paho.mqtt.client" in done.stdout
    assert "psycopg" not in done.stdout, "a table needs no database"


def test_a_served_table_is_in_the_hall_until_it_is_killed(mosquitto: Mosquitto, tmp_path: Path) -> None:
    settings = tmp_path / "hall.toml"
    settings.write_text(f'hall = "museum"\ntable = "north"\n[broker]\nport = {mosquitto.port}\n')
    options = ["--sample", "zeno", "--pace", "4", "--port", "0", "--journal", str(tmp_path / "journal.db")]
    command = [sys.executable, "-m", "companion", "serve", *options, "--hall", str(settings)]
    with Listener(mosquitto.open, "museum", "alea/museum/#") as heard:
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            try:
                soon(heard.events)
                soon(lambda: heard.bodies("state")[-1]["game"])
                soon(lambda: heard.bodies("state")[-1]["camera"] == "ok")  # it starts once the page has answered
            finally:
                process.kill()
        soon(lambda: heard.of("status")[-1].payload == b"offline")
    state = json.loads(heard.of("state")[-1].payload)
    assert (state["game"], state["camera"]) == ("tables/zeno", "ok")
    known = hashes(tmp_path / "journal.db")
    assert heard.events() == known[: len(heard.events())]


@pytest.mark.parametrize("command", ["check", "collect", "forget"])
def test_without_the_extra_a_command_of_the_hall_says_what_to_install(command: str, tmp_path: Path) -> None:
    (tmp_path / "hall.toml").write_text('hall = "museum"\ntable = "north"\n')
    arguments = ["hall", command, str(tmp_path / "hall.toml"), *(["north", "0"] if command == "forget" else [])]
    absent = "import sys; sys.modules['paho'] = None; from companion.cli import main; main(sys.argv[1:])"
    done = subprocess.run([sys.executable, "-c", absent, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "pip install 'alea-companion[hall]'" in done.stderr


def test_a_missing_package_or_fault_is_said_before_the_table_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "hall.toml").write_text("hall = 3\n")
    options = ("serve", "--journal", str(tmp_path / "journal.db"), "--hall", str(tmp_path / "hall.toml"))
    refused = run(*options)
    assert (refused.exit_code, "small letters" in refused.output) == (1, True)
    (tmp_path / "hall.toml").write_text('hall = "museum"\ntable = "north"\n')
    monkeypatch.setattr(hall, "PACKAGES", ("paho", "no_such_package"))
    refused = run(*options)
    assert (refused.exit_code, "pip install 'alea-companion[hall]'" in refused.output) == (1, True)
    assert "no_such_package" in refused.output
    assert not (tmp_path / "journal.db").exists()
