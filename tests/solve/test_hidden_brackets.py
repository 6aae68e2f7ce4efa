"""Brackets of hidden games: which plans are kept, what is reported, and what is refused."""

import random
import re
from operator import mul
from types import SimpleNamespace

import flint
import numpy as np
import pytest
from gmpy2 import mpq, mpz
from model_oracles import go, kuhn, refuses

from exactdice.dice import Distribution, fair
from exactdice.errors import InputError, MissingExtraError, TooLargeError
from exactdice.hidden import equilibrium as solving
from exactdice.hidden import game as walking
from exactdice.hidden import guesses
from exactdice.hidden.dealt import DealtGame, Showdown
from exactdice.hidden.equilibrium import equilibrium, guarantee, settled, value_bounds
from exactdice.hidden.game import HiddenGame, expected
from exactdice.hidden.guesses import Program
from exactdice.hidden.reports import bracket_report
from exactdice.hidden.sequences import RealizationPlan
from exactdice.models import Both, Choice, End, ModelError, Turn, equilibrium_dimension, point_mass
from exactdice.run import Run

PAID = {("h", "h"): 2, ("h", "t"): 0, ("t", "h"): 0, ("t", "t"): 1}
PENNIES = HiddenGame(
    0, lambda _: Both({pair: End(payoff) for pair, payoff in PAID.items()}), lambda _: ("", "")
)
FORM = PENNIES.sequence_form()


def heads(chance):
    return {"": {"h": mpq(chance), "t": 1 - mpq(chance)}}


def plans(first, second):
    one, two = FORM.sides
    return RealizationPlan.of(one, heads(first)), RealizationPlan.of(two, heads(second))


class Asking(Run):
    def __init__(self):
        super().__init__(progress=lambda what, done, _: noted.append((what, done)))
        noted = []
        object.__setattr__(self, "noted", noted)

    def require(self, needed, what):
        self.noted.append((what, needed, "bytes"))

    def expect(self, nanoseconds, what):
        self.noted.append((what, nanoseconds, "ns"))


def test_two_pairs_of_bounds_combine_the_better_plans():
    """By hand: heads with chance p is sure of min(2p, 1 - p), and lets through max(2q, 1 - q)."""
    chances = [mpq(1, 4), mpq(1, 3), mpq(1, 2)]
    for p, q, r, s in np.ndindex(3, 3, 3, 3):
        one = value_bounds(FORM, heads(chances[p]), heads(chances[q]))
        two = value_bounds(FORM, heads(chances[r]), heads(chances[s]))
        best = solving._better(one, two)
        assert best.lower == max(min(2 * x, 1 - x) for x in (chances[p], chances[r]))
        assert best.upper == min(max(2 * x, 1 - x) for x in (chances[q], chances[s]))
        again = settled(FORM, best.plans, "")
        assert (again.lower, again.upper) == (best.lower, best.upper)


def scripted(monkeypatch, apart):
    asked = []

    def by_regrets(_):
        def play(rounds):
            asked.append(rounds)
            return plans(mpq(1, 3) + apart[len(asked) - 1], mpq(1, 3))

        return play

    monkeypatch.setattr(solving, "by_regrets", by_regrets)
    monkeypatch.setattr(solving, "_MOST_FOR_LP", 25)  # two payoffs and four times six sequences
    return asked


def test_rounds_are_played_up_to_the_width_and_reported(monkeypatch):
    halves = [132, 66, 17, 16, 10, 18, 2]  # of a hundredth
    asked, run = scripted(monkeypatch, [mpq(e, 200) for e in halves]), Asking()
    best = equilibrium(PENNIES, width="1/100", run=run)
    assert asked == [64, 64, 128, 256, 128, 160, 200]
    assert (best.lower, best.upper) == (mpq(2, 3) - mpq(1, 100), mpq(2, 3))
    assert best.method == f"regret matching, {sum(asked)} rounds"
    told = [("rounds", sum(asked[: n + 1])) for n in range(7)]
    wanted = [("regret matching", solving._ROUND_BYTES * (2 + 6), "bytes"), *told]
    assert [news for news in run.noted if news[0] != "places"] == wanted
    refuses(TooLargeError, r"^game: SequenceForm\(.* is too large for exact", equilibrium, FORM)


def test_bounds_that_stay_too_wide_are_reported_in_the_error(monkeypatch):
    asked = scripted(monkeypatch, [mpq(1, 2)] * 20)
    refuses(TooLargeError, "no strategies found within the width", equilibrium, FORM, width="1/100")
    assert sum(asked) == 65536  # as its documentation says
    asked = scripted(monkeypatch, [mpq(1, 6), mpq(1, 2), mpq(0)])
    monkeypatch.setattr(solving, "_ROUNDS", 128)
    with pytest.raises(TooLargeError, match=r"between 0\.50* and 0\.66*7; use a wider width$"):
        equilibrium(FORM, width="1/100")
    assert asked == [64, 64]


@pytest.mark.parametrize("found", [(True, True), (True, False), (False, True)])
def test_plans_of_the_linear_program_get_their_exact_guarantees(monkeypatch, found):
    """Where one plan is missing, those near to best, if they agree or are within a width."""
    exact, close = plans(mpq(1, 3), mpq(1, 3)), plans(mpq(1, 3) + mpq(1, 50), mpq(1, 3))
    near = [close]
    program = SimpleNamespace(
        plan=lambda player: exact[player - 1] if found[player - 1] else None, near=lambda: near[0]
    )
    monkeypatch.setattr(solving, "Program", lambda form: program)
    monkeypatch.setattr(solving, "_MOST_FOR_LP", 26)
    run = Asking()
    if all(found):
        best = equilibrium(FORM, run=run)
        assert (best.value, best.method) == (mpq(2, 3), "linear program, exactly")
    else:
        with pytest.raises(TooLargeError, match=r"value is between 0\.6466666667 and 0\.66666666"):
            equilibrium(FORM, run=run)
        best = equilibrium(FORM, width="1/50")
        assert (best.lower, best.method) == (mpq(2, 3) - mpq(1, 50), "doubles")
        scripted(monkeypatch, [mpq(1, 100)])
        monkeypatch.setattr(solving, "_MOST_FOR_LP", 26)
        assert equilibrium(FORM, width="1/51").method == "regret matching, 64 rounds"
        near[0] = exact
        assert equilibrium(FORM).value == mpq(2, 3)
    wanted = (("bytes", solving._LP_BYTES), ("ns", solving._LP_TIME))
    assert run.noted == [("the linear program", 26 * each, unit) for unit, each in wanted]


def test_nearly_optimal_plans_have_close_bounds():
    pytest.importorskip("highspy", reason="extra hidden")
    for game, value in ((PENNIES, mpq(2, 3)), (kuhn(), mpq(-1, 18))):
        form = game.sequence_form()
        near = settled(form, Program(form).near(), "")
        assert near.lower <= value <= near.upper
        assert near.upper - near.lower < mpq(1, 10**6)


def test_arguments_and_names_of_bounds():
    one, two = plans("1/2", "1/2")
    with pytest.raises(AssertionError, match="weights of each set sum"):
        settled(FORM, (RealizationPlan(one.side, np.array([1, 1, 1])), two), "")
    half = value_bounds(PENNIES, heads("1/3"), heads("1/2"))
    assert repr(half) == "ValueBounds(0.6666666667 to 1, by strategies that were given)"
    best = value_bounds(PENNIES, heads("1/3"), heads("1/3"))
    assert repr(best) == "ValueBounds(2/3, by strategies that were given)"


@pytest.mark.parametrize("ask", [
    lambda best, player: best.strategy(player), lambda best, player: list(best.losses(player)),
    lambda best, player: guarantee(FORM, player, heads(0)), equilibrium_dimension])  # fmt: skip
@pytest.mark.parametrize("player", [0, 3])
def test_players_are_1_and_2(ask, player):
    with pytest.raises(InputError, match=f"player: got {player}; expected 1 or 2"):
        ask(value_bounds(FORM, heads("1/3"), heads("1/3")), player)


def best_of_kuhn():
    """The best strategies of Kuhn (1950), of the first player's the one that always bets a 3."""
    bets = {(1, ""): "1/3", (2, ""): 0, (3, ""): 1, (1, "pb"): 0, (2, "pb"): "2/3", (3, "pb"): 1}
    calls = {(1, "p"): "1/3", (2, "p"): 0, (3, "p"): 1, (1, "b"): 0, (2, "b"): "1/3", (3, "b"): 1}
    one, two = ({k: {"b": mpq(c), "p": 1 - mpq(c)} for k, c in s.items()} for s in (bets, calls))
    return value_bounds(kuhn(), one, two)


def test_bounds_are_reported_with_short_strategies():
    """By hand: each player has 3 cards at 2 places with 2 actions; 6 deals end in 5 ways."""
    best = best_of_kuhn()
    report = bracket_report(best, 26)
    values = [quantity.value for quantity in report.quantities]
    assert values == [*[mpq(-1, 18)] * 3, True, "strategies that were given", 12, 26, 30]
    assert [table.title[:21] for table in report.tables] == [
        "Strategy of the first", "Strategy of the secon"]  # fmt: skip
    for player in (1, 2):
        rows, strategy = report.table(f"player_{player}").rows, best.strategy(player)
        assert len(rows) == 12
        assert list(rows) == [
            (str(known), action, strategy.get(known, {}).get(action), lost)
            for known, losses in best.losses(player)
            for action, lost in losses.items()
        ]
    # Who bets each 3 is never asked to call with it. With a 2, which one deal in three brings, a
    # bet gets (1 - 2)/2, and to pass and then fold (1/3 - 1)/2: a loss of 1/6.
    first = report.table("player_1")
    assert first.cell("chance", knows="(3, 'pb')", action="b") is None
    assert first.cell("loss", knows="(2, '')", action="b") == mpq(1, 18)
    assert not bracket_report(best, 25).tables
    wide = value_bounds(PENNIES, heads(1), heads(1))
    assert [q.value for q in bracket_report(wide, 0).quantities[1:4]] == [0, 2, False]


def test_steps_of_a_history_are_shown_from_the_last_eight_on():
    for steps in (1, 8, 9):
        game = HiddenGame(0, lambda s, end=steps: [go(s, s + 1)] if s < end else 1 / 2, lambda s: s)
        shown = ", ".join(map(str, range(max(0, steps - 8), steps)))
        dots = "…, " if steps > 8 else ""
        refuses(ModelError, f"^{dots}{shown}: got 0.5; expected End, a Dist", game.sequence_form)


def two_ways(first, second):
    return HiddenGame(0, lambda s: (fair(2), first, second, None)[s], lambda _: "dark")


def choices(*actions):
    return [go(action, 3) for action in actions]


@pytest.mark.parametrize(("game", "line"), [
    (two_ways(choices("a"), choices("a", "b")),
     "2: player 1 knows 'dark' after 2 and after 1, but can do ('a', 'b') or ('a',); tell"),
    (two_ways(choices("a", "a"), None), "1: got one action twice among ('a', 'a'); expected each"),
    (two_ways([], None), "1: got []; expected a list of Choice, or a Turn"),
    (two_ways([3], None), "1: got [3]; expected a list of Choice"),
    (two_ways(Both(PENNIES.moves(0).outcomes), None), "1: knows: got 'dark' for simultaneous")
])  # fmt: skip
def test_wrong_rules_are_rejected_with_the_history(game, line):
    refuses(ModelError, f"^{re.escape(line)}", game.sequence_form)


def test_a_play_may_have_ten_thousand_steps(monkeypatch):
    monkeypatch.setattr(walking, "_OFTEN", 20_000)  # or 100 plays of as many steps are tried

    def long(steps):
        return HiddenGame(0, lambda s: point_mass(s + 1) if s < steps else End(1), str)

    assert long(10_000).sequence_form().histories == 1
    monkeypatch.setattr(walking, "_PLAYS", 1)
    assert expected(long(10_000)) == 10_000
    with pytest.raises(ModelError, match=r": got more than 10000 steps; expected a game that ends"):
        long(10_001).sequence_form()


def test_a_traversal_announces_its_time_and_reports_progress(monkeypatch):
    """Behind the first place 3, and behind each of these 2: the estimate is 9 in every play."""
    game = HiddenGame(
        0, lambda s: fair(3) if s == 0 else choices_at(s) if s < 4 else End(1), lambda s: s
    )
    monkeypatch.setattr(walking, "_OFTEN", 4)
    run = Asking()
    assert expected(game) == 9
    assert game.sequence_form(run).histories == 6
    walk = ("a tree of about 9 nodes", walking._TIME * 9, "ns")
    told = [("places", 4), ("places", 8), ("places", 10)]
    assert run.noted == [walk, *told]


def choices_at(state):
    return [go(action, state + 3 + action) for action in (0, 1)]


def test_the_memory_of_a_traversal_counts_sequences_and_payoffs():
    """Kuhn has 26 sequences, and each of its 30 ends its own pair of them."""
    most = walking._BYTES_OF_A_SEQUENCE * 26 + walking._BYTES_OF_A_PAYOFF * 30
    assert kuhn().sequence_form(Run(memory=most)).histories == 30
    assert kuhn().sequence_form(Run(memory=None)).histories == 30
    refuses(TooLargeError, "after 55 nodes of its tree", kuhn().sequence_form, Run(memory=most - 1))


CARDS = Distribution.from_faces([(a, b) for a in range(9) for b in range(9) if a != b])


def dealt(moves, payoff=lambda *_: 1):
    return DealtGame(CARDS, (), moves, payoff)


def once(seen):
    return Showdown("end") if seen else Turn(1, [go(a, (a,)) for a in "xy"])


def test_dealt_games_have_sets_of_hands_and_moves_and_exact_sums():
    # The highest of nine cards beats 8 others: 8 · 2^61. Half of all deals pay 2^61.
    large = dealt(once, lambda _, a, b: 2**61 if a > b else 0)
    always = {(card, ()): {"x": 1} for card in range(9)}
    assert guarantee(large, 1, always).value == 2**60
    small = dealt(once, lambda _, a, b: -3 if a > b else 0)
    assert guarantee(small, 1, always).value == mpq(-3, 2)

    def moves(seen):
        if len(seen) == 2:
            return Showdown(seen)
        return Turn(1 + len(seen), [go(a, (*seen, a)) for a in "xy"])

    one, two = dealt(moves).sequence_form().sides
    assert list(one.known) == [(card, ()) for card in range(9)]
    assert sorted(two.known) == [(card, (said,)) for card in range(9) for said in "xy"]
    assert list(two.actions) == [("x", "y")] * 18
    with pytest.raises(IndexError):
        two.known[18]


@pytest.mark.parametrize(("moves", "line"), [
    (lambda seen: [go(a, seen) for a in "xy"],
     "moves: got () twice; expected every earlier move in it"),
    (lambda _: [Choice("x", 0, fair(2))], "moves(()): got Choice("),
    (lambda _: [go("x", 1, 1)], "moves(()): got Choice(")])  # fmt: skip
def test_a_wrong_dealt_game_is_rejected(moves, line):
    refuses(ModelError, f"^{re.escape(line)}", dealt(moves).sequence_form)


def test_the_public_tree_reports_progress_and_is_limited(monkeypatch):
    monkeypatch.setattr("exactdice.hidden.dealt._OFTEN", 2)
    run = Asking()
    dealt(once).sequence_form(run)  # three places, and 2 · 72 payoffs
    assert run.noted[:2] == [("places", 2), ("the tree of what is seen", 2000, "bytes")]
    assert [(unit, number) for _, number, unit in run.noted[2:]] == [
        ("bytes", 64 * 144), ("ns", 400 * 144)
    ]  # fmt: skip


def test_unknowns_of_a_dimension_are_limited(monkeypatch):
    """Of 3 by 2 free choices: 4 sequences of the first player, and 1 + 1 sets of the second."""
    pytest.importorskip("scipy", reason="extra hidden")
    both = Both({(i, j): End(0) for i in range(3) for j in range(2)})
    even = [{"": dict.fromkeys(range(n), mpq(1, n))} for n in (3, 2)]
    best = value_bounds(HiddenGame(0, lambda _: both, lambda _: ("", "")), *even)
    monkeypatch.setattr("exactdice.hidden.equilibrium._MOST_UNKNOWNS", 6)
    run = Asking()
    assert equilibrium_dimension(best, 1, run) == 2
    # Equations: that of the beginning, of the set, and of three sequences that the other takes.
    assert [number for _, number, _ in run.noted] == [100 * 5 * 6]
    monkeypatch.setattr("exactdice.hidden.equilibrium._MOST_UNKNOWNS", 5)
    refuses(TooLargeError, "game: 6 unknowns are more than 5", equilibrium_dimension, best, 1)


sparse = pytest.importorskip("scipy.sparse", reason="extra hidden")


def by_elimination(rows, place):
    """The solution as FLINT's rational matrices have it; None of a singular matrix."""
    right = flint.fmpq_mat(len(rows), 1, [int(row == place) for row in range(len(rows))])
    try:
        solution = flint.fmpq_mat(flint.fmpz_mat(rows)).solve(right)
    except ZeroDivisionError:
        return None
    return [mpq(int(entry.p), int(entry.q)) for (entry,) in solution.tolist()]


def as_fractions(solution):
    return solution and [mpq(number, solution[1]) for number in solution[0]]


@pytest.mark.slow
def test_lifting_agrees_with_elimination():
    draw, singular = random.Random(17), 0  # noqa: S311
    for _ in range(300):
        size, most = draw.randint(1, 24), draw.choice((1, 9, 1000))
        rows = [
            [draw.randint(-most, most) if draw.random() < 0.4 else 0 for _ in range(size)]
            for _ in range(size)
        ]
        place = draw.randrange(size)
        wanted = by_elimination(rows, place)
        solution = guesses._lifted(sparse.csc_matrix(np.array(rows, dtype=float)), place)
        fractions = as_fractions(solution)
        if wanted is not None:
            assert fractions == wanted
        elif fractions is not None:  # doubles did not tell, and it is one of many solutions
            sums = [sum(map(mul, row, fractions)) for row in rows]
            assert sums == [int(row == place) for row in range(size)]
        singular += wanted is None
    assert 30 < singular < 250


def test_numbers_too_long_for_the_digits_have_no_solution():
    # What is left of the right side may have 62 - 24 = 38 bits: of 1/3, a third of the entry's 3.
    for bits, is_solved in {30: True, 50: False}.items():
        rows = np.array([[1 << bits, 1], [1, 3]], dtype=float)
        solution = guesses._lifted(sparse.csc_matrix(rows), 1)
        wanted = by_elimination(rows.astype(int).tolist(), 1) if is_solved else None
        assert as_fractions(solution) == wanted
    # 4 digits have 96 bits, of which a denominator may have 96 / 2 - 8 = 40.
    for denominator, is_recognised in {(1 << 40) - 87: True, (1 << 60) - 93: False}.items():
        rest, digits = mpq(1, denominator), []
        for _ in range(4):
            nearest = int((rest * (1 << 24) + mpq(1, 2)) // 1)
            rest = rest * (1 << 24) - nearest
            digits.append(np.array([nearest]))
        solution = as_fractions(guesses._recognised(digits))
        assert (solution == [mpq(1, denominator)]) is is_recognised
    whole = sparse.csr_matrix(np.array([[2, 1], [1, 3]]))
    right = np.array([0, 1])
    assert guesses._solves(whole, ([mpz(-1), mpz(2)], mpz(5)), right)
    for wrong in ([mpz(1), mpz(2)], mpz(5)), ([mpz(-1), mpz(2)], mpz(4)):
        assert not guesses._solves(whole, wrong, right)


@pytest.mark.parametrize("seed", range(40))
def test_fractions_are_recognised_in_their_digits(seed):
    draw = random.Random(seed)  # noqa: S311
    count, steps = draw.randint(1, 6), draw.choice((4, 8, 16))
    digits_bits = guesses._DIGIT * steps
    most = digits_bits // 2 - 8
    parts = [draw.randint(1, 1 << (most - 2) // count) for _ in range(count)]
    fractions = [mpq(draw.randint(-3 * part, 3 * part), part) for part in parts]
    # Digits as the solver has them: the nearest whole number of 2⁻²⁴, then of what is left.
    rests, digits = list(fractions), []
    for _ in range(steps):
        nearest = [int((rest * (1 << guesses._DIGIT) + mpq(1, 2)) // 1) for rest in rests]
        rests = [r * (1 << guesses._DIGIT) - n for r, n in zip(rests, nearest, strict=True)]
        digits.append(np.array(nearest))
    assert as_fractions(guesses._recognised(digits)) == fractions


def test_without_the_library_the_extra_is_named(monkeypatch):
    def missing(name):
        raise ModuleNotFoundError(name=name)

    monkeypatch.setattr(guesses, "linked", missing)
    refuses(MissingExtraError, r"scipy.*exactdice\[hidden\]", guesses._library, "scipy.sparse")
