"""The running table and laboratory: cameras, watchers, the LED board, the writer. All threads are here."""
