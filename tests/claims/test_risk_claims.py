"""The bounds that the solvers of the claims about Risk use are those of claims and theorems."""

import re
from itertools import product
from types import SimpleNamespace

from finders import risk as claims

from exactdice.arithmetic import mpq, text
from exactdice.claims.certificates import checkout, read_certificate
from exactdice.games.risk.exact import win_probability
from exactdice.games.risk.rules import RiskRules
from exactdice.jobs.claims import claim_named


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
