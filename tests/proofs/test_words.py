"""Sentences are tied to what is checked: a changed word or number in them is rejected.

Each change below makes a sentence say something else: other quantifiers, bounds, directions, games.
It is made in the register and, by itself, in the certificate; the checker has to see both.
"""

import pytest
from checker import FOLDER, ROOT, check, document_of, without_deriving

CHANGES = [
    ("swe.convex", "convex", "concave"),
    ("swe.convex", "the score", "the rounds"),
    ("swe.new-only-until-eleven", "at most 11", "at most 15"),
    ("swe.new-only-until-eleven", "in no other", "in some other"),
    ("swe.new-only-until-eleven", r"\iff R \le 11", r"\iff R \le 15"),
    ("swe.promotion-table", "falls weakly", "rises weakly"),
    ("swe.telescoping", "have all failed", "have all survived"),
    ("swe.telescoping", "(1 − q^t)^n", "(1 − q^n)^t"),
    ("swe.telescoping", "all n, t ≥ 1", "all n, t ≥ 0"),
    ("swe.reachable-tables", "weight 1 to t", "weight 0 to t"),
    ("swe.reachable-tables", "impossible", "possible"),
    ("swe.lattice-points", "period 60", "period 30"),
    ("swe.lattice-points", "degrees 10 and 5", "degrees 5 and 10"),
    ("swe.never-skip", "as good as a skip", "better than a skip"),
    ("swe.never-skip", "every promotion", "some promotion"),
    ("swe.fix-most-robust", "most faces", "fewest faces"),
    ("swe.ten-rounds", "20.4836", "20.4837"),
    ("swe.100-rounds", "the lowest die", "the highest die"),
    ("swe.bounded", "at most 19R", "at most 18R"),
    ("swe.bounded", "20 faces", "12 faces"),
    ("swe.repair-budget", "less the mean number", "plus the mean number"),
    ("swe.create-late", "with 1 or 2", "with 1, 2 or 3"),
    ("swe.30-rounds-best-of-list", "greatest mean", "least mean"),
    ("swe.means-100-drawn", "within 3 standard errors", "within 1 standard error"),
    ("swe.fixing-is-unique", "no move but fixing", "some move but fixing"),
    ("swe.100-rounds-best-as-run", "PromoThenNew as Promo", "PromoThenNew as NewOnly"),
    ("swe.rankings-change", "in 10 rounds it is NewOnly", "in 10 rounds it is Promo"),
    ("swe.variance-pays", "a lower mean", "a greater mean"),
    ("swe.telescoping-in-game", "within t rounds", "in round t"),
    ("swe.means-10", "20.4285 (−0.68)", "20.4285 (−0.67)"),
    ("swe.safer-roll", "lowers the chance", "raises the chance"),
    ("risk.table", "rounded to thousandths", "cut off to thousandths"),
    ("risk.six-patterns", "one of 6", "one of 9"),
    ("reroll.no-positive-end", "no end is above 0", "no end is below 0"),
    ("reroll.stick-if-greater-once", "earns 19/2", "earns 21/2"),
    ("farkle.printed-readings", "one of 72", "one of 71"),
    ("farkle.most-in-a-round", "6000 is the most", "13950 is the most"),
    ("fatestones.tree-search", "two standard errors", "one standard error"),
    ("fatestones.rewarded", "wins more", "wins less"),
    ("swe.promote-lowest-if-any", "refuted", "proved"),
    ("risk.one-against-one", "21 of 36", "20 of 36"),
    ("risk.one-against-one", "ties to the defender", "ties to the attacker"),
    ("risk.four-against-two", "4 total", "4 fighting"),
    ("risk.limit", "tends to 1", "tends to 0"),
    ("risk.limit", "fighting units", "total units"),
    ("risk.monotone", "more attackers never", "fewer attackers never"),
    ("risk.maximum-dice", "for both sides", "for neither side"),
    ("risk.maximum-dice", "as many dice", "as few dice"),
    ("risk.maximum-dice-any-sides", "all numbers of sides s ≥ 1", "all numbers of sides s ≥ 0"),
    ("risk.seen-most-dice", "for the attacker", "for both sides"),
    ("risk.seen-limit", "tends to 0", "tends to 1"),
    ("risk.favoured-sides", "exactly for s ≥ 5", "exactly for s ≥ 4"),
    ("risk.power-sums", "the attacker loses", "the defender loses"),
    ("risk.reciprocity", "(-1)^{a+d}", "(-1)^{a}"),
    ("risk.reciprocity", "(−1)^(a + d) times", "as many as"),
    ("swe.printed-optimum", "below 10^(−14)", "below 10^(−15)"),
    ("reroll.three-sixes", "not optimal to stick", "optimal to stick"),
    ("risk.rate", "a constant above 0", "0"),
    ("risk.even-chances", "n ≥ 12", "n ≥ 11"),
    ("risk.rising", "rises strictly", "falls strictly"),
    ("risk.least-army", "a bounded number", "an unbounded number"),
    ("risk.even-line", "168 against 196", "167 against 196"),
    ("risk.no-line", "at least 1/2", "at least 1/3"),
    ("risk.two-lines", "one constant for all even", "one constant for most even"),
    ("risk.two-lines", "refuted", "proved"),
    ("reroll.states", "56", "216"),
    ("reroll.best-score", "best", "worst"),
    ("reroll.score-independent", "independent of", "dependent on"),
    ("reroll.sweeps", "tends to 2/3", "tends to 1/3"),
    ("reroll.optimal-play", "stick on three ones", "stick on three fours"),
    ("farkle.fixed-point", "n = 33 on", "n = 34 on"),
    ("farkle.multiples-of-50", "all points", "some points"),
    ("farkle.thresholds", "exactly below 300", "exactly above 300"),
    ("farkle.two-rolls", "two rolls", "three rolls"),
    ("fatestones.good-play", "wins 0.03 more", "wins 0.02 more"),
    ("fatestones.opposites", "exactly 10", "exactly 12"),
    ("fatestones.dice", "In FateStones", "In Farkle"),
]


OPEN = {name for name, of in check.TABLE.items() if not of.derive}


@pytest.fixture(autouse=True)
def _nothing_derived(monkeypatch):
    without_deriving(monkeypatch)


def rejected(path):
    return check.judge(path).startswith("REJECTED")


@pytest.fixture
def register(tmp_path, monkeypatch):
    """A copy of the register that may be changed."""
    path = tmp_path / "CLAIMS.md"
    path.write_bytes((ROOT / "CLAIMS.md").read_bytes())
    monkeypatch.setattr(check, "REGISTER", path)
    return path


def changed_part(text, claim, old, new):
    """Change the words of the part of one claim."""
    before, rest = text.split(f"### {claim}: ")
    part, *after = rest.split("\n### ")
    assert old in part
    return f"{before}### {claim}: " + "\n### ".join([part.replace(old, new), *after])


@pytest.mark.slow
def test_every_changed_word_of_the_register_is_caught(register):
    true = register.read_text("utf-8")
    claims = {claim for claim, _, _ in CHANGES} - OPEN
    assert not any(rejected(FOLDER / f"{claim}.json") for claim in claims)
    survivors = []
    for claim, old, new in CHANGES:
        register.write_text(changed_part(true, claim, old, new), "utf-8")
        path = FOLDER / f"{claim}.json"
        if not (rejected(path) if path.exists() else [*check.left_over(documents_paths())]):
            survivors.append((claim, old, new))
    assert survivors == []
    assert len(CHANGES) >= 40


def documents_paths():
    return sorted(FOLDER.glob("*.json"))


def test_every_changed_word_of_a_certificate_is_caught():
    survivors = []
    for claim, old, new in CHANGES:
        if claim in OPEN:
            continue
        document = document_of(claim)
        said = {key: part.replace(old, new) for key, part in document["statement"].items()}
        verdict = document["verdict"].replace(old, new)
        forged = document | {"statement": said, "verdict": verdict}
        assert forged != document
        try:
            check.check(check.canonical(forged).encode())
        except check.Rejected:
            continue
        survivors.append((claim, old, new))
    assert survivors == []


def test_a_changed_row_of_the_overview_is_caught(register):
    said = "the chance of n fighting attackers to beat n defenders tends to 1"
    row = f"| risk.limit | proved | {said} |"
    true = register.read_text("utf-8")
    assert row in true
    for changed in (row.replace("to 1", "to 0"), row.replace("proved", "refuted"), "", row * 2):
        register.write_text(true.replace(row, changed), "utf-8")
        assert rejected(FOLDER / "risk.limit.json")


def test_a_claim_that_is_added_to_the_register_is_caught(register):
    register.write_text(register.read_text("utf-8") + "\n### risk.more: proved\n", "utf-8")
    assert [*check.left_over(documents_paths())] == ["CLAIMS.md: other claims"]
