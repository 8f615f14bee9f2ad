"""The owner's pages behind a PIN: settings, profiles, health, deletion."""
