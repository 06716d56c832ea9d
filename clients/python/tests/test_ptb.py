"""Real python-telegram-bot applications that poll the sandbox's Telegram."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from support import CountingClient, Person, Sandbox, eventually
from telegram import InlineKeyboardButton, InlineKeyboardMarkup, Update
from telegram.ext import Application, ApplicationBuilder, CallbackQueryHandler, CommandHandler, MessageHandler, filters

from sponsorgate import Sponsorgate, SponsorgateError, TokenError
from sponsorgate._gate.texts import EN, UK
from sponsorgate.ptb import GateEvent, SponsorGate

MENU = InlineKeyboardMarkup([[InlineKeyboardButton("Joke", callback_data="joke")]])


@asynccontextmanager
async def polling(sandbox: Sandbox, gate: SponsorGate) -> AsyncIterator[tuple[Any, str]]:
    name, token = await sandbox.telegram_bot()
    application: Application[Any, Any, Any, Any, Any, Any] = (
        ApplicationBuilder().token(token).base_url(f"{sandbox.url}/sandbox/telegram/bot").build()
    )
    gate.setup(application)

    async def start(update: Update, context: Any) -> None:
        assert update.message is not None
        await update.message.reply_text(f"Welcome by {' '.join(context.args)}")

    async def echo(update: Update, context: Any) -> None:
        assert update.message is not None
        await update.message.reply_text(f"You said {update.message.text}", reply_markup=MENU)

    async def joke(update: Update, context: Any) -> None:
        assert update.callback_query is not None
        await update.callback_query.answer("A joke")
        await context.bot.send_message(update.callback_query.from_user.id, "Ha ha")

    application.add_handler(CommandHandler("start", start))
    application.add_handler(MessageHandler(filters.TEXT, echo))
    application.add_handler(CallbackQueryHandler(joke, pattern="^joke$"))
    async with application:
        assert application.updater is not None
        await application.start()
        await application.updater.start_polling(timeout=1)
        try:
            yield application, name
        finally:
            await application.updater.stop()
            await application.stop()


async def test_the_gate_shows_confirms_and_replays_the_deep_link(sandbox: Sandbox, client: CountingClient) -> None:
    news, quiz = await sandbox.advertise("City news"), await sandbox.advertise("Quiz night", kind="bot")
    events: list[GateEvent] = []
    async with polling(sandbox, SponsorGate(client, on_event=events.append)) as (_, name):
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
    assert len(client.confirmed) == 2


async def test_a_pressed_button_is_replayed_with_an_answer(sandbox: Sandbox, client: CountingClient) -> None:
    async with polling(sandbox, SponsorGate(client, pass_seconds=0)) as (_, name):
        person = await sandbox.person(name, language="uk")
        await person.write("menu")
        await person.waits_for("You said menu")
        news = await sandbox.advertise("City news")
        await person.press("Joke")
        await person.waits_for(UK.prompt)
        await sandbox.join(news, person.id)
        await person.press(UK.confirm_button)
        await person.waits_for("Ha ha")
        assert await person.notice() == "A joke"


async def test_outages_follow_the_policy_and_skipped_users_pass(sandbox: Sandbox, client: CountingClient) -> None:
    client.error = SponsorgateError("broken", status=500, code="internal_error")
    errors: list[BaseException] = []
    gate = SponsorGate(client, on_unavailable="closed", on_error=errors.append)
    async with polling(sandbox, gate) as (_, name):
        person = await sandbox.person(name)
        await person.write("hello")
        await person.waits_for(EN.unavailable)
        assert errors == [client.error]
    async with polling(sandbox, SponsorGate(client, skip=lambda update, context: True)) as (_, name):
        person = await sandbox.person(name)
        await person.write("hello")
        await person.waits_for("You said hello")
        assert client.asked == [client.asked[0]]


async def test_a_wrong_token_stops_the_start(sandbox: Sandbox) -> None:
    async with Sponsorgate(sandbox.url, "at_wrong") as wrong:
        application = ApplicationBuilder().token("1:x").build()
        SponsorGate(wrong).setup(application)
        assert application.post_init is not None
        with pytest.raises(TokenError):
            await application.post_init(application)


async def _notices(person: Person, text: str) -> bool:
    return await person.notice() == text
