"""The server: who may ask, long answers, many at once, and how it starts."""

import asyncio
import base64
import concurrent.futures
import contextlib
import errno
import hashlib
import json
import os
import re
import resource
import shlex
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock, call

import httpx2
import pytest
import uvicorn
from printed import POSTS_WIN
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.testclient import TestClient

from exactdice.cli import main
from exactdice.errors import InputError
from exactdice.rooms import question
from exactdice.web import asking, serving, views
from exactdice.web.application import application
from exactdice.web.desk import Job, Work
from exactdice.web.serving import _Told
from exactdice.web.views import LONGEST_ADDRESS
from exactdice.web.workers import CANCELLED, Limits, Problem

#: What a browser says of a link on another site that somebody follows.
FOLLOWED = {f"sec-fetch-{name}": word for name, word in
            {"site": "cross-site", "mode": "navigate", "dest": "document"}.items()}  # fmt: skip

LONG = "/ask/swe/value.json?rounds=60&exact=true"
POSTS_PAGE = "/ask/risk/win?attackers=4&defenders=2"


@pytest.mark.parametrize(("method", "address", "headers", "status"), [
    ("GET", "/", {"host": "evil.example"}, 421),
    ("GET", "/", {"host": "127.0.0.1.evil.example:8000"}, 421), ("GET", "/", {"host": ""}, 421),
    ("GET", "/", {"host": "127.0.0.1:1"}, 200),
    ("GET", "/", {"origin": "http://127.0.0.1:8000"}, 200),
    ("GET", "/", {"origin": "http://evil.example"}, 403), ("GET", "/", {"origin": "null"}, 403),
    ("GET", "/", {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}, 403),
    ("GET", "/", FOLLOWED, 200), ("GET", "/", FOLLOWED | {"sec-fetch-dest": "iframe"}, 403),
    ("GET", "/", FOLLOWED | {"sec-fetch-dest": "object"}, 403),
    ("GET", "/", FOLLOWED | {"sec-fetch-site": "same-site", "sec-fetch-dest": "iframe"}, 403),
    ("GET", "/", {"host": "x@127.0.0.1"}, 421), ("GET", "/", {"host": "127.0.0.1/x"}, 421),
    ("GET", "/", {"host": "127.0.0.1:8000:8000"}, 421),
    ("POST", "/jobs/x/cancel", FOLLOWED, 403),
    ("POST", "/jobs/x/cancel", {"origin": "http://evil.example"}, 403),
    ("POST", "/jobs/x/cancel", {"origin": "http://127.0.0.1:8000"}, 404),
    ("POST", "/", {}, 405), ("PUT", "/", {}, 405),
    ("GET", "/ask?q=" + "x" * LONGEST_ADDRESS, {}, 414),
    ("POST", "/jobs/x/cancel", {"content-length": "1025"}, 413),
    ("POST", "/jobs/x/cancel", {"content-length": "9" * 30}, 413),
    ("POST", "/jobs/x/cancel", {"content-length": "00000000099999999"}, 413),
    ("POST", "/jobs/x/cancel", {"content-length": "0" * 21}, 413),
    ("POST", "/jobs/x/cancel", {"content-length": "-1"}, 411),
    ("POST", "/jobs/x/cancel", {"transfer-encoding": "chunked"}, 411),
])  # fmt: skip
def test_what_is_not_for_this_server_is_refused_before_it_is_read(
    client, method, address, headers, status
):
    got = client.request(method, address, headers=headers)
    assert got.status_code == status
    if status in (403, 411, 413, 414, 421):
        assert got.text.count("\n") == 1


@pytest.mark.parametrize(("known", "status"), [
    ("{tag}", 304),
    ('"other", W/{tag}', 304),  # weak tags are the same (RFC 9110, 8.8.3.2)
    ('"other"', 200), ('"a{bare}"', 200), ("{bare}", 200), ("", 200),
])  # fmt: skip
def test_a_tag_that_is_known_is_compared_whole(client, known, status):
    tag = client.get("/about").headers["etag"].removeprefix("W/")
    known = known.format(tag=tag, bare=tag.strip('"'))
    assert client.get("/about", headers={"if-none-match": known}).status_code == status


@pytest.mark.parametrize("known", ['"a-b"', "-", "", '""'])
def test_an_answer_without_a_tag_is_always_sent(client, known):
    got = client.get("/openapi.json", headers={"if-none-match": known})
    assert "etag" not in got.headers
    assert got.status_code == 200
    assert got.json()


@pytest.mark.parametrize(("accepted", "is_json"), [
    ("application/json", True), ("text/plain, application/json;q=0.9", True),
    ("text/html, application/json;q=0.9", False), ("application/json-seq", False), ("*/*", False),
])  # fmt: skip
def test_json_is_sent_to_those_who_name_it(client, accepted, is_json):
    for address, more in (("/ask/risk/win.pdf", {}), ("/", {"host": "evil.example"})):
        got = client.get(address, headers={"accept": accepted} | more)
        assert got.status_code >= 400
        assert got.headers["content-type"].startswith("application/json") == is_json


@pytest.mark.parametrize("address", [
    "/ask/swe/value?rounds=58&exact=true", "/ask/swe/value.json?rounds=58&exact=true",
    "/ask/swe/distributions.csv?rounds=13", "/ask?q=swe+value+58+--exact",
    "/play/dice?expression=97d100+keep+highest+41",
])  # fmt: skip
def test_a_link_on_another_site_shows_the_form_and_starts_no_work(client, desk, address):
    begun = len(desk._jobs)
    got = client.get(address, headers=FOLLOWED, follow_redirects=True)
    assert (got.status_code, len(desk._jobs)) == (200, begun)
    assert "You followed a link from another site" in got.text
    assert re.search(r'value="(58|13|97d100 keep highest 41)"', got.text)
    assert re.search(r"<button>Calculate</button>", got.text)


def test_a_server_has_one_address_and_sends_nothing_twice(desk, client, answered):
    # As where it listens at every address of a machine.
    other = TestClient(application(desk, ["127.0.0.1"]), "http://192.0.2.1:8000")
    assert other.get("/about").status_code == 200
    assert other.get("/about", headers={"host": "192.0.2.2:8000"}).status_code == 421
    page = client.get("/about", headers={"accept-encoding": "gzip"})
    assert page.headers["content-encoding"] == "gzip"
    assert page.headers["cache-control"] == "no-cache"
    for address in re.findall(r'(?:src|href)="(/static/[^"]*)"', page.text):
        got = client.get(address)
        assert (got.status_code, "immutable" in got.headers["cache-control"]) == (200, True)
    assert client.get("/static/x/../pages.py").status_code == 404
    address = "/play/risk?attackers=7&defenders=4"
    first = answered(address)
    known = {"if-none-match": first.headers["etag"]}
    again = client.get(address, headers=known)
    assert (again.status_code, again.content) == (304, b"")
    assert client.get(address.replace("7", "8"), headers=known).status_code == 200


@pytest.mark.parametrize("address", ["/", POSTS_PAGE, "/nope", "/static/x/pages.js", "/play/dice"])
def test_a_page_may_load_nothing_but_the_servers_own_files(client, address):
    got = client.get(address, follow_redirects=True)  # to that of a job, where it takes long
    policy = got.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert got.headers["x-content-type-options"] == "nosniff"
    if "html" in got.headers["content-type"]:
        assert not re.search(r"""(?:src|href|action)=["']?(?:https?:)?//""", got.text)
        assert not re.search(r"<script(?![^>]*src=)|\son\w+=|\sstyle=", got.text)
        (style,) = re.findall(r"<style>(.*?)</style>", got.text, re.S)
        digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
        assert f"style-src 'sha256-{digest}';" in policy


def ended(client, job):
    return client.get(job, headers={"accept": "application/json"}).json()


@pytest.mark.slow
def test_a_long_answer_tells_how_far_it_is_and_ends_when_it_is_cancelled(client, desk):
    got = client.get(LONG)
    assert got.status_code == 202
    told = got.json()
    assert (told["state"], told["question"]) == ("computing", "swe value 60 --exact")
    (worker,) = desk.processes()
    page = client.get(told["job"])
    assert "Cancel" in page.text
    assert '<noscript><meta http-equiv="refresh"' in page.text
    assert client.get(LONG).json()["job"] == told["job"]  # asked twice, computed once
    other = client.get(LONG.replace("60", "59")).json()
    assert (other["state"], other["before"]) == ("waiting", 0)
    assert client.get("/").status_code == 200  # others are not kept waiting
    client.post(other["cancel"])
    with client.stream("POST", told["cancel"]) as gone:
        assert gone.status_code == 303
    assert ended(client, told["job"])["state"] == "cancelled"
    assert worker not in desk.processes()
    assert not Path(f"/proc/{worker}").exists()
    page = client.get(told["job"])
    assert (page.status_code, "cancelled" in page.text) == (410, True)
    events = client.get(f"{told['job']}/events")
    assert events.headers["content-type"].startswith("text/event-stream")
    assert json.loads(events.text.removeprefix("data: "))["state"] == "cancelled"
    # A page of the same question leads to a job, too, and that to its page.
    page = client.get("/ask/swe/value?rounds=60&exact=true")
    assert page.status_code == 303
    assert page.headers["location"].startswith("/jobs/")
    client.post(page.headers["location"] + "/cancel")


def memory_of(processes):
    pages = (Path(f"/proc/{one}/statm").read_text().split()[1] for one in processes)
    return sum(map(int, pages)) * os.sysconf("SC_PAGE_SIZE") / 2**20


@pytest.mark.slow
def test_fifty_requests_at_once_are_answered_with_bounded_memory(answered, client, desk):
    answered("/ask/risk/win.json?attackers=9&defenders=9")
    addresses = [f"/ask/risk/table.json?attackers={30 + n % 25}&defenders=30" for n in range(50)]
    before = memory_of([os.getpid(), *desk.processes()])
    with concurrent.futures.ThreadPoolExecutor(50) as pool:
        found = list(pool.map(answered, addresses))
    assert {got.status_code for got in found} == {200}
    for n, got in enumerate(found):
        assert got.json()["provenance"]["command"].startswith(f"exactdice risk table {30 + n % 25}")
    # 25 tables of 900 to 1600 fractions: 25 MiB as JSON, which are kept.
    assert memory_of([os.getpid(), *desk.processes()]) - before < 250


@pytest.mark.parametrize(("words", "line"), [
    ("--port 70000", "--port: got '70000'; expected a whole number from 0 to 65535"),
    ("--port x", "--port: got 'x'; expected a whole number from 0 to 65535"),
    ("--workers 0", "--workers: got '0'; expected a whole number from 1 to 64"),
    ("--time 0", "--time: got '0'; expected a whole number from 1 to 86400"),
    ("--memory 1MiB", "--memory: got '1MiB'; expected at least 256MiB"),
    ("--memory none", "--memory: got 'none'; expected at least 256MiB"),
    ("--host 203.0.113.9 --port 0",
     "--host: got '203.0.113.9'; expected an address of this machine"),
    ("--host nowhere.invalid --port 0",
     "--host: got 'nowhere.invalid'; expected an address of this"),
    ("--host ''", "--host is empty; write a value, or omit it"),
])  # fmt: skip
def test_what_cannot_be_served_costs_one_line_and_status_2(capsys, words, line):
    assert main(["serve", *shlex.split(words)]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"exactdice: {line}")
    assert said.count("\n") == 1


def test_a_port_in_use_or_a_missing_extra_costs_one_line(capsys, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert main(["serve", "--port", str(taken.getsockname()[1])]) == 2
    said = capsys.readouterr().err
    line = r"exactdice: --port: got \d+; expected a free port, or 0 for any \(address.*\n"
    assert re.fullmatch(line, said)
    for name in [name for name in sys.modules if name.startswith(("exactdice.web", "starlette"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "starlette", None)
    assert main(["serve"]) == 2
    line = "serve: starlette is missing; install it: pip install 'exactdice[web]'"
    assert capsys.readouterr().err == f"exactdice: {line}\n"


@contextlib.contextmanager
def served(*words, **options):
    """A server by itself: what it has said so far, its port and its process."""
    program = [sys.executable, "-m", "exactdice", "serve", "--port", "0", "--workers", "1", *words]
    server = subprocess.Popen(program, stderr=subprocess.PIPE, text=True, **options)
    said = [server.stderr.readline()]
    try:
        yield said, int(re.search(r"http://\S+:(\d+)/", said[0])[1]), server
    finally:
        server.send_signal(signal.SIGINT)
        said += server.communicate(timeout=20)[1].splitlines()


def few_files():
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))


@pytest.mark.slow
def test_requests_that_never_end_keep_nobody_out_and_are_ended():
    """Four hundred connections with half a header each, at a server that opens 256 files."""
    with served(preexec_fn=few_files) as (said, port, _), contextlib.ExitStack() as open_ones:
        begun = time.monotonic()
        for _ in range(400):
            half = open_ones.enter_context(socket.create_connection(("127.0.0.1", port)))
            half.sendall(b"GET / HTTP/1.1\r\nHost: 127")
        assert httpx2.get(f"http://127.0.0.1:{port}/about", timeout=8).status_code == 200
        assert time.monotonic() - begun < 9  # before any is ended for its slowness
        half.settimeout(15)
        assert half.recv(100) == b""
        assert httpx2.get(f"http://127.0.0.1:{port}/about", timeout=8).status_code == 200
    assert sum("too many" in line for line in said) <= 1, said[:20]
    assert len(said) <= 3, said[:20]  # with those of its beginning and its end


def connected(port, address, path):
    """A connection of a client with this address, which has asked something."""
    made = socket.create_connection(("127.0.0.1", port), source_address=(address, 0), timeout=8)
    made.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    return made


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only there every 127.0.0.N can be used")
def test_a_client_whose_answers_are_pending_shuts_nobody_out():
    """A hundred of them, at a server that opens 256 files and so takes 64 connections."""
    with served(preexec_fn=few_files) as (_, port, _), contextlib.ExitStack() as open_ones:
        pending = LONG.replace("json", "csv")
        other = open_ones.enter_context(connected(port, "127.0.0.2", pending))
        many = [open_ones.enter_context(connected(port, "127.0.0.1", pending)) for _ in range(100)]
        for address in ("127.0.0.1", "127.0.0.2", "127.0.0.3"):
            with connected(port, address, "/about") as made:
                assert made.recv(12) == b"HTTP/1.1 200"
        with contextlib.suppress(ConnectionError):  # the oldest has made room: closed, or reset
            assert many[0].recv(1) == b""
        for kept in (other, many[-1]):
            kept.settimeout(0.1)
            with pytest.raises(TimeoutError):
                kept.recv(1)


@pytest.mark.slow
def test_slow_headers_are_ended():
    with served() as (_, port, _), socket.create_connection(("127.0.0.1", port)) as slow:
        begun = time.monotonic()
        slow.sendall(b"GET /about HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        slow.settimeout(10)
        assert slow.recv(12) == b"HTTP/1.1 200"
        with contextlib.suppress(ConnectionError):
            while time.monotonic() - begun < 25:
                slow.sendall(b"G")
                time.sleep(0.5)
        assert time.monotonic() - begun < 25


@pytest.mark.slow
def test_a_question_whose_page_is_closed_is_ended():
    """Its tab is a connection that is told of the job, and then closed."""
    with served() as (_, port, _), httpx2.Client(base_url=f"http://127.0.0.1:{port}") as client:
        job = client.get(LONG, timeout=30).json()["job"]
        with client.stream("GET", f"{job}/events") as news:
            assert next(news.iter_lines()).startswith("data: ")
        time.sleep(5)
        assert ended(client, job)["state"] == "cancelled"


def test_floods_of_connections_are_told_once(capsys):
    async def began():
        server = _Told(uvicorn.Config(lambda *_: None, lifespan="off", log_config=None), "here")
        server.config.load()
        server.lifespan = server.config.lifespan_class(server.config)
        with socket.create_server(("127.0.0.1", 0)) as listening:
            await server.startup([listening])
            assert capsys.readouterr().err == "exactdice: here\n"
            for _ in range(3):
                problem = OSError(errno.EMFILE, "too many")
                asyncio.get_running_loop().call_exception_handler({"exception": problem})
            assert capsys.readouterr().err == "exactdice: too many connections; some must wait\n"
            await server.shutdown([listening])

    asyncio.run(began())
    loop, other = Mock(), {"exception": OSError(errno.EPIPE, "")}
    serving.without_floods(loop)
    ((tell,), _) = loop.set_exception_handler.call_args
    message = {"message": "no exception"}
    for context in ({"exception": OSError(errno.ENFILE, "")}, other, message):
        tell(loop, context)
    assert loop.default_exception_handler.mock_calls == [call(other), call(message)]
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("there", [True, False])
def test_parquet_is_offered_where_it_can_be_written(client, monkeypatch, there):
    module = sys.modules["exactdice.web.application"]
    monkeypatch.setattr(module, "find_spec", lambda name: name if there else None)
    assert (".parquet" in client.get("/about").text) == there


@pytest.mark.slow
def test_a_server_that_listens_to_others_says_so():
    with served("--host", "0.0.0.0") as ([line], port, _):  # noqa: S104 - what is tried
        assert "other machines that reach this one" in line
        about = httpx2.get(f"http://127.0.0.2:{port}/about")  # another address of this machine
        assert about.status_code == 200
        assert "requests from other machines" in about.text
        assert "only from this machine" not in about.text
    with served() as ([line], port, _):
        assert line == f"exactdice: serving http://127.0.0.1:{port}/ until interrupted\n"
        assert "only from this machine" in httpx2.get(f"http://127.0.0.1:{port}/about").text


@pytest.mark.slow
def test_the_command_serves_until_it_is_interrupted():
    with served() as (_, port, server):
        address = f"http://127.0.0.1:{port}/ask/risk/win.json?attackers=4&defenders=2"
        while (got := httpx2.get(address)).is_success:
            if got.status_code == 200:
                break
        assert got.json()["value"] == POSTS_WIN
        words = ["ps", "--ppid", str(server.pid), "-o", "pid="]
        children = subprocess.run(words, capture_output=True, text=True).stdout.split()
        assert children
        # A body that is announced too large is refused although it is never sent.
        with socket.create_connection(("127.0.0.1", port)) as asked:
            head = b"POST /ask HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999999\r\n\r\n"
            asked.sendall(head)
            assert asked.recv(100).startswith(b"HTTP/1.1 413")
    assert server.returncode in (0, 130)
    end = time.monotonic() + 10
    while any(Path(f"/proc/{child}").exists() for child in children):
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.parametrize(("outcome", "before", "state", "status"), [
    (None, None, "computing", 200), (None, 0, "waiting", 200), (True, None, "done", 303),
    (CANCELLED, None, "cancelled", 410), (Problem("it takes too long"), None, "failed", 422),
    (Problem("a fault", "", 500), 3, "failed", 500),
])  # fmt: skip
def test_a_job_is_told_of_by_its_state(outcome, before, state, status):
    job = Job(Work(question("risk win 4 2"), (repr,), outcome, ("fights", 3, 7)), "/back")
    told = {
        "job": f"/jobs/{job.name}", "cancel": f"/jobs/{job.name}/cancel", "answer": "/back",
        "question": "risk win 4 2", "state": state, "before": before, "counted": "fights",
        "done": 3, "total": 7, "error": getattr(outcome, "line", None),
    }  # fmt: skip
    cancelled = []

    def cancel(one):
        cancelled.append(one)
        one.ended.set()

    desk = SimpleNamespace(
        job={job.name: job}.get, before=lambda _: before, cancel=cancel, limits=Limits()
    )
    app = SimpleNamespace(state=SimpleNamespace(desk=desk))
    asked = SimpleNamespace(app=app, path_params={"name": job.name}, headers=Headers({}), url="")
    in_json = SimpleNamespace(**vars(asked) | {"headers": Headers({"accept": "application/json"})})
    page = asyncio.run(asking.job_page(asked))
    assert page.status_code == status
    assert page.headers.get("location") == ("/back" if state == "done" else None)
    if problem := told["error"]:
        assert problem in page.body.decode()
    answers = [asyncio.run(act(in_json)) for act in (asking.job_page, asking.cancel)]
    assert [(got.status_code, json.loads(got.body)) for got in answers] == [(200, told)] * 2
    got = asyncio.run(asking.cancel(asked))
    assert (got.status_code, got.headers["location"]) == (303, told["job"])
    assert cancelled == [job, job]
    got = views.waiting(asked, job, as_json=True)
    assert (got.status_code, got.headers["location"]) == (202, told["job"])
    assert json.loads(got.body) == told
    got = views.waiting(asked, job, as_json=False)
    assert (got.status_code, got.headers["location"]) == (303, told["job"])
    asked.path_params["name"] = "another"
    for act in (asking.job_page, asking.cancel, asking.events):
        with pytest.raises(HTTPException) as refused:
            asyncio.run(act(asked))
        assert refused.value.status_code == 404


@pytest.mark.parametrize(("files", "most"), [
    (resource.RLIM_INFINITY, 512), (2052, 512), (2048, 512), (2047, 511), (8, 2), (3, 1),
])  # fmt: skip
def test_a_quarter_of_the_files_may_be_connections(monkeypatch, files, most):
    monkeypatch.setattr(serving.resource, "getrlimit", lambda _: (files, files))
    assert serving._most() == most
    assert serving._number(None) == 0  # a client that has left before it is looked at


@pytest.mark.parametrize(("problem", "argument"), [
    (socket.gaierror(socket.EAI_NONAME, "no such name"), "host"),
    (OSError(errno.EADDRNOTAVAIL, ""), "host"),
    (OSError(errno.ENETUNREACH, ""), "host"),
    (OSError(errno.EADDRINUSE, ""), "port"),
    (OSError(errno.EACCES, ""), "port"),
    (OSError("without a number"), "port"),
])  # fmt: skip
def test_what_cannot_be_listened_to_is_the_host_or_the_port(monkeypatch, problem, argument):
    def refuse(*_arguments, **_options):
        raise problem

    monkeypatch.setattr(serving.socket, "create_server", refuse)
    with pytest.raises(InputError) as refused:
        serving._bound("127.0.0.1", 80)
    assert refused.value.argument == argument
