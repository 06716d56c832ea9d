"""Reads the tokens from the environment. Without them, creates a bot in the sandbox that runs beside it.

BOT_TOKEN          the token of your bot, from @BotFather
SPONSORGATE_TOKEN  the API token of your bot at Sponsorgate; it begins with at_
SPONSORGATE_URL    the address of the service; http://127.0.0.1:8080 if absent
TELEGRAM_API_ROOT  another address of the Bot API
"""

import json
import os
import sys
import urllib.request
from typing import Any

from aiogram import Bot
from aiogram.client.session.aiohttp import AiohttpSession
from aiogram.client.telegram import TelegramAPIServer

from sponsorgate import Sponsorgate

URL = os.environ.get("SPONSORGATE_URL", "http://127.0.0.1:8080").rstrip("/")
API_ROOT = os.environ.get("TELEGRAM_API_ROOT")
BOT_TOKEN = os.environ.get("BOT_TOKEN")
TOKEN = os.environ.get("SPONSORGATE_TOKEN")


def sandbox(path: str, body: dict[str, str] | None = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{URL}/sandbox{path}", data, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=10) as response:
            return json.load(response)
    except OSError as error:
        sys.exit(f"{error}: is a sandbox running at {URL}? Otherwise set BOT_TOKEN and SPONSORGATE_TOKEN.")


if (BOT_TOKEN is None) != (TOKEN is None):
    sys.exit("Set BOT_TOKEN and SPONSORGATE_TOKEN, or neither to try it in the sandbox.")
if BOT_TOKEN is None:
    created = sandbox("/chats", {"type": "bot", "title": "Example bot"})
    BOT_TOKEN, API_ROOT = created["token"], f"{URL}/sandbox/telegram"
    TOKEN = sandbox("/state")["bots"][0]["api_token"]
    print(f"@{created['link'].rsplit('/', 1)[-1]} is starting; the gate calls {URL}", flush=True)


def create_client() -> Sponsorgate:
    return Sponsorgate(URL, str(TOKEN))


def create_bot() -> Bot:
    api = TelegramAPIServer.from_base(API_ROOT) if API_ROOT else None
    return Bot(str(BOT_TOKEN), session=AiohttpSession(api=api) if api else None)
