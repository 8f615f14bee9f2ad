"""Printed boards on which tokens lie: what is printed on their sites, and what covers it."""
