"""A camera knocked by 5 degrees and 20 mm, 60 cm above a board: when this is noticed, how well the place is corrected.

Frames come at 5 per second. A knock turns the camera about a random axis and pushes it in a random direction. A picture
of a board, treated as flat, is warped as the knocked camera would see it, with noise, an unsteady light and, in half of
the cases, a hand over the board. Quiet videos have noise, light, hands and moved men, but no knock: every report is
false.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from bench.reader.pictures import labels_of, load
from companion.vision.boards.markers import MarkerFinder
from companion.vision.boards.pose import BoardPose, Points, learn_places, pose_from_corners, through
from companion.vision.boards.tracking import BoardTracker, Tracked
from companion.vision.images import load_image
from companion.vision.readings import Image
from tests.vision.boards.drawn import Camera, draw_table, field_corners, photograph, project

SHARED = Path(__file__).resolve().parents[3] / "shared"
HEIGHT = 600.0
TICK = 0.2
TOLD = ("knocked", "recovered", "lost")
Matrix = Points


@dataclass(frozen=True, eq=False)
class Board:
    """A picture, its field's corners in pixels, and whether there are markers in it."""

    name: str
    image: Image
    corners: Points
    markers: bool


def boards(shared: Path) -> list[Board]:
    """Return the sample pictures of boards, if present, and drawn ones."""
    made = []
    for kind in ("tables", "rithmomachia"):
        folder = shared / "eval" / kind
        for label in labels_of(folder) if folder.is_dir() else ():
            (placed,) = (one for one in label["objects"] if one["kind"] == "board")
            image = load_image(folder / label["image"])
            made.append(Board(label["image"], image, np.array(placed["corners"], float), bool(placed["markers"])))
    for seed in (1, 2):
        men = [(14 + 27.7 * column, 14 + 27 * row, "light" if row % 2 else "dark") for column, row in ((0, 0), (4, 1))]
        for markers in (0.0, 24.0):
            camera = Camera(height=700, turn=(1.5 * seed, -1.5, 7.0))  # all markers in view
            image = photograph(draw_table(markers=markers, men=men, seed=seed), camera, noise=0)
            corners = project(camera.homography(), field_corners())
            made.append(Board(f"drawn-{seed}", image, corners, markers > 0))
    return made


def knock(rng: np.random.Generator, size: tuple[int, int], degrees: float, push: float) -> Matrix:
    """Return the homography of the board's plane, in pixels, for a camera that is turned and pushed (mm)."""
    focal = 1100 * size[0] / 1280
    inner = np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1]])
    axis, way = (vector / np.linalg.norm(vector) for vector in rng.normal(size=(2, 3)))
    turn = cv2.Rodrigues(axis * np.radians(degrees))[0]
    return np.asarray(inner @ (turn + np.outer(way * push, [0, 0, 1]) / HEIGHT) @ np.linalg.inv(inner), np.float64)


class Video:
    """Frames of one board: noise, light, a hand that comes and goes, men that somebody moves."""

    def __init__(self, board: Board, rng: np.random.Generator) -> None:
        self._board, self._rng = board, rng
        self._still = board.image.copy()
        self.moved: Matrix = np.eye(3)
        self.hand: float | None = None  # how far the hand reaches over the board, from 0 to 1
        self._side = int(rng.integers(4))
        shape = (4, *board.image.shape)
        self._grain = (rng.standard_normal(shape, np.float32) * rng.uniform(1.5, 4)).astype(np.int8)

    def move_a_man(self) -> None:
        """Move a disc of the board to another place on it."""
        matrix = pose_from_corners(self._board.corners, self._size).to_picture
        radius = int(0.03 * np.linalg.norm(self._board.corners[1] - self._board.corners[0]))
        (x0, y0), (x1, y1) = np.round(through(matrix, self._rng.uniform(0.08, 0.92, (2, 2)))).astype(int)
        disc = np.zeros((2 * radius, 2 * radius, 1), np.uint8)
        cv2.circle(disc, (radius, radius), radius - 1, 255, -1)
        source = self._still[y0 - radius : y0 + radius, x0 - radius : x0 + radius].copy()
        target = self._still[y1 - radius : y1 + radius, x1 - radius : x1 + radius]
        if source.shape == target.shape == (2 * radius, 2 * radius, 3):
            target[:] = np.where(disc > 0, source, target)

    def frame(self) -> Image:
        """Return the next frame."""
        image = self._still.copy()
        if self.hand is not None:
            self._draw_hand(image)
        warped = cv2.warpPerspective(image, self.moved, self._size, borderMode=cv2.BORDER_REFLECT_101)
        light = 1 + self._rng.normal(0, 0.02)
        lit = cv2.convertScaleAbs(warped, alpha=light).astype(np.int16)
        grain = np.roll(self._grain[self._rng.integers(4)], int(self._rng.integers(image.shape[0])), axis=0)
        return np.asarray(np.clip(lit + grain, 0, 255), np.uint8)

    @property
    def _size(self) -> tuple[int, int]:
        return self._board.image.shape[1], self._board.image.shape[0]

    def _draw_hand(self, image: Image) -> None:
        assert self.hand is not None
        corners = self._board.corners
        edge = (corners[self._side] + corners[(self._side + 1) % 4]) / 2
        middle = corners.mean(axis=0)
        wide = int(0.14 * np.linalg.norm(corners[1] - corners[0]))
        tip = edge + (middle - edge) * 1.3 * self.hand + self._rng.normal(0, 2, 2)
        root = edge + (edge - middle) * 3
        cv2.line(image, _place(root), _place(tip), (70, 60, 110), wide, cv2.LINE_AA)
        cv2.ellipse(image, _place(tip), (wide, int(0.7 * wide)), 30, 0, 360, (130, 160, 205), -1, cv2.LINE_AA)
        for finger in range(4):
            turn = (tip - root) / np.linalg.norm(tip - root) * wide * 1.5
            across = np.array([-turn[1], turn[0]]) * (finger - 1.5) * 0.3
            cv2.line(image, _place(tip), _place(tip + turn + across), (120, 150, 200), wide // 4, cv2.LINE_AA)


def _place(point: Points) -> tuple[int, int]:
    return int(point[0]), int(point[1])


def tracker(board: Board, image: Image, *, markers: bool) -> tuple[BoardTracker, BoardPose]:
    """Return a tracker as calibrating would make it, from one frame of the video."""
    pose = pose_from_corners(board.corners, (image.shape[1], image.shape[0]))
    seen = MarkerFinder().find(image).markers if markers else {}
    return BoardTracker(pose, image, learn_places(seen, pose)), pose


def one_knock(board: Board, rng: np.random.Generator, *, markers: bool, degrees: float, push: float) -> dict[str, Any]:
    """Knock the camera in mid-video; return after how many frames that is noticed, and the error of the place."""
    video = Video(board, rng)
    follower, pose = tracker(board, video.frame(), markers=markers)
    now = 0.0
    states = [state.state for state in _fed(follower, video, 4, now)]
    early = sum(state in TOLD for state in states)
    video.hand = float(rng.uniform(0.3, 1)) if rng.random() < 0.5 else None
    before = video.moved
    video.moved = knock(rng, pose.size, degrees, push)
    truth = through(video.moved, board.corners)
    noticed = recovered = None
    off = float("nan")
    for number, times in enumerate(_fed(follower, video, 20, 4 * TICK), 1):
        if noticed is None and (times.state in TOLD or times.sentence is not None):
            noticed = number
        if times.state == "recovered" and times.pose is not None:
            recovered = number
            off = float(np.linalg.norm(times.pose.corners - truth, axis=1).max())
            break
    del before
    return {
        "board": board.name,
        "hand": video.hand is not None,
        "early": early,
        "noticed": noticed,
        "recovered": recovered,
        "off": off,
        "moved": float(np.linalg.norm(truth - board.corners, axis=1).max()),
    }


def _fed(follower: BoardTracker, video: Video, frames: int, start: float) -> Iterator[Tracked]:
    for number in range(frames):
        yield follower.feed(video.frame(), start + (number + 1) * TICK)


def quiet(board: Board, rng: np.random.Generator, *, markers: bool, frames: int) -> dict[str, Any]:
    """Show a video without a knock; return the false reports, and the time per frame."""
    video = Video(board, rng)
    follower, pose = tracker(board, video.frame(), markers=markers)
    states: dict[str, int] = {}
    took, off = [], 0.0
    for number in range(frames):
        phase = number % 25
        video.hand = None if phase < 12 else 1 - abs(phase - 18) / 7
        if phase == 18:
            video.move_a_man()
        image = video.frame()
        began = time.perf_counter()
        state = follower.feed(image, number * TICK)
        took.append(time.perf_counter() - began)
        states[state.state] = states.get(state.state, 0) + 1
        if state.pose is not None:
            off = max(off, state.pose.shift(pose))
    return {"told": states, "ms": [round(1000 * t, 1) for t in took], "off": off}


def measured(some: list[Board], given: argparse.Namespace, *, markers: bool) -> dict[str, Any]:
    """Return the figures with or without markers."""
    rng = np.random.default_rng([given.seed, int(markers)])
    usable = [board for board in some if board.markers] if markers else some
    knocks = [
        one_knock(usable[n % len(usable)], rng, markers=markers, degrees=given.degrees, push=given.push)
        for n in range(given.n)
    ]
    frames = [one["noticed"] for one in knocks if one["noticed"] is not None]
    offs = np.array([one["off"] for one in knocks if one["recovered"] is not None])
    videos = [quiet(board, rng, markers=markers, frames=given.frames) for board in usable]
    states: dict[str, int] = {}
    for video in videos:
        for state, times in video["told"].items():
            states[state] = states.get(state, 0) + times
    return {
        "knocks": len(knocks),
        "corner_moved_px": _spread([one["moved"] for one in knocks]),
        "noticed": len(frames),
        "noticed_within_2_s": sum(count <= round(2 / TICK) for count in frames),
        "frames_until_noticed": {str(count): frames.count(count) for count in sorted(set(frames))},
        "recovered": len(offs),
        "frames_until_recovered": _spread([one["recovered"] for one in knocks if one["recovered"] is not None]),
        "corner_off_px": _spread(offs),
        "recovered_wrongly": int((offs > 5).sum()),
        "not_recovered": [
            {key: one[key] for key in ("board", "hand", "noticed")} for one in knocks if one["recovered"] is None
        ],
        "false_before_the_knock": sum(one["early"] for one in knocks),
        "quiet": {
            "videos": len(videos),
            "frames": sum(states.values()),
            "told": states,
            "corner_off_px": round(max(video["off"] for video in videos), 2),
            "ms": _spread([took for video in videos for took in video["ms"]]),
        },
    }


def _spread(values: Any) -> dict[str, float]:
    values = np.asarray(values, float)
    if not len(values):
        return {}
    return {
        "median": round(float(np.median(values)), 2),
        "p95": round(float(np.percentile(values, 95)), 2),
        "max": round(float(values.max()), 2),
    }


def main() -> int:
    """Print the figures as one JSON object."""
    parser = argparse.ArgumentParser(prog="python -m bench.boards.knock", description=__doc__)
    parser.add_argument("-n", type=int, default=60)
    parser.add_argument("--seed", type=int, default=20261125)
    parser.add_argument("--frames", type=int, default=50, help="of each quiet video")
    parser.add_argument("--degrees", type=float, default=5.0)
    parser.add_argument("--push", type=float, default=20.0, help="in millimetres")
    parser.add_argument("--shared", type=Path, default=SHARED, help="the folder with eval/tables and eval/rithmomachia")
    parser.add_argument("--json", action="store_true", help="as all measurements have it; there is no other form")
    given = parser.parse_args()
    some = boards(given.shared)
    figures = {
        "n": given.n,
        "seed": given.seed,
        "degrees": given.degrees,
        "push_mm": given.push,
        "pictures": len(some),
        "frames_a_second": round(1 / TICK),
        "with_markers": measured(some, given, markers=True),
        "without_markers": measured(some, given, markers=False),
        "load": load(),
    }
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
