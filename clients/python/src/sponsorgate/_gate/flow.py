from __future__ import annotations

import inspect
import json
import logging
import re
import time
from collections.abc import Awaitable, Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from ..errors import SponsorgateError, TokenError
from ..models import Task
from .access import AccessChecker, Coalescer, GateClient, GatedUser, Missing, Pass, Tasks, Unavailable
from .store import ExpiringSet, GateStore, MemoryStore, Record
from .texts import GateTexts, TextOverride, alert_text, check_texts, texts_for

logger = logging.getLogger("sponsorgate")

Policy = Literal["open", "closed"]

# In a group a member gets one message a minute.
MESSAGE_PAUSE_SECONDS = 60.0
MAX_RECENT = 10_000
# The record of a user holds updates of at most this many chats.
MAX_HELD_CHATS = 5
# Larger updates are not stored; the user has to send them again.
MAX_HELD_BYTES = 32_768

EventKind = Literal["skipped", "passed", "shown", "missing", "confirmed", "replayed", "unavailable"]


@dataclass(frozen=True, kw_only=True)
class GateEvent:
    """One thing that the gate did, for your metrics.

    skipped: `skip` or a flag let the update through. passed: the user has nothing to do. shown: the user got the list.
    missing: the user pressed the button, and subscriptions are missing. confirmed: the user pressed it and got in.
    replayed: the held update goes to its handler. unavailable: Sponsorgate did not respond, or Telegram refused the
    list.
    """

    kind: EventKind
    user_id: int
    seconds: float = 0.0
    """How long Sponsorgate took."""
    cached: bool = False
    """passed: no call was made."""
    tasks: int = 0
    """shown, missing: how many. confirmed: how many were confirmed."""
    credited: float = 0.0
    """missing, confirmed: rubles credited by this press."""
    error: BaseException | None = None


@dataclass(frozen=True)
class Button:
    text: str
    url: str | None = None
    data: str | None = None


Keyboard = list[list[Button]]


@dataclass(frozen=True)
class HeldUpdate:
    """An update that waits until the user has passed."""

    payload: dict[str, Any]
    """The update as Telegram sent it."""
    is_deep_link: bool


class Conversation(Protocol):
    """One update of one user. Each library has its own implementation."""

    @property
    def user(self) -> GatedUser: ...
    @property
    def bot_id(self) -> int: ...
    @property
    def chat_id(self) -> int: ...
    @property
    def is_group(self) -> bool: ...
    @property
    def is_press(self) -> bool:
        """Whether the update is the press of a button, which needs an answer."""

    async def send(self, text: str, keyboard: Keyboard | None, texts: GateTexts) -> None: ...
    async def answer(self, text: str | None, *, alert: bool) -> None: ...
    async def edit_keyboard(self, keyboard: Keyboard) -> None: ...
    async def edit_text(self, text: str) -> None: ...
    async def delete(self) -> None: ...


@dataclass(frozen=True)
class Admitted:
    """The user has passed. `held` is the update to replay."""

    held: dict[str, Any] | None

    @property
    def is_press(self) -> bool:
        return self.held is not None and "callback_query" in self.held


@dataclass(frozen=True, kw_only=True)
class GateSettings:
    client: GateClient
    on_unavailable: Policy = "open"
    timeout: float = 8.0
    max_sponsors: int | None = None
    store: GateStore | None = None
    pass_seconds: float = 300.0
    replay_seconds: float = 3600.0
    texts: TextOverride | None = None
    on_event: Callable[[GateEvent], object] | None = None
    on_error: Callable[[BaseException], object] | None = None
    callback_prefix: str = "sponsorgate"
    now: Callable[[], float] = time.time

    def __post_init__(self) -> None:
        if self.on_unavailable not in ("open", "closed"):
            raise ValueError("on_unavailable must be 'open' or 'closed'")
        if not re.fullmatch(r"[\w-]{1,40}", self.callback_prefix, re.ASCII):
            raise ValueError("callback_prefix: 1 to 40 letters, digits, _ or -")
        if self.timeout <= 0 or self.pass_seconds < 0 or self.replay_seconds < 0:
            raise ValueError("timeout must be more than 0, pass_seconds and replay_seconds 0 or more")
        check_texts(self.texts)


# The user whose update is replayed in this task: the gate lets it through without a new check.
replaying: ContextVar[int | None] = ContextVar("sponsorgate_replaying", default=None)


class GateFlow:
    """What the gate does with an update and with a press, without any Telegram library."""

    def __init__(self, settings: GateSettings) -> None:
        self.settings = settings
        self.prefix = settings.callback_prefix
        self._access = AccessChecker(settings.client, settings.timeout, settings.now)
        self._store: GateStore = settings.store or MemoryStore(now=settings.now)
        self._recent = ExpiringSet(seconds=MESSAGE_PAUSE_SECONDS, max_size=MAX_RECENT, now=settings.now)
        self._checks: Coalescer[Pass | Tasks | Unavailable] = Coalescer()
        self._confirms: Coalescer[Pass | Missing | Unavailable] = Coalescer()

    # An update

    async def admits(self, talk: Conversation, held: HeldUpdate | None) -> bool:
        """Returns whether the update goes on to the handlers. Otherwise the user has got the list."""
        user = talk.user
        if replaying.get() == user.user_id:
            return True
        record = await self._load(talk)
        if record.get("pass_until", 0.0) > self.settings.now():
            await self.emit("passed", user, cached=True)
            return True
        started = time.perf_counter()
        result, is_first = await self._checks.run(user.user_id, lambda: self._access.check(user))
        seconds = time.perf_counter() - started
        if isinstance(result, Pass):
            await self._save_pass(talk)
            await self.emit("passed", user, seconds=seconds)
            return True
        if isinstance(result, Unavailable):
            return await self._without_service(talk, result, is_first, seconds)
        await self._hold(talk, record, held)
        if not is_first:
            # Of several updates at once, one gets the list; the others only stop the spinner of their button.
            if talk.is_press:
                await self._try(talk.answer(None, alert=False))
            return False
        if await self._show(talk, result.tasks):
            await self.emit("shown", user, seconds=seconds, tasks=len(result.tasks))
            return False
        # Users cannot do tasks that they do not see, so a list that Telegram rejects counts as an outage.
        await self.emit("unavailable", user, seconds=seconds)
        return self.settings.on_unavailable == "open"

    async def _without_service(self, talk: Conversation, outage: Unavailable, is_first: bool, seconds: float) -> bool:
        await self._report_outage(talk, outage, is_first, seconds)
        if self.settings.on_unavailable == "open":
            return True
        texts = self._texts(talk)
        if talk.is_press:
            await self._try(talk.answer(alert_text(texts.unavailable), alert=True))
        elif self._may_send(talk):
            await self._try(talk.send(self._addressed(talk, texts.unavailable), None, texts))
        return False

    async def _show(self, talk: Conversation, tasks: Sequence[Task]) -> bool:
        texts = self._texts(talk)
        if talk.is_press:
            await self._try(talk.answer(alert_text(texts.subscribe_first), alert=False))
        if not self._may_send(talk):
            return True
        return await self._try(
            talk.send(self._addressed(talk, texts.prompt), self._keyboard(talk, tasks, texts), texts)
        )

    # A press of "I subscribed"

    def owner_of(self, data: str | None) -> int | None:
        """Returns the user for whom a button of the gate was made; None for other buttons."""
        found = re.fullmatch(rf"{re.escape(self.prefix)}:([1-9]\d{{0,15}})", data or "", re.ASCII)
        return int(found[1]) if found else None

    async def on_press(self, talk: Conversation, owner: int) -> Admitted | None:
        """Confirms all tasks. Returns the update to replay when the user may enter."""
        user, texts = talk.user, self._texts(talk)
        if user.user_id != owner:
            await self._try(talk.answer(alert_text(texts.not_yours), alert=True))
            return None
        started = time.perf_counter()
        result, is_first = await self._confirms.run(owner, lambda: self._access.confirm(user))
        seconds = time.perf_counter() - started
        if not is_first:
            await self._try(talk.answer(None, alert=False))
            return None
        if isinstance(result, Missing):
            titles = [task.title for task in result.tasks]
            text = alert_text(texts.check_later) if result.check_later else alert_text(texts.missing, titles)
            await self._try(talk.answer(text, alert=True))
            await self._try(talk.edit_keyboard(self._keyboard(talk, result.tasks, texts)))
            await self.emit("missing", user, seconds=seconds, tasks=len(titles), credited=result.credited)
            return None
        if isinstance(result, Unavailable):
            await self._report_outage(talk, result, is_first, seconds)
            if self.settings.on_unavailable == "closed":
                await self._try(talk.answer(alert_text(texts.unavailable), alert=True))
                return None
        record = await self._load(talk)
        if isinstance(result, Pass):
            await self._save_pass(talk)
            await self.emit("confirmed", user, seconds=seconds, tasks=result.tasks, credited=result.credited)
        else:
            # Let in without a pass: the next update is checked again. The held update must not be replayed twice.
            await self._save(talk, {}, 0.0)
        admitted = Admitted(self._held_in(record, talk))
        if admitted.held is None:
            await self._try(talk.answer(alert_text(texts.passed), alert=False))
            await self._try(talk.edit_text(texts.passed))
        else:
            # A replayed press answers the query itself, and a query has one answer.
            if not admitted.is_press:
                await self._try(talk.answer(alert_text(texts.passed), alert=False))
            await self._try(talk.delete())
            await self.emit("replayed", user)
        return admitted

    async def stop_spinner(self, talk: Conversation) -> None:
        """Answers the press after a replay. Telegram refuses this when the handler has answered; that is fine."""
        try:
            await talk.answer(None, alert=False)
        except Exception:
            logger.debug("the handler has answered the press", exc_info=True)

    # The token

    async def check_token(self) -> None:
        """Raises an error for a wrong token: with it, the gate would let all users in and earn nothing."""
        tokens = getattr(self.settings.client, "tokens", None)
        if tokens is None:
            return
        try:
            await tokens.current()
        except TokenError as error:
            # The bot does not start, so no shutdown follows that would close the connections.
            await self.close()
            message = "SponsorGate: the service does not accept this token, so no user would ever be gated"
            raise TokenError(message, status=error.status, code=error.code, request_id=error.request_id) from None
        except SponsorgateError as error:
            self.report(error)

    async def close(self) -> None:
        """Closes the connections of the client. A later call opens new ones, so this is safe for a shared client."""
        close = getattr(self.settings.client, "close", None)
        if close is not None:
            await self._try(close())

    # The record of a user

    async def revoke(self, bot_id: int, user_id: int) -> None:
        """Deletes the pass of a user, so that the next update is checked."""
        try:
            await self._store.save(bot_id, user_id, {}, seconds=0.0)
        except Exception as error:
            self.report(error)

    async def _load(self, talk: Conversation) -> Record:
        try:
            return await self._store.load(talk.bot_id, talk.user.user_id)
        except Exception as error:
            # A broken store costs one more call per update, and never the update.
            self.report(error)
            return {}

    async def _save(self, talk: Conversation, record: Record, seconds: float) -> None:
        try:
            await self._store.save(talk.bot_id, talk.user.user_id, record, seconds=seconds)
        except Exception as error:
            self.report(error)

    async def _save_pass(self, talk: Conversation) -> None:
        seconds = self.settings.pass_seconds
        await self._save(talk, {"pass_until": self.settings.now() + seconds} if seconds > 0 else {}, seconds)

    async def _hold(self, talk: Conversation, record: Record, held: HeldUpdate | None) -> None:
        """Stores the newest update of the chat for the replay. Only a deep link replaces a deep link."""
        seconds = self.settings.replay_seconds
        if held is None or seconds <= 0:
            return
        text = json.dumps(held.payload, ensure_ascii=False, separators=(",", ":"))
        now = self.settings.now()
        kept: dict[str, Any] = {chat: one for chat, one in (record.get("held") or {}).items() if one["until"] > now}
        before = kept.pop(str(talk.chat_id), None)
        if len(text.encode()) > MAX_HELD_BYTES or (before and before["deep"] and not held.is_deep_link):
            if before is None:
                return
            kept[str(talk.chat_id)] = before
        else:
            kept[str(talk.chat_id)] = {"until": now + seconds, "deep": held.is_deep_link, "update": text}
        await self._save(talk, {"held": dict(list(kept.items())[-MAX_HELD_CHATS:])}, seconds)

    def _held_in(self, record: Record, talk: Conversation) -> dict[str, Any] | None:
        held = (record.get("held") or {}).get(str(talk.chat_id))
        if held is None or held["until"] <= self.settings.now():
            return None
        payload = json.loads(held["update"])
        return payload if isinstance(payload, dict) else None

    # Messages

    def _texts(self, talk: Conversation) -> GateTexts:
        language = talk.user.language_code
        try:
            return texts_for(language, self.settings.texts)
        except Exception as error:
            # The bot's own function failed: use the default texts.
            self.report(error)
            return texts_for(language)

    def _keyboard(self, talk: Conversation, tasks: Sequence[Task], texts: GateTexts) -> Keyboard:
        rows = [
            [
                Button(
                    f"{'🤖' if task.resource_type == 'bot' else '📢'} {task.title.strip() or task.link}", url=task.link
                )
            ]
            for task in tasks
        ]
        return [*rows, [Button(texts.confirm_button, data=f"{self.prefix}:{talk.user.user_id}")]]

    def _addressed(self, talk: Conversation, text: str) -> str:
        return f"{talk.user.first_name}: {text}" if talk.is_group else text

    def _may_send(self, talk: Conversation) -> bool:
        return not talk.is_group or self._recent.add((talk.chat_id, talk.user.user_id))

    async def _try(self, work: Awaitable[object]) -> bool:
        try:
            await work
        except Exception as error:
            if "message is not modified" in str(error):
                return True
            self.report(error)
            return False
        return True

    # Hooks

    async def emit(self, kind: EventKind, user: GatedUser, **details: Any) -> None:
        """Calls `on_event`. Its errors do not stop the update."""
        if self.settings.on_event is None:
            return
        try:
            result = self.settings.on_event(GateEvent(kind=kind, user_id=user.user_id, **details))
            if inspect.isawaitable(result):
                await result
        except Exception as error:
            self.report(error)

    async def _report_outage(self, talk: Conversation, outage: Unavailable, is_first: bool, seconds: float) -> None:
        if is_first and outage.error is not None:
            self.report(outage.error)
        await self.emit("unavailable", talk.user, seconds=seconds, error=outage.error)

    def report(self, error: BaseException) -> None:
        """Passes an error to `on_error`, or to the logger `sponsorgate`. A silent failure of the gate costs money."""
        try:
            if self.settings.on_error is None:
                logger.error("the gate failed: %s", error)
            else:
                self.settings.on_error(error)
        except Exception:
            logger.exception("on_error failed")
