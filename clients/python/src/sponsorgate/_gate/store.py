from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Protocol

Record = dict[str, Any]
"""What the gate stores for one user: JSON values only."""


class GateStore(Protocol):
    """Stores one record per user of a bot. Implement it to share passes between processes."""

    async def load(self, bot_id: int, user_id: int) -> Record:
        """Returns the record, or an empty one."""

    async def save(self, bot_id: int, user_id: int, record: Record, *, seconds: float) -> None:
        """Stores the record. After `seconds` it has no meaning and can be deleted."""


class MemoryStore:
    """Stores records in this process. A restart loses them, and the gate checks each user again."""

    def __init__(self, *, max_users: int = 10_000, now: Callable[[], float] = time.time) -> None:
        self._max_users = max_users
        self._now = now
        self._records: OrderedDict[tuple[int, int], tuple[float, Record]] = OrderedDict()

    async def load(self, bot_id: int, user_id: int) -> Record:
        expires, record = self._records.get((bot_id, user_id), (0.0, {}))
        return dict(record) if expires > self._now() else {}

    async def save(self, bot_id: int, user_id: int, record: Record, *, seconds: float) -> None:
        self._records.pop((bot_id, user_id), None)
        if record:
            self._records[bot_id, user_id] = (self._now() + seconds, dict(record))
        # The limit keeps the memory of a busy bot bounded. The oldest records go first.
        while len(self._records) > self._max_users:
            self._records.popitem(last=False)


class ExpiringSet:
    """Contains each key for some seconds after `add`."""

    def __init__(self, *, seconds: float, max_size: int, now: Callable[[], float]) -> None:
        self._seconds = seconds
        self._max_size = max_size
        self._now = now
        self._expires: OrderedDict[object, float] = OrderedDict()

    def add(self, key: object) -> bool:
        """Adds the key. Returns False when it is already there."""
        if self._expires.get(key, 0.0) > self._now():
            return False
        self._expires.pop(key, None)
        self._expires[key] = self._now() + self._seconds
        while len(self._expires) > self._max_size:
            self._expires.popitem(last=False)
        return True

    def take(self, key: object) -> bool:
        """Removes the key. Returns whether it was there."""
        return self._expires.pop(key, 0.0) > self._now()
