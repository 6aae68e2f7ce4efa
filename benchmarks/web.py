"""The server: start, small questions, known answers and memory, compared with a command each time.

Times are wall-clock times, with the processor time of the processes of the server, which matters on
a machine that does other work.
"""

import http.client
import os
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.bench import Bench, command

_TICK = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")
SECONDS = "wall-clock time, or processor time if stated"


class Server:
    """A server of this run, and one client that keeps its connection."""

    def __enter__(self) -> "Server":
        words = [sys.executable, "-m", "exactdice", "serve", "--port", "0"]
        begun = time.perf_counter()
        self.process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
        assert self.process.stderr
        found = re.search(r"http://([^:]+):(\d+)/", self.process.stderr.readline())
        self.start = time.perf_counter() - begun
        self.start_processor = self.processor(only_server=True)
        assert found
        self.client = http.client.HTTPConnection(found[1], int(found[2]))
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()
        self.process.terminate()
        self.process.communicate()

    def get(self, address: str) -> bytes:
        """Ask until the answer is ready; status 202 or 303 means that it takes longer."""
        while True:
            self.client.request("GET", address)
            got = self.client.getresponse()
            content = got.read()
            if got.status == 200:
                return content
            assert got.status in (202, 303), (address, got.status, content)
            time.sleep(0.1)

    def processes(self, *, only_server: bool = False) -> list[int]:
        """The server and, unless only it is wanted, what it has started."""
        mine = self.process.pid
        found = Path(f"/proc/{mine}/task/{mine}/children").read_text().split()
        for task in Path(f"/proc/{mine}/task").iterdir():
            found += (task / "children").read_text().split()
        return [mine, *(() if only_server else sorted(set(map(int, found))))]

    def processor(self, *, only_server: bool = False) -> float:
        """Seconds of the processor that they took."""
        ticks = 0
        for one in self.processes(only_server=only_server):
            fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / _TICK

    def memory(self) -> float:
        """MiB that they keep."""
        pages = (Path(f"/proc/{p}/statm").read_text().split()[1] for p in self.processes())
        return sum(map(int, pages)) * _PAGE / 2**20


def measure(bench: Bench) -> None:
    each, _ = command("risk", "win", "14", "12")
    with Server() as server:
        bench.add("ready", server.start, "1.5 s")
        bench.add("ready, of the processor", server.start_processor)
        server.get("/ask/risk/win?attackers=9&defenders=9")  # the first waits for the worker

        questions = [(a, d) for a in range(10, 30) for d in range(10, 30)]
        times, before = [], server.processor()
        for a, d in questions:
            begun = time.perf_counter()
            server.get(f"/ask/risk/win?attackers={a}&defenders={d}")
            times.append(time.perf_counter() - begun)
        processor = (server.processor() - before) / len(questions)
        against = f"a command each time: {each:.2f} s of the processor"
        bench.add("small question, median", statistics.median(times), "0.05 s", against)
        bench.add("small question, of the processor", processor, "", f"{each / processor:.0f}×")

        begun, before = time.perf_counter(), server.processor()
        for _ in range(1000):
            server.get("/ask/risk/win?attackers=12&defenders=12")
        seconds, processor = time.perf_counter() - begun, server.processor() - before
        bench.add("1000 known answers", seconds, "5 s", f"{1000 / seconds:.0f} a second")
        bench.add("1000 known answers, of the processor", processor)

        kept = server.memory()
        for n in range(1000):
            server.get(f"/ask/risk/win.json?attackers={10 + n % 40}&defenders={10 + n // 40}")
        grown = server.memory() - kept
        bench.add("1000 more questions, grown by MiB", grown, "10", f"of {kept:.0f} MiB")
        assert grown < 10, f"memory has grown by {grown:.0f} MiB"
