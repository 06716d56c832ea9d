"""The commands of the Python guide work as printed, in their order."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from pathlib import Path

from support import WAIT_SECONDS, Sandbox

ROOT = Path(__file__).resolve().parents[3]
GUIDE = ROOT / "docs/guides/ten-minutes-python.md"
FENCE = re.compile(r"(?:<!-- not run: ([^\n]*) -->\n)?^```(\w*)\n(.*?)^```$", re.S | re.M)
END = "--- end of block ---"


class Shell:
    """One bash that keeps variables and functions between the blocks."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def run(self, code: str) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{code}\nprintf '%s\\n' '{END}'\n".encode())
        text = await asyncio.wait_for(self._process.stdout.readuntil(END.encode()), WAIT_SECONDS)
        return text.decode().removesuffix(END)


def normal(text: str) -> str:
    return re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+(?:\+00:00|Z)", "TIME", text.strip())


async def test_the_guide_works_as_printed(sandbox: Sandbox, service_url: str) -> None:
    await sandbox.control("POST", "/reset")
    settings = {**os.environ, "SPONSORGATE_URL": service_url}
    pipe, quiet = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    bot = await asyncio.create_subprocess_exec(
        sys.executable, str(ROOT / "examples/aiogram/bot.py"), env=settings, stdout=pipe, stderr=quiet
    )
    bash = await asyncio.create_subprocess_exec("bash", "--noprofile", "--norc", cwd=ROOT, stdin=pipe, stdout=pipe)
    try:
        assert bot.stdout is not None
        line = (await asyncio.wait_for(bot.stdout.readline(), 120)).decode()
        found = re.match(r"@(\w+) is starting", line)
        assert found is not None, line
        text = (
            GUIDE.read_text().replace("http://127.0.0.1:8080", service_url).replace("sandbox_f9039b2f2d_bot", found[1])
        )
        blocks = list(FENCE.finditer(text))
        shell = Shell(bash)
        compared = 0
        for number, block in enumerate(blocks):
            if block[2] != "sh" or block[1]:
                continue
            printed = await shell.run(block[3])
            shown = blocks[number + 1] if number + 1 < len(blocks) else None
            if shown is None or shown.start() != block.end() + 1:
                continue
            # The bot may still be at work when its message is read: then only the reading command is repeated.
            again = block[3].rfind("look")
            for _ in range(100):
                if normal(printed) == normal(shown[3]) or again < 0:
                    break
                await asyncio.sleep(0.1)
                printed = await shell.run(block[3][again:])
            assert normal(printed) == normal(shown[3]), block[3]
            compared += 1
        assert compared == 4
    finally:
        for process in (bot, bash):
            process.terminate()
            await process.wait()
