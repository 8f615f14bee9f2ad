"""Whatever bytes come: a picture or one sentence, never a crash, never a picture half grey."""

import os
import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.language.sentence import Sentence
from companion.vision.images import check_live, decode_image, load_image
from companion.vision.picture_header import BadFrameError, read_header
from companion.vision.readings import Image

from .stage import Stage, four_dice

PICTURE = Stage(dice=four_dice()).picture()
KINDS = [".jpg", ".png", ".webp", ".bmp"]


def coded(kind: str, picture: Image = PICTURE, *options: int) -> bytes:
    done, data = cv2.imencode(kind, picture, options)
    assert done
    return data.tobytes()


SMALL = {kind: coded(kind, PICTURE[::4, ::4]) for kind in KINDS}
PROGRESSIVE = coded(".jpg", PICTURE[::4, ::4], cv2.IMWRITE_JPEG_PROGRESSIVE, 1, cv2.IMWRITE_JPEG_RST_INTERVAL, 4)


def with_orientation(jpeg: bytes, orientation: int) -> bytes:
    tiff = b"II*\0\x08\0\0\0" + struct.pack("<HHHII", 1, 0x0112, 3, 1, orientation) + bytes(4)
    body = b"Exif\0\0" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + jpeg[2:]


def is_one_sentence(error: BadFrameError) -> bool:
    text = str(error)
    return text.endswith(".") and "Expected" in text and "\n" not in text and str(error.sentence) == text


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_read_whole(kind: str) -> None:
    data = coded(kind)
    header = read_header(data)
    assert (header.width, header.height) == (640, 360)
    image = decode_image(data)
    assert image.shape == (360, 640, 3)
    assert np.abs(image.astype(int) - PICTURE).mean() < 4


@pytest.mark.parametrize("kind", [".webp"])
@pytest.mark.parametrize("quality", [50, 101])
def test_webp_with_and_without_loss_tells_its_size(kind: str, quality: int) -> None:
    header = read_header(coded(kind, PICTURE, cv2.IMWRITE_WEBP_QUALITY, quality))
    assert (header.kind, header.width, header.height) == ("WebP", 640, 360)


def test_grey_alpha_and_sixteen_bits_become_three_channels_of_bytes() -> None:
    grey = cv2.cvtColor(PICTURE, cv2.COLOR_BGR2GRAY)
    for other in (grey, cv2.cvtColor(PICTURE, cv2.COLOR_BGR2BGRA), grey.astype(np.uint16) * 257):
        done, data = cv2.imencode(".png", other)
        assert done
        image = decode_image(data.tobytes())
        assert image.shape == (360, 640, 3)
        assert image.dtype == np.uint8


@pytest.mark.parametrize(("orientation", "turn"), [(3, cv2.ROTATE_180), (6, cv2.ROTATE_90_CLOCKWISE), (8, 2)])
def test_a_picture_is_turned_as_its_exif_says(orientation: int, turn: int) -> None:
    plain = coded(".jpg")
    turned = decode_image(with_orientation(plain, orientation))
    assert np.array_equal(turned, cv2.rotate(decode_image(plain), turn))


@pytest.mark.parametrize("orientation", [1, 3, 6])
def test_a_picture_is_painted_over_one_of_its_size_and_over_no_other(orientation: int) -> None:
    data = with_orientation(coded(".jpg"), orientation)
    picture = decode_image(data)
    other, small = np.zeros_like(picture), np.zeros((32, 32, 3), np.uint8)
    assert np.array_equal(decode_image(data, into=other), picture)
    assert np.array_equal(decode_image(data, into=small), picture)
    assert not small.any()
    assert np.array_equal(decode_image(data, into=other), picture)
    if orientation != 6 and hasattr(os, "memfd_create"):
        assert decode_image(data, into=other) is other


@pytest.mark.parametrize("data", [*SMALL.values(), PROGRESSIVE])
@settings(max_examples=60, deadline=None)
@given(share=st.floats(0, 1, exclude_max=True))
def test_a_picture_cut_anywhere_is_refused(data: bytes, share: float) -> None:
    with pytest.raises(BadFrameError) as refused:
        decode_image(data[: int(share * len(data))])
    assert is_one_sentence(refused.value)


@pytest.mark.parametrize("data", [*SMALL.values(), PROGRESSIVE])
@settings(max_examples=60, deadline=None)
@given(flips=st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 7)), min_size=1, max_size=8))
def test_flipped_bits_give_a_picture_or_a_sentence(data: bytes, flips: list[tuple[float, int]]) -> None:
    damaged = bytearray(data)
    for share, bit in flips:
        damaged[int(share * len(data))] ^= 1 << bit
    try:
        image = decode_image(bytes(damaged), live=True)
    except BadFrameError as error:
        assert is_one_sentence(error)  # noqa: PT017
    else:
        assert image.ndim == 3
        assert image.dtype == np.uint8


@settings(max_examples=100, deadline=None)
@given(
    data=st.binary(max_size=400), start=st.sampled_from([b"", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"RIFF", b"BM"])
)
def test_anything_else_is_refused(data: bytes, start: bytes) -> None:
    with pytest.raises(BadFrameError) as refused:
        decode_image(start + data)
    assert is_one_sentence(refused.value)


def test_a_frame_of_8000_by_6000_is_refused_live_before_it_is_decoded() -> None:
    frame = coded(".jpg", np.zeros((6000, 8000, 3), np.uint8))
    with pytest.raises(BadFrameError, match="8000x6000"):
        decode_image(frame, live=True)


def test_a_file_of_48_megapixels_is_read_at_half_size() -> None:
    frame = coded(".jpg", np.zeros((6000, 8000, 3), np.uint8))
    assert decode_image(frame).shape == (3000, 4000, 3)


def test_a_bomb_that_claims_a_huge_size_is_refused_unopened() -> None:
    header = struct.pack(">II5B", 60000, 60000, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(b"")), (b"IEND", b"")]
    bomb = b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in chunks
    )
    with pytest.raises(BadFrameError, match="60000x60000"):
        decode_image(bomb)


def test_tiny_and_heavy_pictures_are_refused() -> None:
    with pytest.raises(BadFrameError, match="8x8"):
        decode_image(coded(".png", np.zeros((8, 8, 3), np.uint8)))
    with pytest.raises(BadFrameError, match="12 MB"):
        decode_image(bytes(13 << 20), live=True)
    with pytest.raises(BadFrameError, match="0 bytes"):
        decode_image(b"")


def test_a_file_error_names_the_file_and_the_reason(tmp_path: Path) -> None:
    (tmp_path / "cut.jpg").write_bytes(coded(".jpg")[:-500])
    with pytest.raises(BadFrameError, match=r"cut\.jpg: Expected a whole JPEG"):
        load_image(tmp_path / "cut.jpg")
    with pytest.raises(BadFrameError, match="No such file"):
        load_image(tmp_path / "none.jpg")
    with pytest.raises(BadFrameError, match="Is a directory"):
        load_image(tmp_path)
    (tmp_path / "good.png").write_bytes(coded(".png"))
    assert np.array_equal(load_image(tmp_path / "good.png"), PICTURE)


def noise(deviation: float) -> Image:
    field = np.random.default_rng(3).normal(128, deviation, (480, 640, 3))
    return np.clip(field, 0, 255).astype(np.uint8)


@pytest.mark.parametrize(
    ("picture", "word"),
    [
        (np.zeros((480, 640, 3), np.uint8), "black"),
        (np.random.default_rng(1).integers(0, 12, (480, 640, 3)).astype(np.uint8), "black"),
        (np.full((480, 640, 3), 128, np.uint8), "even colour"),
        (noise(60), "noise"),
        (decode_image(coded(".jpg", noise(60), cv2.IMWRITE_JPEG_QUALITY, 75)), "noise"),
        (PICTURE[:64, :64], "64x64"),
        (PICTURE[:, :, 0], "unknown format"),
    ],
)
def test_a_frame_that_shows_no_table_has_a_reason(picture: Image, word: str) -> None:
    fault = check_live(picture)
    assert isinstance(fault, Sentence)
    assert word in str(fault)


def test_a_table_dim_even_or_grainy_is_no_fault() -> None:
    assert check_live(PICTURE) is None
    assert check_live((PICTURE * 0.25).astype(np.uint8)) is None
    assert check_live(noise(4)) is None
    grain = np.random.default_rng(2).integers(60, 200, (240, 320, 3), dtype=np.uint8)
    assert check_live(np.asarray(cv2.resize(grain, (640, 480)), np.uint8)) is None
