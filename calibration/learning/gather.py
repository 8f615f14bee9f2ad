"""Throws of somebody's dice, from a folder, a video or a camera, and the flat faces visible in them."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from companion.vision.dice.corners import Corners
from companion.vision.dice.faces import Outline
from companion.vision.dice.geometry import SQUARE, TRIANGLE, Points, cut_flat, edge_length
from companion.vision.dice.locate import Locator
from companion.vision.dice.outlines import distinct, visible_sides
from companion.vision.images import load_image
from companion.vision.readings import Image
from companion.vision.sources import local_path, open_source
from companion.vision.sources.folder import PICTURES
from companion.vision.sources.scripted import ScriptedSource
from companion.vision.sources.source import FrameSource, SourceError, SourceState
from companion.vision.stillness import Stillness, StillnessState

SURE_DIE_CHANCE = 0.6
"""Anything that is less certainly a die is not used for learning."""

LEAST_EDGE = 24.0
"""Smaller faces, in pixels of the picture, are not used for learning."""

FRAME_WAIT = 0.5
"""Seconds to wait for a frame before looking at the state of the source again."""


@dataclass(frozen=True, eq=False)
class SeenFace:
    """A face in one throw: its flat patch (BGR), its shape, and the number of the throw, from 0."""

    patch: Image
    outline: Outline
    throw: int


class Gatherer:
    """Finds faces. Keeps its nets loaded; use one for each thread."""

    def __init__(self) -> None:
        self._locator = Locator()
        self._corners = Corners()

    def faces(self, image: Image, throw: int) -> list[SeenFace]:
        """Return the upper faces and the visible sides of tetrahedra that lie entirely inside a picture."""
        return [face for face, _ in self.placed_faces(image, throw)]

    def placed_faces(self, image: Image, throw: int) -> list[tuple[SeenFace, Points]]:
        """Return the same faces, each with the place of its middle in the picture, (2), in pixels."""
        found = distinct(self._corners.correct(image, self._locator.find(image)))
        seen = [
            (SeenFace(cut_flat(image, face.corners, SQUARE), "square", throw), face.corners.mean(axis=0))
            for face in found.faces
            if face.score >= SURE_DIE_CHANCE and _good(face.corners, image)
        ]
        for one in found.tetrahedra:
            if one.score >= SURE_DIE_CHANCE and _good(one.outline(), image):
                seen += [
                    (SeenFace(cut_flat(image, s, TRIANGLE), "side", throw), s.mean(axis=0))
                    for _, s in visible_sides(one)
                ]
        return seen


def _good(corners: Points, image: Image) -> bool:
    height, width = image.shape[:2]
    whole = (corners >= 1).all() and (corners <= [width - 2, height - 2]).all()
    return bool(whole) and edge_length(corners) >= LEAST_EDGE


def throws_of(spec: str, most: int, *, at_once: bool = False) -> Iterator[Image]:
    """Return one picture of each throw, up to ``most``, as they come.

    ``spec``: a folder of pictures, each a throw; or a video or camera as in `open_source`. There each still interval
    after a movement is a throw, and its sharpest frame is the picture. ``at_once``: yield it while the dice still lie
    there, as soon as nothing moves, and not when the next throw begins.

    It waits until the camera gives its first frame, or fails.

    Raises:
        SourceError: the source names nothing, or breaks before the first throw.
        BadFrameError: a picture of the folder cannot be read.
    """
    folder = local_path(spec)
    if folder is not None and folder.is_dir() and not (folder / "script.json").is_file():
        paths = sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURES)
        return map(load_image, paths[:most])
    source = open_source(spec)
    source.start()
    while source.newest(0, FRAME_WAIT) is None and source.state is not SourceState.LOST:
        pass
    if source.state is SourceState.LOST and source.newest(0, 0) is None:
        source.close()
        raise SourceError(source.sentence)
    return _still_pictures(source, most, at_once=at_once)


def _still_pictures(source: FrameSource, most: int, *, at_once: bool) -> Iterator[Image]:
    try:
        given = 0
        for image in islice(_lying(source) if at_once else _sharpest(source), most):
            given += 1
            yield image
        if given == 0 and source.state is SourceState.LOST:
            raise SourceError(source.sentence)
    finally:
        source.close()


def _sharpest(source: FrameSource) -> Iterator[Image]:
    """Yield the sharpest frame of each throw, once its still interval is over."""
    interval = -1
    waiting: Image | None = None
    for seen in _since_motion(source):
        if waiting is not None and (seen.phase == "moving" or seen.interval != interval):
            yield waiting
            waiting = None
        if seen.phase == "still" and not seen.hand and seen.frames:
            interval, waiting = seen.interval, seen.frames[0].image
    if waiting is not None:
        yield waiting


def _lying(source: FrameSource) -> Iterator[Image]:
    """Yield a frame of each throw as soon as nothing moves."""
    interval = -1
    for seen in _since_motion(source):
        if seen.interval != interval and seen.phase == "still" and not seen.hand and seen.frames:
            interval = seen.interval
            yield seen.frames[0].image


def _since_motion(source: FrameSource) -> Iterator[StillnessState]:
    """Yield what each frame adds, from the first motion on: dice that lie there at the start were not thrown."""
    stillness = Stillness()
    newest, moved = 0, False
    while True:
        frame = source.newest(newest, FRAME_WAIT)
        if frame is None:
            if source.state is SourceState.LOST:
                return
            continue
        if isinstance(source, ScriptedSource) and source.ended:
            return  # a script shows its last picture forever
        newest = frame.number
        seen = stillness.feed(frame)
        moved = moved or seen.phase == "moving"
        if moved:
            yield seen
