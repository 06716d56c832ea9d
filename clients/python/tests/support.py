"""A sandbox for tests: the control endpoints, people, and bots that poll."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import aiohttp

from sponsorgate import Sponsorgate
from sponsorgate.models import Confirmations, Sponsors

WAIT_SECONDS = 60.0
_users = itertools.count(6_000_000_000 + int(time.time()) % 100_000 * 1_000)


async def eventually(what: str, is_true: Callable[[], Awaitable[object]]) -> None:
    """Waits until the condition holds."""
    deadline = time.monotonic() + WAIT_SECONDS
    while not await is_true():
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {WAIT_SECONDS:g} s: {what}")
        await asyncio.sleep(0.05)


class Sandbox:
    def __init__(self, url: str, session: aiohttp.ClientSession) -> None:
        self.url = url
        self._session = session

    async def control(self, method: str, path: str, body: object = None) -> Any:
        url, options = f"{self.url}/sandbox{path}", {} if body is None else {"json": body}
        skip = {} if body is not None else {"skip_auto_headers": ["Content-Type"]}
        limit = aiohttp.ClientTimeout(total=60)
        async with self._session.request(method, url, timeout=limit, **options, **skip) as response:
            assert response.status < 300, f"{method} {path}: {response.status} {await response.text()}"
            return await response.json() if response.status != 204 else None

    async def pause_all_orders(self) -> None:
        """So that only the orders of this test are shown."""
        for order in (await self.control("GET", "/state"))["orders"]:
            if order.get("status", "active") == "active":
                await self.control("POST", f"/orders/{order['order_id']}/pause")

    async def publisher(self, *, beta: bool = False, deposit: float = 0) -> str:
        """Creates an account with a bot. Returns the API token."""
        account = await self.control("POST", "/accounts", {"deposit": deposit})
        bot = await self.control("POST", "/bots", {"account_id": account["account_id"], "beta": beta})
        return str(bot["api_token"])

    async def advertise(self, title: str, *, kind: str = "channel", price: float = 10) -> int:
        """Creates an order for a new chat. Returns the id of the chat."""
        account = await self.control("POST", "/accounts", {"deposit": price * 100})
        chat = await self.control("POST", "/chats", {"type": kind, "title": title})
        order = {
            "account_id": account["account_id"],
            "chat_id": chat["chat_id"],
            "price_per_sub": price,
            "quantity": 50,
        }
        await self.control("POST", "/orders", order)
        return int(chat["chat_id"])

    async def telegram_bot(self) -> tuple[str, str]:
        """Creates a bot in the emulated Telegram. Returns its name and its token."""
        chat = await self.control("POST", "/chats", {"type": "bot", "title": "Gated bot"})
        return chat["link"].rsplit("/", 1)[-1], chat["token"]

    async def join(self, chat_id: int, user_id: int) -> None:
        await self.control("PUT", f"/chats/{chat_id}/members/{user_id}")

    async def person(self, bot: str, *, language: str = "en") -> Person:
        user_id = next(_users)
        user = {"user_id": user_id, "first_name": "Vera", "language_code": language}
        await self.control("POST", "/users", user)
        return Person(self, bot, user_id)

    async def fault(self, mode: str, **details: object) -> None:
        await self.control("POST", "/faults", {"mode": mode, **details})


@dataclass
class Person:
    """A person who talks to one bot of the emulated Telegram."""

    sandbox: Sandbox
    bot: str
    id: int

    async def write(self, text: str) -> None:
        await self.sandbox.control("POST", f"/persons/{self.id}/messages", {"bot": self.bot, "text": text})

    async def press(self, button: str) -> None:
        await self.sandbox.control("POST", f"/persons/{self.id}/presses", {"bot": self.bot, "button": button})

    async def see(self) -> dict[str, Any]:
        return dict(await self.sandbox.control("GET", f"/persons/{self.id}/messages?bot={self.bot}"))

    async def texts(self) -> list[str]:
        """What the bot wrote, oldest first."""
        return [one["text"] for one in (await self.see())["messages"] if one["from"] == "bot"]

    async def buttons(self) -> list[str]:
        """The buttons of the newest message of the bot."""
        mine = [one for one in (await self.see())["messages"] if one["from"] == "bot"]
        return [label for row in mine[-1]["buttons"] for label in row] if mine else []

    async def notice(self) -> str | None:
        notice = (await self.see())["notice"]
        return None if notice is None else str(notice["text"])

    async def waits_for(self, text: str) -> None:
        async def is_there() -> bool:
            return text in await self.texts()

        try:
            await eventually(text, is_there)
        except AssertionError as error:
            raise AssertionError(f"{error}; the person sees {await self.see()}") from None


@dataclass
class CountingClient:
    """The real client, with a record of its calls and a switch."""

    client: Sponsorgate
    asked: list[int] = field(default_factory=list)
    confirmed: list[list[int]] = field(default_factory=list)
    error: Exception | None = None
    hangs: bool = False

    async def get_sponsors(self, **body: Any) -> Sponsors:
        self.asked.append(body["user_id"])
        await self._fail()
        return await self.client.get_sponsors(**body)

    async def confirm_subscriptions(self, *, user_id: int, ads_ids: Sequence[int]) -> Confirmations:
        self.confirmed.append(list(ads_ids))
        await self._fail()
        return await self.client.confirm_subscriptions(user_id=user_id, ads_ids=ads_ids)

    async def _fail(self) -> None:
        if self.hangs:
            await asyncio.sleep(3600)
        if self.error is not None:
            raise self.error
