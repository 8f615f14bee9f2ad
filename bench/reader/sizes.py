"""The time of one throw at three picture sizes, where the time goes, and the memory; the sizes of the package.

Each picture size is read in a new process, first timed, then once more under a profiler for the shares. The sample's
throws, before a camera that stands still, are read alone and then as a table reads them that it follows: until the
answer, and with the ground, which is learnt after it.
"""

import argparse
import cProfile
import json
import os
import pstats
import resource
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

from bench.reader import pictures
from bench.reader.pictures import Job

SIZES = ((1280, 960), (1920, 1440), (3840, 2160))
ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "sample_images" / "ludus-regularis"
PROFILED = 20


def read_here(folder: Path, set_name: str) -> dict[str, Any]:
    """Read the pictures of a folder in this process; return times, shares and memory."""
    from bench.scoring.score import times  # noqa: PLC0415
    from companion.vision.dice.reader import DiceReader  # noqa: PLC0415  (its memory is measured)
    from companion.vision.images import load_image  # noqa: PLC0415

    paths = [folder / label["image"] for label in pictures.labels_of(folder)]
    reader = DiceReader(set_name)
    reader.read(load_image(paths[0]))  # load the nets
    inside, outside, decoding = [], [], []
    for path in paths:
        begun = time.perf_counter()
        image = load_image(path)
        decoded = time.perf_counter()
        inside.append(reader.read(image).milliseconds)
        outside.append((time.perf_counter() - decoded) * 1000)
        decoding.append((decoded - begun) * 1000)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    profile = cProfile.Profile()
    for path in paths[:PROFILED]:
        image = load_image(path)
        profile.enable()
        reader.read(image)
        profile.disable()
    return {
        "ms": times(inside),
        "ms_around": times(outside),
        "decoding_ms": times(decoding),
        "peak_memory_MiB": round(peak, 1),
        "shares": shares(pstats.Stats(profile)),
    }


def sample_throws() -> dict[str, Any]:
    """Return the times of the sample's throws, in milliseconds of the processor and of the clock."""
    from companion.vision.dice.reader import DiceReader  # noqa: PLC0415  (its memory is measured elsewhere)
    from companion.vision.ground import Ground  # noqa: PLC0415
    from companion.vision.images import load_image  # noqa: PLC0415

    paths = [at for before, at in pairwise(sorted(SAMPLE.glob("*.jpg"))) if "moving" in before.name]
    images = [load_image(path) for path in paths if "still" in path.name]
    reader, found = DiceReader("wibold"), {}
    reader.read(images[0])  # load the nets
    for how, ground in (("alone", None), ("followed", Ground())):
        reader.ground = ground
        times = []
        for image in images:
            times.append([(time.process_time(), time.perf_counter())])
            reading = reader.read(image)
            times[-1].append((time.process_time(), time.perf_counter()))
            if ground is not None:
                ground.rest(image, reading)
            times[-1].append((time.process_time(), time.perf_counter()))
        found[how] = {
            f"{what}_{of}ms": round(1000 * median(one[end][which] - one[0][which] for one in times), 1)
            for end, what in enumerate(("answer", "all"), 1)
            for which, of in enumerate(("processor_", ""))
        }
    return {"n": len(images), **found}


def shares(stats: pstats.Stats) -> dict[str, float]:
    """Return the shares of the reader's time spent in what it calls, by name; the rest is its own."""
    calls: dict[Any, Any] = stats.stats  # type: ignore[attr-defined]
    reading = next(key for key in calls if key[2] == "read" and key[0].endswith("dice/reader.py"))
    whole = calls[reading][3]
    parts = {
        f"{Path(key[0]).stem}.{key[2]}" if key[0] != "~" else key[2]: callers[reading][3] / whole
        for key, (_, _, _, _, callers) in calls.items()
        if reading in callers
    }
    return {name: round(part, 3) for name, part in sorted(parts.items(), key=lambda one: -one[1]) if part >= 0.005}


def package() -> dict[str, Any]:
    """Return the sizes of the built wheel and of the nets in it, in bytes."""
    with tempfile.TemporaryDirectory() as folder:
        builder = Path(sys.executable).parent / "hatchling"
        subprocess.run([builder, "build", "-t", "wheel", "-d", folder], cwd=ROOT, check=True, capture_output=True)
        (wheel,) = Path(folder).glob("*.whl")
        size = wheel.stat().st_size
    nets = sorted((ROOT / "companion" / "vision" / "dice" / "weights").glob("*.onnx"))
    return {"wheel": size, "nets": {net.name: net.stat().st_size for net in nets}}


def main() -> None:
    """Print the figures of each size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=60)
    parser.add_argument("--seed", type=int, default=20261123)
    parser.add_argument("--kind", default="usual", choices=list(pictures.KINDS))
    parser.add_argument("--read", type=Path, help="read this folder in this process: for itself only")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    set_name, _ = pictures.KINDS[given.kind]
    if given.read:
        print(json.dumps(read_here(given.read, set_name)))
        return
    report: dict[str, Any] = {"n": given.n, "seed": given.seed, "kind": given.kind, "cores": os.cpu_count()}
    if reason := pictures.why_not(set_name):
        print(json.dumps(report | {"not_measured": reason}))
        return
    sizes: dict[str, Any] = {}
    for size in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            pictures.draw_all([Job(Path(folder), given.kind, given.seed, number, size) for number in range(given.n)])
            before = pictures.load()
            command = [sys.executable, "-m", "bench.reader.sizes", "--kind", given.kind, "--read", folder]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
        sizes[f"{size[0]}x{size[1]}"] = json.loads(done.stdout) | {"load": [before, pictures.load()]}
    print(json.dumps(report | {"sizes": sizes, "sample_throws": sample_throws(), "package_bytes": package()}))


if __name__ == "__main__":
    main()
