from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from ..errors import SponsorgateError
from ..models import Confirmations, Sponsors, Task

T = TypeVar("T")

# After an outage the gate does not call Sponsorgate for this long, so that users do not wait for time-outs.
OUTAGE_PAUSE_SECONDS = 10.0


class GateClient(Protocol):
    """The part of `Sponsorgate` that the gate uses. You can pass a client of your own."""

    async def get_sponsors(
        self,
        *,
        user_id: int,
        chat_id: int | None = None,
        first_name: str | None = None,
        username: str | None = None,
        language_code: str | None = None,
        is_premium: bool | None = None,
        max_sponsors: int | None = None,
    ) -> Sponsors: ...

    async def confirm_subscriptions(self, *, user_id: int, ads_ids: Sequence[int]) -> Confirmations: ...


@dataclass(frozen=True)
class GatedUser:
    """The user who has to pass the gate, with everything that filters of orders can use."""

    user_id: int
    first_name: str
    username: str | None
    language_code: str | None
    is_premium: bool
    chat_id: int | None
    """Set in groups only."""
    max_sponsors: int | None


@dataclass(frozen=True)
class Pass:
    credited: float = 0.0
    tasks: int = 0


@dataclass(frozen=True)
class Tasks:
    tasks: Sequence[Task]


@dataclass(frozen=True)
class Missing:
    tasks: Sequence[Task]
    check_later: bool
    credited: float


@dataclass(frozen=True)
class Unavailable:
    """Sponsorgate did not respond. `error` is set when this call found the outage."""

    error: BaseException | None = None


class Coalescer(Generic[T]):
    """Runs one piece of work per key at a time. Calls in the meantime get the same result, with False."""

    def __init__(self) -> None:
        self._running: dict[Hashable, asyncio.Task[T]] = {}

    async def run(self, key: Hashable, work: Callable[[], Awaitable[T]]) -> tuple[T, bool]:
        running = self._running.get(key)
        if running is not None:
            # Shielded: one cancelled update must not cancel the work of the others.
            return await asyncio.shield(running), False

        async def start() -> T:
            return await work()

        task = asyncio.ensure_future(start())
        self._running[key] = task
        task.add_done_callback(lambda _: self._running.pop(key, None))
        return await asyncio.shield(task), True


@dataclass
class AccessChecker:
    """Asks Sponsorgate. Never raises an error of a call: an outage is an outcome."""

    client: GateClient
    timeout: float
    now: Callable[[], float] = time.time
    _paused_until: float = field(default=0.0, init=False)

    async def check(self, user: GatedUser) -> Pass | Tasks | Unavailable:
        if self.now() < self._paused_until:
            return Unavailable()

        async def work() -> Pass | Tasks:
            answer = await self._get_sponsors(user)
            return Pass() if answer.status == "ok" or not answer.sponsors else Tasks(answer.sponsors)

        return await self._guarded(work())

    async def confirm(self, user: GatedUser) -> Pass | Missing | Unavailable:
        """Confirms all tasks in one call.

        Reads the tasks again instead of storing them or writing them into the button: this survives a restart of the
        bot, and a forged button gives no access.
        """

        async def work() -> Pass | Missing:
            answer = await self._get_sponsors(user)
            if answer.status == "ok" or not answer.sponsors:
                return Pass()
            ids = [task.ads_id for task in answer.sponsors]
            confirmed = await self.client.confirm_subscriptions(user_id=user.user_id, ads_ids=ids)
            credited = sum(result.credited or 0.0 for result in confirmed.results)
            if confirmed.grant_access:
                return Pass(credited, len(ids))
            done = {result.ads_id for result in confirmed.results if result.grant_access}
            return Missing(
                [task for task in answer.sponsors if task.ads_id not in done],
                any(result.code == "check_unavailable" for result in confirmed.results),
                credited,
            )

        return await self._guarded(work())

    async def _get_sponsors(self, user: GatedUser) -> Sponsors:
        return await self.client.get_sponsors(
            user_id=user.user_id,
            first_name=user.first_name,
            username=user.username,
            language_code=user.language_code,
            is_premium=user.is_premium,
            chat_id=user.chat_id,
            max_sponsors=user.max_sponsors,
        )

    async def _guarded(self, call: Awaitable[T]) -> T | Unavailable:
        try:
            result = await asyncio.wait_for(call, self.timeout)
        except (asyncio.TimeoutError, TimeoutError):
            self._paused_until = self.now() + OUTAGE_PAUSE_SECONDS
            return Unavailable(TimeoutError(f"Sponsorgate did not respond within {self.timeout:g} s"))
        except Exception as error:
            if is_outage(error):
                self._paused_until = self.now() + OUTAGE_PAUSE_SECONDS
            return Unavailable(error)
        self._paused_until = 0.0
        return result


def is_outage(error: Any) -> bool:
    """A rejected request does not predict the next one; any other error does."""
    return not (isinstance(error, SponsorgateError) and 400 <= error.status < 500 and error.status != 429)
