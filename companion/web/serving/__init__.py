"""The layer between the network and the pages: servers, limits, TLS, the service's watchdog."""
