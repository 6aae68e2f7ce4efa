"""AnyDice programs: ours against anydyce and dice_calc, each program in a fresh process.

Of our own by default, or `python -m benchmarks.anydice --data FILE`: a file of JSON lines with
`id`, `program` and AnyDice's answer in `data`, as in the collection posita/anydice-data. `--python`
names the Python that has the other packages; PYTHONPATH may add to it. What takes a package longer
than 20 s of processor time is stopped; the other figures are of programs that it answers rightly.
"""

import argparse
import gzip
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.bench import Bench, Measured

PATIENCE = 20  # seconds of processor time
PEERS = ("anydyce", "dice_calc")

# A worker imports one package and forks for each program, so that no cache is warm. It answers each
# line with outputs, as lists of outcomes and probabilities, or an error, and processor seconds.
WORKER = r"""
import json, os, resource, signal, sys, time, warnings
sys.modules["beartype"] = None  # dyce tests types if it is there, which costs time
sys.setrecursionlimit(10000)
warnings.simplefilter("ignore")
def ours():
    from exactdice.anydice import run
    def ask(program):
        return [o.distribution.probabilities() if o.distribution is not None else {}
                for o in run(program)]
    return ask
def anydyce():
    from anydyce.anydice import run
    def ask(program):
        return [{x: n / h.total for x, n in h.items()} if h else {} for _, h in run(program)]
    return ask
def dice_calc(flags=None):
    from dice_calc import RV
    from dice_calc.parser import parse_and_exec as by
    def ask(program):
        outputs = by.unsafe_exec(by.compile_anydice(program, flags))
        made = [a[0] if isinstance(a[0], RV) else RV.from_seq([a[0]]) for a, _ in outputs]
        return [{x: p for x, p in rv.get_vals_probs() if x is not None} for rv in made]
    return ask
def dice_calc_scopes():
    return dice_calc({"COMPILER_FLAG_NON_LOCAL_SCOPE": True, "COMPILER_FLAG_OPERATOR_ON_INT": True})
try:
    ask = globals()[sys.argv[1]]()
    ask("output 2d3")  # imports what is imported late
except ImportError:
    sys.exit(3)
answers = sys.stdout
print("ready", flush=True)
for line in sys.stdin:
    read, write = os.pipe()
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[2]), int(sys.argv[2]) + 1))
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        sys.stdout = sys.stderr = open(os.devnull, "w")
        start = time.process_time()
        try:
            outputs, error = ask(json.loads(line)), None
        except BaseException as problem:
            outputs, error = None, type(problem).__name__
        seconds = time.process_time() - start
        if outputs is not None:
            outputs = [[[int(x), float(p)] for x, p in o.items() if p] for o in outputs]
        with open(write, "w") as pipe:
            json.dump([outputs, error, seconds], pipe)
        os._exit(0)
    os.close(write)
    answer = open(read).read()
    os.waitpid(child, 0)
    answer = answer or json.dumps([None, "no answer in time", float(sys.argv[2])])
    print(answer, file=answers, flush=True)
"""

OWN = {
    "3d6": "output 3d6",
    "keep 3 of 4d6": "output [highest 3 of 4d6]",
    "keep 10 of 30d10": "output [highest 10 of 30d10]",
    "50@100d20": "output 50@100d20",
    "explode": 'set "explode depth" to 6 output 5d[explode d10]',
    "200d20 + 100d12": "output 200d20 + 100d12",
    "count": "output [count {8..10} in 40d10]",
    "opposed": "loop N over {1..8} { output Nd6 > (9-N)d8 }",
    "reroll": "function: again N:n { if N < 3 { result: d6 } result: N } output 4d[again d6]",
    "largest set": """
function: sets of ROLL:s { MOST: 0
  loop FACE over {1..10} { MOST: [highest of MOST and ROLL = FACE] } result: MOST }
output [sets of 4d10]""",
    "Risk": """
function: losses of A:s against B:s { result: (1@A <= 1@B) + (2@A <= 2@B) }
output [losses of 3d6 against 2d6]""",
    "attacks": """
function: hit ROLL:n bonus B:n damage D:d { if ROLL = 20 { result: 2dD }
  if ROLL + B >= 15 { result: D } result: 0 }
loop B over {1..10} { output 3d[hit d20 bonus B damage d8 + 3] named "bonus [B]" }""",
    "recursion": """
set "maximum function depth" to 40
function: left of H:n { if H < 1 { result: 0 } result: 1 + [left of H - d6] }
output [left of 9]""",
}


class Worker:
    """A process that answers programs by one package."""

    def __init__(self, name: str, python: str) -> None:
        words, pipe = [python, "-c", WORKER, name, str(PATIENCE)], subprocess.PIPE
        self.process = subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True, bufsize=1)
        assert self.process.stdout
        self.is_installed = self.process.stdout.readline() == "ready\n"

    def ask(self, program: str) -> tuple[Any, Any, float]:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps(program) + "\n")
        outputs, error, seconds = json.loads(self.process.stdout.readline())
        return outputs, error, seconds


def alike(one: Any, other: Any) -> bool:
    """Whether outputs agree within 10⁻⁹ on every outcome."""
    if one is None or other is None or len(one) != len(other):
        return False
    for a, b in zip(map(dict, one), map(dict, other), strict=True):
        if any(abs(a.get(x, 0) - b.get(x, 0)) > 1e-9 for x in a | b):
            return False
    return True


def programs(path: str | None) -> Iterator[tuple[str, str, Any]]:
    """Yield names, programs and AnyDice's outputs, or None if they are unknown or wrong."""
    if path is None:
        yield from ((name, program, None) for name, program in OWN.items())
        return
    for line in gzip.decompress(Path(path).read_bytes()).decode().splitlines():
        record = json.loads(line)
        data = None if record.get("note") else record.get("data")
        outputs = data and [[(x, p / 100) for x, p in o if x is not None] for o in data]
        if "error" not in record:
            yield str(record["id"]), record["program"], outputs


def share(sorted_seconds: list[float], percent: int) -> float:
    return sorted_seconds[min(len(sorted_seconds) * percent // 100, len(sorted_seconds) - 1)]


def measure(bench: Bench, path: str | None = None, python: str = sys.executable) -> None:
    ours = Worker("ours", sys.executable)
    peers = {name: Worker(name, python) for name in (*PEERS, "dice_calc_scopes")}
    rows: dict[str, list[tuple[str, float, float]]] = {name: [] for name in PEERS}
    right, number, unlike = dict.fromkeys(("ours", *PEERS), 0), 0, []
    for name, program, answer in programs(path):
        number += 1
        outputs, error, seconds = ours.ask(program)
        right["ours"] += alike(outputs, answer or outputs)
        if not alike(outputs, answer or outputs):
            unlike.append(f"{name}: {error or 'other numbers'}, {seconds:.2f} s")
        for peer in PEERS:
            theirs = peers[peer].ask(program) if peers[peer].is_installed else (None, "", 0)
            if peer == "dice_calc" and theirs[1] != "" and not alike(theirs[0], answer or outputs):
                theirs = peers["dice_calc_scopes"].ask(program)
            if alike(theirs[0], answer or outputs):
                right[peer] += 1
                rows[peer].append((name, seconds, theirs[2]))
        print(f"{number}: {name}: {seconds:.3f} s", file=sys.stderr, flush=True)
    for peer, measured in rows.items():
        if not measured:
            bench.say(f"{peer}: not installed, or no answer")
            continue
        mine, its = (sorted(row[i] for row in measured) for i in (1, 2))
        shown = {"total": (sum(mine), sum(its))}
        for percent in (50, 90, 95):
            shown[f"{percent}th percentile"] = (share(mine, percent), share(its, percent))
        for what, (a, b) in shown.items():
            bench.add(f"{what} of {len(its)}", Measured(None, a), "", peer, Measured(None, b))
        for name, a, b in sorted(measured, key=lambda row: row[2] - row[1]):
            if a > b:
                bench.add(f"longer: {name}", Measured(None, a), "", peer, Measured(None, b))
    if path:
        counts = ", ".join(f"{name} {of}" for name, of in right.items())
        bench.say(f"agree with AnyDice on {number} programs: {counts}")
    for line in unlike:
        bench.say(f"other than AnyDice: {line}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", metavar="FILE")
    parser.add_argument("--python", default=sys.executable, metavar="PROGRAM")
    options = parser.parse_args()
    bench = Bench((__doc__ or "").splitlines()[0])
    measure(bench, options.data, options.python)
    bench.show()


if __name__ == "__main__":
    main()
