"""Real pyTelegramBotAPI bots, threaded and async, that poll the sandbox's Telegram."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import telebot
from support import CountingClient, Person, Sandbox, eventually
from telebot import apihelper, asyncio_helper
from telebot.async_telebot import AsyncTeleBot
from telebot.types import InlineKeyboardButton, InlineKeyboardMarkup

from sponsorgate import Sponsorgate, SponsorgateError, TokenError
from sponsorgate._gate.texts import EN, RU
from sponsorgate.telebot import GateEvent, SponsorGate

MENU = InlineKeyboardMarkup([[InlineKeyboardButton("Joke", callback_data="joke")]])


@pytest.fixture(autouse=True)
def api_of_the_sandbox(service_url: str) -> Iterator[None]:
    before = apihelper.API_URL, asyncio_helper.API_URL, asyncio_helper._process_request
    apihelper.API_URL = asyncio_helper.API_URL = f"{service_url}/sandbox/telegram/bot{{0}}/{{1}}"

    async def post(token: str, url: str, method: str = "post", **options: Any) -> Any:
        # AsyncTeleBot sends a form in the body of a GET, which the sandbox does not read.
        return await before[2](token, url, method="post", **options)

    asyncio_helper._process_request = post
    yield
    apihelper.API_URL, asyncio_helper.API_URL, asyncio_helper._process_request = before


@asynccontextmanager
async def threaded(sandbox: Sandbox, gate: SponsorGate) -> AsyncIterator[str]:
    name, token = await sandbox.telegram_bot()
    bot = telebot.TeleBot(token, use_class_middlewares=True)
    await asyncio.to_thread(gate.setup, bot)

    @bot.message_handler(commands=["start"])
    def start(message: Any) -> None:
        bot.send_message(message.chat.id, f"Welcome by {message.text.partition(' ')[2]}")

    @bot.message_handler(content_types=["text"])
    def echo(message: Any) -> None:
        bot.send_message(message.chat.id, f"You said {message.text}", reply_markup=MENU)

    @bot.callback_query_handler(func=lambda call: call.data == "joke")
    def joke(call: Any) -> None:
        bot.answer_callback_query(call.id, "A joke")
        bot.send_message(call.from_user.id, "Ha ha")

    thread = threading.Thread(target=lambda: bot.polling(timeout=1, long_polling_timeout=1, interval=0))
    thread.start()
    try:
        yield name
    finally:
        bot.stop_polling()
        await asyncio.to_thread(thread.join)
        bot.stop_bot()


@asynccontextmanager
async def asynchronous(sandbox: Sandbox, gate: SponsorGate) -> AsyncIterator[str]:
    name, token = await sandbox.telegram_bot()
    bot = AsyncTeleBot(token)
    gate.setup(bot)

    @bot.message_handler(commands=["start"])
    async def start(message: Any) -> None:
        await bot.send_message(message.chat.id, f"Welcome by {message.text.partition(' ')[2]}")

    @bot.message_handler(content_types=["text"])
    async def echo(message: Any) -> None:
        await bot.send_message(message.chat.id, f"You said {message.text}", reply_markup=MENU)

    @bot.callback_query_handler(func=lambda call: call.data == "joke")
    async def joke(call: Any) -> None:
        await bot.answer_callback_query(call.id, "A joke")
        await bot.send_message(call.from_user.id, "Ha ha")

    task = asyncio.create_task(bot.polling(timeout=1, request_timeout=10, interval=0))
    try:
        yield name
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await bot.close_session()


KINDS = pytest.mark.parametrize("start", [threaded, asynchronous])


@KINDS
async def test_the_gate_shows_confirms_and_replays_the_deep_link(
    sandbox: Sandbox, client: CountingClient, start: Any
) -> None:
    news, quiz = await sandbox.advertise("City news"), await sandbox.advertise("Quiz night", kind="bot")
    events: list[GateEvent] = []
    async with start(sandbox, SponsorGate(_fresh(client), on_event=events.append)) as name:
        person = await sandbox.person(name)
        await person.write("/start ref_42")
        await person.waits_for(EN.prompt)
        await sandbox.join(news, person.id)
        await person.press("I subscribed")
        await eventually("the missing one is named", lambda: _notices(person, f"{EN.missing}\n• Quiz night"))
        await sandbox.join(quiz, person.id)
        await person.press("I subscribed")
        await person.waits_for("Welcome by ref_42")
        assert EN.prompt not in await person.texts()
        await person.write("hello")
        await person.waits_for("You said hello")
    assert [event.kind for event in events] == ["shown", "missing", "confirmed", "replayed", "passed"]


@KINDS
async def test_a_pressed_button_is_replayed_with_an_answer(
    sandbox: Sandbox, client: CountingClient, start: Any
) -> None:
    async with start(sandbox, SponsorGate(_fresh(client), pass_seconds=0)) as name:
        person = await sandbox.person(name, language="ru")
        await person.write("menu")
        await person.waits_for("You said menu")
        news = await sandbox.advertise("City news")
        await person.press("Joke")
        await person.waits_for(RU.prompt)
        await sandbox.join(news, person.id)
        await person.press(RU.confirm_button)
        await person.waits_for("Ha ha")
        assert await person.notice() == "A joke"


@KINDS
async def test_outages_follow_the_policy_and_skipped_users_pass(
    sandbox: Sandbox, client: CountingClient, start: Any
) -> None:
    client.error = SponsorgateError("broken", status=500, code="internal_error")
    errors: list[BaseException] = []
    async with start(sandbox, SponsorGate(client, on_unavailable="closed", on_error=errors.append)) as name:
        person = await sandbox.person(name)
        await person.write("hello")
        await person.waits_for(EN.unavailable)
        assert errors == [client.error]
    async with start(sandbox, SponsorGate(client, skip=lambda message: True)) as name:
        person = await sandbox.person(name)
        await person.write("hello")
        await person.waits_for("You said hello")


async def test_setup_refuses_a_wrong_token_and_a_bot_without_middlewares(sandbox: Sandbox) -> None:
    wrong = Sponsorgate(sandbox.url, "at_wrong")
    bot = telebot.TeleBot("1:x", use_class_middlewares=True, threaded=False)
    with pytest.raises(TokenError):
        await asyncio.to_thread(SponsorGate(wrong).setup, bot)
    with pytest.raises(ValueError, match="use_class_middlewares"):
        SponsorGate(wrong).setup(telebot.TeleBot("1:x", threaded=False))


def _fresh(client: CountingClient) -> CountingClient:
    """A client for another event loop: the gate of a TeleBot has its own."""
    inner = client.client._transport
    return CountingClient(Sponsorgate(inner._base_url, inner._token))


async def _notices(person: Person, text: str) -> bool:
    return await person.notice() == text
