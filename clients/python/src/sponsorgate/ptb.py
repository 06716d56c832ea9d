"""A gate for python-telegram-bot 21 and newer.

from sponsorgate import Sponsorgate
from sponsorgate.ptb import SponsorGate

SponsorGate(Sponsorgate(url, token)).setup(application)
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Collection
from typing import Any

from telegram import (
    Bot,
    CallbackQuery,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    LinkPreviewOptions,
    Message,
    ReplyParameters,
    Update,
)
from telegram.ext import Application, ApplicationHandlerStop, CallbackContext, TypeHandler

from ._gate.access import GateClient, GatedUser
from ._gate.flow import Admitted, GateEvent, GateFlow, GateSettings, HeldUpdate, Keyboard, Policy, replaying
from ._gate.store import GateStore, MemoryStore
from ._gate.texts import GateTexts, TextOverride

__all__ = ["GateEvent", "GateStore", "GateTexts", "MemoryStore", "SponsorGate"]

Skip = Callable[[Update, Any], bool | Awaitable[bool]]

DEFAULT_UPDATES = ("message", "callback_query")
GATEABLE_UPDATES = frozenset({"message", "edited_message", "callback_query"})
# Contents that people send. Payments, joins and other service messages pass the gate.
SENT_BY_PEOPLE = (
    "text",
    "caption",
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
    "poll",
    "dice",
    "web_app_data",
)
# Handlers in lower groups run before the gate, for all users.
GROUP = -1


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
        """The options are those of `sponsorgate.aiogram`. `skip` gets the update and the context."""
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
                store=store,
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
        self._check_token = check_token

    def setup(self, application: Application[Any, Any, Any, Any, Any, Any], *, group: int = GROUP) -> SponsorGate:
        """Puts all handlers of the application in groups above `group` behind the gate."""
        application.add_handler(TypeHandler(Update, self._on_update), group=group)
        if self._check_token:
            before = application.post_init

            async def check_first(started: Application[Any, Any, Any, Any, Any, Any]) -> None:
                await self._flow.check_token()
                if before is not None:
                    await before(started)

            application.post_init = check_first
        after = application.post_shutdown

        async def close_last(stopped: Application[Any, Any, Any, Any, Any, Any]) -> None:
            await self._flow.close()
            if after is not None:
                await after(stopped)

        application.post_shutdown = close_last
        return self

    async def revoke(self, bot: Bot, user_id: int) -> None:
        """Deletes the pass of a user, for example after a `subscription.reversed` webhook."""
        await self._flow.revoke(bot.id, user_id)

    async def _on_update(self, update: Update, context: CallbackContext[Any, Any, Any, Any]) -> None:
        press = update.callback_query
        owner = self._flow.owner_of(press.data) if press is not None and isinstance(press.data, str) else None
        if owner is not None and press is not None:
            await self._on_press(update, press, owner, context)
            raise ApplicationHandlerStop
        talk = self._conversation(update, context.bot, with_groups=self._groups)
        if talk is None:
            return
        if await self._is_skipped(update, context):
            await self._flow.emit("skipped", talk.user)
        elif not await self._flow.admits(talk, _held(update)):
            raise ApplicationHandlerStop

    async def _on_press(
        self, update: Update, press: CallbackQuery, owner: int, context: CallbackContext[Any, Any, Any, Any]
    ) -> None:
        talk = self._conversation(update, context.bot, with_groups=True)
        admitted = None if talk is None else await self._flow.on_press(talk, owner)
        if talk is None or admitted is None or admitted.held is None:
            return
        token = replaying.set(press.from_user.id)
        try:
            await context.application.process_update(_replayed(admitted, press, context.bot))
        finally:
            replaying.reset(token)
        if admitted.is_press:
            await self._flow.stop_spinner(talk)

    def _conversation(self, update: Update, bot: Bot, *, with_groups: bool) -> _Conversation | None:
        press = update.callback_query
        message = update.message or update.edited_message
        kind = "message" if update.message else "edited_message" if update.edited_message else "callback_query"
        user, chat = update.effective_user, update.effective_chat
        if kind not in self._updates and not (press is not None and with_groups):
            return None
        if (message is None and press is None) or user is None or user.is_bot or chat is None or chat.type == "channel":
            return None
        if message is not None and (message.sender_chat or not any(getattr(message, one) for one in SENT_BY_PEOPLE)):
            return None
        is_group = chat.type != "private"
        if is_group and not with_groups:
            return None
        gated = GatedUser(
            user_id=user.id,
            first_name=user.first_name,
            username=user.username,
            language_code=user.language_code,
            is_premium=bool(user.is_premium),
            chat_id=chat.id if is_group else None,
            max_sponsors=self._flow.settings.max_sponsors,
        )
        return _Conversation(bot, gated, chat.id, is_group, press, message)

    async def _is_skipped(self, update: Update, context: CallbackContext[Any, Any, Any, Any]) -> bool:
        if self._skip is None:
            return False
        try:
            result = self._skip(update, context)
            return bool(await result if inspect.isawaitable(result) else result)
        except Exception as error:
            self._flow.report(error)
            return False


class _Conversation:
    """Sends the gate's messages with the methods of python-telegram-bot."""

    def __init__(
        self,
        bot: Bot,
        user: GatedUser,
        chat_id: int,
        is_group: bool,
        press: CallbackQuery | None,
        message: Message | None,
    ) -> None:
        self._bot = bot
        self._press = press
        self._message = message
        self.user = user
        self.bot_id = bot.id
        self.chat_id = chat_id
        self.is_group = is_group
        self.is_press = press is not None

    async def send(self, text: str, keyboard: Keyboard | None, texts: GateTexts) -> None:
        about = self._message if self._press is None else self._press.message
        is_topic = isinstance(about, Message) and about.is_topic_message
        reply = None
        if self.is_group and self._message is not None:
            reply = ReplyParameters(message_id=self._message.message_id, allow_sending_without_reply=True)
        await self._bot.send_message(
            self.chat_id,
            text,
            # The texts are plain, and the bot may have a parse mode as its default.
            parse_mode=None,
            message_thread_id=about.message_thread_id if isinstance(about, Message) and is_topic else None,
            link_preview_options=LinkPreviewOptions(is_disabled=True),
            reply_parameters=reply,
            reply_markup=None if keyboard is None else _markup(keyboard),
        )

    async def answer(self, text: str | None, *, alert: bool) -> None:
        if self._press is not None:
            await self._press.answer(text, show_alert=alert)

    async def edit_keyboard(self, keyboard: Keyboard) -> None:
        if self._press is not None:
            await self._press.edit_message_reply_markup(reply_markup=_markup(keyboard))

    async def edit_text(self, text: str) -> None:
        if self._press is not None:
            await self._press.edit_message_text(text, parse_mode=None)

    async def delete(self) -> None:
        if self._press is not None:
            await self._press.delete_message()


def _markup(keyboard: Keyboard) -> InlineKeyboardMarkup:
    return InlineKeyboardMarkup(
        [[InlineKeyboardButton(one.text, url=one.url, callback_data=one.data) for one in row] for row in keyboard]
    )


def _held(update: Update) -> HeldUpdate:
    text = update.message.text if update.message is not None else None
    return HeldUpdate(update.to_dict(), is_deep_link=bool(text and text.startswith("/start ")))


def _replayed(admitted: Admitted, press: CallbackQuery, bot: Bot) -> Update:
    payload = dict(admitted.held or {})
    if admitted.is_press:
        # The first query is too old to be answered. The new one belongs to the same user and chat.
        payload["callback_query"] = {**payload["callback_query"], "id": press.id}
    return Update.de_json(payload, bot)
