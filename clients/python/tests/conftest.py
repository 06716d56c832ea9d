from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import aiohttp
import pytest
import pytest_asyncio
from support import CountingClient, Sandbox

from sponsorgate import Sponsorgate

ROOT = Path(__file__).resolve().parents[3]
START_SECONDS = 300
LIMITS = {
    "RATE_LIMIT_PER_SECOND": "100000",
    "RATE_LIMIT_BURST": "100000",
    "ADDRESS_RATE_LIMIT_PER_SECOND": "100000",
    "ADDRESS_RATE_LIMIT_BURST": "100000",
    "NEW_BOT_RESERVATIONS": "100000",
}


@pytest.fixture(scope="session")
def service_url() -> Iterator[str]:
    """Starts the service once. SPONSORGATE_TEST_URL names one that is already running, as a sandbox."""
    if given := os.environ.get("SPONSORGATE_TEST_URL"):
        yield given
        return
    folder = Path(tempfile.mkdtemp(prefix="sponsorgate-python-"))
    # The embedded PostgreSQL runs as another user when the tests run as root.
    folder.chmod(0o755)
    output = folder / "output"
    settings = {**os.environ, **LIMITS, "PORT": "0", "DATA_DIR": str(folder / "data")}
    with output.open("w") as file:
        # The Node that npm brings along. The one in PATH can be older than the service needs.
        brought = ROOT / "node_modules/.bin/node"
        command = [str(brought) if brought.exists() else "node", str(ROOT / "bin/sponsorgate.js"), "start"]
        process = subprocess.Popen(command, env=settings, stdout=file, stderr=subprocess.STDOUT, cwd=ROOT)
    try:
        deadline = time.monotonic() + START_SECONDS
        while "Stop with" not in output.read_text():
            assert process.poll() is None, output.read_text()
            assert time.monotonic() < deadline, output.read_text()
            time.sleep(0.2)
        found = re.search(r"http://127\.0\.0\.1:\d+", output.read_text())
        assert found is not None
        yield found[0]
    finally:
        process.terminate()
        process.wait(timeout=60)
        shutil.rmtree(folder, ignore_errors=True)


@pytest_asyncio.fixture
async def sandbox(service_url: str) -> AsyncIterator[Sandbox]:
    """The sandbox without orders and without faults."""
    async with aiohttp.ClientSession() as session:
        sandbox = Sandbox(service_url, session)
        await sandbox.fault("none")
        await sandbox.pause_all_orders()
        yield sandbox


@pytest_asyncio.fixture
async def client(sandbox: Sandbox) -> AsyncIterator[CountingClient]:
    """The client of a new publisher."""
    async with Sponsorgate(sandbox.url, await sandbox.publisher()) as client:
        yield CountingClient(client)
