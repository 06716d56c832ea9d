"""Run by check.sh with the Python of an environment that has only the wheel."""

import asyncio
import importlib
import sys
from pathlib import Path

import sponsorgate

folder = Path(sponsorgate.__file__).parent
assert "site-packages" in folder.parts, folder
assert (folder / "py.typed").exists()


async def call() -> None:
    async with sponsorgate.Sponsorgate("http://127.0.0.1:9", "at_x", retries=0) as client:
        try:
            await client.get_balance()
        except sponsorgate.UnavailableError as error:
            assert error.code == "network_error"
        else:
            raise AssertionError("nothing listens there")


asyncio.run(call())
if sys.argv[1:] == ["all"]:
    for name in ("aiogram", "ptb", "telebot"):
        importlib.import_module(f"sponsorgate.{name}")
