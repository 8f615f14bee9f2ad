"""Files of events that are only ever added to: every event is durable before it is acknowledged, and chained."""
