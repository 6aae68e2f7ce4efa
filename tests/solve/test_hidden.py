"""Hidden information: brute force over pure strategies, published values, and certificates."""

import importlib.util
import random
import subprocess
import sys
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st
from test_examples import example

from exactdice.dice import Distribution, fair
from exactdice.errors import InputError, TooLargeError
from exactdice.hidden.equilibrium import plan_of, settled
from exactdice.hidden.game import HiddenGame
from exactdice.hidden.guesses import by_regrets, rounded
from exactdice.models import (
    Both,
    Chance,
    Choice,
    End,
    ModelError,
    Turn,
    assured,
    bracket,
    equilibrium,
    point_mass,
)
from exactdice.run import Run
from exactdice.solve.matrix_games import solve_matrix_game

pytest.importorskip("highspy", reason="extra hidden")
liars_dice = example("liars_dice").liars_dice
CHECKER = Path(__file__).parents[2] / "proofs" / "equilibrium_check.py"


def random_game(number: int) -> HiddenGame[Any]:
    """Steps of chance and of both players, each seen by some; payoffs at the end and on the way."""
    chance = random.Random(number)  # noqa: S311
    kinds = [chance.choice([0, 0, 1, 2, 1, 2]) for _ in range(chance.randint(1, 5))]
    widths = [chance.randint(2, 3) if sum(map(bool, kinds)) < 4 else 2 for _ in kinds]
    seen = [{p for p in (1, 2) if p == kind or chance.random() < 1 / 2} for kind in kinds]
    payoffs: dict[Any, mpq] = {}

    def pay(state: Any) -> mpq:
        if state not in payoffs:
            payoffs[state] = mpq(chance.randint(-6, 6), chance.randint(1, 3))
        return payoffs[state]

    def moves(state: Any) -> Any:
        if len(state) == len(kinds):
            return End(pay(state))
        kind, width = kinds[len(state)], widths[len(state)]
        after = [(*state, step) for step in range(width)]
        if not kind:
            return Chance(pay(state), Distribution({s: i + 1 for i, s in enumerate(after)}))
        return Turn(kind, [Choice(s[-1], pay((s, "way")), point_mass(s)) for s in after])

    def knows(state: Any) -> Any:
        player = kinds[len(state)]
        return tuple((i, s) for i, s in enumerate(state) if player in seen[i]), len(state)

    return HiddenGame((), moves, knows)


def met(game: HiddenGame[Any]) -> list[dict[Any, list[Any]]]:
    """The information sets of both players and their actions, by recursion."""
    sets: list[dict[Any, list[Any]]] = [{}, {}]

    def walk(state: Any) -> None:
        turn = game.moves(state)
        if isinstance(turn, Chance):
            for after in turn.successors:
                walk(after)
        elif isinstance(turn, Turn):
            sets[turn.player - 1][game.knows(state)] = [c.action for c in turn.choices]
            for choice in turn.choices:
                for after in choice.successors:
                    walk(after)

    walk(game.initial)
    return sets


def paid(game: HiddenGame[Any], strategies: Any, state: Any) -> mpq:
    """Expected payoff of two strategies, by recursion over the tree."""
    turn: Any = game.moves(state)
    if isinstance(turn, End):
        return mpq(turn.payoff)
    if isinstance(turn, Chance):
        drawn = turn.successors
        rest = sum(drawn.probability(s) * paid(game, strategies, s) for s in drawn)
        return mpq(turn.reward + rest)
    mixed = strategies[turn.player - 1][game.knows(state)]
    total = mpq(0)
    for choice in turn.choices:
        if mixed.get(choice.action, 0):
            (after,) = choice.successors
            rest = choice.reward + paid(game, strategies, after)
            total += mixed[choice.action] * rest
    return total


def pure(sets: dict[Any, list[Any]]) -> list[dict[Any, dict[Any, int]]]:
    return [
        dict(zip(sets, ({a: 1} for a in actions), strict=True))
        for actions in product(*sets.values())
    ]


def _strategies(number: int) -> int:
    return max(prod(map(len, sets.values())) for sets in met(random_game(number)))


SMALL = [number for number in range(120) if 1 < _strategies(number) <= 32]


@pytest.mark.parametrize("number", SMALL)
def test_value_is_that_of_the_matrix_of_pure_strategies(number: int) -> None:
    game = random_game(number)
    ones, twos = map(pure, met(game))
    matrix = [[paid(game, (one, two), game.initial) for two in twos] for one in ones]
    found = equilibrium(game)
    assert found.value == solve_matrix_game(matrix).value
    strategies = [
        dict.fromkeys(sets, None) | found.strategy(player)
        for player, sets in enumerate(met(game), 1)
    ]
    gains = [paid(game, (_anywhere(strategies[0], game, 0), two), game.initial) for two in twos]
    costs = [paid(game, (one, _anywhere(strategies[1], game, 1)), game.initial) for one in ones]
    assert min(gains) == max(costs) == found.value


def _anywhere(strategy: Any, game: HiddenGame[Any], side: int) -> Any:
    """The first action where a strategy does not go."""
    return {k: strategy[k] or {actions[0]: 1} for k, actions in met(game)[side].items()}


@pytest.mark.parametrize("number", SMALL)
def test_what_a_strategy_is_sure_of_is_the_least_against_pure_replies(number: int) -> None:
    game, chance = random_game(number), random.Random(-number)  # noqa: S311
    ones, twos = map(pure, met(game))
    mixed = []
    for sets in met(game):
        weights = {k: [chance.randint(0, 3) for _ in a] for k, a in sets.items()}
        mixed.append(
            {
                k: {
                    a: mpq(w or 1, sum(v or 1 for v in weights[k]))
                    for a, w in zip(sets[k], weights[k], strict=True)
                }
                for k in sets
            }
        )
    least = min(paid(game, (mixed[0], two), game.initial) for two in twos)
    most = max(paid(game, (one, mixed[1]), game.initial) for one in ones)
    sure = assured(game, 1, mixed[0])
    assert (sure.value, assured(game, 2, mixed[1].get).value) == (least, most)
    reply = {k: {a: 1} for k, a in sure.reply.items()}
    assert paid(game, (mixed[0], reply), game.initial) == least
    both = bracket(game, *mixed)
    assert (both.lower, both.upper) == (least, most)
    assert all(loss >= 0 for p in (1, 2) for _, lost in both.losses(p) for loss in lost.values())


@pytest.mark.parametrize("number", SMALL[:10])
def test_regret_matching_encloses_the_value(number: int) -> None:
    form = random_game(number).sequence_form()
    value = equilibrium(form).value
    for turn, means in enumerate(by_regrets(form), 1):
        if turn in (1, 10, 300):
            near = settled(form, means(), "")
            assert near.lower <= value <= near.upper
        if turn == 300:
            assert near.upper - near.lower < mpq(1, 100)
            break


# thomasahle/snyd, README.md: fractions that he guessed from doubles.
PUBLISHED = {
    (1, 1, 2, False): 0, (1, 1, 3, False): "-1/9", (1, 1, 4, False): "-1/8",
    (1, 1, 5, False): "-3/25", (1, 1, 3, True): "1/3", (1, 1, 4, True): 0, (1, 1, 5, True): 0,
    (2, 1, 2, False): "1/4", (2, 1, 3, False): "1/9", (1, 2, 3, False): "-1/27",
    (2, 1, 3, True): "1/3", (1, 2, 3, True): "-1/27",
}  # fmt: skip
SLOW = {
    (1, 1, 6, False): "-1/9", (1, 1, 6, True): "-7/327", (2, 1, 4, False): "345/1696",
    (1, 2, 4, False): "-1/8",
}  # fmt: skip


@pytest.mark.parametrize(("game", "value"), PUBLISHED.items())
def test_liars_dice_is_worth_what_was_published(game: Any, value: Any) -> None:
    *sizes, wild = game
    found = equilibrium(liars_dice(*sizes, wild=wild))
    assert found.value == mpq(value)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "value"), SLOW.items())
def test_large_liars_dice_is_worth_what_was_published(game: Any, value: Any) -> None:
    test_liars_dice_is_worth_what_was_published(game, value)


def test_dealt_games_are_the_general_way_with_hands() -> None:
    dealt = liars_dice(2, 1, 2, wild=True)
    quick, general = dealt.sequence_form(), dealt.as_hidden().sequence_form()
    assert repr(quick) == repr(general)
    assert quick.histories == general.histories
    known = [
        {(k[0], k[1]): tuple(a) for k, a in zip(side.known, side.actions, strict=True)}
        for form in (quick, general)
        for side in form.sides
    ]
    assert known[:2] == known[2:]
    mixed = {k: {a: mpq(1, len(acts)) for a in acts} for side in known for k, acts in side.items()}
    assert assured(quick, 2, mixed.get).value == assured(general, 2, mixed.get).value


def kuhn() -> HiddenGame[Any]:
    """Kuhn (1950): cards 1, 2, 3, an ante of 1, one bet of 1."""

    def moves(state: Any) -> Any:
        if not state:
            return Distribution.from_faces(
                [(a, b, "") for a in (1, 2, 3) for b in (1, 2, 3) if a != b]
            )
        one, two, said = state
        if said in ("pp", "bb", "bp", "pbp", "pbb"):
            if said.endswith("bp"):
                return End(1 if said == "bp" else -1)
            return End((1 if one > two else -1) * (1 if said == "pp" else 2))
        return Turn(
            1 + len(said) % 2, [Choice(a, 0, point_mass((one, two, said + a))) for a in "pb"]
        )

    return HiddenGame((), moves, lambda state: (state[len(state[2]) % 2], state[2]))


def bluffing(chance: mpq) -> dict[Any, dict[str, mpq]]:
    """Kuhn's strategies of the first player that are sure of −1/18: α from 0 to 1/3."""
    third = mpq(1, 3)
    bets = {(1, ""): chance, (2, ""): 0, (3, ""): 3 * chance}
    bets |= {(1, "pb"): 0, (2, "pb"): chance + third, (3, "pb"): 1}
    return {known: {"b": mpq(bet), "p": 1 - mpq(bet)} for known, bet in bets.items()}


def test_kuhn_poker() -> None:
    """H. W. Kuhn, "A simplified two-person poker" (1950): −1/18, and a family of strategies."""
    game = kuhn()
    found = equilibrium(game)
    assert found.value == mpq(-1, 18)
    for chance in (0, mpq(1, 7), mpq(1, 3)):
        assert assured(game, 1, bluffing(mpq(chance))).value == mpq(-1, 18)
    # The second player's strategy is unique there.
    mixed = found.strategy(2)
    assert mixed[1, "b"]["b"] == 0
    assert (mixed[1, "p"]["b"], mixed[2, "b"]["b"], mixed[3, "p"]["b"]) == (mpq(1, 3), mpq(1, 3), 1)


def test_actions_with_a_loss_are_in_no_equilibrium() -> None:
    """Kuhn: the first player never bets with a 2, and calls with a 3."""
    losses = dict(equilibrium(kuhn()).losses(1))
    assert losses[2, ""]["b"] > 0 == losses[2, ""]["p"]
    assert losses[3, "pb"]["p"] > 0 == losses[3, "pb"]["b"]
    assert set(losses[1, ""].values()) == {0}


def test_both_at_once_are_a_matrix_game() -> None:
    """With what was shown in secret before as a part of what the first player knows."""
    paid = {1: [[3, 0], [0, 2]], 2: [[-1, 4], [1, -2]]}

    def moves(state: Any) -> Any:
        if not state:
            return fair(2)
        outcomes = {(i, j): End(paid[state][i][j]) for i in (0, 1) for j in (0, 1)}
        return Both(outcomes) if state in paid else None

    game = HiddenGame(0, moves, lambda state: (state, ""))
    matrix = [
        [mpq(paid[1][i][j] + paid[2][k][j], 2) for j in (0, 1)] for i in (0, 1) for k in (0, 1)
    ]
    assert equilibrium(game).value == solve_matrix_game(matrix).value
    open_game = HiddenGame(0, moves, lambda state: (state, state))
    values = [solve_matrix_game(paid[side]).value for side in (1, 2)]
    assert equilibrium(open_game).value == sum(values) / 2


@given(st.integers(0, 10**6), st.sampled_from([1, 5, 2**30, 2**52, 2**100]))
@settings(max_examples=40)
def test_rounded_weights_are_a_plan(number: int, scale: int) -> None:
    import numpy as np

    form = random_game(number % 400).sequence_form()
    for side in form.sides:
        weights = np.random.default_rng(number).random(side.sequences) - 1 / 4
        plan = rounded(side, weights, scale)  # type: ignore[arg-type]
        assert side.is_plan(plan.weights)
        assert plan.scale == scale


def test_payoffs_of_any_size_are_summed_exactly() -> None:
    """Beyond 64 bits: the value of a game scales with its payoffs."""
    small = random_game(SMALL[3])
    grown = 10**30

    def moves(state: Any) -> Any:
        turn: Any = small.moves(state)
        if isinstance(turn, End):
            return End(turn.payoff * grown)
        if isinstance(turn, Chance):
            return Chance(turn.reward * grown, turn.successors)
        choices = [Choice(c.action, c.reward * grown, c.successors) for c in turn.choices]
        return Turn(turn.player, choices)

    large = HiddenGame((), moves, small.knows)
    mixed = [{k: {a: mpq(1, len(v)) for a in v} for k, v in sets.items()} for sets in met(small)]
    one, two = bracket(small, *mixed), bracket(large, *mixed)
    assert (two.lower, two.upper) == (one.lower * grown, one.upper * grown)


def certificate(tmp_path: Path, lines: Any) -> subprocess.CompletedProcess[str]:
    path = tmp_path / "certificate.txt"
    path.write_text("".join(f"{line}\n" for line in lines))
    command = [sys.executable, "-I", str(CHECKER), str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_checker_proves_exact_values_and_brackets(tmp_path: Path) -> None:
    exact = equilibrium(liars_dice(1, 1, 3))
    answer = certificate(tmp_path, exact.certificate())
    assert (answer.returncode, answer.stdout) == (0, "VERIFIED: the value is -1/9\n")
    one, two = (
        {
            k: {a: mpq(1, len(acts)) for a in acts}
            for k, acts in zip(s.known, s.actions, strict=True)
        }
        for s in exact.form.sides
    )
    wide = bracket(exact.form, one, two)
    answer = certificate(tmp_path, wide.certificate())
    assert answer.stdout == f"VERIFIED: the value is from {wide.lower} to {wide.upper}\n"


def test_no_changed_certificate_proves_what_is_not_so() -> None:
    """Whatever one number is changed to, what is still verified holds the value, −1/18."""
    spec = importlib.util.spec_from_file_location("equilibrium_check", CHECKER)
    assert spec is not None
    assert spec.loader is not None
    checker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(checker)
    lines, chance = list(equilibrium(kuhn()).certificate()), random.Random(0)  # noqa: S311
    game = {i for i, line in enumerate(lines) if line.startswith(("payoff", "denominator"))}
    refused = 0
    for _ in range(2000):
        at = chance.randrange(len(lines))
        words = lines[at].split()
        place = chance.randrange(len(words))
        if at in game or (words[0] == "set" and place < 4):
            continue  # another game, of another value
        words[place] = str(chance.randint(-3, 8))
        changed = [*lines[:at], " ".join(words), *lines[at + 1 :]]
        try:
            lower, upper = checker.verified(iter(changed))
        except checker.WrongError:
            refused += 1
        else:
            assert lower <= -1 / checker.Fraction(18) <= upper
    assert refused > 100
    for cut in range(len(lines)):
        try:
            lower, upper = checker.verified(iter(lines[:cut]))
        except checker.WrongError:
            continue
        raise AssertionError(f"{cut} lines prove {lower} to {upper}")


def forgetful() -> HiddenGame[Any]:
    def moves(state: Any) -> Any:
        if len(state) == 2:
            return End(1)
        return [Choice(a, 0, point_mass(state + a)) for a in "lr"]

    return HiddenGame("", moves, len)


def test_what_makes_no_sense_is_refused_with_its_place() -> None:
    with pytest.raises(
        ModelError, match=r"player 1 knows 1 after '[lr]' and after '[lr]', but knew"
    ):
        forgetful().sequence_form()
    with pytest.raises(ModelError, match=r"^the beginning: got 0.5; give End, a Distribution"):
        HiddenGame(0, lambda s: 1 / 2, str).sequence_form()  # type: ignore[arg-type, return-value]
    with pytest.raises(ModelError, match=r"more than 10000 steps; give a game that ends"):
        HiddenGame(0, lambda s: point_mass(s + 1), str).sequence_form()
    unheard = HiddenGame(0, lambda s: [Choice("a", 0, point_mass(1))], lambda s: [])
    with pytest.raises(
        ModelError, match=r"^the beginning: knows gives \[\], with actions \('a',\)"
    ):
        unheard.sequence_form()
    with pytest.raises(TooLargeError, match="needs more than 10 B after"):
        kuhn().sequence_form(Run(memory=10))
    with pytest.raises(TooLargeError, match="a sequence form of 567 payoffs needs about"):
        liars_dice(1, 1, 3).sequence_form(Run(memory=10**4))


@pytest.mark.parametrize(
    ("changed", "line"),
    [
        (
            {(1, ""): {"b": "0.999"}},
            r"strategy((1, '')): got a sum of 999/1000; give chances that sum to 1",
        ),
        ({(1, ""): {"x": 1}}, r"strategy((1, '')): got 'x'; give one of 'p', 'b'"),
        ({(1, ""): {"b": 0.5, "p": 0.5}}, r"strategy((1, '')), 'p': got 0.5; give an exact number"),
        ({(9, ""): {"b": 1}}, r"strategy: got (9, ''); give what the player can know in this game"),
        ({(1, ""): None}, r"strategy((1, '')): got None; give chances of 'p', 'b'"),
        ({(1, ""): {"b": -1, "p": 2}}, r"strategy((1, '')): got chances below 0; give"),
    ],
)
def test_strategies_that_make_no_sense_are_refused(changed: Any, line: str) -> None:
    with pytest.raises(InputError) as error:
        assured(kuhn(), 1, bluffing(mpq(0)) | changed)
    assert str(error.value).startswith(line)


def test_sums_may_be_off_by_what_is_allowed() -> None:
    near = bluffing(mpq(0)) | {(2, "pb"): {"b": mpq("0.333"), "p": mpq("0.666")}}
    plan = plan_of(kuhn().sequence_form().sides[0], near, "0.001")
    assert plan.behaviour(plan.side.known.index((2, "pb"))) == {"b": mpq(1, 3), "p": mpq(2, 3)}
    with pytest.raises(InputError, match="got a sum of 999/1000"):
        assured(kuhn(), 1, near, tolerance="0.0001")


def test_a_width_may_be_asked_for() -> None:
    assert equilibrium(kuhn(), width="1e-9").is_exact
    with pytest.raises(InputError, match="width: got 0; give a number above 0"):
        equilibrium(kuhn(), width=0)


def test_open_spiel_agrees_about_exploitability() -> None:
    """OpenSpiel's uniform policy of Kuhn poker: its NashConv is the width of our bracket."""
    pyspiel = pytest.importorskip("pyspiel", reason="extra openspiel")
    from fractions import Fraction

    from open_spiel.python.algorithms import exploitability
    from open_spiel.python.policy import UniformRandomPolicy

    theirs = pyspiel.load_game("kuhn_poker")

    def state_of(history: Any) -> Any:
        state = theirs.new_initial_state()
        for action in history:
            state.apply_action(action)
        return state

    def moves(history: Any) -> Any:
        state = state_of(history)
        if state.is_terminal():
            return End(int(state.returns()[0]))
        if state.is_chance_node():
            chances = {
                (*history, a): Fraction(p).limit_denominator(99) for a, p in state.chance_outcomes()
            }
            return Distribution.from_probabilities(chances)
        choices = [Choice(a, 0, point_mass((*history, a))) for a in state.legal_actions()]
        return Turn(1 + state.current_player(), choices)

    game = HiddenGame((), moves, lambda history: state_of(history).information_state_string())
    assert equilibrium(game).value == mpq(-1, 18)
    uniform = bracket(game, lambda _: {0: "1/2", 1: "1/2"}, lambda _: {0: "1/2", 1: "1/2"})
    conv = exploitability.nash_conv(theirs, UniformRandomPolicy(theirs))
    assert abs(conv - (uniform.upper - uniform.lower)) < 1e-9


def test_a_game_too_large_for_exact_strategies_is_enclosed(monkeypatch: Any) -> None:
    """By regret matching alone: −1/9 for one die each of three sides, as published."""
    monkeypatch.setattr("exactdice.hidden.equilibrium._MOST_FOR_LP", 10)
    game = liars_dice(1, 1, 3)
    near = equilibrium(game, width="1e-4")
    assert near.upper - near.lower <= mpq(1, 10**4)
    assert near.lower <= mpq(-1, 9) <= near.upper
    with pytest.raises(InputError, match=r"value: got bounds from -0\.111"):
        _ = near.value
    with pytest.raises(TooLargeError, match="is too large for exact strategies; give a width"):
        equilibrium(game)
    monkeypatch.setattr("exactdice.hidden.equilibrium._ROUNDS", 20)
    with pytest.raises(TooLargeError, match="no strategies found as close as asked, the value is"):
        equilibrium(game, width="1e-20")
