"""What a forked program begins with: its modules, its compiled templates and addresses and the texts of its first page.

Only the process that forks imports this (`tests.forked`).
"""

from flask import Flask

import companion.commands.serve.web_runner
import companion.desk.lights.theme
import companion.live.table
import companion.odds.ludix
import companion.web.serving.server
from companion.web import create_app
from tests.kept_addresses import keep_builders
from tests.kept_scripts import keep_scripts
from tests.kept_templates import KeptTemplates
from tests.web.fake_table import FakeTable

__all__ = ["companion"]

keep_builders()
keep_scripts()
Flask.jinja_options = {"bytecode_cache": KeptTemplates()}
create_app(FakeTable(), trusted_hosts=["localhost"]).test_client().get("/")
