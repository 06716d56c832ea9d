"""A gate for aiogram 3.

    from sponsorgate import Sponsorgate
    from sponsorgate.aiogram import SponsorGate

    SponsorGate(Sponsorgate(url, token)).setup(dispatcher)

All handlers of the dispatcher then run only for users who have subscribed.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Collection
from typing import Any, cast

from aiogram import BaseMiddleware, Bot, Dispatcher, F, Router
from aiogram.dispatcher.flags import get_flag
from aiogram.fsm.storage.base import BaseStorage, StorageKey
from aiogram.types import (
    CallbackQuery,
    Chat,
    ChatJoinRequest,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    InlineQuery,
    InlineQueryResultsButton,
    LinkPreviewOptions,
    Message,
    ReplyParameters,
    TelegramObject,
    Update,
    User,
)

from ._gate.access import GateClient, GatedUser
from ._gate.flow import Admitted, GateEvent, GateFlow, GateSettings, HeldUpdate, Keyboard, Policy, replaying
from ._gate.store import GateStore, MemoryStore, Record
from ._gate.texts import GateTexts, TextOverride

__all__ = ["AiogramStore", "GateEvent", "GateStore", "GateTexts", "MemoryStore", "SponsorGate"]

Handler = Callable[[TelegramObject, dict[str, Any]], Awaitable[Any]]
Skip = Callable[[Any, dict[str, Any]], bool | Awaitable[bool]]
OnPassed = Callable[[CallbackQuery, dict[str, Any]], object]

DEFAULT_UPDATES = ("message", "callback_query")
# Payments and membership changes are not here: to stop them would break a purchase, or the bot's own records.
GATEABLE_UPDATES = frozenset(
    {
        "message",
        "edited_message",
        "callback_query",
        "inline_query",
        "chosen_inline_result",
        "poll_answer",
        "message_reaction",
        "chat_join_request",
        "business_message",
        "edited_business_message",
    }
)
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
        "game",
        "story",
        "paid_media",
        "web_app_data",
        "users_shared",
        "chat_shared",
    }
)
FLAG = "sponsorgate"
START_PARAMETER = "sponsorgate"
# `propagate_event` gets these itself.
REPLACED_KEYS = frozenset({"event_update", "event_router", "handler", "event", "update_type"})


class AiogramStore:
    """Stores passes and held updates in a storage of aiogram, such as `RedisStorage`."""

    def __init__(self, storage: BaseStorage) -> None:
        self._storage = storage

    async def load(self, bot_id: int, user_id: int) -> Record:
        return dict((await self._storage.get_data(self._key(bot_id, user_id))).get(FLAG) or {})

    async def save(self, bot_id: int, user_id: int, record: Record, *, seconds: float) -> None:
        await self._storage.set_data(self._key(bot_id, user_id), {FLAG: record} if record else {})

    def _key(self, bot_id: int, user_id: int) -> StorageKey:
        # No chat has the id 0, so these records never meet those of a state machine. A `destiny` would do the same, but
        # storages with the default key builder refuse it.
        return StorageKey(bot_id=bot_id, chat_id=0, user_id=user_id)


class SponsorGate(BaseMiddleware):
    """Calls handlers only for users who have subscribed to the sponsors that it shows."""

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
        on_passed: OnPassed | None = None,
        store: GateStore | BaseStorage | None = None,
        pass_seconds: float = 300.0,
        replay_seconds: float = 3600.0,
        texts: TextOverride | None = None,
        on_event: Callable[[GateEvent], object] | None = None,
        on_error: Callable[[BaseException], object] | None = None,
        check_token: bool = True,
        callback_prefix: str = "sponsorgate",
    ) -> None:
        """
        client: a `Sponsorgate`.
        updates: the kinds of updates to gate, by their name in the Bot API.
        groups: gate groups too.
        on_unavailable: `open` lets users in while Sponsorgate is unavailable, `closed` asks them to come back later.
        timeout: the seconds that one check may take, retries included.
        max_sponsors: how many sponsors to show. Default: the setting of your bot at Sponsorgate.
        skip: returns True for updates that pass the gate, such as those of administrators and paying users.
        on_passed: called when a user has passed and there is no update to replay, for example after a restart.
        store: where passes and held updates are: a storage of aiogram, or a `GateStore`. Default: in memory.
        pass_seconds: how long a user gets in without a new check.
        replay_seconds: how long an update is held for its replay; 0 for no replay.
        texts: your own texts, by name, or a function of the language code that returns them.
        on_event: called with a `GateEvent` for everything that the gate does, for metrics.
        on_error: called with every failure; the gate itself never raises one. Default: the logger `sponsorgate`.
        check_token: stop the start of the bot when Sponsorgate does not know the token.
        callback_prefix: the beginning of the button's data.
        """
        if unknown := set(updates) - GATEABLE_UPDATES:
            raise ValueError(
                f"updates: {sorted(unknown)[0]} cannot be gated; known are {', '.join(sorted(GATEABLE_UPDATES))}"
            )
        self._flow = GateFlow(
            GateSettings(
                client=client,
                on_unavailable=on_unavailable,
                timeout=timeout,
                max_sponsors=max_sponsors,
                store=AiogramStore(store) if isinstance(store, BaseStorage) else store,
                pass_seconds=pass_seconds,
                replay_seconds=replay_seconds,
                texts=texts,
                on_event=on_event,
                on_error=on_error,
                callback_prefix=callback_prefix,
            )
        )
        self._updates = frozenset(updates)
        self._groups = groups
        self._skip = skip
        self._on_passed = on_passed
        self._check_token = check_token

    def setup(self, router: Router) -> SponsorGate:
        """Puts all handlers of a dispatcher, or of a router and the routers in it, behind the gate."""
        for name in self._updates:
            if name in router.observers:
                router.observers[name].middleware(self)
        # The press comes first, before any handler of the bot can take it.
        router.callback_query.outer_middleware(_Presses(self, router))
        # Polling asks Telegram only for updates that have a handler, and a bot may have none for buttons.
        router.callback_query.register(_ignore, F.data.startswith(f"{self._flow.prefix}:"))
        if self._check_token:
            router.startup.register(self._flow.check_token)
        router.shutdown.register(self._flow.close)
        return self

    async def revoke(self, bot: Bot, user_id: int) -> None:
        """Deletes the pass of a user, for example after a `subscription.reversed` webhook."""
        await self._flow.revoke(bot.id, user_id)

    async def __call__(self, handler: Handler, event: TelegramObject, data: dict[str, Any]) -> Any:
        talk = self._conversation(event, data, with_groups=self._groups)
        if talk is None or self._flow.owner_of(_data_of(event)) is not None:
            return await handler(event, data)
        if await self._is_skipped(event, data):
            await self._flow.emit("skipped", talk.user)
            return await handler(event, data)
        if await self._flow.admits(talk, _held(event, data)):
            return await handler(event, data)
        return None

    async def press(self, event: CallbackQuery, data: dict[str, Any], owner: int, router: Router) -> None:
        """Handles a press of "I subscribed"."""
        talk = self._conversation(event, data, with_groups=True)
        if talk is None:
            return
        admitted = await self._flow.on_press(talk, owner)
        if admitted is None:
            return
        if admitted.held is not None:
            await self._replay(admitted, event, data, router)
            if admitted.is_press:
                await self._flow.stop_spinner(talk)
        elif self._on_passed is not None:
            result = self._on_passed(event, data)
            if inspect.isawaitable(result):
                await result

    async def _replay(self, admitted: Admitted, event: CallbackQuery, data: dict[str, Any], router: Router) -> None:
        """Sends the held update through the routers, as if it came now.

        Not with `feed_update`: an events isolation holds a lock for this user until the press is handled, so a second
        update of the user would wait for ever.
        """
        payload = dict(admitted.held or {})
        if admitted.is_press:
            # The first query is too old to be answered. The new one belongs to the same user and chat.
            payload["callback_query"] = {**payload["callback_query"], "id": event.id}
        update = Update.model_validate(payload, context={"bot": data["bot"]})
        kept = {key: value for key, value in data.items() if key not in REPLACED_KEYS}
        token = replaying.set(event.from_user.id)
        try:
            await _root_of(router).propagate_event(
                update_type=update.event_type, event=update.event, event_update=update, **kept
            )
        finally:
            replaying.reset(token)

    def _conversation(self, event: TelegramObject, data: dict[str, Any], *, with_groups: bool) -> _Conversation | None:
        """Returns the conversation that this update gates; None for updates that pass."""
        user: User | None = data.get("event_from_user") or getattr(event, "from_user", None)
        chat: Chat | None = data.get("event_chat") or getattr(event, "chat", None)
        if user is None or user.is_bot:
            return None
        # A message on behalf of a channel or group, which cannot subscribe, or a service message.
        if isinstance(event, Message) and (event.sender_chat or event.content_type not in SENT_BY_PEOPLE):
            return None
        if isinstance(event, CallbackQuery) and event.message is None:
            # A button of an inline message: the bot does not know the chat and cannot send the list there.
            return None
        if isinstance(event, ChatJoinRequest):
            # The list goes to the user, who is not in the group yet.
            chat = Chat(id=event.user_chat_id, type="private")
        if chat is not None and chat.type == "channel":
            return None
        is_group = chat is not None and chat.type in ("group", "supergroup")
        if is_group and not with_groups:
            return None
        return _Conversation(data["bot"], event, user, chat, is_group, self._flow.settings.max_sponsors)

    async def _is_skipped(self, event: TelegramObject, data: dict[str, Any]) -> bool:
        if get_flag(data, FLAG, default=True) is False:
            return True
        if self._skip is None:
            return False
        try:
            result = self._skip(event, data)
            return bool(await result if inspect.isawaitable(result) else result)
        except Exception as error:
            self._flow.report(error)
            return False


class _Presses(BaseMiddleware):
    def __init__(self, gate: SponsorGate, router: Router) -> None:
        self._gate = gate
        self._router = router

    async def __call__(self, handler: Handler, event: TelegramObject, data: dict[str, Any]) -> Any:
        owner = self._gate._flow.owner_of(_data_of(event))
        if owner is None:
            return await handler(event, data)
        await self._gate.press(cast(CallbackQuery, event), data, owner, self._router)
        return None


class _Conversation:
    """Sends the gate's messages with the methods of aiogram."""

    def __init__(
        self, bot: Bot, event: TelegramObject, user: User, chat: Chat | None, is_group: bool, max_sponsors: int | None
    ) -> None:
        self._bot = bot
        self._event = event
        self.bot_id = bot.id
        self.chat_id = user.id if chat is None else chat.id
        self.is_group = is_group
        self.is_press = isinstance(event, CallbackQuery)
        self.user = GatedUser(
            user_id=user.id,
            first_name=user.first_name,
            username=user.username,
            language_code=user.language_code,
            is_premium=bool(user.is_premium),
            chat_id=self.chat_id if is_group else None,
            max_sponsors=max_sponsors,
        )

    async def send(self, text: str, keyboard: Keyboard | None, texts: GateTexts) -> None:
        event = self._event
        if isinstance(event, InlineQuery):
            # There is no chat to write to: the button above the results leads to the list.
            label = texts.inline_button if keyboard else texts.unavailable
            button = InlineQueryResultsButton(text=label[:64], start_parameter=START_PARAMETER)
            await event.answer([], cache_time=1, is_personal=True, button=button)
            return
        message = event.message if isinstance(event, CallbackQuery) else event
        topic = message.message_thread_id if isinstance(message, Message) and message.is_topic_message else None
        reply = None
        if self.is_group and isinstance(event, Message):
            reply = ReplyParameters(message_id=event.message_id, allow_sending_without_reply=True)
        await self._bot.send_message(
            self.chat_id,
            text,
            # The texts are plain, and the bot may have a parse mode as its default.
            parse_mode=None,
            business_connection_id=getattr(message, "business_connection_id", None),
            message_thread_id=topic,
            link_preview_options=LinkPreviewOptions(is_disabled=True),
            reply_parameters=reply,
            reply_markup=None if keyboard is None else _markup(keyboard),
        )

    async def answer(self, text: str | None, *, alert: bool) -> None:
        if isinstance(self._event, CallbackQuery):
            await self._event.answer(text, show_alert=alert)

    async def edit_keyboard(self, keyboard: Keyboard) -> None:
        if (message := self._list()) is not None:
            await message.edit_reply_markup(reply_markup=_markup(keyboard))

    async def edit_text(self, text: str) -> None:
        if (message := self._list()) is not None:
            await message.edit_text(text, parse_mode=None)

    async def delete(self) -> None:
        if (message := self._list()) is not None:
            await message.delete()

    def _list(self) -> Message | None:
        """The message with the pressed button; None when Telegram says that it is too old to change."""
        message = self._event.message if isinstance(self._event, CallbackQuery) else None
        return message if isinstance(message, Message) else None


def _markup(keyboard: Keyboard) -> InlineKeyboardMarkup:
    rows = [
        [InlineKeyboardButton(text=one.text, url=one.url, callback_data=one.data) for one in row] for row in keyboard
    ]
    return InlineKeyboardMarkup(inline_keyboard=rows)


def _held(event: TelegramObject, data: dict[str, Any]) -> HeldUpdate | None:
    update = data.get("event_update")
    # An inline query is void after some seconds. Its button brings the user to the bot with a message.
    if not isinstance(update, Update) or isinstance(event, InlineQuery):
        return None
    text = event.text if isinstance(event, Message) else None
    payload = update.model_dump(mode="json", by_alias=True, exclude_unset=True, exclude_none=True)
    return HeldUpdate(payload, is_deep_link=bool(text and text.startswith("/start ")))


def _data_of(event: TelegramObject) -> str | None:
    return event.data if isinstance(event, CallbackQuery) else None


def _root_of(router: Router) -> Router | Dispatcher:
    while router.parent_router is not None:
        router = router.parent_router
    return router


async def _ignore(_: CallbackQuery) -> None:
    """Never called: the outer middleware handles the press."""
