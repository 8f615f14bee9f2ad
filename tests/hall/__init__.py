"""Tests of the hall, with real brokers and databases on loopback."""
