"""The client."""

from __future__ import annotations

from types import TracebackType
from typing import cast

import aiohttp

from ._methods import ROUTES, RootMethods, StatisticMethods
from ._transport import Call, Transport
from .models import BotReport, BotsReport, OrderReport, OrdersReport


class Statistic(StatisticMethods):
    """The reports of `/statistic`, each with its own type."""

    async def all_bots(self) -> BotsReport:
        """Returns your bots with their subscribers and revenue."""
        return cast(BotsReport, await self.query(action="allbots"))

    async def bots(self, *, bot_id: int | str | None = None) -> BotReport:
        """Returns the latest subscriptions of one bot; by default of the token's bot."""
        return cast(BotReport, await self.query(action="bots", bot_id=bot_id))

    async def all_ads(self) -> OrdersReport:
        """Returns your orders."""
        return cast(OrdersReport, await self.query(action="allads"))

    async def ads(self, *, order_id: int | str) -> OrderReport:
        """Returns the latest subscriptions of one of your orders."""
        return cast(OrderReport, await self.query(action="ads", order_id=order_id))


class Sponsorgate(RootMethods):
    """The whole API of a Sponsorgate service.

        async with Sponsorgate("https://api.example.com", token="at_...") as sponsorgate:
            balance = await sponsorgate.get_balance()

    You can create it anywhere, also outside of a running event loop. It opens its connections with the first call.
    """

    def __init__(
        self,
        base_url: str,
        token: str,
        *,
        timeout: float = 10.0,
        retries: int = 2,
        session: aiohttp.ClientSession | None = None,
    ) -> None:
        """
        base_url: the address of the service.
        token: the API token of your bot; it begins with `at_`.
        timeout: the seconds that one attempt may take. A confirm can take 4 seconds, because it waits for Telegram.
        retries: how often a failed call is repeated, where that is safe.
        session: a session of your own, for example with a proxy. The client does not close it.
        """
        transport = Transport(base_url, token, ROUTES, timeout=timeout, retries=retries, session=session)
        call = cast(Call, transport.call)
        super().__init__(call)
        self.statistic: Statistic = Statistic(call)
        self._transport = transport

    async def close(self) -> None:
        """Closes the connections. A later call opens new ones."""
        await self._transport.close()

    async def __aenter__(self) -> Sponsorgate:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
