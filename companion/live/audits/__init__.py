"""Audits at a live table: chance draws dice that were read without a question, and the owner says what they show."""
