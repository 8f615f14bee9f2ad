"""The running table: wires camera, reader, referee and journal together. All threads are here."""
