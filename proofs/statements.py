"""What each claim says, and what it rests on, for check.py: the sentences are made here again.

An entry is (says, domain, formula, order, source, rests). In the texts <name> stands for what the
checker found under that name in evidence or parameters, so no number in a sentence that has one
can differ from what was derived. `rests` names theorems, claims and cited facts.
"""

import hashlib
import json
import re
import sys
from functools import cache
from pathlib import Path

PROOFS = Path(__file__).resolve().parent
GAMES = {
    "swe": "the software-engineering game",
    "risk": "Risk",
    "reroll": "the reroll game",
    "farkle": "Farkle",
    "fatestones": "FateStones",
}

sys.path.insert(0, str(PROOFS / "theorems"))
import steps  # noqa: E402 - beside the theorems
from stepping.step import StepError  # noqa: E402, F401 - for check.py


def filled(text, numbers):
    """Put what was found in the place of each <name>."""
    return re.sub(r"<([a-z_]+)>", lambda name: str(numbers[name[1]]), text)


@cache
def theorems():
    """Return the SHA-256 of the text of each theorem, from its heading to the next."""
    text = (PROOFS / "theorems" / "THEOREMS.md").read_text(encoding="utf-8")
    parts = [part for part in ("\n" + text).split("\n## ")[1:] if part.startswith("Theorem ")]
    digests = [hashlib.sha256(part.strip().encode()).hexdigest() for part in parts]
    return {part[: part.index(":")].lower(): of for part, of in zip(parts, digests, strict=True)}


@cache
def covered():
    """Return what theorems in Coq cover, after a look whether they are there."""
    entries = json.loads((PROOFS / "coq" / "COVERS.json").read_text(encoding="ascii"))
    for entry in entries.values():
        source = (PROOFS / "coq" / entry["file"]).read_text(encoding="utf-8")
        if not re.search(rf"^Theorem {entry['theorem']} :", source, re.MULTILINE):
            raise ValueError(f"no theorem {entry['theorem']} in {entry['file']}")
    return {
        claim: {key: of[key] for key in ("extent", "file", "theorem")}
        for claim, of in entries.items()
    }


@cache
def step(theorem):
    """Run the computational step of a theorem, once; an error where it fails."""
    return steps.THEOREMS[int(theorem.split()[1]) - 1]()


def stated(claim, numbers):
    """Return the formal parts of a claim and its sentence, as a certificate holds them."""
    says, domain, formula, order, source, _ = (
        part if isinstance(part, tuple) else filled(part, numbers) for part in STATED[claim]
    )
    game = GAMES[claim.split(".")[0]]
    last = f" (Smallest in the order: {order}.)" if order else ""
    return {
        "domain": domain,
        "formula": formula,
        "game": game,
        "order": order,
        "says": says,
        "sentence": f"In {game}, for {domain}: {says}.{last}",
        "source": source,
    }


def foundations(claim):
    """Return what a claim rests on; the steps of its theorems must hold."""
    rests = STATED[claim][-1]
    named = [name for name in rests if name.startswith("theorem ")]
    for name in named:
        step(name)
    return {
        "cited": [name for name in rests if "." not in name and name not in named],
        "claims": [name for name in rests if "." in name],
        "theorems": {name: theorems()[name] for name in named},
    }


def section(claim, verdict, kind, statement):
    """Write the part of a claim in the register, but for its explanations."""
    rests, coq = STATED[claim][-1], covered().get(claim)
    cited = [name for name in rests if "." not in name and not name.startswith("theorem ")]
    lines = [f"### {claim}: {verdict}", statement["sentence"]]
    lines += [f"$${statement['formula']}$$"] if statement["formula"] else []
    lines += [f"- Source: {statement['source']}"]
    others = [name for name in rests if name not in cited]
    lines += [f"- Rests on: {', '.join(others)}"] if others else []
    lines += [f"- Cites: {', '.join(cited)}"] if cited else []
    if kind:
        place = coq and f"`proofs/coq/{coq['file']}`, theorem `{coq['theorem']}`"
        lines += [f"- In Coq: {place} ({coq['extent']})"] if coq else []
        lines += [f"- Certificate: `proofs/certificates/{claim}.json`, of kind {kind}"]
    return lines


def in_register(register, claim):
    """Return the row of a claim in the overview, and the lines of its part but explanations."""
    rows = [line for line in register.splitlines() if line.startswith(f"| {claim} |")]
    parts = re.split(r"^(?=#{2,3} )", register, flags=re.MULTILINE)
    there = [part for part in parts if part.startswith(f"### {claim}:")]
    lines = [line for part in there for line in part.splitlines() if line]
    return rows, [line for line in lines if not line.startswith("- Explanation: ")]


def row(claim, verdict, statement):
    return f"| {claim} | {verdict} | {statement['says']} |"


OPEN = {"swe.30-rounds-best-of-list"}

STATED = {
    "swe.fix-most-robust": (
        "with legacy dice of several kinds, fixing one with the most faces is optimal",
        "every table and score that play can reach, whoever plays, in every game",
        "",
        "",
        "the SWE game's README",
        ("theorem 9",),
    ),
    "swe.promote-lowest": (
        "among the promotions, that of a die with the fewest faces is the best",
        "every table and score that play can reach, whoever plays, in every game",
        "",
        "fewest rounds in the game, fewest rounds played, least weight of the dice, "
        "dice, revenue dice and score in lexicographic order",
        "the SWE game's README",
        (),
    ),
    "swe.promote-lowest-if-any": (
        "where some promotion is optimal, that of a die with the fewest faces is",
        "every table and score that play can reach, whoever plays, in every game",
        "",
        "fewest rounds in the game, fewest rounds played, least weight of the dice, "
        "dice, revenue dice and score in lexicographic order",
        "the SWE game's README",
        (),
    ),
    "swe.never-skip": (
        "if a player may also skip, which is to leave the table as it is and roll, in "
        "any rounds, then in every state some move of the rules is as good as a skip; so "
        "the game with skips has the values of the game without",
        "every table and score that play can reach, whoever plays, in every game",
        "",
        "",
        "the SWE game's README",
        ("theorem 9",),
    ),
    "swe.d10-promote-lowest": (
        "with a d10 on the ladder too, the promotion of a die with the fewest faces is "
        "the best among the promotions",
        "every table and score that play can reach, whoever plays, in every game, with "
        "faces 4, 6, 8, 10, 12, 20",
        "",
        "fewest rounds in the game, fewest rounds played, least weight of the dice, "
        "dice, revenue dice and score in lexicographic order",
        "the SWE game's README, which says that a d10 breaks it",
        (),
    ),
    "swe.d10-promote-lowest-if-any": (
        "with a d10 on the ladder too, where some promotion is optimal, that of a die "
        "with the fewest faces is",
        "every table and score that play can reach, whoever plays, in every game, with faces "
        "4, 6, 8, 10, 12, 20",
        "",
        "",
        "the SWE game's README, which says that a d10 breaks it",
        (),
    ),
    "swe.score-never-matters": (
        "which actions are optimal never depends on the score",
        "every table and score that play can reach, whoever plays, in every game",
        "",
        "fewest rounds in the game, fewest rounds played, least weight of the dice, "
        "dice, revenue dice and score in lexicographic order",
        "this package",
        (),
    ),
    "swe.ten-rounds": (
        "in <rounds> rounds always creating a new die is optimal, and worth 20.4836…; so "
        "no policy that the README lists is better",
        "the game of 10 rounds from the empty table",
        "V(10) = "
        r"\tfrac{26589235523517983373148508703705849}{1298074214633706907132624082305024}",
        "",
        "the SWE game's README",
        (),
    ),
    "swe.printed-optimum": (
        "the optimum is the <printed> that the README prints, with an error below 10^(−14)",
        "the game of <rounds> rounds from the empty table",
        "",
        "",
        "the SWE game's README",
        ("swe.ten-rounds",),
    ),
    "swe.new-only-until-eleven": (
        "always creating a new die is optimal in games of at most <last> rounds, in no other",
        "games of any number of rounds from the empty table",
        r"V(R) = V_{\mathrm{new}}(R) \iff R \le 11",
        "",
        "this package",
        ("theorem 3", "swe.ten-rounds"),
    ),
    "swe.30-rounds": (
        "in <rounds> rounds promoting a d4 if there is one, and creating if not, is optimal",
        "all states that play can reach in the game of 30 rounds",
        "",
        "fewest rounds left, then as for the other claims",
        "the SWE game's README, as the best of the policies it tried",
        ("theorem 3",),
    ),
    "swe.100-rounds": (
        "in <rounds> rounds promoting the lowest die that can be promoted, and creating "
        "only if none can, is optimal",
        "all states that play can reach in the game of 100 rounds",
        "",
        "fewest rounds left, then as for the other claims",
        "the SWE game's README, as the best of the policies it tried",
        ("theorem 3",),
    ),
    "swe.30-rounds-best-of-list": (
        "in 30 rounds PromoOnce has the greatest mean of all policies that the README lists",
        "the policies that the README lists, as their names describe them, by mean score",
        "",
        "",
        "the SWE game's README",
        (),
    ),
    "swe.100-rounds-best-of-list": (
        "in 100 rounds Promo has the greatest mean of all policies that the README lists",
        "the policies that the README lists, as their names describe them, by mean score",
        "",
        "the later a policy departs from Promo, the smaller",
        "the SWE game's README",
        (),
    ),
    "swe.convex": (
        "under optimal play the value is a convex function of the score",
        "all numbers of rounds, tables and scores",
        r"V_r(T, s - 1) + V_r(T, s + 1) \ge 2 V_r(T, s)",
        "",
        "this package",
        ("theorem 2",),
    ),
    "swe.promotion-table": (
        "the gain 1/f − 1/g of a promotion falls weakly along 4, 6, 8, 12, 20, and with "
        "a d10 it does not",
        "neighbouring dice",
        r"\tfrac1{12} \ge \tfrac1{24} \ge \tfrac1{24} \ge \tfrac1{30}",
        "",
        "the SWE game's README",
        (),
    ),
    "swe.telescoping": (
        "within t rolls n equal dice have all failed with chance (1 − q^t)^n",
        "all n, t ≥ 1 and p = 1 − q",
        r"p^n \bigl(1 + q(1 + q(\cdots))\bigr)^n = (1 - q^t)^n",
        "",
        "the SWE game's README, which asks for it",
        ("theorem 1",),
    ),
    "swe.reachable-tables": (
        "after t rounds exactly the tables of weight 1 to t can be reached; so 10 dice "
        "in revenue and 10 in legacy at once are impossible in 10 rounds",
        "all t ≥ 1",
        r"1 \le \sum_i i\,(u_i + d_i) \le t",
        "",
        "the SWE game's README for the impossibility, this package for the exact set",
        ("theorem 6",),
    ),
    "swe.lattice-points": (
        "the tables of weight at most n, and the multisets of dice, are "
        "quasi-polynomials in n of period <period>, of degrees 10 and 5",
        "all n ≥ 0",
        r"\#\{x \in \mathbb{N}^5 : \textstyle\sum i x_i \le n\}",
        "",
        "the SWE game's README, as a guess",
        ("ehrhart",),
    ),
    "swe.bounded": (
        "the value of R rounds is at most 19R − 361·(1 − 0.95^R), and it tends to a "
        "finite limit as R grows",
        "games of any number of rounds R from the empty table",
        r"V(R) \le 19 R - 361 \bigl(1 - (\tfrac{19}{20})^R\bigr)",
        "",
        "this package",
        ("theorem 18", "theorem 9"),
    ),
    "swe.repair-budget": (
        "the sum over the faces f of the mean number of survivals of dice with f faces, "
        "divided by f − 1, is R less the mean number of promotions and less the mean "
        "revenue at the end",
        "every policy and every number of rounds R from the empty table",
        r"\sum_f \frac{E S_f}{f - 1} = R - E P - E X_R",
        "",
        "this package",
        ("theorem 19",),
    ),
    "swe.create-late": (
        "with 1 or 2 rounds left creating is optimal in every state without legacy; with "
        "3, 4 and 5 rounds left it is not with 8, 5 and 4 dice, all d4, and a high "
        "enough score, and in long enough games play reaches that",
        "the faces 4, 6, 8, 12, 20, with a d10 or without",
        "",
        "",
        "this package",
        ("theorem 22", "theorem 2", "theorem 9"),
    ),
    "risk.one-against-one": (
        "with one die a side the attacker loses in <attacker_loses> of <rolls> rolls",
        "two six-sided dice, ties to the defender",
        r"\Pr(X \le Y) = \tfrac{21}{36}",
        "",
        "the Risk posts",
        (),
    ),
    "risk.four-against-two": (
        "4 total attackers beat 2 defenders with chance <win>",
        "total units, of which one stays behind",
        r"V(4, 2) = \tfrac{6610505}{10077696}",
        "",
        "the Risk posts",
        (),
    ),
    "risk.table": (
        "the chances to win up to 10 total attackers against 10 defenders are as listed",
        "all battles of 2 to 10 total attackers against 1 to 10 defenders",
        "",
        "",
        "the Risk posts",
        (),
    ),
    "risk.maximum-dice": (
        "it is optimal for both sides always to roll as many dice as possible",
        "all states of the game in which both sides choose how many dice to roll, the "
        "attacker announcing first or both at once",
        "",
        "",
        "the Risk posts, as an assumption",
        ("theorem 10", "theorem 7", "minimax"),
    ),
    "risk.power-sums": (
        "in d + 1 dice against d the attacker loses d units in 1^(2d) + … + s^(2d) rolls",
        "all d ≥ 1 and all numbers of sides s ≥ 1, ties to the defender",
        r"N_{d+1,d,d}(s) = \sum_{v=1}^{s} v^{2d}",
        "",
        "this package",
        ("theorem 4", "cycle-lemma"),
    ),
    "risk.reciprocity": (
        "the count of rolls that cost the attacker k units, at −s, is (−1)^(a + d) times "
        "that of the rolls that cost m − k in the round with the sides exchanged, at s",
        "all numbers of dice a, d ≥ 1 and losses k of m = min(a, d)",
        "N_{a,d,k}(-s) = (-1)^{a+d} N_{d,a,m-k}(s)",
        "",
        "this package",
        ("theorem 5", "order-polynomials"),
    ),
    "risk.monotone": (
        "more attackers never win less often, and more defenders never lose more often",
        "all armies a, d ≥ 0 of fighting units, most dice 3 against 2",
        r"V(a, d + 1) \le V(a, d) \le V(a + 1, d)",
        "",
        "this package",
        ("theorem 7",),
    ),
    "risk.favoured-sides": (
        "3 dice against 2 cost the attacker less than the defender exactly for s ≥ <first>",
        "all numbers of sides s ≥ 1; the mean losses of one round",
        r"\sum_k (2 - 2k) N_{3,2,k}(s) > 0 \iff s \ge 5",
        "",
        "this package",
        ("theorem 11",),
    ),
    "risk.limit": (
        "the chance of n fighting attackers to beat n defenders tends to <limit>",
        "equal armies of fighting units, most dice 3 against 2",
        r"\lim_{n \to \infty} V(n, n) = 1,\quad 1 - V(n, n) \le "
        r"\bigl(\tfrac{47}{48}\bigr)^{n-2} \bigl(\tfrac{51}{50}\bigr)^{n}",
        "",
        "this package",
        ("theorem 8", "maximal-inequality"),
    ),
    "risk.rate": (
        "1 − V(n, n) divided by λ^n/√n tends to a constant above 0, with λ = u₁ + "
        "2·√(u₀·u₂) = (2611 + 170·√910)/7776",
        "equal armies of n units, most dice 3 against 2, fighting units",
        r"1 - V(n, n) \sim C\,n^{-1/2} \lambda^n,\quad 0 < C < \infty",
        "",
        "this package",
        ("theorem 20", "risk.limit", "local-limit"),
    ),
    "risk.even-chances": (
        "the attacker wins with a chance above 1/2 exactly for n ≥ <fighting> in "
        "fighting units, and exactly for n ≥ <total> in total units",
        "equal armies of n units, most dice 3 against 2",
        "",
        "",
        "this package",
        ("theorem 21", "maximal-inequality"),
    ),
    "risk.no-line": (
        "no straight line, rounded up, is the least army with a chance of at least 1/2",
        "the fighting units that are needed against d defenders, for all d ≥ 1",
        r"\lceil \rho' d + \kappa \rceil",
        "",
        "this package",
        ("theorem 21",),
    ),
    "risk.rising": (
        "the chance to win rises strictly with n, from n = 2 on in fighting units and "
        "from n = 1 on in total units",
        "equal armies of n units, most dice 3 against 2",
        r"V(n, n) < V(n + 1, n + 1),\quad V(n - 1, n) < V(n, n + 1)",
        "",
        "this package",
        ("theorem 23", "theorem 20"),
    ),
    "risk.least-army": (
        "the least army with a chance of at least 1/2 against d defenders differs from "
        "<ratio>·d by a bounded number of units",
        "fighting units, most dice 3 against 2, for all d ≥ 1",
        r"A(d) = \tfrac{2387}{2797} d + O(1)",
        "",
        "this package",
        ("theorem 24", "theorem 7", "theorem 10", "local-limit", "berry-esseen"),
    ),
    "reroll.states": (
        "there are <states> states",
        "three fair dice, a reroll costs 1 point",
        r"\binom{8}{3} = 56",
        "",
        "the reroll coursework",
        (),
    ),
    "reroll.best-score": (
        "the best possible score is <best>",
        "three fair dice, a reroll costs 1 point",
        "",
        "",
        "the reroll coursework",
        (),
    ),
    "reroll.optimal-play": (
        "it is optimal to stick on three ones and to reroll three fours, and the game is "
        "worth <value>",
        "three fair dice, a reroll costs 1 point",
        r"V = \tfrac{103369}{7744}",
        "",
        "the reroll coursework",
        ("reroll.states", "bellman"),
    ),
    "reroll.three-sixes": (
        "it is optimal to reroll all of three sixes, and not optimal to stick on them",
        "three fair dice, a reroll costs 1 point",
        "",
        "",
        "the reroll coursework",
        ("reroll.optimal-play", "bellman"),
    ),
    "reroll.score-independent": (
        "the optimal decision is independent of the present score",
        "three fair dice, a reroll costs 1 point",
        "V(x, c) = c + V(x)",
        "",
        "the reroll coursework",
        ("theorem 14", "reroll.optimal-play"),
    ),
    "reroll.theta": (
        "value iteration with θ = 0.1 gives the highest score",
        "sweeps in place in lexicographic order in exact arithmetic, actions as kept "
        "from the last sweep",
        "",
        "",
        "the notebook of the reroll coursework",
        ("reroll.optimal-play",),
    ),
    "reroll.sweeps": (
        "the greatest error and the greatest change of a sweep shrink by a factor that "
        "tends to <rate>, and the error divided by the change tends to <limit>; so "
        "sweeping until no change reaches a small θ leaves an error above θ",
        "synchronous value iteration from 0, three fair dice, a reroll costs 1 point",
        r"e_{t+1}/e_t \to \tfrac23,\quad e_t/\delta_t \to 2",
        "",
        "this package",
        ("theorem 15", "reroll.optimal-play"),
    ),
    "farkle.optimal-1": (
        "Optimal_1, cut to a whole number, is <whole_part> at the start of a turn",
        "six fair dice, target 6000, hot dice, a roll past the target gains all that it "
        "scores; at least one die is kept, and all that are kept score in a combination "
        "of Kingdom Come: Deliverance",
        r"\mathrm{Optimal}_1(0, D) = \tfrac{258625}{648} = 399.1126\ldots",
        "",
        "the KCD Farkle README",
        (),
    ),
    "farkle.optimal-2-and-3": (
        "Optimal_2 = Optimal_3 = 517.9492 at the start of a turn",
        "six fair dice, target 6000, hot dice, a roll past the target gains all that it "
        "scores; at least one die is kept, and all that are kept score in a combination "
        "of Kingdom Come: Deliverance",
        "",
        "",
        "the KCD Farkle README",
        (),
    ),
    "farkle.two-rolls": (
        "looking two rolls ahead is enough to maximise the expected score",
        "six fair dice, target 6000, hot dice, a roll past the target gains all that it "
        "scores; at least one die is kept, and all that are kept score in a combination "
        "of Kingdom Come: Deliverance",
        r"\mathrm{Optimal}_3(0, D) - \mathrm{Optimal}_2(0, D) > 0",
        "",
        "the KCD Farkle README",
        ("farkle.optimal-2-and-3",),
    ),
    "farkle.fixed-point": (
        "Optimal_n equals Optimal at the start of a turn from n = <first> on, and not before",
        "six fair dice, target 6000, hot dice, a roll past the target gains all that it "
        "scores; at least one die is kept, and all that are kept score in a combination "
        "of Kingdom Come: Deliverance",
        r"\mathrm{Optimal}_n(0, D) = \mathrm{Optimal}(0, D) \iff n \ge 33",
        "",
        "the KCD Farkle README",
        ("theorem 12", "bellman"),
    ),
    "farkle.thresholds": (
        "rolling on is better than banking exactly below 300, 250, 450, 1050, 3400 and "
        "12950 points with 1, 2, 3, 4, 5 and 6 dice, and at the start of a turn "
        "Optimal_n equals Optimal exactly from n = <rolls> on",
        "six fair dice, no target, no least bank, hot dice, the combinations of Kingdom "
        "Come: Deliverance, and points that are multiples of 50",
        "",
        "",
        "this package",
        ("theorem 13", "theorem 12"),
    ),
    "farkle.multiples-of-50": (
        "all points are multiples of <unit>",
        "scoring selections of at most six dice",
        "",
        "",
        "the KCD Farkle README",
        (),
    ),
    "farkle.sizes": (
        "there are 120 · 64 outputs, <rolls> rolls, 2.29…·10^10 naive computations and "
        "1.261…·10^9 with Hold computed beforehand",
        "six fair dice, target 6000, hot dice, a roll past the target gains all that it "
        "scores; at least one die is kept, and all that are kept score in a combination "
        "of Kingdom Come: Deliverance",
        r"120 \cdot 2^6 \cdot 6^6 \cdot 2^6 = 22932357120",
        "",
        "the KCD Farkle README",
        (),
    ),
    "fatestones.dice": (
        "there are <all> dice with six faces from 1 to 6, and 32 of them have mean 7/2",
        "nondecreasing tuples of six faces",
        r"\binom{11}{6} = 462",
        "",
        "the FateStones README",
        (),
    ),
    "fatestones.ranking": (
        "no ranking of all dice puts 111111 last and 666666 first",
        "rankings by a score of each die",
        "",
        "",
        "the FateStones README",
        (),
    ),
    "fatestones.mixed": (
        "there are deals in which no choice of a first die is optimal for sure",
        "deals of two hands of three dice from the bag of 32, a scratch worth 0",
        r"\max_i \min_j A_{ij} < v < \min_j \max_i A_{ij}",
        "",
        "this package",
        ("minimax",),
    ),
    "fatestones.good-play": (
        "against random choice no way of playing wins 0.03 more than it loses, which is "
        "three standard errors of 10,000 games, of at most 1/100 each",
        "all 18 123 840 deals; a scratch is dealt anew; the best answer to a random player",
        r"\frac{E}{1 - S},\quad E = \frac{90873934003}{2536757637120},\ S = "
        r"\frac{122283851}{26424558720}",
        "",
        "the FateStones README: tree search does not appreciably win, made precise",
        ("theorem 16",),
    ),
    "fatestones.classic": (
        "the dice 144444, 222555 and 333336 have mean 7/2",
        "fair dice with six faces",
        "",
        "",
        "the FateStones README",
        (),
    ),
    "fatestones.opposites": (
        "opposites, which have 7 − x for x, reverse who beats whom; exactly <own> dice "
        "are their own; where two hands hold with each die its opposite, random choice "
        "is even, but optimal play need not be: 113556, 122466 against 114456, 123366 is "
        "worth −29/1296",
        "dice with six faces from 1 to 6; a scratch worth 0",
        "",
        "",
        "this package",
        ("theorem 17",),
    ),
}
