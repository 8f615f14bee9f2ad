"""Men before the camera: what is played is committed, what is unsure asked, what is wrong said; nothing is guessed."""

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.desk.sight import Agreement
from companion.odds.playouts import random_move
from companion.referee.board.seating import Seating
from companion.referee.board.standing import expected_board
from companion.referee.events import BoardObserved, Committed
from companion.referee.match import Match
from companion.rules.dice import Throw
from companion.rules.game import Position
from companion.rules.registry import game
from companion.rules.rithmomachia import RithmoPosition
from companion.rules.rithmomachia.choices import Claim, Delivery, Done, Return
from companion.vision.board_readings import Men, SiteReading
from tests.desk.board_office import BoardOffice
from tests.referee.board.simulated import Camera, hidden, perfect, seating_of
from tests.referee.older import check_read_as_before

SLUGS = ("tables/zeno", "tables/todas-tablas", "tables/ludus-anglicorum", "rithmomachia/durnil-guardia")


@pytest.fixture
def office(tmp_path: Path) -> BoardOffice:
    return BoardOffice(tmp_path / "journal.db")


@pytest.fixture
def zeno(office: BoardOffice) -> BoardOffice:
    """Zeno's game, the board seated, 2 5 6 thrown."""
    office.begin_board("tables/zeno")
    tap(office, "2 5 6")
    return office


@pytest.fixture
def battle(office: BoardOffice) -> BoardOffice:
    office.begin_board("rithmomachia/durnil-guardia")
    return office


def tap(office: BoardOffice, faces: str) -> None:
    waits = office.match.position.awaits
    reply = office.do("throw", faces=dict(zip(waits.dice, faces.split(), strict=True)), dice_set=waits.dice_sets[0])
    assert reply.ok, str(reply.sentence)


def after(position: Position, *moves: str) -> Position:
    for move in moves:
        position = position.after(position.parse(move))
    return position


def test_the_first_look_finds_how_the_board_lies_and_a_resumed_match_knows_it(office: BoardOffice) -> None:
    office.begin_board("tables/zeno", 3)
    assert office.match.board.seating == office.seating
    assert office.state() == ("SYNCED", "The board stands as agreed.")
    replayed = office.replayed()
    assert replayed.board == office.match.board
    assert replayed.board.before is not None


def test_a_start_that_looks_alike_from_two_sides_is_asked_about(office: BoardOffice) -> None:
    office.do("new_match", game="tables/ludus-anglicorum", players=["Anna", "Ben"], dice_by="tapped")
    office.seating = seating_of(game("tables/ludus-anglicorum"), 3)
    office.stand(office.match.position)
    assert office.state() == ("PROPOSED", "How is the board placed, and who plays which colour?")
    answers = [str(candidate["sentence"]["text"]) for candidate in office.page_part()["ask"]["candidates"]]
    assert "dark is Anna's, light is Ben's, point a lies at the top left." in answers
    assert len(set(answers)) == len(answers) > 1
    office.seat()
    assert office.match.board.seating == office.seating


def test_a_turn_is_committed_when_its_last_man_is_set_down(zeno: BoardOffice) -> None:
    position = zeno.match.position
    zeno.stand(after(position, "a-c"))
    assert zeno.state() == ("SETTLING", "Go on: 5 and 6 still to be played.")
    assert zeno.match.position == position
    zeno.stand(after(position, "a-c", "a-f"))
    assert zeno.state() == ("SETTLING", "Go on: 6 still to be played.")
    zeno.stand(after(position, "a-c", "a-f", "a-g"))
    assert zeno.match.position == after(position, "a-c", "a-f", "a-g")
    assert [turn.by for turn in zeno.match.history] == ["tapped", "camera", "camera", "camera"]
    assert zeno.state()[0] == "SYNCED"
    kinds = [entry.event.kind for entry in zeno.match.entries]
    assert kinds[-4:] == ["board", "committed", "committed", "committed"]
    assert zeno.replayed().position == zeno.match.position


def test_men_moved_before_the_throw_was_read_are_a_mismatch_in_words(office: BoardOffice) -> None:
    office.begin_board("tables/zeno")
    start = office.match.position
    thrown = start.after(Throw.of("pips", {"1": "2", "2": "5", "3": "6"}))
    moved = after(thrown, "a-c", "a-f", "a-g")
    office.stand(moved)
    state, stated = office.state()
    assert state == "MISMATCH"
    assert stated.endswith("has not thrown yet.")
    assert not office.match.history
    tap(office, "2 5 6")
    assert office.match.position == moved, "the same look is judged again once the throw is known"


def test_an_illegal_play_is_named_by_its_rule_and_nothing_is_committed(zeno: BoardOffice) -> None:
    position = zeno.match.position
    zeno.stand(position, a=Men(zeno.seating.colour(1), 5), e=Men(zeno.seating.colour(1)))  # type: ignore[union-attr]
    state, stated = zeno.state()
    assert state == "MISMATCH"
    assert "has come to e" in stated
    finding = zeno.page_part()["finding"]
    assert "e" in finding["sites"]
    assert finding["why_not"] is not None
    assert finding["seen"]["e"] == {"1": 1}
    assert zeno.match.position == position
    zeno.stand(position)
    assert zeno.state()[0] == "SYNCED"


def test_men_put_back_take_the_turn_back(zeno: BoardOffice) -> None:
    position = zeno.match.position
    zeno.stand(after(position, "a-c", "a-f", "a-g"))
    assert zeno.match.position.awaits.kind == "throw"
    zeno.stand(position)
    assert zeno.match.position == position
    assert [turn.standing for turn in zeno.match.history] == ["stands", "voided", "voided", "voided"]
    zeno.stand(after(position, "a-c", "a-f", "f-m"))
    assert zeno.match.position == after(position, "a-c", "a-f", "f-m")


def test_a_turn_that_was_played_otherwise_after_all_is_corrected(zeno: BoardOffice) -> None:
    position = zeno.match.position
    zeno.stand(after(position, "a-c", "a-f", "a-g"))
    zeno.stand(after(position, "a-c", "a-f", "f-m"))
    assert zeno.match.position == after(position, "a-c", "a-f", "f-m")
    assert zeno.replayed().position == zeno.match.position


def test_a_choice_that_was_tapped_is_still_to_be_made_on_the_board_and_not_taken_back(zeno: BoardOffice) -> None:
    position = zeno.match.position
    zeno.do("choose", text="a-c")
    assert zeno.match.position == after(position, "a-c")
    zeno.stand(position)
    assert zeno.match.position == after(position, "a-c")
    colour = zeno.seating.colour(1)  # type: ignore[union-attr]
    assert zeno.state() == ("MISMATCH", f"The board does not match the game: Put one {colour} man on c.")
    zeno.stand(after(position, "a-c"))
    assert zeno.state()[0] == "SYNCED"
    zeno.stand(position)
    assert zeno.match.position == position, "once the board showed it, it can be taken back on the board"


def test_after_a_correction_it_is_said_which_man_to_put_back(zeno: BoardOffice) -> None:
    position = zeno.match.position
    zeno.stand(after(position, "a-c", "a-f", "a-g"))
    step = next(turn.event for turn in zeno.match.history if turn.text == "a-g")
    preview = zeno.do("preview_correction", event=step, choice={"from": "f", "to": "m", "die": 6}, reason="it was f")
    assert preview.ok, str(preview.sentence)
    reply = zeno.do(
        "correct",
        event=step,
        choice={"from": "f", "to": "m", "die": 6},
        reason="it was f",
        token=preview.data["token"],
    )
    assert reply.ok, str(reply.sentence)
    state, _ = zeno.state()
    assert state == "MISMATCH"
    orders = [order["arrow"] for order in zeno.page_part()["finding"]["orders"]]
    assert {"from": "f", "to": "m"} in orders or {"from": "g", "to": "m"} in orders
    zeno.stand(after(position, "a-c", "a-f", "f-m"))
    assert zeno.state()[0] == "SYNCED"


def test_a_man_who_is_read_as_another_is_asked_about_once(battle: BoardOffice) -> None:
    ask = ask_about_a_man(battle)
    assert ask["about"] == "men"
    assert battle.do("answer_board", ask=ask["id"], candidate=0).ok
    assert battle.state()[0] == "SYNCED"
    again = battle.board_sight.seen
    assert again is not None
    battle.show(again.reading)
    assert battle.state()[0] == "SYNCED", "a man who is read as another is not asked about again and again"
    assert battle.replayed().board == battle.match.board


def ask_about_a_man(office: BoardOffice) -> dict[str, object]:
    position = office.match.position
    site, man = next((site, man) for site, man in position.occupancy().items() if man["shape"] == "circle")
    office.stand(position, **{site: Men(man["colour"], 1, "circle", man["number"] + 1 if man["number"] < 9 else 4)})
    assert office.state()[0] == "PROPOSED"
    ask: dict[str, object] = office.page_part()["ask"]
    return ask


def test_a_question_that_is_put_aside_is_not_asked_again_of_the_same_board(battle: BoardOffice) -> None:
    ask = ask_about_a_man(battle)
    assert battle.do("dismiss_board", ask=ask["id"], reason="no").ok
    seen_again = battle.board_sight.seen
    assert seen_again is not None
    battle.show(seen_again.reading)
    assert battle.state()[0] == "MISMATCH"
    assert battle.match.board.question is None
    battle.stand(battle.match.position)
    assert battle.state()[0] == "SYNCED"
    assert not battle.do("answer_board", ask=ask["id"], candidate=0).ok


def test_a_question_that_the_board_answers_is_withdrawn(battle: BoardOffice) -> None:
    ask_about_a_man(battle)
    battle.stand(battle.match.position)
    assert battle.match.board.question is None
    assert battle.state()[0] == "SYNCED"


def test_what_is_played_is_asked_where_it_cannot_be_seen_well_and_the_answer_is_committed(battle: BoardOffice) -> None:
    position = battle.match.position
    moves = [move for move in position.legal() if "from" in move.to_json()]
    played = position.after(moves[0])
    assert battle.seating is not None
    whole, before = perfect(played, battle.seating), perfect(position, battle.seating)
    ends = {battle.seating.site(moves[0].to_json()[end]) for end in ("from", "to")}
    for name in ends:
        now, was = whole.sites[name].standing, before.sites[name].standing
        whole = replace(whole, sites={**whole.sites, name: SiteReading(name, ((now, 0.81), (was, 0.19)), "ask")})
    battle.show(whole)
    assert battle.state()[0] == "PROPOSED"
    ask = battle.page_part()["ask"]
    assert ask["candidates"][0]["text"] == str(moves[0])
    assert ask["candidates"][0]["arrows"] == [{"from": moves[0].to_json()["from"], "to": moves[0].to_json()["to"]}]
    assert battle.match.position == position
    assert battle.do("answer_board", ask=ask["id"], candidate=0).ok
    assert battle.match.position == played
    assert battle.match.board.in_step(played)
    assert battle.replayed().board == battle.match.board


@pytest.mark.parametrize(("seed", "text"), [(0, "Is the turn over?"), (3, "The board stands as agreed.")])
def test_a_turn_of_which_a_step_cannot_be_seen_is_over_once_the_next_throw_is_known(
    office: BoardOffice, seed: int, text: str
) -> None:
    office.desk._chance = random.Random(seed)
    office.begin_board("tables/ludus-anglicorum", dice_by="program")
    truth = played_unseen(office, random.Random(seed))
    assert office.state()[1].startswith(text)
    before = office.match.position
    waits = truth.awaits
    faces = dict.fromkeys(waits.dice, "1")
    found = office.do("throw", faces=faces, dice_set=waits.dice_sets[0])
    if not found.ok:
        # of the whole turn nothing was seen: it is asked which it was
        assert office.match.position == before
        ask = office.page_part()["ask"]
        assert office.do("answer_board", ask=ask["id"], candidate=0).ok
        if office.match.position.awaits.kind == "throw":
            assert office.do("throw", faces=faces, dice_set=waits.dice_sets[0]).ok
    # a throw that nobody can use may be over already
    assert office.match.last_throw == Throw.of(waits.dice_sets[0], faces)
    assert set(office.match.position.occupancy()) == set(truth.occupancy())
    assert office.replayed().position == office.match.position


def played_unseen(office: BoardOffice, chance: random.Random) -> Position:
    """Play until a turn is made of which the board alone does not tell that it is over; return where it led."""
    for _ in range(45):
        if office.match.position.awaits.kind == "throw":
            office.do("roll")
        truth = turn_of(office.match.position, chance)
        office.stand(truth)
        if office.match.position != truth:
            return truth
    pytest.fail("every turn was seen")


def test_a_board_under_a_hand_is_blind_and_nothing_is_said_of_it(zeno: BoardOffice) -> None:
    assert zeno.seating is not None
    zeno.show(hidden(perfect(zeno.match.position, zeno.seating), "abcdefghiklmn"))
    assert zeno.state() == ("BLIND", "Too much of the board is covered.")


def test_a_board_that_was_turned_round_over_night_is_seated_anew(zeno: BoardOffice) -> None:
    zeno.stand(after(zeno.match.position, "a-c", "a-f", "a-g"))
    zeno.do("pause")
    zeno.do("unpause")
    turned = next(seating for seating in all_seatings("tables/zeno") if seating != zeno.seating)
    zeno.seating = turned
    zeno.stand(zeno.match.position)
    assert zeno.match.board.seating == turned
    assert zeno.state()[0] == "SYNCED"


def all_seatings(slug: str) -> Iterator[Seating]:
    for lies in range(8):
        yield seating_of(game(slug), lies)


def test_a_match_whose_moves_are_tapped_is_left_alone(office: BoardOffice) -> None:
    reply = office.do("new_match", game="tables/zeno", players=["Anna", "Ben"], dice_by="tapped", men_by="tapped")
    assert reply.ok
    office.seating = seating_of(game("tables/zeno"))
    assert office.stand(office.match.position) is None
    assert len(office.match.entries) == 1


def test_a_match_that_is_paused_or_over_follows_nothing(zeno: BoardOffice) -> None:
    position = zeno.match.position
    zeno.do("pause")
    zeno.stand(after(position, "a-c", "a-f", "a-g"))
    assert zeno.match.position == position
    zeno.do("unpause")
    assert zeno.match.position != position
    zeno.do("finish", reason="supper")
    entries = len(zeno.match.entries)
    zeno.stand(position)
    assert len(zeno.match.entries) == entries


def test_a_capture_is_taken_by_lifting_the_man_and_its_arithmetic_is_said(tmp_path: Path) -> None:
    for seed in range(30):
        office = BoardOffice(tmp_path / f"{seed}.db")
        office.begin_board("rithmomachia/durnil-guardia", seed)
        chance = random.Random(seed)
        for _ in range(40):
            before = office.match.position
            claims = [choice for choice in before.legal() if isinstance(choice, Claim) and not choice.target.part]
            if claims:
                lifted = before.after(claims[0])
                office.stand(lifted)
                assert office.match.position == lifted
                account = office.match.history[-1].account
                assert account is not None
                assert "takes" in str(account.sentence) or "taken" in str(account.sentence)
                return
            play_a_move(office, chance)
    pytest.fail("no capture came up")


def play_a_move(office: BoardOffice, chance: random.Random) -> None:
    position = office.match.position
    if isinstance(position, RithmoPosition) and position.phase == "claims":
        position = position.after(Done())
    moves = [move for move in position.legal() if not isinstance(move, Claim | Delivery | Done | Return)]
    office.stand(position.after(chance.choice(moves)))
    assert office.match.position == position.after(office.match.history[-1].move)  # type: ignore[arg-type]


@pytest.mark.parametrize("noisy", [False, True])
@pytest.mark.parametrize("slug", SLUGS)
def test_a_random_match_is_followed_without_a_wrong_commit(slug: str, noisy: bool, tmp_path: Path) -> None:  # noqa: FBT001
    office = BoardOffice(tmp_path / "journal.db", 3)
    chance = random.Random(f"{slug} {noisy}")
    camera = Camera(chance, game(slug)) if noisy else None
    office.begin_board(slug, chance.randrange(8), dice_by="program", camera=camera)
    committed = found = 0
    for _ in range(14):
        if office.match.over:
            break
        if office.match.position.awaits.kind == "throw":
            office.do("roll")
        truth = turn_of(office.match.position, chance)
        before = office.match.position
        for _ in range(4):
            office.stand(truth)
            if office.match.position != before:
                break
        found += 1
        if office.match.position == truth:
            committed += 1
        elif office.match.position == before or not position_only_done(office.match.position, truth):
            assert office.match.position == before, f"{before.to_json()} became {office.match.position.to_json()}"
            by_hand(office, truth)
        assert Match.of(office.journal.events(office.match.id)).position == office.match.position
    assert committed >= (0.7 if noisy else 0.9) * found
    check_read_as_before(office.journal, office.match, tmp_path / "older.db")


def position_only_done(now: Position, truth: Position) -> bool:
    """Whether two positions differ only in what no eye sees."""
    return now.occupancy() == truth.occupancy()


def turn_of(position: Position, chance: random.Random) -> Position:
    """Return where a whole turn leads."""
    if position.game.slug.startswith("tables"):
        player, throws = position.awaits.player, 0
        while position.outcome is None and position.awaits.kind == "choice" and position.awaits.player == player:
            position = position.after(random_move(position, chance))
            throws += 1
        return position
    if isinstance(position, RithmoPosition) and position.phase == "claims":
        position = position.after(Done())
    moves = [move for move in position.legal() if not isinstance(move, Claim | Delivery | Done | Return)]
    return position.after(chance.choice(moves))


def by_hand(office: BoardOffice, truth: Position) -> None:
    """Tap in what the camera would not commit: it asked, waited or said that it does not fit."""
    plays = {play.position: play.choices for play in office.match.position.plays()}
    if truth not in plays and isinstance(office.match.position, RithmoPosition):
        office.do("choose", text="done")
        plays = {play.position: play.choices for play in office.match.position.plays()}
    for choice in plays[truth]:
        if office.match.position == truth:  # after the first choices, the camera saw the others
            break
        reply = office.do("choose", choice=choice.to_json())
        assert reply.ok, str(reply.sentence)
    office.stand(truth)


def test_a_man_who_was_hit_and_still_lies_there_is_to_be_lifted(office: BoardOffice) -> None:
    chance = random.Random(1)
    for seed in range(20):
        office.desk._chance = random.Random(seed)
        office.begin_board("tables/todas-tablas", dice_by="program")
        for _ in range(12):
            if office.match.position.awaits.kind == "throw":
                office.do("roll")
            before, truth = office.match.position, turn_of(office.match.position, chance)
            if site := hit(before, truth):
                stands = truth.occupancy()[site]
                owner, count = next(iter(stands.items()))
                colour = office.seating.colour  # type: ignore[union-attr]
                both = Men(colour(int(owner)), count, also=Men(colour(3 - int(owner))))
                office.stand(truth, **{site: both})
                if office.match.position == truth:
                    assert office.state() == ("SYNCED", f"Lift the man who was hit from {site}.")
                    assert office.page_part()["finding"]["notice"]["text"] == f"Lift the man who was hit from {site}."
                    office.stand(truth)
                    assert office.page_part()["finding"]["notice"] is None
                    return
            office.stand(truth)
            if office.match.position != truth:
                break
    pytest.fail("nobody was hit")


def hit(before: Position, after: Position) -> str | None:
    """Return the only point on which one man of the other side gave way."""
    was, now = before.occupancy(), after.occupancy()
    other = str(3 - before.awaits.player)
    sites = [
        site
        for site, men in was.items()
        if site not in ("hand", "off") and men == {other: 1} and site in now and other not in now[site]
    ]
    return sites[0] if len(sites) == 1 else None


def test_evidence_is_written_before_what_is_committed_by_it(zeno: BoardOffice) -> None:
    zeno.stand(after(zeno.match.position, "a-c", "a-f", "a-g"))
    events = [entry.event for entry in zeno.match.entries]
    first = next(n for n, event in enumerate(events) if isinstance(event, Committed) and event.by == "camera")
    observed = events[first - 1]
    assert isinstance(observed, BoardObserved)
    assert observed.decision == "commit"


def learnable(office: BoardOffice) -> Agreement | None:
    """Return what the reader may learn from the newest look."""
    return office.board.agreement


def test_the_reader_may_learn_from_a_look_that_shows_the_match_and_from_no_other(zeno: BoardOffice) -> None:
    assert zeno.seating is not None
    begun = learnable(zeno)
    assert begun is not None
    assert begun.men == zeno.seating.board(expected_board(zeno.match.position))
    view = zeno.board_sight.seen
    assert view is not None
    assert (begun.interval, begun.readings) == (view.interval, view.readings)
    position = zeno.match.position
    zeno.stand(after(position, "a-c"))
    assert learnable(zeno) is None  # the turn is not over
    zeno.stand(after(position, "a-c", "a-f", "a-g"))
    played = learnable(zeno)
    assert played is not None
    assert played.men == zeno.seating.board(expected_board(zeno.match.position))
    zeno.stand(position)
    back = learnable(zeno)
    assert back is not None
    assert back.men == zeno.seating.board(expected_board(zeno.match.position)) == begun.men
