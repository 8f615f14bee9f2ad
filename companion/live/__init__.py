"""The running table and laboratory: cameras, watchers, the board of lights, the writer. All threads are here."""
