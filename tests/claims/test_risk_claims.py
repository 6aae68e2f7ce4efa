"""Claims about Risk: that each would be noticed to be false, by evidence with a small fault."""

import re
from itertools import product
from types import SimpleNamespace

import pytest
from finders import risk as claims
from flint import fmpq_poly

from exactdice.arithmetic import mpq, text
from exactdice.claims.certificates import read_certificate
from exactdice.claims.sentences import checkout
from exactdice.dice import Distribution
from exactdice.games.risk.exact import win_probability
from exactdice.games.risk.rounds import round_losses
from exactdice.games.risk.rules import RiskRules
from exactdice.jobs.claims import claim_named
from exactdice.studies.risk.sources import OSBORNE_WINS

TINY = mpq(1, 10**9)


class Everywhere:
    """A table of which every entry is one number, but for some."""

    def __init__(self, entry, **others):
        self.entry, self.others = entry, others

    def __getitem__(self, armies):
        return self.others.get("{}v{}".format(*armies), self.entry)


@pytest.fixture
def verdict(monkeypatch):
    """The verdict on a claim where names of the module stand for something else."""

    def found(name, **instead):
        for part, other in instead.items():
            monkeypatch.setattr(claims, part, other)
        return claims.FINDERS[f"risk.{name}"]().verdict

    return found


def certified(name, part="evidence"):
    path = checkout() / "proofs" / "certificates" / f"risk.{name}.json"
    return read_certificate(path.read_bytes())[part]


def game_with(exceptions):
    """A game of one state in which so many battles are exceptions."""
    battles = [(n, n) for n in range(1, exceptions + 1)]

    class Game(dict):
        def exceptions(self):
            return battles

    choice = SimpleNamespace(value=mpq(1), attacker={1: mpq(1)})
    return lambda *_asked: Game({(1, 1): choice})


def test_one_figure_of_osborne_that_differs_is_noticed(verdict):
    first, *rest = OSBORNE_WINS
    assert verdict("table", OSBORNE_WINS=((first[0] + 1, *first[1:]), *rest)) == "refuted"


@pytest.mark.parametrize(
    ("exceptions", "least", "expected"),
    [(0, TINY, "proved"), (0, 0 * TINY, "refuted"), (1, TINY, "refuted")],
)
def test_the_most_dice_are_best_if_no_battle_and_no_sign_says_else(
    verdict, exceptions, least, expected
):
    signs = [mpq(1), least, mpq(1)]  # the proof of theorem 10 needs all above 0
    fault = {"dice_game": game_with(exceptions), "_signs": lambda: signs}
    assert verdict("maximum-dice", **fault) == expected


@pytest.mark.parametrize(
    ("exceptions", "least", "expected"),
    [(0, 0, "proved"), (0, -1, "refuted"), (1, 0, "refuted")],
)
def test_with_any_sides_no_coefficient_may_be_below_0(verdict, exceptions, least, expected):
    # In s − 2, of a polynomial in 1/s times s²: (s − 2)² + least·(s − 2) + 1 is the second one.
    second = fmpq_poly([1, least - 4, 5 - 2 * least])
    numerators = [fmpq_poly([1]), second, fmpq_poly([2])]
    fault = {"dice_game": game_with(exceptions), "_never_below_zero": lambda: numerators}
    assert verdict("maximum-dice-any-sides", **fault) == expected


def test_games_with_any_sides_are_of_as_many_sides_as_is_said(monkeypatch):
    asked = set()

    def spied(attackers, defenders, order, units, rules):
        assert rules == RiskRules().with_sides(rules.attacker_sides)
        asked.add((attackers, defenders, str(order), units, rules.attacker_sides))
        return game_with(0)()

    monkeypatch.setattr(claims, "dice_game", spied)
    claim = claim_named("risk.maximum-dice-any-sides")
    first, last, other = map(
        int, re.search(r"(\d+) to (\d+) and (\d+) sides", claim.method).groups()
    )
    bounds = certified("maximum-dice-any-sides", "parameters")
    claims.FINDERS[claim.id]()
    assert asked == {
        (bounds["fighting_attackers"], bounds["defenders"], order, "fighting", sides)
        for sides in (*range(first, last + 1), other)
        for order in bounds["orders"]
    }


@pytest.mark.parametrize(
    ("is_played", "least", "expected"),
    [(True, mpq(0), "proved"), (True, -TINY, "refuted"), (False, mpq(0), "refuted")],
)
def test_the_most_dice_against_who_sees_them_need_every_gap(verdict, is_played, least, expected):
    choice = SimpleNamespace(value=mpq(1), attacker=(3,) if is_played else (1, 2))
    fault = {"dice_game": lambda *_: {(5, 5): choice}, "_gaps_of_seen": lambda _: [TINY, least]}
    assert verdict("seen-most-dice", **fault) == expected


@pytest.mark.parametrize(
    ("bound", "expected"),
    [
        ((mpq(1), mpq(1)), "open"),  # all means are 1, but so is the product
        ((mpq(11, 10), mpq(17, 20)), "open"),  # below 1 with one die, above 1 with three
    ],
)
def test_the_limit_against_who_sees_the_dice_needs_all_its_inequalities(verdict, bound, expected):
    assert verdict("seen-limit", _SEEN_BOUND=bound) == expected


def test_the_limit_against_who_sees_the_dice_may_have_a_mean_of_1(verdict):
    lost = Distribution({(1, 0): 1})  # the attacker loses in every roll, which counts once at β = 1
    fault = {
        "_SEEN_BOUND": (mpq(1), mpq(1, 2)),
        "losses_seen": lambda dice, *_: [((1,) * dice, 6**dice, (lost, lost))],
    }
    assert verdict("seen-limit", **fault) == "proved"


@pytest.mark.parametrize(
    "fault",
    [None, (2, 2, 1), (3, 2, 0), (3, 2, 1), (2, 1, 0), (3, 1, 0)],  # one in each gap
)
def test_more_attackers_may_win_less_often_if_a_round_does(verdict, fault):
    """All rounds alike, so that every gap is 0; and a little less of one loss in one of them."""

    def chances(attacking, defending):
        return [mpq(1, 3) - TINY * ((attacking, defending, k) == fault) for k in range(3)]

    assert verdict("monotone", _chances=chances) == ("open" if fault else "proved")


@pytest.mark.parametrize("at", ["8v7", "8v8"])
def test_equal_chances_of_neighbours_do_not_rise(verdict, at, monkeypatch):
    table = claims.win_table(9, 8)
    before = {"8v7": (7, 6), "8v8": (7, 7)}[at]
    here = tuple(map(int, at.split("v")))
    entries = {(a, d): table[a, d] for a in range(2, 10) for d in range(1, 9)}
    entries[here] = entries[before]
    assert verdict("rising", win_table=lambda *_: entries) == "refuted"


@pytest.mark.parametrize(
    ("units", "also", "expected"),
    [
        ("fighting", 4, "proved"),
        ("fighting", 3, "refuted"),
        ("fighting", 2, "refuted"),
        ("total", 11, "proved"),
        ("total", 10, "refuted"),
        ("total", 2, "refuted"),
        ("fighting", -199, "refuted"),
        ("total", -199, "refuted"),
    ],
)
def test_a_small_army_that_wins_more_often_than_not_is_an_exception(
    monkeypatch, units, also, expected
):
    """Where one more wins than the claim says; if it is the next, the armies only begin there.

    So too where 199 do not win, the last that theorem 21 leaves to be looked at.
    """
    least, sizes, looked = {"fighting": 5, "total": 12}, [], set()

    class Table:
        def __getitem__(self, armies):
            looked.add(armies)
            attackers, defenders = armies
            asked = "total" if attackers == defenders else "fighting"
            often = defenders >= least[asked] or (asked, defenders) == (units, also)
            return mpq(1, 2) + TINY * (often and (asked, -defenders) != (units, also))

    monkeypatch.setattr(claims, "win_table", lambda *size: sizes.append(size) or Table())
    found = claims.FINDERS["risk.even-chances"]()
    assert looked <= {(n + more, n) for n in range(2, 200) for more in (0, 1)}
    assert sizes == [tuple(map(max, zip(*looked, strict=True)))] or found.verdict == "refuted"
    assert found.verdict == expected
    if expected == "proved":
        assert {name: found.evidence[name] for name in least} == {**least, units: also}


def test_a_chance_of_exactly_a_half_is_enough_for_the_least_army(monkeypatch):
    monkeypatch.setattr(claims, "win_table", lambda *_: Everywhere(mpq(1, 2)))
    least = claims.FINDERS["risk.no-line"]().evidence["least"]
    assert least == {"5": 1, "114": 1, "148": 1}


@pytest.mark.parametrize(
    ("smaller", "larger", "expected"),
    [
        (mpq(1, 2), mpq(1, 2) - TINY, "refuted"),
        (mpq(1, 2), mpq(1, 2), "open"),
        (mpq(1, 2) - TINY, mpq(1, 2) - TINY, "open"),
    ],
)
def test_two_lines_are_refuted_by_a_half_below_and_less_above(verdict, smaller, larger, expected):
    assert (
        verdict("two-lines", win_probability=lambda a, *_: smaller if a == 168 else larger)
        == expected
    )


def test_battles_on_two_lines_refute_nothing(verdict):
    battles = ((168, 196), (2554, 2993))
    chances = {168: mpq(1, 2), 2554: mpq(1, 3)}
    fault = {"_ON_ONE_LINE": battles, "win_probability": lambda a, *_: chances[a]}
    assert verdict("two-lines", **fault) == "open"


def test_the_line_of_even_chances_needs_an_error_that_is_small_enough(monkeypatch):
    """With 1/4000 the least is 2044 or 2046 where a + d is even, by 2797·κ₀ = 2044.3….

    Below the line so moved is no battle but 168 against 196, where it is 2044 (theorem 29 d).
    """
    rest = mpq(1, 4000)
    monkeypatch.setattr(claims, "_LINE_REST", rest)
    found = claims.FINDERS["risk.even-line"]()
    assert (found.verdict, found.evidence["least"], found.evidence["exceptions"]) == (
        "open",
        [2044, 1935],
        [],
    )
    lost = round_losses(3, 2).expectation(lambda losses: losses[0])
    told = certified("even-line")["kappa"]
    for low, at in zip(found.evidence["kappa"], told, strict=True):
        assert abs(at - low - 10**12 * 2 * rest / (2 - lost)) <= 1


def test_exceptions_to_the_line_are_told_where_they_begin(monkeypatch):
    """Where all chances are 1/2 those below the line are exceptions, up to the last army."""
    monkeypatch.setattr(claims, "_LINE_UNITS", 4)
    monkeypatch.setattr(claims, "win_table", lambda *_: Everywhere(mpq(1, 2)))
    monkeypatch.setattr(claims, "_sums_of_exits", lambda _: [mpq(0), mpq(0)])
    evidence = claims.FINDERS["risk.even-line"]().evidence
    assert evidence["exceptions"] == [
        [a, d]
        for a, d in product(range(1, 5), repeat=2)
        if 2797 * a - 2387 * d < evidence["least"][(a + d) % 2]
    ]


def test_sums_of_theorem_29_are_those_of_its_definition(monkeypatch):
    """K_i over the armies below 5, rounds one after the other, and battles one by one."""
    u = claims._chances(3, 2)
    monkeypatch.setattr(claims, "_LINE_CUT", 5)
    totals = [mpq(0), mpq(0)]
    for x, y in product(range(1, 5), range(5)):
        if x > 2 and y > 1:
            continue
        kept = {x: mpq(1)}
        for _ in range(-(-(x + y) // 2)):
            after = {}
            for left, chance in kept.items():
                for k in range(3):
                    after[left - k] = after.get(left - k, 0) + chance * u[k]
            kept = after
        stays = sum(chance for left, chance in kept.items() if left >= 3)
        won = win_probability(x, y, "fighting") if y else 1
        for k in range(3):
            if x + k >= 3 and y + 2 - k >= 2:
                totals[(x + y) % 2] += u[k] * (won - stays)
    assert claims._sums_of_exits(u) == totals


def test_bounds_are_those_of_the_theorem_and_of_the_claim():
    theorems = (checkout() / "proofs" / "theorems" / "THEOREMS.md").read_text(encoding="utf-8")
    power, cut = re.search(r"is below 10\^\{−(\d+)\} for N = (\d+)", theorems).groups()
    assert text(claims._LINE_REST) == text(mpq(1, 10 ** int(power)))
    assert int(cut) == claims._LINE_CUT
    units = re.search(r"all battles of at most (\d+) units", claim_named("risk.even-line").method)
    assert int(units[1]) == claims._LINE_UNITS
