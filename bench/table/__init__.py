"""The running table: time, damage, lights, killed processes."""
