"""A server and a browser for the tests that drive one."""

import os
import re
import shutil
import subprocess
import sys

import pytest

sync = pytest.importorskip("playwright.sync_api", reason="the group browser is not installed")
pytest.importorskip("axe_playwright_python", reason="the group browser is not installed")

CHROMIUM = shutil.which("chromium")


@pytest.fixture(scope="session")
def address():
    """Where a server answers that this run has started."""
    words = [sys.executable, "-m", "exactdice", "serve", "--port", "0", "--time", "60"]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as server:
        try:
            yield re.search(r"http://\S+(?=/)", server.stderr.readline())[0]
        finally:
            server.terminate()


@pytest.fixture(scope="session")
def chromium():
    """A browser; the tests of one run share it."""
    if CHROMIUM is None:
        pytest.skip("no chromium here")
    with sync.sync_playwright() as playwright:
        words = ["--no-sandbox"] if os.geteuid() == 0 else []
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=words)
        yield found
        found.close()


@pytest.fixture
def opened(chromium, address):
    """Opens pages; at the end of a test none has complained, or asked another machine."""
    complaints, contexts = [], []

    def heard(message):
        # A page whose status is an error is told of in the console by the browser itself.
        if message.type in ("error", "warning") and "Failed to load resource" not in message.text:
            complaints.append(message.text)

    def asked(request):
        if not request.url.startswith((address, "data:", f"blob:{address}")):
            complaints.append(f"asked for {request.url}")

    def open_page(path="/", **options):
        context = chromium.new_context(base_url=address, **options)
        context.set_default_timeout(20_000)
        context.set_default_navigation_timeout(90_000)  # on a loaded machine pages wait their turn
        contexts.append(context)
        page = context.new_page()
        page.on("console", heard)
        page.on("pageerror", lambda problem: complaints.append(str(problem)))
        page.on("request", asked)
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not complaints
