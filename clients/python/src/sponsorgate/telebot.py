"""A gate for pyTelegramBotAPI, for `TeleBot` and for `AsyncTeleBot`.

from sponsorgate import Sponsorgate
from sponsorgate.telebot import SponsorGate

bot = telebot.TeleBot(bot_token, use_class_middlewares=True)
SponsorGate(Sponsorgate(url, token)).setup(bot)
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import inspect
import json
import threading
from collections.abc import Awaitable, Callable, Collection, Coroutine
from typing import Any, TypeVar

from telebot import TeleBot, types
from telebot.async_telebot import AsyncTeleBot
from telebot.asyncio_handler_backends import CancelUpdate as AsyncCancelUpdate
from telebot.handler_backends import CancelUpdate

from ._gate.access import GateClient, GatedUser
from ._gate.flow import Admitted, GateEvent, GateFlow, GateSettings, HeldUpdate, Keyboard, Policy
from ._gate.store import ExpiringSet, GateStore, MemoryStore
from ._gate.texts import GateTexts, TextOverride

__all__ = ["GateEvent", "GateStore", "GateTexts", "MemoryStore", "SponsorGate"]

T = TypeVar("T")
Skip = Callable[[Any], bool | Awaitable[bool]]

DEFAULT_UPDATES = ("message", "callback_query")
GATEABLE_UPDATES = frozenset({"message", "edited_message", "callback_query"})
# Contents that people send. Payments, joins and other service messages pass the gate.
SENT_BY_PEOPLE = frozenset(
    {
        "text",
        "photo",
        "video",
        "animation",
        "audio",
        "voice",
        "video_note",
        "document",
        "sticker",
        "contact",
        "location",
        "venue",
        "poll",
        "dice",
        "web_app_data",
    }
)
REPLAY_LIMIT_SECONDS = 60.0
CLOSE_SECONDS = 2.0


class SponsorGate:
    """Lets updates through to the handlers only for users who have subscribed to the sponsors that it shows."""

    def __init__(
        self,
        client: GateClient,
        *,
        updates: Collection[str] = DEFAULT_UPDATES,
        groups: bool = False,
        on_unavailable: Policy = "open",
        timeout: float = 8.0,
        max_sponsors: int | None = None,
        skip: Skip | None = None,
        store: GateStore | None = None,
        pass_seconds: float = 300.0,
        replay_seconds: float = 3600.0,
        texts: TextOverride | None = None,
        on_event: Callable[[GateEvent], object] | None = None,
        on_error: Callable[[BaseException], object] | None = None,
        check_token: bool = True,
        callback_prefix: str = "sponsorgate",
    ) -> None:
        """The options are those of `sponsorgate.aiogram`. `skip` gets the message, or the callback query.

        check_token: `setup` raises an error for a wrong token. With `AsyncTeleBot` the first update reports it.
        """
        if unknown := set(updates) - GATEABLE_UPDATES:
            known = ", ".join(sorted(GATEABLE_UPDATES))
            raise ValueError(f"updates: {sorted(unknown)[0]} cannot be gated; known are {known}")
        self._settings = GateSettings(
            client=client,
            on_unavailable=on_unavailable,
            timeout=timeout,
            max_sponsors=max_sponsors,
            store=store,
            pass_seconds=pass_seconds,
            replay_seconds=replay_seconds,
            texts=texts,
            on_event=on_event,
            on_error=on_error,
            callback_prefix=callback_prefix,
        )
        self._flow = GateFlow(self._settings)
        # The gate must get the presses of its own button.
        self.update_types = sorted({*updates, "callback_query"})
        self.update_sensitive = False
        self._updates = frozenset(updates)
        self._groups = groups
        self._skip = skip
        self._check_token = check_token
        self._replays = ExpiringSet(seconds=REPLAY_LIMIT_SECONDS, max_size=10_000, now=self._settings.now)

    def setup(self, bot: Any) -> SponsorGate:
        """Puts all handlers of the bot behind the gate."""
        if isinstance(bot, AsyncTeleBot):
            bot.setup_middleware(_AsyncMiddleware(self, bot))
            return self
        if not isinstance(bot, TeleBot):
            raise TypeError("setup needs a TeleBot or an AsyncTeleBot")
        if not bot.use_class_middlewares:
            raise ValueError("create the bot with TeleBot(token, use_class_middlewares=True)")
        middleware = _Middleware(self, bot)
        if self._check_token:
            middleware.wait(self._flow.check_token())
        bot.setup_middleware(middleware)
        return self

    def conversation(self, bot: _Methods, event: Any, *, with_groups: bool) -> _Conversation | None:
        """Returns the conversation that this update gates; None for updates that pass."""
        press = event if isinstance(event, types.CallbackQuery) else None
        message = event.message if press is not None else event
        user = event.from_user
        if message is None or user is None or user.is_bot or message.chat.type == "channel":
            return None
        if press is None and (message.sender_chat or message.content_type not in SENT_BY_PEOPLE):
            return None
        is_group = message.chat.type != "private"
        if is_group and not with_groups:
            return None
        gated = GatedUser(
            user_id=user.id,
            first_name=user.first_name,
            username=user.username,
            language_code=user.language_code,
            is_premium=bool(user.is_premium),
            chat_id=message.chat.id if is_group else None,
            max_sponsors=self._settings.max_sponsors,
        )
        return _Conversation(bot, gated, message, press, is_group)

    async def on_event(self, bot: _Methods, event: Any) -> tuple[bool, Admitted | None]:
        """Returns whether the handlers get the update, and the user who has just passed."""
        is_press = isinstance(event, types.CallbackQuery)
        owner = self._flow.owner_of(event.data) if is_press else None
        if owner is not None:
            talk = self.conversation(bot, event, with_groups=True)
            return False, None if talk is None else await self._flow.on_press(talk, owner)
        if self._replays.take(_key(event)):
            return True, None
        kind = "callback_query" if is_press else "edited_message" if event.edit_date else "message"
        talk = self.conversation(bot, event, with_groups=self._groups) if kind in self._updates else None
        if talk is None:
            return True, None
        if await self._is_skipped(event):
            await self._flow.emit("skipped", talk.user)
            return True, None
        return await self._flow.admits(talk, _held(event, kind)), None

    def prepare_replay(self, admitted: Admitted, press: Any) -> tuple[str, Any]:
        """Returns the name of the bot's method for the held update, and the update."""
        payload = admitted.held or {}
        event: Any
        if "callback_query" in payload:
            # The first query is too old to be answered. The new one belongs to the same user and chat.
            event = types.CallbackQuery.de_json({**payload["callback_query"], "id": press.id})
            method = "process_new_callback_query"
        elif "edited_message" in payload:
            event, method = types.Message.de_json(payload["edited_message"]), "process_new_edited_messages"
        else:
            event, method = types.Message.de_json(payload["message"]), "process_new_messages"
        self._replays.add(_key(event))
        return method, event

    async def stop_spinner(self, bot: _Methods, event: Any) -> None:
        talk = self.conversation(bot, event, with_groups=True)
        if talk is not None:
            await self._flow.stop_spinner(talk)

    async def close(self) -> None:
        """Closes the connections to Sponsorgate. For `AsyncTeleBot`: call it when the bot stops."""
        await self._flow.close()

    async def check_token_once(self) -> None:
        if self._check_token:
            self._check_token = False
            try:
                await self._flow.check_token()
            except Exception as error:
                self._flow.report(error)

    async def _is_skipped(self, event: Any) -> bool:
        if self._skip is None:
            return False
        try:
            result = self._skip(event)
            return bool(await result if inspect.isawaitable(result) else result)
        except Exception as error:
            self._flow.report(error)
            return False


class _Middleware:
    """For `TeleBot`, which handles updates in threads. The gate runs in an event loop of its own."""

    def __init__(self, gate: SponsorGate, bot: Any) -> None:
        self._gate = gate
        self._bot = bot
        self._methods = _Methods(bot, is_async=False)
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, name="sponsorgate", daemon=True).start()
        atexit.register(self._close)
        self.update_types = gate.update_types
        self.update_sensitive = False

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def _close(self) -> None:
        with contextlib.suppress(Exception):
            asyncio.run_coroutine_threadsafe(self._gate.close(), self._loop).result(CLOSE_SECONDS)

    def pre_process(self, event: Any, data: dict[str, Any]) -> Any:
        goes_on, admitted = self.wait(self._gate.on_event(self._methods, event))
        if goes_on:
            return None
        if admitted is not None and admitted.held is not None:
            method, held = self._gate.prepare_replay(admitted, event)
            getattr(self._bot, method)([held])
        return CancelUpdate()

    def post_process(self, event: Any, data: dict[str, Any], exception: BaseException | None) -> None:
        pass


class _AsyncMiddleware:
    """For `AsyncTeleBot`."""

    def __init__(self, gate: SponsorGate, bot: Any) -> None:
        self._gate = gate
        self._bot = bot
        self._methods = _Methods(bot, is_async=True)
        self.update_types = gate.update_types
        self.update_sensitive = False

    async def pre_process(self, event: Any, data: dict[str, Any]) -> Any:
        await self._gate.check_token_once()
        goes_on, admitted = await self._gate.on_event(self._methods, event)
        if goes_on:
            return None
        if admitted is not None and admitted.held is not None:
            method, held = self._gate.prepare_replay(admitted, event)
            await getattr(self._bot, method)([held])
            if admitted.is_press:
                await self._gate.stop_spinner(self._methods, event)
        return AsyncCancelUpdate()

    async def post_process(self, event: Any, data: dict[str, Any], exception: BaseException | None) -> None:
        pass


class _Methods:
    """Calls methods of either kind of bot."""

    def __init__(self, bot: Any, *, is_async: bool) -> None:
        self._bot = bot
        self._is_async = is_async
        self.bot_id = int(str(bot.token).partition(":")[0])

    async def call(self, name: str, *values: Any, **options: Any) -> Any:
        method = getattr(self._bot, name)
        if self._is_async:
            return await method(*values, **options)
        # In a thread, because it blocks: other users must not wait.
        return await asyncio.to_thread(method, *values, **options)


class _Conversation:
    """Sends the gate's messages with the methods of pyTelegramBotAPI."""

    def __init__(self, bot: _Methods, user: GatedUser, message: Any, press: Any, is_group: bool) -> None:
        self._bot = bot
        self._message = message
        self._press = press
        self.user = user
        self.bot_id = bot.bot_id
        self.chat_id: int = message.chat.id
        self.is_group = is_group
        self.is_press = press is not None

    async def send(self, text: str, keyboard: Keyboard | None, texts: GateTexts) -> None:
        options: dict[str, Any] = {"link_preview_options": types.LinkPreviewOptions(is_disabled=True)}
        if getattr(self._message, "is_topic_message", None):
            options["message_thread_id"] = self._message.message_thread_id
        if keyboard is not None:
            options["reply_markup"] = _markup(keyboard)
        if self.is_group and self._press is None:
            options["reply_parameters"] = types.ReplyParameters(
                message_id=self._message.message_id, allow_sending_without_reply=True
            )
        # The texts are plain, and the bot may have a parse mode as its default.
        await self._bot.call("send_message", self.chat_id, text, parse_mode="", **options)

    async def answer(self, text: str | None, *, alert: bool) -> None:
        if self._press is not None:
            await self._bot.call("answer_callback_query", self._press.id, text, show_alert=alert)

    async def edit_keyboard(self, keyboard: Keyboard) -> None:
        markup = _markup(keyboard)
        await self._bot.call("edit_message_reply_markup", self.chat_id, self._message.message_id, reply_markup=markup)

    async def edit_text(self, text: str) -> None:
        await self._bot.call("edit_message_text", text, self.chat_id, self._message.message_id, parse_mode="")

    async def delete(self) -> None:
        await self._bot.call("delete_message", self.chat_id, self._message.message_id)


def _markup(keyboard: Keyboard) -> Any:
    rows = [
        [types.InlineKeyboardButton(one.text, url=one.url, callback_data=one.data) for one in row] for row in keyboard
    ]
    return types.InlineKeyboardMarkup(rows)


def _held(event: Any, kind: str) -> HeldUpdate:
    raw = event.json
    payload = {kind: json.loads(raw) if isinstance(raw, str) else raw}
    text = event.text if kind == "message" else None
    return HeldUpdate(payload, is_deep_link=bool(text and text.startswith("/start ")))


def _key(event: Any) -> tuple[object, ...]:
    if isinstance(event, types.CallbackQuery):
        return ("press", event.id)
    return ("message", event.chat.id, event.message_id, event.edit_date)
