"""The page: Flask, live updates, static files."""

from companion.kiosk.app import create_app

__all__ = ["create_app"]
