"""examples/aiogram starts beside the sandbox without any setting."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from pathlib import Path

from support import Sandbox

from sponsorgate._gate.texts import EN

BOT = Path(__file__).resolve().parents[3] / "examples/aiogram/bot.py"


def test_the_example_is_short() -> None:
    assert len([line for line in BOT.read_text().splitlines() if line.strip()]) <= 30


async def test_the_example_gates_a_user_and_replays_the_invitation(sandbox: Sandbox, service_url: str) -> None:
    news = await sandbox.advertise("City news")
    settings = {**os.environ, "SPONSORGATE_URL": service_url, "PYTHONUNBUFFERED": "1"}
    for name in ("BOT_TOKEN", "SPONSORGATE_TOKEN", "TELEGRAM_API_ROOT"):
        settings.pop(name, None)
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(BOT), env=settings, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        assert process.stdout is not None
        line = (await asyncio.wait_for(process.stdout.readline(), 120)).decode()
        found = re.match(r"@(\w+) is starting; the gate calls http", line)
        assert found is not None, line
        person = await sandbox.person(found[1])
        await person.write("/help")
        await person.waits_for("I tell jokes. /start to hear one.")
        await person.write("/start ref_42")
        await person.waits_for(EN.prompt)
        await sandbox.join(news, person.id)
        await person.press("I subscribed")
        joke = "A SQL query walks into a bar, sees two tables and asks: may I join you?"
        await person.waits_for(f"{joke} (ref_42 sent you.)")
        await person.press("Another one")
        await person.waits_for("There is no place like ::1.")
    finally:
        process.terminate()
        await process.wait()
