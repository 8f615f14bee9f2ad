"""The settings of a running app: the file that keeps what its owner chose."""

from companion.settings.file import SettingsFile
from companion.web.app_state import AppKey

SETTINGS = AppKey[SettingsFile]("settings")


def settings_file() -> SettingsFile:
    """Return the settings file of the running app."""
    return SETTINGS.get()
