"""The package's own solvers find the verdict and the evidence of every certificate.

`proofs/check.py` derives certificates from the rules by other methods, without the package. So each
agreement is between two programs that share no code.
"""

import json
import re
from functools import cache
from itertools import groupby, pairwise, product
from types import SimpleNamespace

import pytest
from finders import FINDERS
from finders import risk as claims
from finders import swe_policies as policies
from finders.swe_optimal_play import first_splitting, flip
from finders.swe_policies import _not_optimal
from finders.swe_structure import _clear, _tables, unbroken, unbroken_between
from swe_oracle import Oracle, moves, reachable

from exactdice.arithmetic import mpq, text, to_fraction
from exactdice.claims.certificates import canonical, checkout, read_certificate
from exactdice.games.risk.exact import win_probability
from exactdice.games.risk.rules import RiskRules
from exactdice.games.swe.distributions.players import Promo, PromoOnce
from exactdice.games.swe.new_only import NewOnly
from exactdice.games.swe.optimum.exact import solve
from exactdice.games.swe.rules import STANDARD, Action, ActionKind, Ladder, State
from exactdice.jobs.claims import CLAIMS, claim_named

ROOT = checkout()


def found_and_certified(claim):
    """The verdict and evidence of a finder and of the certificate, as texts."""
    path = ROOT / "proofs" / "certificates" / f"{claim}.json"
    certificate, found = read_certificate(path.read_bytes()), FINDERS[claim]()
    of_certificate = [certificate["verdict"], certificate["evidence"]]
    return canonical([found.verdict, found.evidence]), canonical(of_certificate)


def test_every_certificate_has_a_finder():
    assert FINDERS.keys() == {claim.id for claim in CLAIMS if claim.kind}


@pytest.mark.parametrize("claim", [
    pytest.param(c, marks=pytest.mark.long if claim_named(c).is_long else pytest.mark.slow)
    for c in FINDERS
])  # fmt: skip
def test_solvers_agree_with_the_certificates(claim):
    found, certified = found_and_certified(claim)
    assert found == certified


def test_the_score_never_matters_in_short_games(monkeypatch):
    # The search of the checker over all tables finds none up to 15 rounds either.
    monkeypatch.setattr("finders.swe_optimal_play._ROUNDS", 5)
    finding = FINDERS["swe.score-never-matters"]()
    assert finding.verdict == "verified up to 5"
    assert finding.evidence == {"on_path": None, "smallest": None}


# Games in which several states split at once, others where play from the start meets one later.
SPLITTING = [(8, (2, 9)), (6, (2, 20)), (6, (2, 4, 12)), (6, (2, 20, 40)), (6, (2, 3, 5, 60))]


@pytest.mark.parametrize("path", [False, True])
@pytest.mark.parametrize(("rounds", "faces"), SPLITTING)
def test_where_the_score_matters_is_found_by_plain_search(rounds, faces, path):
    solution = solve(rounds, Ladder(*faces))
    assert first_splitting(solution, path=path) == searched(rounds, faces, path)


@pytest.mark.parametrize(("rounds", "faces"), SPLITTING)
def test_neighbouring_scores_with_other_actions_are_found_by_plain_search(rounds, faces):
    solution, oracle = solve(rounds, Ladder(*faces)), Oracle(faces)
    found = first_splitting(solution)
    game, played, *table, _ = found
    optimal = {}
    for state in sorted(reachable(oracle, ((0,) * len(faces),) * 2 + (0,), played)[played]):
        if [list(dice) for dice in state[:2]] == table:
            worth = oracle.worth(state, game - played)
            best = [move for move in worth if worth[move] == max(worth.values())]
            optimal[state[2]] = {f"{kind} {rung}" for kind, rung in best}
    ends = next((x, y) for x, y in pairwise(optimal) if optimal[x] != optimal[y])
    scores, actions = flip(solution, found)
    assert tuple(scores) == ends
    assert [set(names) for names in actions] == [optimal[end] for end in ends]


@cache
def chance_to_clear(rounds, revenue, legacy):
    """Greatest probability to clear the legacy within some rounds, by plain search."""
    if not any(legacy):
        return 1
    if not rounds:
        return 0
    oracle = Oracle(STANDARD)
    return max(
        sum(
            chance * chance_to_clear(rounds - 1, *after[:2])
            for chance, after in oracle.ends(*dice, 0)
        )
        for dice in moves(revenue, legacy).values()
    )


def test_chances_to_clear_the_legacy_agree_with_plain_search():
    for table in _tables(5):
        for rounds in range(4):
            chance = chance_to_clear(rounds, table.revenue, table.legacy)
            assert to_fraction(_clear(rounds, table)) == chance


@pytest.mark.slow
@pytest.mark.parametrize(
    ("claim", "faces", "lowest"),
    [("swe.promote-lowest-if-any", 5, 1), ("swe.d10-promote-lowest-if-any", 6, 0)],
)
def test_exception_in_a_long_game_agrees_with_its_certificate(claim, faces, lowest, monkeypatch):
    """With given values instead of slow ones: the stated loss plus half a unit."""
    path = ROOT / "proofs" / "certificates" / f"{claim}.json"
    certificate = read_certificate(path.read_bytes())
    told = certificate["evidence"]
    loss = mpq(told["loses_at_least"]) + mpq(1, 200_000)
    promote = (Action(ActionKind.PROMOTE, lowest), Action(ActionKind.PROMOTE, lowest + 1))
    values = {Action(ActionKind.CREATE, 0): mpq(0), promote[0]: 9 - loss, promote[1]: mpq(9)}

    def solved(rounds, ladder=STANDARD):
        def actions(state, left):
            dice = [list(state.revenue), list(state.legacy)]
            assert [rounds, rounds - left, *dice, state.score] == told["state"]
            assert len(ladder) == faces
            return [SimpleNamespace(action=action, value=values[action]) for action in values]

        return SimpleNamespace(actions=actions)

    monkeypatch.setattr("finders.swe_optimal_play.solve", solved)
    found = FINDERS[claim]()
    assert found.evidence == told
    assert str(found.verdict) == certificate["verdict"]
    values[Action(ActionKind.CREATE, 0)] = mpq(10)
    assert str(FINDERS[claim]().verdict) == "open"


def test_losses_and_gains_of_known_play():
    # A second d4 is worth 1 + 3/2 - 1/16, as both must fail to lose the 1; a d6 5/6 of 1 + 1.
    found = _not_optimal(2, Promo(), PromoOnce(), 2).evidence
    assert found["loss"] == text(1 + mpq(3, 2) - mpq(1, 16) - mpq(5, 6) * 2)
    # V(12) = 26.0970676… by an independent exact program; new-only by its closed form.
    gain = FINDERS["swe.new-only-until-eleven"]().evidence["twelve"]
    expected = mpq(260970676, 10**7) - NewOnly(4).expected_score(12)
    assert 0 <= mpq(gain) - expected < mpq(1, 10**7)


def test_creating_late_is_worse_only_if_it_is_in_each_of_the_games(monkeypatch):
    # In the last round all of two d4 fail with 1/16, and a d6 with 1/6: creating is safer.
    monkeypatch.setattr("finders.swe_structure._LATE", ((3, 8), (1, 1)))
    finding = FINDERS["swe.create-late"]()
    assert finding.evidence["no_catastrophe"][1] == [1, 1, "15/16", "5/6"]
    assert finding.verdict == "open"


def searched(rounds, faces, path):
    oracle, empty = Oracle(faces), ((0,) * len(faces),) * 2
    for game in range(1, rounds + 1):
        layer, found = {(*empty, 0)}, []
        for played in range(game):
            best = {}
            for state in layer:
                worth = oracle.worth(state, game - played)
                top = max(worth.values())
                best[state] = {move for move in worth if worth[move] == top}
            for table, states in groupby(sorted(layer), key=lambda state: state[:2]):
                of = {state: best[state] for state in states}
                every = set.intersection(*of.values())
                odd = [state for state in of if of[state] - every]
                if odd:
                    dice = tuple(map(sum, zip(*table, strict=True)))
                    weight = sum(i * n for i, n in enumerate(dice, 1))
                    # The least score reached, as all scores of the table are given together.
                    found.append((played, weight, dice, *min(of)))
            layer = {
                after
                for state in layer
                for move, dice in moves(*state[:2]).items()
                if not path or move in best[state]
                for _, after in oracle.ends(*dice, state[2])
            }
        if found:
            played, _, _, up, down, score = min(found)
            return [game, played, list(up), list(down), score]
    return None


@pytest.mark.parametrize(
    ("name", "rounds"), [("swe.means-30-drawn", 30), ("swe.means-as-named", 10)]
)
def test_means_are_compared_in_as_many_rounds_as_the_claim_says(monkeypatch, name, rounds):
    """Slow moments are those of the certificate."""
    certificate = json.loads((ROOT / "proofs" / "certificates" / f"{name}.json").read_text("utf-8"))
    kept = certificate["evidence"].get("moments")

    def moments(policy, asked):
        assert asked == rounds
        return tuple(map(mpq, kept[policy])) if kept else exact(policy, asked)

    exact = policies._moments
    monkeypatch.setattr(policies, "_moments", moments)
    assert json.loads(json.dumps(FINDERS[name]().evidence)) == certificate["evidence"]


class SolvedGame(dict):
    def exceptions(self):
        return []


def test_games_with_any_sides_have_the_sides_of_the_claim(monkeypatch):
    games = set()
    choice = SimpleNamespace(value=mpq(1), attacker={1: mpq(1)})

    def spied(attackers, defenders, order, units, rules):
        assert rules == RiskRules().with_sides(rules.attacker_sides)
        games.add((attackers, defenders, str(order), units, rules.attacker_sides))
        return SolvedGame({(1, 1): choice})

    monkeypatch.setattr(claims, "dice_game", spied)
    claim = claim_named("risk.maximum-dice-any-sides")
    numbers = re.search(r"(\d+) to (\d+) and (\d+) sides", claim.method).groups()
    first, last, other = map(int, numbers)
    path = checkout() / "proofs" / "certificates" / f"{claim.id}.json"
    bounds = read_certificate(path.read_bytes())["parameters"]
    claims.FINDERS[claim.id]()
    assert games == {
        (bounds["fighting_attackers"], bounds["defenders"], order, "fighting", sides)
        for sides in (*range(first, last + 1), other)
        for order in bounds["orders"]
    }


def test_sums_of_theorem_29_are_those_of_its_definition(monkeypatch):
    """K_i over the armies below 5, round by round and battle by battle."""
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


NONE = (0,) * 5
ORACLE = Oracle(STANDARD)


@cache
def safe(left, revenue, legacy):
    """The greatest probability of no catastrophe after a roll of these dice, by all moves."""
    total = 0
    for chance, (kept, waiting, _) in ORACLE.ends(revenue, legacy, 0):
        if any(kept):
            ways = moves(kept, waiting).values() if left > 1 else []
            total += chance * max((safe(left - 1, *dice) for dice in ways), default=1)
    return total


@pytest.mark.parametrize("revenue", [(1, 0, 0, 0, 0), (2, 1, 0, 0, 0), (0, 0, 1, 0, 2)])
@pytest.mark.parametrize("left", [1, 2, 4])
def test_probability_of_no_catastrophe_agrees_with_plain_search(left, revenue):
    chance = unbroken(left, State(revenue, NONE, 0))
    assert chance == mpq(*safe(left, revenue, NONE).as_integer_ratio())


@pytest.mark.parametrize("revenue", [(3, 0, 0, 0, 0), (1, 1, 1, 0, 0), (0, 1, 0, 0, 2)])
@pytest.mark.parametrize("left", [1, 3, 5])  # the last with dice of a weight of up to 16
def test_bounds_without_heavy_dice_contain_the_probability(left, revenue):
    lower, upper = unbroken_between(left, State(revenue, NONE, 0), 14)
    assert lower <= unbroken(left, State(revenue, NONE, 0)) <= upper


@pytest.mark.slow
@pytest.mark.parametrize(
    ("dice", "catastrophe"),
    # An independent program in exact arithmetic, ten digits: four d4 and five, to be rolled.
    [(4, mpq("0.1200654149")), (5, mpq("0.1208382469"))],
)
def test_with_19_rounds_left_creating_a_fifth_d4_is_less_safe(dice, catastrophe):
    lower, upper = unbroken_between(19, State((dice, 0, 0, 0, 0), NONE, 0), 14)
    assert lower < 1 - catastrophe < upper
    assert upper - lower < mpq(1, 1000)


@pytest.mark.parametrize("most", range(5))
def test_each_table_up_to_a_weight_is_listed_once(most):
    listed = list(_tables(most))
    tables = {
        State(revenue, legacy)
        for layer in reachable(ORACLE, (NONE, NONE, 0), most)
        for revenue, legacy, _ in layer
    }
    # By the theorem on reachable pairs these are all of that weight.
    assert sorted(listed) == sorted(table for table in tables if any(table.dice))
