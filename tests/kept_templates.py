"""Page templates compiled once for a process: an app that a test makes would compile its own."""

from jinja2.bccache import Bucket, BytecodeCache


class KeptTemplates(BytecodeCache):
    """Compiled templates by their source, for every app that is made in this process."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Give a bucket what was compiled from the same source."""
        if kept := self._kept.get((bucket.key, bucket.checksum)):
            bucket.bytecode_from_string(kept)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what was compiled."""
        self._kept[bucket.key, bucket.checksum] = bucket.bytecode_to_string()
