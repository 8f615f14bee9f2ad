"""What a forked program begins with: its modules, its compiled templates and addresses and the texts of its pages.

Only the process that forks imports this (`tests.forked`).
"""

from flask import Flask

import calibration.board.guide
import calibration.board.run
import calibration.kit.plans
import companion.cli
import companion.commands.leds.kept
import companion.commands.serve.host
import companion.commands.serve.sights
import companion.commands.serve.web_runner
import companion.desk.lights.theme
import companion.desk.page.ludus_regularis
import companion.live.audits.auditing
import companion.live.table
import companion.odds.ludix
import companion.odds.report
import companion.problems.judging
import companion.vision.boards.reader
import companion.web.kiosk.pages
import companion.web.serving.server
import firmware_bridge.chosen
from companion.web import create_app
from tests.kept_addresses import keep_builders
from tests.kept_scripts import keep_scripts
from tests.kept_templates import KeptTemplates
from tests.web.fake_table import FakeTable

__all__ = ["calibration", "companion", "firmware_bridge"]

keep_builders()
keep_scripts()
Flask.jinja_options = {"bytecode_cache": KeptTemplates()}
client = create_app(FakeTable(), trusted_hosts=["localhost"]).test_client()
for path in ("/", "/start", "/new", "/matches", "/camera", "/calibrate", "/learn", "/problems", "/position"):
    client.get(path)
