"""Long-run averages: against all policies in fractions, by hand, and forged certificates."""

import io
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random

import pytest
from gmpy2 import mpq
from model_oracles import fraction, go, module_at, refuses, solved

from exactdice.dice import Distribution
from exactdice.errors import InputError
from exactdice.models import Chance, Choice, End, Game, Other, Turn, long_run, point_mass
from exactdice.solve.arena import CertificateError, NoValueError

REWARDS = (-2, -1, 0, 0, 1, 1, 2, Fraction(1, 3))


def random_table(rng, players, size):
    """States 0, 1, … of chance and players, and sometimes "end"."""
    states = [*range(size), *(["end"] if rng.random() < 0.3 else [])]

    def law():
        return Distribution(
            {rng.choice(states): rng.randint(1, 3) for _ in range(rng.randint(1, 3))}
        )

    def moves():
        return [Choice(a, rng.choice(REWARDS), law()) for a in range(rng.randint(1, 3))]

    table = {"end": End(rng.choice(REWARDS))}
    for state in range(size):
        owner = rng.randint(0, players)
        table[state] = Turn(owner, moves()) if owner else Chance(rng.choice(REWARDS), law())
    return table


def chain_average(table, way, counts):
    """Average per step from state 0, by closed classes found by reachability; in fractions."""
    states = list(table)
    law = {s: {s: Fraction(1)} for s in states if s not in way}
    for s, part in way.items():
        law[s] = {t: Fraction(w, part.successors.denominator) for t, w in part.successors.items()}
    reach = {s: {s} for s in states}
    for _ in states:
        reach = {s: set().union(reach[s], *(reach[t] for t in law[s])) for s in states}
    closed = {frozenset(reach[s]) for s in states if all(s in reach[t] for t in reach[s])}
    worth = {}
    for group in closed:
        inside = sorted(group, key=str)
        # the stationary distribution: πP = π, with the sum 1 instead of the last equation
        matrix = [[law[s].get(t, Fraction(0)) - (s == t) for s in inside] for t in inside[:-1]]
        part = solved([*matrix, [Fraction(1)] * len(inside)], [0] * (len(inside) - 1) + [1])
        paid = sum(
            p * (fraction(way[s].reward) if s in way else 0)
            for s, p in zip(inside, part, strict=True)
        )
        time = sum(p * counts(s) for s, p in zip(inside, part, strict=True))
        worth |= dict.fromkeys(inside, 0 if "end" in group else paid / time)
    rest = [s for s in states if s not in worth]
    matrix = [[(s == t) - law[s].get(t, Fraction(0)) for t in rest] for s in rest]
    right = [sum(p * worth[t] for t, p in law[s].items() if t in worth) for s in rest]
    if rest:
        worth |= dict(zip(rest, solved(matrix, right), strict=True))
    return worth


def slow_averages(table, counts=lambda state: 1, *, least=False):
    """Greatest over the first player's moves of the least over the second's, by state."""
    fixed = {s: turn for s, turn in table.items() if isinstance(turn, Chance)}
    owned = {
        p: [s for s, t in table.items() if isinstance(t, Turn) and t.player == p] for p in (1, 2)
    }
    best = {}
    for mine in product(*(table[s].choices for s in owned[1])):
        worst = {}
        for theirs in product(*(table[s].choices for s in owned[2])):
            way = (
                fixed
                | dict(zip(owned[1], mine, strict=True))
                | dict(zip(owned[2], theirs, strict=True))
            )
            for s, v in chain_average(table, way, counts).items():
                worst[s] = min(v, worst.get(s, v))
        for s, v in worst.items():
            best[s] = (min if least else max)(v, best.get(s, v))
    return best


def checked(answer, folder):
    """The line that the checker of files prints."""
    answer.certificate().check(answer.model.game)
    answer.write_certificate(folder / "average.cert")
    checker = Path(__file__).parents[2] / "proofs" / "average_check.py"
    words = [sys.executable, "-I", "-S", str(checker), str(folder / "average.cert")]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def agrees(seed, players, size=4):
    rng = Random(seed)  # noqa: S311
    table, least = random_table(rng, players, rng.randint(1, size)), rng.random() < 0.3
    least = least and players == 1
    answer = long_run(Game(0, table.__getitem__), least=least)
    right = slow_averages(table, least=least)
    for state in answer.model.states:
        assert fraction(answer.value_of(state)) == right[state], (seed, state)
    answer.certificate().check(answer.model.game)
    followed = long_run(Game(0, table.__getitem__), policies={1: answer, 2: answer})
    assert followed.value == answer.value
    return answer


@pytest.mark.parametrize("players", [0, 1, 2])
def test_averages_are_the_best_of_all_policies(players):
    for seed in range(40):
        agrees(seed, players)


@pytest.mark.parametrize(
    "last", [pytest.param(1300, marks=pytest.mark.slow), pytest.param(3000, marks=pytest.mark.long)]
)
@pytest.mark.parametrize("players", [0, 1, 2])
def test_averages_of_many_games_are_the_best_of_all_policies(players, last):
    for seed in range(1000, last):
        agrees(seed, players, 5)


@pytest.mark.parametrize("seed", range(30))
def test_steps_are_the_moves_that_count(seed):
    rng = Random(seed)  # noqa: S311
    table = random_table(rng, 1, 4)
    marked = {s for s in range(4) if rng.random() < 0.6}
    try:
        answer = long_run(Game(0, table.__getitem__), counts=marked.__contains__)
    except NoValueError:
        return  # play can stay where nothing counts
    known = {state: table[state] for state in answer.model.states} | {"end": table["end"]}
    assert fraction(answer.value) == slow_averages(known, lambda s: int(s in marked))[0]
    answer.certificate().check(answer.model.game)


@pytest.mark.parametrize("seed", range(20))
def test_frequencies_are_the_averages_of_being_in_a_state(seed):
    table = random_table(Random(seed), 1, 4)  # noqa: S311
    answer = long_run(Game(0, table.__getitem__))
    often, chosen = answer.frequencies(), {}
    for state in answer.model.states:
        turn = table[state]
        if isinstance(turn, Turn):
            chosen[state] = next(c for c in turn.choices if c.action == answer.action(state))
        elif isinstance(turn, Chance):
            chosen[state] = turn
    known = {state: table[state] for state in answer.model.states} | {"end": table["end"]}
    for state in chosen:
        here = {s: Chance(int(s == state), part.successors) for s, part in chosen.items()}
        assert fraction(often.get(state, 0)) == chain_average(known, here, lambda _: 1)[0]


def monopoly(sides):
    """Project Euler 84, with cards drawn at random; a state is (square, doubles in a row)."""
    cards = {"chest": [0, 10], "chance": [0, 10, 11, 24, 39, 5, "rail", "rail", "utility", "back"]}

    def landed(square):
        if square == 30:
            return {10: Fraction(1)}
        kind = "chest" if square in (2, 17, 33) else "chance" if square in (7, 22, 36) else ""
        places = {square: 1 - Fraction(len(cards.get(kind, ())), 16)}
        for card in cards.get(kind, ()):
            if card == "rail":
                card = next(s % 40 for s in range(square, square + 40) if s % 10 == 5)
            elif card == "utility":
                card = 28 if square == 22 else 12
            after = landed(square - 3) if card == "back" else {card: Fraction(1)}
            for place, share in after.items():
                places[place] = places.get(place, 0) + share / 16
        return places

    def moves(state):
        square, doubles = state
        ways = {}
        for one, two in product(range(1, sides + 1), repeat=2):
            row = doubles + 1 if one == two else 0
            there = {10: Fraction(1)} if row == 3 else landed((square + one + two) % 40)
            for place, share in there.items():
                target = (place, row % 3)
                ways[target] = ways.get(target, 0) + share / sides**2
        return Distribution.from_probabilities(ways)

    return Game((0, 0), moves)


# Project Euler, problem 84: with six sides JAIL (6.24%), E3 (3.18%) and GO (3.09%) are the most
# popular squares, 102400; its known answer for four sides is 101524.
@pytest.mark.parametrize(("sides", "squares"), [(6, "102400"), (4, "101524")])
def test_monopoly_squares_are_those_of_project_euler(sides, squares):
    shares = {}
    for (square, _), share in long_run(monopoly(sides)).frequencies().items():
        shares[square] = shares.get(square, 0) + share
    assert sum(shares.values()) == 1
    often = sorted(shares, key=shares.get, reverse=True)[:3]
    assert "".join(f"{square:02}" for square in often) == squares
    if sides == 6:
        assert [10**4 * shares[square] // 1 for square in often] == [624, 318, 309]  # cut off


def test_players_who_see_the_game_from_their_side_have_averages():
    # by hand: each mover takes 1 from the other, turn after turn, so that nobody gains
    game = Game(0, lambda s: [Choice("take", 1, point_mass(Other(0)))])
    assert long_run(game).value == 0
    assert long_run(game, lambda state: 1).value == 1


def test_long_runs_without_an_answer_are_refused():
    loop = Game(0, lambda s: [go("on", s), go("back", 0)])
    refuses(NoValueError, "^long_run: play can stay among 0 without a", long_run, loop, counts=bool)
    refuses(InputError, "^counts: got 5", long_run, loop, counts=5)
    refuses(InputError, "^state: got regrets of", long_run(loop).regret, 0)


def test_a_report_lists_actions(tmp_path):
    def day(state):
        if state == "failed":  # 6 or 9, and the day; half or all of the repairs hold
            half = Distribution({"works": 1, "failed": 1})
            return [Choice("cheap", -6, half), Choice("good", -9, point_mass("works"))]
        return Chance(10, Distribution({"works": 2, "failed": 1}))

    answer = long_run(Game("works", day))
    # works 3/4 of the days with the good repair: 7.5 − 2.25; 3/5 with the cheap one: 6 − 2.4
    assert answer.value == mpq(21, 4)
    assert answer.action("failed") == "good"
    assert answer.frequencies() == {"works": mpq(3, 4), "failed": mpq(1, 4)}
    assert answer.report().table("policy").cells("action") == ["good"]
    assert checked(answer, tmp_path).startswith("accepted: the average is 21/4 from state 0 (game")


@pytest.mark.parametrize("seed", range(3))
def test_two_hundred_states_are_proved_in_fractions(seed, tmp_path):
    rng = Random(seed)  # noqa: S311

    def law(state):
        return Distribution({rng.randrange(220): 1, (state + 1) % 220: 2})

    table = {s: [Choice(a, rng.randint(-3, 3), law(s)) for a in range(rng.randint(1, 3))]
             for s in range(220)}  # fmt: skip
    answer = long_run(Game(0, table.__getitem__))
    assert len(answer.model) == 220
    assert checked(answer, tmp_path).startswith(f"accepted: the average is {answer.value} ")


def test_a_certificate_with_another_number_is_refused_by_the_rules():
    table = random_table(Random(3), 2, 4)  # noqa: S311
    answer = long_run(Game(0, table.__getitem__))
    right, game = answer.certificate(), answer.model.game
    right.check(game)
    for name, more in (("gain", mpq(1, 2)), ("steps", 1)):
        for state, number in getattr(right, name).items():
            if table[state] is not None and not (name == "steps" and isinstance(table[state], End)):
                other = replace(right, **{name: getattr(right, name) | {state: number + more}})
                with pytest.raises(CertificateError, match=r"^certificate: "):
                    other.check(game)


def forged(lines, rng):
    """The file with one number of its gains or moves, the claim or an owner changed."""
    lines = list(lines)
    places = [n for n, line in enumerate(lines) if any(c.isdigit() for c in line) and n > 2]
    place = rng.choice(places)
    words = lines[place].partition(" #")[0].split(" ")
    at = rng.choice([n for n, word in enumerate(words) if word[-1].isdigit()])
    words[at] = str(Fraction(words[at]) + rng.choice((-1, 1, Fraction(1, 2))))
    lines[place] = " ".join(words)
    return lines, place


def accepted(checker, lines):
    check = checker.Check(io.StringIO("".join(f"{line}\n" for line in lines)))
    try:
        return check.run()
    except checker.RejectedError:
        return None


@pytest.mark.parametrize(
    "count",
    [
        200,
        pytest.param(3_000, marks=pytest.mark.slow),
        pytest.param(30_000, marks=pytest.mark.long),
    ],
)
def test_forged_averages_prove_no_false_gain(count):
    kept = forge(count)  # the checks are in it
    assert kept > 0 or count == 200


def forge(count):
    """Change files; those that are still accepted must claim the average of the file's game."""
    checker, rng, kept = module_at("proofs", "average_check.py"), Random(8), 0  # noqa: S311
    for number in range(count):
        if number % 50 == 0:
            table = random_table(rng, 2, 4)
            right = long_run(Game(0, table.__getitem__))
            assert accepted(checker, list(right.certificate_lines()))
        lines, _ = forged(list(right.certificate_lines()), rng)
        said = accepted(checker, lines)
        if said:
            kept += 1
            table, steps = file_table(lines)
            words, best = said.split(), slow_averages(table, steps.__getitem__)
            assert Fraction(words[3]) == best[int(words[6])], lines
    return kept


def file_table(lines):
    """The game of a file, from its lines below "moves"."""
    table, counts, owners = {}, {}, {"first": 1, "second": 2}
    for state, line in enumerate(lines[lines.index("moves") + 1 : -1]):
        steps, owner, rest = line.partition(" #")[0].split(" ", 2)
        counts[state] = int(steps) if owner != "end" else 1
        choices = []
        for place, move in enumerate(rest.split(" ; ") if owner != "end" else []):
            reward, *words = move.split(" ")
            law = {}
            for weight, to in zip(words[::2], words[1::2], strict=True):
                law[int(to)] = law.get(int(to), 0) + int(weight)
            choices.append(Choice(place, reward, Distribution(law)))
        if owner in owners:
            table[state] = Turn(owners[owner], choices)
        else:  # an end is left for itself, for nothing
            law = choices[0] if choices else Choice(0, 0, point_mass(state))
            table[state] = Chance(law.reward, law.successors)
    return table, counts
