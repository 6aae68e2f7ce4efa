"""Published figures of the SWE game, from its README and other programs.

The README prints the optimum of ten rounds, computed in doubles (`OPTIMUM`), and three tables of
simulated scores (`FIGURES`), copied here digit for digit: the mean and seven order statistics of
the final scores of 24 policies in games of 10, 30 and 100 rounds. It does not give the number of
games; 10000 is assumed, which fits all standard errors.

The percentiles are whole scores, so each is one order statistic of the sample. A mean agrees with
an exact one within a few standard errors. A figure x for the percentile p agrees if about p·10000
games can have scored at most x, and fewer than p·10000 less than x.
"""

from typing import NamedTuple

from exactdice.arithmetic import mpq, rational

#: Optimum from an empty table by rounds: 10 by the README (the output of its dp.py), 12, truncated,
#: by an exact program that is independent of this package.
OPTIMUM = {10: rational("20.483601957243238"), 12: rational("26.0970676")}

#: Mean of creating only by rounds, truncated, by that program.
NEW_ONLY = {100: rational("184.861091969536")}

#: Simulated games for each row.
GAMES = 10000

#: Level of the quantile in each column.
LEVELS: dict[str, mpq] = {
    "p10": mpq(1, 10),
    "p20": mpq(1, 5),
    "p50": mpq(1, 2),
    "p90": mpq(9, 10),
    "p95": mpq(19, 20),
    "p99": mpq(99, 100),
}


class Figures(NamedTuple):
    """One row: the mean as printed, the percentiles, and the best game."""

    mean: str
    p10: int
    p20: int
    p50: int
    p90: int
    p95: int
    p99: int
    max: int

    @property
    def exact_mean(self) -> mpq:
        return rational(self.mean)


#: Figures by rounds and policy, in the README's order.
FIGURES: dict[int, dict[str, Figures]] = {
    10: {
        "NewOnly": Figures("20.4285", 9, 15, 21, 30, 33, 38, 47),
        "Promo": Figures("11.3936", 7, 9, 12, 15, 15, 15, 15),
        "PromoOnce": Figures("17.5299", 11, 14, 18, 24, 25, 28, 30),
        "ExpLegacy(0.2)": Figures("13.8859", 8, 11, 15, 18, 19, 20, 20),
        "ExpLegacy(0.5)": Figures("17.5381", 9, 14, 19, 24, 25, 28, 29),
        "ExpLegacy(0.9)": Figures("19.6407", 9, 15, 21, 28, 30, 33, 38),
        "ExpLegacy(1.0)": Figures("19.8342", 9, 15, 21, 28, 31, 34, 39),
        "ExpLegacy(2.0)": Figures("20.4322", 9, 15, 21, 30, 33, 37, 46),
        "Rand(0.1)": Figures("12.6042", 7, 9, 13, 17, 19, 22, 35),
        "Rand(0.2)": Figures("13.8666", 8, 10, 14, 20, 22, 25, 34),
        "Rand(0.5)": Figures("17.451", 9, 13, 18, 25, 28, 32, 40),
        "Rand(0.8)": Figures("19.697", 10, 14, 20, 29, 31, 36, 44),
        "Rand(0.9)": Figures("20.1577", 10, 15, 21, 29, 32, 37, 48),
        "Rand(1)": Figures("20.4376", 10, 15, 21, 30, 33, 38, 48),
        "PromoThenNew(0.1)": Figures("11.4551", 7, 9, 12, 15, 15, 15, 15),
        "PromoThenNew(0.2)": Figures("11.3855", 7, 9, 12, 15, 15, 15, 15),
        "PromoThenNew(0.5)": Figures("11.4877", 7, 9, 12, 15, 15, 15, 15),
        "PromoThenNew(0.8)": Figures("11.3894", 7, 9, 12, 15, 15, 15, 15),
        "PromoThenNew(0.9)": Figures("11.3881", 7, 9, 12, 15, 15, 15, 15),
        "NewThenPromo(0.1)": Figures("20.4706", 10, 15, 21, 30, 33, 38, 48),
        "NewThenPromo(0.2)": Figures("20.4961", 10, 15, 21, 30, 33, 38, 50),
        "NewThenPromo(0.5)": Figures("20.5538", 10, 15, 21, 30, 33, 37, 51),
        "NewThenPromo(0.8)": Figures("20.4216", 9, 15, 21, 30, 32, 37, 48),
        "NewThenPromo(0.9)": Figures("20.5329", 10, 15, 21, 30, 33, 37, 47),
    },
    30: {
        "NewOnly": Figures("70.5769", 19, 49, 77, 101, 109, 123, 152),
        "Promo": Figures("79.6702", 67, 72, 80, 92, 94, 99, 104),
        "PromoOnce": Figures("92.0301", 70, 78, 93, 115, 122, 133, 170),
        "ExpLegacy(0.2)": Figures("79.2237", 64, 70, 80, 93, 96, 102, 111),
        "ExpLegacy(0.5)": Figures("82.5735", 62, 71, 84, 102, 106, 115, 126),
        "ExpLegacy(0.9)": Figures("78.5807", 44, 63, 82, 106, 113, 125, 145),
        "ExpLegacy(1.0)": Figures("77.0499", 40, 62, 81, 106, 113, 125, 153),
        "ExpLegacy(2.0)": Figures("71.3014", 20, 52, 78, 102, 109, 122, 149),
        "Rand(0.1)": Figures("80.9594", 66, 72, 82, 95, 99, 106, 128),
        "Rand(0.2)": Figures("83.5825", 67, 73, 84, 101, 105, 116, 144),
        "Rand(0.5)": Figures("85.8505", 62, 73, 88, 110, 116, 128, 153),
        "Rand(0.8)": Figures("78.0927", 38, 63, 83, 107, 114, 126, 163),
        "Rand(0.9)": Figures("74.4417", 27, 58, 80, 104, 112, 125, 148),
        "Rand(1)": Figures("70.9955", 18, 50, 78, 103, 109, 123, 154),
        "PromoThenNew(0.1)": Figures("79.4273", 67, 72, 80, 91, 94, 99, 105),
        "PromoThenNew(0.2)": Figures("79.5914", 67, 72, 80, 91, 94, 99, 105),
        "PromoThenNew(0.5)": Figures("79.5914", 67, 72, 80, 91, 94, 99, 105),
        "PromoThenNew(0.8)": Figures("79.617", 67, 72, 81, 91, 94, 99, 105),
        "PromoThenNew(0.9)": Figures("79.5999", 67, 72, 80, 91, 94, 99, 105),
        "NewThenPromo(0.1)": Figures("71.4453", 19, 52, 78, 103, 110, 122, 158),
        "NewThenPromo(0.2)": Figures("71.2819", 19, 51, 78, 102, 109, 124, 152),
        "NewThenPromo(0.5)": Figures("71.0014", 18, 51, 78, 102, 109, 123, 145),
        "NewThenPromo(0.8)": Figures("70.939", 18, 50, 78, 102, 109, 123, 153),
        "NewThenPromo(0.9)": Figures("71.5944", 21, 53, 78, 102, 109, 123, 165),
    },
    100: {
        "NewOnly": Figures("184.625", 19, 53, 194, 326, 342, 371, 411),
        "Promo": Figures("653.394", 592, 612, 653, 715, 733, 763, 829),
        "PromoOnce": Figures("412.127", 353, 379, 421, 482, 500, 535, 613),
        "ExpLegacy(0.2)": Figures("638.148", 571, 595, 639, 704, 722, 754, 818),
        "ExpLegacy(0.5)": Figures("539.97", 457, 484, 541, 624, 647, 687, 798),
        "ExpLegacy(0.9)": Figures("393.707", 300, 340, 400, 487, 512, 558, 689),
        "ExpLegacy(1.0)": Figures("363.19", 250, 308, 375, 463, 487, 534, 659),
        "ExpLegacy(2.0)": Figures("185.516", 18, 53, 195, 327, 344, 375, 453),
        "Rand(0.1)": Figures("617.962", 540, 571, 622, 693, 711, 745, 823),
        "Rand(0.2)": Figures("556.315", 446, 489, 565, 656, 680, 722, 785),
        "Rand(0.5)": Figures("387.707", 282, 335, 400, 493, 520, 572, 691),
        "Rand(0.8)": Figures("262.794", 53, 134, 306, 386, 407, 450, 550),
        "Rand(0.9)": Figures("223.601", 34, 85, 269, 356, 376, 411, 490),
        "Rand(1)": Figures("185.74", 20, 55, 196, 327, 342, 370, 433),
        "PromoThenNew(0.1)": Figures("652.421", 590, 612, 653, 714, 730, 760, 814),
        "PromoThenNew(0.2)": Figures("654.196", 591, 613, 655, 716, 734, 768, 837),
        "PromoThenNew(0.5)": Figures("652.942", 592, 612, 652, 716, 734, 766, 821),
        "PromoThenNew(0.8)": Figures("653.427", 592, 613, 653, 714, 731, 763, 850),
        "PromoThenNew(0.9)": Figures("652.717", 590, 611, 652, 717, 733, 767, 815),
        "NewThenPromo(0.1)": Figures("184.946", 19, 54, 196, 324, 342, 371, 445),
        "NewThenPromo(0.2)": Figures("184.909", 17, 50, 196, 326, 343, 372, 436),
        "NewThenPromo(0.5)": Figures("184.892", 19, 54, 195, 325, 341, 367, 421),
        "NewThenPromo(0.8)": Figures("186.865", 19, 56, 200, 327, 342, 372, 435),
        "NewThenPromo(0.9)": Figures("185.321", 19, 55, 196, 325, 341, 371, 461),
    },
}


def figures_of(rounds: int, policy: str) -> Figures | None:
    """Return the README's row for a policy; ``AsRun`` policies have that of the plain name."""
    return FIGURES.get(rounds, {}).get(policy.replace("AsRun", ""))
