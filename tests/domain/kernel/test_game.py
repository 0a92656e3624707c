"""A game around a title: who sits where, when it runs, who may move, and what each viewer gets to see."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.kernel import game as kernel
from domain.kernel import proof, seating
from domain.kernel.chance import Draw, DrawError
from domain.kernel.component_text import parse
from domain.kernel.events import (
    Blank,
    Event,
    GameCreated,
    GameEnded,
    GameStarted,
    MoveMade,
    MoveUndone,
    SeatLeft,
    SeatTaken,
)
from domain.kernel.game import Game, Status
from domain.kernel.ids import AccountId
from domain.kernel.legal import LegalMoves
from domain.kernel.rejected import Rejected
from domain.kernel.rules import AnyRules
from domain.kernel.seats import Seated
from tests import toy
from tests.harness.play import random_move
from tests.harness.recording import BEGUN
from tests.toy.facts import Fact, ToyCardLaid, ToyCardsDrawn, ToyCardsDrawnUnseen, ToyCardsTurnedUp, ToyGameSetUpUnseen
from tests.toy.moves import ToyDecline, ToyLayCard, ToyOptions
from tests.toy.rules import ToyRules, bind

TOY = bind(parse((Path(toy.__file__).parent / "components" / "toy-1.toml").read_text(encoding="utf-8")))
RULES: AnyRules = TOY
SEED = bytes(range(32))
ADA, BO, CY = (Seated(AccountId(name.lower()), name) for name in ("Ada", "Bo", "Cy"))


def created(seats: int = 2, rounds: int = 1) -> GameCreated[Any, Any]:
    return GameCreated[Any, Any](
        title="toy",
        seats=seats,
        options=ToyOptions(rounds=rounds),
        component_set="toy-1",
        component_hash="",
        visibility="public",
        creator=ADA.account,
        commitment=proof.commitment("game", SEED),
    )


def waiting(*seated: Seated | None, seats: int = 3, rounds: int = 1) -> Game:
    """A game that waits for more players."""
    game = kernel.evolve(None, RULES, created(seats, rounds))
    for seat, who in enumerate(seated):
        if who is not None:
            game = kernel.evolve(game, RULES, seating.take_seat(game, RULES, who, seat, SEED, BEGUN))
    return game


def running(rounds: int = 1) -> Game:
    """A game of two that has just begun."""
    return waiting(ADA, BO, seats=2, rounds=rounds)


def first_move(game: Game, seat: int) -> msgspec.Struct:
    return next(iter(kernel.legal_moves(game, RULES, seat)))


def finished() -> tuple[list[Event], Game]:
    """A game played to its end by first moves, with its events after the start."""
    game, events = running(), list[Event]()
    while game.status is Status.running:
        seat = kernel.to_move(game, RULES)[0]
        events.append(kernel.make_move(game, RULES, seat, first_move(game, seat), SEED))
        game = kernel.evolve(game, RULES, events[-1])
    return events, game


def refusal(*codes: str) -> Any:
    return pytest.raises(Rejected, match="|".join(f"^{code}: " for code in codes))


class TestSeats:
    def test_a_new_game_waits_with_free_seats_at_version_one(self) -> None:
        game = waiting()
        assert (game.version, game.status, game.seats) == (1, Status.waiting, (None, None, None))
        assert (game.state, game.result, game.names) == (None, None, ("", "", ""))

    def test_who_names_no_seat_gets_the_first_free_one(self) -> None:
        assert seating.take_seat(waiting(ADA), RULES, BO, None, SEED, BEGUN) == SeatTaken[Any](1, BO.account, "Bo")
        assert seating.take_seat(waiting(None, ADA), RULES, BO, None, SEED, BEGUN).seat == 0

    def test_who_names_a_seat_gets_that_one(self) -> None:
        game = kernel.evolve(waiting(), RULES, seating.take_seat(waiting(), RULES, ADA, 2, SEED, BEGUN))
        assert (game.version, game.names) == (2, ("", "", "Ada"))
        assert [game.seat_of(account) for account in (ADA.account, BO.account, None)] == [2, None, None]

    def test_a_seat_keeps_what_its_player_adds_to_chance(self) -> None:
        event = seating.take_seat(waiting(), RULES, Seated(ADA.account, "Ada", "salt"), 0, SEED, BEGUN)
        assert event.entropy == "salt"
        assert kernel.evolve(waiting(), RULES, event).seats[0] == Seated(ADA.account, "Ada", "salt")

    def test_a_taken_seat_is_refused_with_the_free_ones(self) -> None:
        with refusal("seat-taken") as refused:
            seating.take_seat(waiting(None, ADA), RULES, BO, 1, SEED, BEGUN)
        assert refused.value.facts == {"field": "seat", "free_seats": [0, 2]}

    @pytest.mark.parametrize("seat", [-1, 3, 2**53])
    def test_a_seat_that_is_not_there_is_refused(self, seat: int) -> None:
        with refusal("no-such-seat") as refused:
            seating.take_seat(waiting(), RULES, ADA, seat, SEED, BEGUN)
        assert refused.value.facts == {"field": "seat", "least": 0, "most": 2}
        assert refused.value.detail == "the seats are 0 to 2"

    @pytest.mark.parametrize("seat", [None, 0, 1, 9])
    def test_nobody_sits_twice(self, seat: int | None) -> None:
        with refusal("already-seated") as refused:
            seating.take_seat(waiting(None, ADA), RULES, ADA, seat, SEED, BEGUN)
        assert refused.value.facts == {"seat": 1}

    @pytest.mark.parametrize("seat", [None, 0])
    def test_a_full_game_is_refused(self, seat: int | None) -> None:
        with refusal("game-full"):
            seating.take_seat(running(), RULES, CY, seat, SEED, BEGUN)

    def test_a_seat_can_be_left_and_taken_by_another_before_the_start(self) -> None:
        game = waiting(ADA, BO)
        event = seating.leave_seat(game, ADA.account)
        assert event == SeatLeft(0, ADA.account)
        game = kernel.evolve(game, RULES, event)
        assert (game.version, game.names, game.seat_of(ADA.account)) == (4, ("", "Bo", ""), None)
        assert seating.take_seat(game, RULES, CY, None, SEED, BEGUN).seat == 0

    def test_a_seat_cannot_be_left_by_who_has_none_nor_once_the_game_runs(self) -> None:
        with refusal("not-seated"):
            seating.leave_seat(waiting(ADA), BO.account)
        with refusal("game-started"):
            seating.leave_seat(running(), ADA.account)

    def test_a_seat_is_demanded_by_its_account(self) -> None:
        assert kernel.require_seat(waiting(ADA, BO), BO.account) == 1
        with refusal("not-seated"):
            kernel.require_seat(waiting(ADA, BO), CY.account)


class TestStart:
    def test_the_last_seat_starts_the_game(self) -> None:
        game = waiting(ADA, None, CY)
        event = seating.take_seat(game, RULES, BO, None, SEED, BEGUN)
        assert event.facts[-1] == GameStarted()
        started = kernel.evolve(game, RULES, event)
        assert (started.status, started.version) == (Status.running, 4)
        assert kernel.to_move(started, RULES) == (0, 1, 2)

    def test_no_seat_but_the_last_one_has_facts(self) -> None:
        assert seating.take_seat(waiting(ADA), RULES, BO, None, SEED, BEGUN).facts == ()

    def test_the_draws_depend_on_seed_entropy_and_version(self) -> None:
        salted = Seated(BO.account, "Bo", "salt")
        later = kernel.fold(
            waiting(ADA, seats=2), RULES, (SeatLeft(0, ADA.account), SeatTaken[Any](0, ADA.account, "Ada"))
        )
        facts = {
            seating.take_seat(game, RULES, who, None, seed, BEGUN).facts
            for game, who, seed in (
                (waiting(ADA, seats=2), BO, SEED),
                (waiting(ADA, seats=2), BO, bytes(32)),
                (waiting(ADA, seats=2), salted, SEED),
                (later, BO, SEED),
            )
        }
        assert len(facts) == 4

    def test_nothing_can_be_done_or_seen_before_the_start(self) -> None:
        game = waiting(ADA)
        with refusal("game-not-started"):
            kernel.make_move(game, RULES, 0, ToyDecline(), SEED)
        assert kernel.to_move(game, RULES) == ()
        assert kernel.legal_moves(game, RULES, 0) == LegalMoves(0)
        assert kernel.view(game, RULES, 0) is None


class TestMoves:
    def test_a_legal_move_becomes_an_event_with_what_it_brings_about(self) -> None:
        game = running()
        move = first_move(game, 1)
        assert isinstance(move, ToyLayCard)
        event = kernel.make_move(game, RULES, 1, move, SEED)
        assert event == MoveMade[Any, Any](1, move, (ToyCardLaid(1, move.card),))
        after = kernel.evolve(game, RULES, event)
        assert (after.version, kernel.to_move(after, RULES)) == (4, (0,))

    def test_a_seat_that_is_not_waited_for_is_refused_whatever_it_tries(self) -> None:
        game = running()
        game = kernel.evolve(game, RULES, kernel.make_move(game, RULES, 1, first_move(game, 1), SEED))
        with refusal("not-your-turn") as refused:
            kernel.make_move(game, RULES, 1, ToyDecline(), SEED)
        assert refused.value.facts == {"to_move": [0]}

    def test_a_move_that_is_not_listed_is_refused(self) -> None:
        with refusal("illegal-move") as refused:
            kernel.make_move(running(), RULES, 0, ToyLayCard("no such card"), SEED)
        assert refused.value.facts == {"field": "move.card"}

    def test_the_last_move_ends_the_game_with_result_and_seed(self) -> None:
        events, game = finished()
        last = events[-1]
        assert isinstance(last, MoveMade)
        assert last.facts[-1] == GameEnded(game.result, SEED.hex())  # pyright: ignore[reportArgumentType]
        assert game.status is Status.finished
        assert game.result == RULES.result(game.state)

    def test_a_finished_game_takes_no_moves_and_waits_for_nobody(self) -> None:
        _, game = finished()
        with refusal("game-over"):
            kernel.make_move(game, RULES, 0, ToyDecline(), SEED)
        assert kernel.to_move(game, RULES) == ()
        assert kernel.legal_moves(game, RULES, 0) == LegalMoves(0)
        assert kernel.view(game, RULES, None) is not None


class Forgetful(ToyRules):
    """The toy with a mistake: no fact records a draw."""

    def draws(self, fact: Fact) -> tuple[Draw, ...]:
        del fact
        return ()


class TestDraws:
    FORGETFUL = Forgetful(TOY.material, TOY.components)

    def test_a_game_does_not_start_on_a_draw_that_no_fact_records(self) -> None:
        with pytest.raises(DrawError, match="no fact records the draw 'deck'"):
            seating.take_seat(waiting(ADA, seats=2), self.FORGETFUL, BO, 1, SEED, BEGUN)

    def test_a_move_whose_draw_no_fact_records_is_a_mistake_of_the_title(self) -> None:
        game, picks = running(rounds=6), random.Random(1)
        while True:
            seat = kernel.to_move(game, RULES)[0]
            move = random_move(kernel.legal_moves(game, RULES, seat), picks)
            event = kernel.make_move(game, RULES, seat, move, SEED)
            if event.final == "chance":
                break
            game = kernel.evolve(game, RULES, event)
        with pytest.raises(DrawError, match="no fact records the draw 'reshuffle'"):
            kernel.make_move(game, self.FORGETFUL, seat, move, SEED)


class TestFold:
    def test_many_events_fold_as_they_do_one_by_one(self) -> None:
        events, game = finished()
        assert kernel.fold(running(), RULES, events) == game
        assert kernel.fold(running(), RULES, ()) == running()
        one_by_one = running()
        for event in events:
            one_by_one = kernel.evolve(one_by_one, RULES, event)
        assert one_by_one == game

    def test_every_event_is_one_version(self) -> None:
        events, game = finished()
        assert game.version == 3 + len(events)

    def test_the_last_fact_of_an_event_that_ends_a_game_says_so(self) -> None:
        events, _ = finished()
        last = events[-1]
        assert isinstance(last, MoveMade)
        for facts in (last.facts[:-1], (*last.facts, last.facts[0])):
            with pytest.raises(TypeError, match=r"a game ends with game\.ended"):
                kernel.fold(running(), RULES, (*events[:-1], msgspec.structs.replace(last, facts=facts)))

    def test_a_game_is_created_first_and_once(self) -> None:
        with pytest.raises(TypeError, match="the first event of a game is game_created"):
            kernel.evolve(None, RULES, SeatLeft(0, ADA.account))
        with pytest.raises(TypeError, match="version 2: a game is created once"):
            kernel.evolve(waiting(), RULES, created())

    def test_a_start_ends_with_the_fact_that_says_so(self) -> None:
        event = seating.take_seat(waiting(ADA, seats=2), RULES, BO, 1, SEED, BEGUN)
        with pytest.raises(TypeError, match=r"version 3: a game starts with game\.started"):
            kernel.evolve(waiting(ADA, seats=2), RULES, msgspec.structs.replace(event, facts=event.facts[:-1]))

    def test_moves_come_after_the_start_and_seats_are_taken_before_it(self) -> None:
        events, _ = finished()
        for event in (events[0], MoveUndone(seat=0, undone=1)):
            with pytest.raises(TypeError, match="version 3: a game has no moves before its start"):
                kernel.evolve(waiting(ADA, seats=2), RULES, event)
        for seat_event in (SeatLeft(0, ADA.account), created()):
            with pytest.raises(TypeError, match=r"version 4: .* has no place in a game that has started"):
                kernel.evolve(running(), RULES, seat_event)


class TestRedaction:
    def test_creation_and_leaving_are_seen_by_all(self) -> None:
        events: tuple[Event, ...] = (created(), SeatLeft(0, ADA.account))
        for event in events:
            assert kernel.redact(event, RULES, None) == event

    def test_the_start_is_seen_without_what_is_hidden(self) -> None:
        event = seating.take_seat(waiting(ADA, seats=2), RULES, BO, None, SEED, BEGUN)
        public, own = (kernel.redact(event, RULES, viewer) for viewer in (None, 0))
        assert isinstance(public, SeatTaken)
        assert isinstance(own, SeatTaken)
        assert public.facts == (
            ToyGameSetUpUnseen(2, 1, 16),
            ToyCardsDrawnUnseen(0, 3),
            ToyCardsDrawnUnseen(1, 3),
            GameStarted(),
        )
        assert isinstance(own.facts[1], ToyCardsDrawn)
        assert own.facts[2] == ToyCardsDrawnUnseen(1, 3)
        assert (public.seat, public.account, public.name) == (1, "bo", "Bo")

    def test_a_move_of_which_nothing_may_be_seen_is_blank_but_for_its_own_seat(self) -> None:
        game = running()
        event = kernel.make_move(game, RULES, 1, first_move(game, 1), SEED)
        assert kernel.redact(event, RULES, 1) == event
        assert kernel.redact(event, RULES, 0) == kernel.redact(event, RULES, None) == Blank()

    def test_a_hidden_move_with_open_facts_is_seen_without_the_move(self) -> None:
        events, _ = finished()
        turning = next(later for _, later in pairwise(events) if isinstance(later, MoveMade) and len(later.facts) > 1)
        seen = kernel.redact(turning, RULES, None)
        assert isinstance(seen, MoveMade)
        assert seen.move is None
        assert isinstance(seen.facts[0], ToyCardsTurnedUp)

    def test_the_end_is_seen_by_all_with_the_seed(self) -> None:
        events, game = finished()
        seen = kernel.redact(events[-1], RULES, None)
        assert isinstance(seen, MoveMade)
        assert seen.facts[-1] == GameEnded(game.result, SEED.hex())  # pyright: ignore[reportArgumentType]

    def test_a_view_is_the_titles_own(self) -> None:
        game = running()
        assert kernel.view(game, RULES, 1) == RULES.view(game.state, 1) != RULES.view(game.state, None)
