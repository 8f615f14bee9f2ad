"""ONNX Runtime, without what it prints where the system does not list its processors."""

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

PROCESSORS: Final = Path("/sys/devices/system/cpu/possible")
"""Where Linux lists the processors; small containers lack it."""

ABOUT_PROCESSORS: Final = b"cpuinfo"
"""What each line about them names: the library that examines them."""


@contextlib.contextmanager
def without_processor_lines() -> Iterator[None]:
    """Keep back what is printed about processors, where the system does not list them, and nothing else.

    On ARM, ONNX Runtime's library prints those lines while it is loaded, before any of its settings counts, and its
    nets compute the same. The lines come from compiled code, so they are taken from the process's own output.
    """
    try:
        errors = None if PROCESSORS.exists() or not sys.platform.startswith("linux") else os.dup(2)
    except OSError:  # the program has no output for errors
        errors = None
    if errors is None:
        yield
        return
    with os.fdopen(os.memfd_create("printed"), "w+b") as printed:
        os.dup2(printed.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(errors, 2)
            os.close(errors)
            printed.seek(0)
            os.write(2, b"".join(line for line in printed if ABOUT_PROCESSORS not in line))


with without_processor_lines():
    import onnxruntime

onnxruntime.disable_telemetry_events()  # Windows's own; elsewhere companion's environment has switched off all of it

__all__ = ["onnxruntime"]
