"""`python -m benchmarks [NAME…]`: run all benchmarks, or those named."""

import importlib
import pkgutil
import sys

import benchmarks
from benchmarks.bench import Bench


def main() -> int:
    known = sorted(m.name for m in pkgutil.iter_modules(benchmarks.__path__))
    known = [name for name in known if name not in ("bench", "__main__")]
    chosen = sys.argv[1:] or known
    for name in chosen:
        if name not in known:
            print(f"benchmarks: no {name}; expected one of {', '.join(known)}", file=sys.stderr)
            return 2
    for name in chosen:
        module = importlib.import_module(f"benchmarks.{name}")
        seconds = getattr(module, "SECONDS", "of processor time")
        bench = Bench(module.__doc__.splitlines()[0], seconds)
        module.measure(bench)
        bench.show()
    return 0


if __name__ == "__main__":
    sys.exit(main())
