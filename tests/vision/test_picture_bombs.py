"""Files that say one size and decode to another, or cost far more than they weigh: refused before they are decoded."""

import ast
import json
import os
import re
import struct
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import cv2
import numpy as np
import pytest

import companion
from companion.vision.dice.memory.profile import (
    EARLIER_HEAD,
    EARLIER_KIND,
    EARLIER_VERSION,
    ProfileError,
    open_profile,
)
from companion.vision.images import MOST_PIXELS, decode_image
from companion.vision.picture_header import MOST_PARTS, MOST_SCANS, BadFrameError, read_header
from companion.vision.sources.folder import FolderGrabber
from companion.vision.sources.pushed import PushedSource
from tests.commands.running import run

ROOT = Path(__file__).resolve().parents[2]
NOISE = np.random.default_rng(1).integers(0, 255, (480, 640, 3), np.uint8)


def jpeg(*options: int) -> bytes:
    done, data = cv2.imencode(".jpg", NOISE, options)
    assert done
    return data.tobytes()


def segments(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Give marker, beginning and end of each segment up to the first scan."""
    at = 2
    while data[at + 1] != 0xDA:
        (length,) = struct.unpack_from(">H", data, at + 2)
        yield data[at + 1], at, at + 2 + length
        at += 2 + length


def frame_header(data: bytes) -> tuple[int, int]:
    return next((begin, end) for marker, begin, end in segments(data) if marker in (0xC0, 0xC2))


def sized(data: bytes, side: int) -> bytes:
    """Write another size into the first frame header."""
    changed = bytearray(data)
    struct.pack_into(">HH", changed, frame_header(data)[0] + 5, side, side)
    return bytes(changed)


def second_header_after_the_scan(data: bytes, side: int) -> bytes:
    begin, end = frame_header(data)
    return sized(data, side)[:-2] + data[begin:end] + b"\xff\xd9"


def second_header_before_the_scan(data: bytes, side: int) -> bytes:
    begin, end = frame_header(data)
    return data[:begin] + sized(data, side)[begin:end] + data[begin:]


def header_hidden_behind_a_marker_without_length(data: bytes, side: int) -> bytes:
    """Decoders read no length after FF 01: what a walker skips as its body is the header that they believe."""
    begin, end = frame_header(data)
    large = sized(data, side)[begin:end]
    return data[:begin] + b"\xff\x01" + large + data[begin:]


def header_hidden_behind_a_second_beginning(data: bytes, side: int) -> bytes:
    begin, end = frame_header(data)
    return data[:begin] + b"\xff\xd8" + sized(data, side)[begin:end] + data[begin:]


@pytest.mark.parametrize("side", [10_000, 20_000, 65_535])
@pytest.mark.parametrize("progressive", [0, 1])
@pytest.mark.parametrize(
    "bomb",
    [
        second_header_after_the_scan,
        second_header_before_the_scan,
        header_hidden_behind_a_marker_without_length,
        header_hidden_behind_a_second_beginning,
    ],
)
def test_a_jpeg_with_two_sizes_is_refused_undecoded(
    bomb: Callable[[bytes, int], bytes], side: int, progressive: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = bomb(jpeg(cv2.IMWRITE_JPEG_PROGRESSIVE, progressive), side)
    earlier = decode_image(jpeg())
    for decoder in ("imdecode", "imread"):
        monkeypatch.setattr(cv2, decoder, lambda *_: pytest.fail("it was decoded"))
    for live in (True, False):
        for into in (None, earlier):
            with pytest.raises(BadFrameError, match="cut short or damaged"):
                decode_image(data, live=live, into=into)


def test_every_door_refuses_such_a_file_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cv2, "imdecode", lambda *_: pytest.fail("it was decoded"))
    bomb = second_header_after_the_scan(jpeg(), 10_000)
    source = PushedSource()  # the paired phone and the owner's page
    with pytest.raises(BadFrameError, match="cut short or damaged"):
        source.offer(bomb)
    file = tmp_path / "6.jpg"
    file.write_bytes(bomb)
    read = run("read", str(file))
    assert (read.exit_code, "cut short or damaged" in read.output) == (1, True)
    folder = FolderGrabber(tmp_path, loop=False)
    folder.open()
    assert folder.grab(lambda _: False) is None
    (tmp_path / "die.csv").write_text("throw,die,face\n" + "".join(f"{n},1,{n % 6 + 1}\n" for n in range(1, 31)))
    report = run("fairness", "report", str(tmp_path / "die.csv"), "--photos", str(tmp_path))
    assert (report.exit_code, "cut short or damaged" in report.output) == (1, True)
    profile = tmp_path / "mine.dice"
    faces = [{"outline": "square", "file": "faces/0.jpg", "die": None, "text": "6", "throw": 1, "twin": None}]
    head = {"kind": EARLIER_KIND, "version": EARLIER_VERSION, "name": "mine", "set": "pips", "made": "", "faces": faces}
    with zipfile.ZipFile(profile, "w") as archive:
        archive.writestr(EARLIER_HEAD, json.dumps(head))
        archive.writestr("faces/0.jpg", sized(bomb, 10_000)[:60_000])
    with pytest.raises(ProfileError, match="not a whole profile of dice"):
        open_profile(profile)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WebP"])
def test_a_picture_of_a_million_empty_parts_is_refused_after_some_of_them(kind: str) -> None:
    if kind == "JPEG":
        data = jpeg()
        data = data[:2] + b"\xff\xfe\0\2" * 1_000_000 + data[2:]
    elif kind == "PNG":
        data = cv2.imencode(".png", NOISE)[1].tobytes()
        empty = b"\0\0\0\0tEXt" + struct.pack(">I", zlib.crc32(b"tEXt"))
        data = data[:33] + empty * 400_000 + data[33:]
    else:
        plain = cv2.imencode(".webp", NOISE)[1].tobytes()[12:]
        sides = (639).to_bytes(3, "little") + (479).to_bytes(3, "little")
        body = b"WEBPVP8X" + struct.pack("<I", 10) + bytes(4) + sides + b"EXIF\0\0\0\0" * 700_000 + plain
        data = b"RIFF" + struct.pack("<I", len(body)) + body
    steps = 0

    def count(frame: FrameType, event: str, argument: object) -> Callable[..., Any]:
        nonlocal steps
        del frame, argument
        steps += event == "line"
        return count

    sys.settrace(count)
    try:
        with pytest.raises(BadFrameError, match="cut short or damaged"):
            read_header(data)
    finally:
        sys.settrace(None)
    assert steps < 20 * MOST_PARTS


def test_a_thumbnail_with_a_header_of_its_own_is_no_second_picture() -> None:
    """Phones put a small JPEG into the EXIF segment, and some another one behind the end of the picture."""
    thumbnail = b"Exif\0\0" + sized(jpeg(), 160)[:60_000]
    segment = b"\xff\xe1" + struct.pack(">H", len(thumbnail) + 2) + thumbnail
    plain = jpeg()
    data = plain[:2] + segment + plain[2:] + plain
    assert (read_header(data).width, read_header(data).height) == (640, 480)
    assert np.array_equal(decode_image(data, live=True), decode_image(plain, live=True))


def test_scans_that_cost_more_than_they_weigh_are_refused() -> None:
    """A progressive scan of ten bytes costs a pass over the whole picture."""
    whole = jpeg(cv2.IMWRITE_JPEG_PROGRESSIVE, 1)
    assert decode_image(whole, live=True).shape == (480, 640, 3)
    scan = b"\xff\xda" + struct.pack(">HBBBBBB", 8, 1, 1, 0, 1, 63, 0) + b"\0"
    with pytest.raises(BadFrameError, match="cut short or damaged"):
        decode_image(whole[:-2] + scan * MOST_SCANS + b"\xff\xd9", live=True)


def png(*chunks: tuple[bytes, bytes]) -> bytes:
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in chunks
    )


def ihdr(side: int) -> tuple[bytes, bytes]:
    return b"IHDR", struct.pack(">II5B", side, side, 8, 2, 0, 0, 0)


ROWS = (b"IDAT", zlib.compress(bytes(32 * 97)))
END = (b"IEND", b"")


@pytest.mark.parametrize(
    "data",
    [
        png(ihdr(32), ihdr(20_000), ROWS, END),
        png(ihdr(20_000), ihdr(32), ROWS, END),
        png(ROWS, ihdr(32), END),
        png(END),
    ],
)
def test_a_png_with_two_sizes_or_none_is_refused(data: bytes) -> None:
    with pytest.raises(BadFrameError, match="cut short or damaged"):
        decode_image(data)


def test_an_animated_png_is_refused() -> None:
    frames = (b"acTL", struct.pack(">II", 1000, 0))
    assert decode_image(png(ihdr(32), ROWS, END)).shape == (32, 32, 3)
    with pytest.raises(BadFrameError, match="holds an animation: save one frame of it as JPEG"):
        decode_image(png(ihdr(32), frames, ROWS, END))


def webp(*chunks: tuple[bytes, bytes]) -> bytes:
    body = b"WEBP" + b"".join(
        kind + struct.pack("<I", len(part)) + part + bytes(len(part) % 2) for kind, part in chunks
    )
    return b"RIFF" + struct.pack("<I", len(body)) + body


def webp_picture() -> tuple[bytes, bytes]:
    done, data = cv2.imencode(".webp", NOISE, [cv2.IMWRITE_WEBP_QUALITY, 60])
    assert done
    at = data.tobytes().index(b"VP8 ")
    (size,) = struct.unpack_from("<I", data.tobytes(), at + 4)
    return b"VP8 ", data.tobytes()[at + 8 : at + 8 + size]


def canvas(width: int, height: int, flags: int = 0) -> tuple[bytes, bytes]:
    sizes = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    return b"VP8X", bytes([flags, 0, 0, 0]) + sizes


def test_an_extended_webp_is_as_large_as_its_picture() -> None:
    whole = webp(canvas(640, 480), (b"EXIF", b"odd"), webp_picture())
    assert (read_header(whole).width, read_header(whole).height) == (640, 480)
    assert decode_image(whole).shape == (480, 640, 3)
    for data in (
        webp(canvas(64, 48), webp_picture()),
        webp(canvas(16_000, 16_000), webp_picture()),
        webp(canvas(640, 480)),
        webp((b"JUNK", b"none"), webp_picture()),
    ):
        with pytest.raises(BadFrameError, match="cut short or damaged"):
            decode_image(data)


@pytest.mark.parametrize("flags", [0x02, 0])
def test_an_animated_webp_is_refused(flags: int) -> None:
    with pytest.raises(BadFrameError, match="holds an animation"):
        decode_image(webp(canvas(640, 480, flags), (b"ANIM", bytes(6)), webp_picture()))


def test_a_bmp_of_the_oldest_form_or_with_a_file_inside_is_refused() -> None:
    done, data = cv2.imencode(".bmp", NOISE)
    assert done
    good = data.tobytes()
    assert decode_image(good).shape == (480, 640, 3)
    oldest = good[:14] + struct.pack("<IHHHH", 12, 640, 480, 1, 24) + good[26:]
    with_jpeg = good[:30] + struct.pack("<I", 4) + good[34:]
    for bad in (oldest, with_jpeg):
        with pytest.raises(BadFrameError, match="cut short or damaged"):
            decode_image(bad)


@pytest.mark.parametrize(
    "start", [b"GIF89a", b"II*\0", b"MM\0*", b"\0\0\0\x0cjP  ", b"\0\0\0\x1cftypavif", b"P6\n", b"#?RADIANCE\n"]
)
def test_kinds_that_no_camera_sends_never_reach_a_decoder(start: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cv2, "imdecode", lambda *_: pytest.fail("it was decoded"))
    with pytest.raises(BadFrameError, match="Expected a JPEG, PNG, WebP or BMP picture"):
        decode_image(start + bytes(1000))


def test_the_decoder_itself_refuses_what_is_larger_than_any_picture_that_is_taken() -> None:
    """OpenCV reads its bound when it is loaded, so it must be set before; a fresh process shows whether it is."""
    code = (
        "import companion, cv2, numpy, sys\n"
        "data = numpy.frombuffer(sys.stdin.buffer.read(), numpy.uint8)\n"
        "try:\n    print(cv2.imdecode(data, cv2.IMREAD_COLOR))\n"
        "except cv2.error as why:\n    print('refused:', 'pixels' in str(why))\n"
    )
    found = {key: text for key, text in os.environ.items() if key != "OPENCV_IO_MAX_IMAGE_PIXELS"}
    done = subprocess.run(
        [sys.executable, "-c", code], input=sized(jpeg(), 7_100), capture_output=True, check=True, env=found, cwd=ROOT
    )
    assert b"refused: True" in done.stdout
    assert int(re.findall(r'"(\d+)"', Path(str(companion.__file__)).read_text())[0]) == MOST_PIXELS


DECODERS = {"imdecode", "imread", "imdecodemulti", "imreadmulti", "imdecodeanimation", "imreadanimation"}
DECODERS |= {"imdecodeWithMetadata", "imreadWithMetadata", "ImageCollection", "VideoCapture"}

DOORS = {
    ("companion/vision/images.py", "imdecode"): "the one function: its header was checked",
    ("companion/vision/images.py", "imread"): "the one function: its header was checked",
    ("companion/vision/sources/capture.py", "VideoCapture"): "cameras and streams; each frame's size is checked",
    ("companion/vision/sources/video_file.py", "VideoCapture"): "videos; each frame's size is checked",
}


def decoding(path: Path) -> Iterator[str]:
    """Name the decoders that a module uses, also where it has imported them by name."""
    code = path.read_text(encoding="utf-8")
    if not any(name in code for name in (*DECODERS, "Image")):
        return
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Attribute) and node.attr in DECODERS:
            yield node.attr
        elif isinstance(node, ast.ImportFrom):
            yield from (name.name for name in node.names if name.name in DECODERS)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "Image.open":
            yield "Image.open"


def test_every_picture_comes_in_through_the_one_door() -> None:
    found = {
        (path.relative_to(ROOT).as_posix(), name)
        for folder in ("companion", "calibration", "firmware_bridge")
        for path in (ROOT / folder).rglob("*.py")
        for name in decoding(path)
    }
    assert found == set(DOORS)
