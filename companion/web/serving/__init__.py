"""What stands between the network and the pages: servers, bounds, TLS, the service's watchdog."""
