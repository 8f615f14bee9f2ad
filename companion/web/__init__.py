"""The page: Flask, live updates, static files."""

from companion.web.app import create_app

__all__ = ["create_app"]
