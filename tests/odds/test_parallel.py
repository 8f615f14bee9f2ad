"""Long work side by side: on cores and on a cluster, whose workers and scheduler may die."""

import pickle
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from companion.parallel import cluster as clusters
from companion.parallel.cluster import Cluster, ClusterError
from companion.parallel.cores import Cores
from companion.parallel.parts import Workers, WorkPart, parts_of
from companion.rules.registry import game, games
from tests.commands.running import json_of, run
from tests.odds.dask_cluster import DaskCluster, dask_cluster
from tests.odds.waiting import squares

SOON = 0.5
"""Seconds to wait for what is not there."""

LONG = 300.0
"""Seconds that a cluster on this computer may take to start while others use the processor."""

GAMES = (
    ("tables/laquet", "-n", "5100", "--cap", "40"),  # side by side, in three parts
    ("ludus-regularis/sum", "-n", "10040", "-o", "ending=throws", "-o", "throws=20"),  # in the family's own way, in two
    ("ludus-regularis/wheel", "-n", "12", "--cap", "60", "--rules"),
)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    """Return a running cluster of two workers."""
    with dask_cluster(tmp_path_factory.mktemp("dask"), 2) as running:
        yield running


@pytest.mark.parametrize("games", GAMES, ids=[games[0] for games in GAMES])
def test_the_same_games_come_out_on_one_core_on_two_and_on_a_cluster(
    games: tuple[str, ...], cluster: DaskCluster
) -> None:
    one, *others = [
        json_of("simulate", *games, "--seed", "7", *where)
        for where in (("--jobs", "1"), ("--jobs", "2"), ("--scheduler", cluster.address))
    ]
    time_taken = {"seconds": 0, "decisions_a_second": 0}
    assert one["games"] == int(games[2])
    assert all(other | time_taken == one | time_taken for other in others)


def test_the_same_counts_and_plans_come_out_on_cores_and_on_two_workers_and_three(cluster: DaskCluster) -> None:
    works = (
        ("perft", "rithmomachia/italian", "--depth", "4"),  # its last level in two pieces
        ("fairness", "plan", "--bias", "0.2", "--dice", "900"),  # in three
    )
    alone = [json_of(*work, "--jobs", "1") for work in works]
    assert [json_of(*work, "--jobs", "2") for work in works] == alone
    for workers in (2, 3):
        while cluster.workers < workers:
            cluster.add_worker()
        with Cluster(cluster.address, LONG) as found:
            _until(partial(_has, found, workers))
        assert [json_of(*work, "--scheduler", cluster.address) for work in works] == alone


def _has(cluster: Cluster, workers: int) -> bool:
    return cluster.workers() == workers


def test_positions_from_another_process_share_the_rules_of_this_one() -> None:
    for slug in games():
        start = game(slug).start(2)
        back = pickle.loads(pickle.dumps(start))
        assert (back, hash(back)) == (start, hash(start))
        assert getattr(back, "rules", None) is getattr(start, "rules", None), slug


def test_the_parts_hold_each_number_once() -> None:
    parts = parts_of(23, 5)
    assert [number for part in parts for number in range(part.first, part.first + part.count)] == list(range(23))


@pytest.mark.parametrize("workers", [Cores(1), Cores(2)], ids=["one process", "two processes"])
def test_what_a_part_raises_is_raised(workers: Workers) -> None:
    with workers, pytest.raises(ZeroDivisionError):
        list(workers.run(_inverse, parts_of(3, 1)))


def _inverse(part: WorkPart) -> float:
    return 1 / part.first


def test_a_worker_that_dies_loses_no_part(tmp_path: Path) -> None:
    found: dict[int, list[int]] = {}
    with dask_cluster(tmp_path, 1) as running, Cluster(running.address, LONG) as cluster:

        def work() -> None:
            found.update(cluster.run(partial(squares, str(tmp_path)), parts_of(5, 2)))

        worker = threading.Thread(target=work)
        worker.start()
        _until(tmp_path.joinpath("begun 0").exists)
        running.stop(1)
        running.add_worker()
        (tmp_path / "go").touch()
        worker.join()
    assert found == {0: [0, 1], 1: [4, 9], 2: [16]}


def test_a_scheduler_that_dies_is_told(tmp_path: Path) -> None:
    with dask_cluster(tmp_path, 1) as running, Cluster(running.address, LONG) as cluster:
        done = cluster.run(partial(squares, str(tmp_path)), parts_of(2, 1))

        def end() -> None:
            _until(tmp_path.joinpath("begun 0").exists)
            running.stop()

        ender = threading.Thread(target=end)
        ender.start()
        with pytest.raises(ClusterError, match="went away before the work was done: start it again"):
            list(done)
        ender.join()


def _until(true: Callable[[], bool]) -> None:
    while not true():
        time.sleep(0.02)


def test_a_worker_with_other_sources_is_refused(cluster: DaskCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "sources_digest", lambda *_: "others")
    with (
        Cluster(cluster.address, LONG) as found,
        pytest.raises(ClusterError, match="might compute something else: install"),
    ):
        list(found.run(_inverse, [WorkPart(1, 1)]))


def test_a_scheduler_without_workers_is_told(tmp_path: Path) -> None:
    with dask_cluster(tmp_path, 0) as running, pytest.raises(ClusterError, match="has no worker: start some with"):
        Cluster(running.address, wait_for_worker=SOON)


def test_what_is_no_scheduler_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "SCHEDULER_WAIT_SECONDS", SOON)
    for address in ("tcp://127.0.0.1:9", "nonsense", "ftp://127.0.0.1:9"):
        answer = run("simulate", "tables/zeno", "-n", "2", "--scheduler", address)
        assert answer.exit_code == 1
        assert f"Expected a Dask scheduler at '{address}'" in answer.stderr
        assert "Traceback" not in answer.output


def test_without_dask_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    answer = run("simulate", "tables/zeno", "-n", "2", "--scheduler", "tcp://127.0.0.1:8786")
    assert "pip install 'alea-companion[cluster]'" in answer.stderr


def test_jobs_and_a_scheduler_exclude_each_other() -> None:
    answer = run("simulate", "tables/zeno", "--jobs", "2", "--scheduler", "tcp://127.0.0.1:8786")
    assert answer.exit_code == 2
    assert "--jobs is for this computer's cores" in answer.stderr
