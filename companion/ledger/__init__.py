"""Files of events to which the program only adds: every event is durable before it is acknowledged, and chained."""
