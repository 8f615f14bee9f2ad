"""The camera's effects on a small part of a picture: blur, exposure, colour cast, noise, JPEG."""

import cv2
import numpy as np
import numpy.typing as npt

from workshop.scenes.noise import colour_noise

Picture = npt.NDArray[np.float32]


def expose(picture: Picture, rng: np.random.Generator, *, blur: float, noise: bool) -> npt.NDArray[np.uint8]:
    """Return a small linear picture as a camera delivers it: unevenly lit, blurred, exposed, tinted, noisy, as JPEG."""
    height, width = picture.shape[:2]
    gradient = rng.normal(0, 0.12, 2).astype(np.float32)
    ramp = (
        1
        + gradient[0] * np.linspace(-1, 1, width, dtype=np.float32)[None, :]
        + gradient[1] * np.linspace(-1, 1, height, dtype=np.float32)[:, None]
    )
    if rng.random() < 0.15:  # the edge of a shadow
        angle, place = rng.uniform(0, 2 * np.pi), rng.normal(0, 0.3) * width
        ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
        along = (xs - width / 2) * np.float32(np.cos(angle)) + (ys - height / 2) * np.float32(np.sin(angle)) - place
        ramp = ramp * (1 - np.float32(rng.uniform(0.2, 0.7)) * np.clip(along / (1 + width * 0.05 * rng.random()), 0, 1))
    if rng.random() < 0.12:  # a reflection
        ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
        centre = (rng.uniform(0.1, 0.9, 2) * (width, height)).astype(np.float32)
        spread = width * rng.uniform(0.05, 0.25)
        picture = picture + np.float32(rng.uniform(0.05, 0.5)) * np.exp(
            -((xs - centre[0]) ** 2 + (ys - centre[1]) ** 2) / (2 * spread**2)
        )[:, :, None].astype(np.float32)
    balance = np.exp(rng.normal(0, 0.14, 3) + rng.normal(0, 0.1) * np.array([-1.6, 0, 1.2])).astype(np.float32)
    bright = float(np.percentile(picture[::4, ::4], 95))
    gain = float(np.exp(rng.normal(-0.25, 0.35))) * min(1.6, 0.85 / max(bright, 0.1)) ** 0.7
    lit = picture * (np.maximum(ramp, 0.1)[:, :, None] * (balance * np.float32(gain)))
    if blur > 0.3:
        lit = cv2.GaussianBlur(lit, (0, 0), blur)
    if rng.random() < 0.12:
        lit = cv2.filter2D(lit, -1, motion_kernel(float(rng.uniform(1.5, 5.0)), float(rng.uniform(0, np.pi))))
    flare = float(abs(rng.normal(0, 0.02)))
    lit *= np.float32((1 - flare) * 255 * 255)
    lit += np.float32(flare * 255 * 255)
    display = cv2.sqrt(lit)
    if rng.random() < 0.3:  # another tone curve
        bend = np.exp(rng.normal(0, 0.2))
        display = cv2.pow(display, bend) * np.float32(255 ** (1 - bend))
    if noise:
        sigma = float(rng.uniform(0.3, 5.0) if rng.random() < 0.8 else rng.uniform(4, 10))
        display = cv2.scaleAdd(colour_noise(rng, height, width), sigma, display)
    image = cv2.convertScaleAbs(np.maximum(display, 0))
    if rng.random() < 0.5:
        ok, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(60, 96))])
        assert ok
        image = cv2.imdecode(data, cv2.IMREAD_COLOR)
    return np.asarray(image, np.uint8)


def motion_kernel(length: float, angle: float) -> npt.NDArray[np.float32]:
    """Return a kernel that smears along a line of ``length`` pixels."""
    reach = int(np.ceil(length / 2)) + 1
    size = 2 * reach + 1
    kernel = np.zeros((size, size), np.uint8)
    dx, dy = np.cos(angle) * length / 2, np.sin(angle) * length / 2
    ends = np.round(np.array([[reach - dx, reach - dy], [reach + dx, reach + dy]]) * 16).astype(int)
    cv2.line(kernel, tuple(map(int, ends[0])), tuple(map(int, ends[1])), 255, 1, cv2.LINE_AA, 4)
    out = kernel.astype(np.float32)
    return np.asarray(out / out.sum(), np.float32)
