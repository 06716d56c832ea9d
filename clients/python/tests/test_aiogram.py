"""Real aiogram bots that poll the sandbox's Telegram."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from aiogram import Bot, Dispatcher, F, Router
from aiogram.client.session.aiohttp import AiohttpSession
from aiogram.client.telegram import TelegramAPIServer
from aiogram.filters import Command, CommandObject, CommandStart
from aiogram.fsm.storage.memory import MemoryStorage, SimpleEventIsolation
from aiogram.methods import AnswerInlineQuery, SendMessage, TelegramMethod
from aiogram.types import (
    CallbackQuery,
    ChatJoinRequest,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    InlineQuery,
    Message,
    Update,
)
from support import CountingClient, Person, Sandbox, eventually

from sponsorgate import Sponsorgate, SponsorgateError, TokenError
from sponsorgate._gate.texts import EN, RU, UK
from sponsorgate.aiogram import AiogramStore, GateEvent, MemoryStore, SponsorGate

MENU = InlineKeyboardMarkup(inline_keyboard=[[InlineKeyboardButton(text="Joke", callback_data="joke")]])


@dataclass
class Running:
    bot: Bot
    dispatcher: Dispatcher
    name: str
    sandbox: Sandbox
    handled: list[str] = field(default_factory=list)
    data_seen: list[dict[str, Any]] = field(default_factory=list)

    async def person(self, **options: Any) -> Person:
        return await self.sandbox.person(self.name, **options)


def add_handlers(router: Router, running: Running) -> None:
    @router.message(CommandStart(deep_link=True))
    async def start_link(message: Message, command: CommandObject) -> None:
        running.handled.append(f"start {command.args}")
        await message.answer(f"Welcome by {command.args}", reply_markup=MENU)

    @router.message(Command("help"), flags={"sponsorgate": False})
    async def help_text(message: Message) -> None:
        await message.answer("Help for all")

    @router.message(F.text)
    async def any_text(message: Message, **data: Any) -> None:
        running.handled.append(message.text or "")
        running.data_seen.append(data)
        await message.answer(f"You said {message.text}", reply_markup=MENU)

    @router.edited_message()
    async def edited(message: Message) -> None:
        running.handled.append(f"edited {message.text}")

    @router.callback_query(F.data == "joke")
    async def joke(query: CallbackQuery) -> None:
        running.handled.append("joke")
        await query.answer("A joke")
        assert isinstance(query.message, Message)
        await query.message.answer("Ha ha")

    @router.inline_query()
    async def inline(query: InlineQuery) -> None:
        running.handled.append(f"inline {query.query}")


@asynccontextmanager
async def polling(
    sandbox: Sandbox,
    gate: SponsorGate,
    *,
    setup: Callable[[Dispatcher, Running], None] | None = None,
    dispatcher: Dispatcher | None = None,
) -> AsyncIterator[Running]:
    name, token = await sandbox.telegram_bot()
    api = TelegramAPIServer.from_base(f"{sandbox.url}/sandbox/telegram")
    bot = Bot(token, session=AiohttpSession(api=api))
    dispatcher = dispatcher or Dispatcher()
    running = Running(bot, dispatcher, name, sandbox)
    if setup is None:
        gate.setup(dispatcher)
        add_handlers(dispatcher, running)
    else:
        setup(dispatcher, running)
    task = asyncio.create_task(
        dispatcher.start_polling(bot, polling_timeout=1, handle_signals=False, close_bot_session=False, given="kept")
    )
    try:
        yield running
    finally:
        if not task.done():
            await dispatcher.stop_polling()
        await task
        await bot.session.close()


async def test_a_user_gets_the_sponsors_and_the_handlers_do_not_run(sandbox: Sandbox, client: CountingClient) -> None:
    await sandbox.advertise("City news")
    await sandbox.advertise("Quiz night", kind="bot")
    async with polling(sandbox, SponsorGate(client)) as running:
        person = await running.person()
        await person.write("hello")
        await person.waits_for(EN.prompt)
        assert sorted(await person.buttons()) == sorted(["📢 City news", "🤖 Quiz night", EN.confirm_button])
        assert running.handled == []


async def test_after_all_tasks_are_done_one_call_confirms_and_the_deep_link_reaches_its_handler(
    sandbox: Sandbox, client: CountingClient
) -> None:
    news, quiz = await sandbox.advertise("City news", price=20), await sandbox.advertise("Quiz night", kind="bot")
    events: list[GateEvent] = []
    async with polling(sandbox, SponsorGate(client, on_event=events.append)) as running:
        person = await running.person()
        await person.write("/start ref_42")
        await person.waits_for(EN.prompt)
        # Later updates do not replace the deep link.
        await person.write("hello?")
        await eventually("both messages got the list", lambda: _count(person, EN.prompt, 2))

        await sandbox.join(news, person.id)
        await person.press("I subscribed")
        await eventually("the missing one is named", lambda: _notices(person, f"{EN.missing}\n• Quiz night"))
        await eventually("the list shrinks", lambda: _has_buttons(person, ["🤖 Quiz night", EN.confirm_button]))
        assert running.handled == []

        await sandbox.join(quiz, person.id)
        before = len(client.confirmed)
        await person.press("I subscribed")
        await person.waits_for("Welcome by ref_42")
        assert running.handled == ["start ref_42"]
        assert len(client.confirmed) == before + 1
        assert await person.notice() == EN.passed
        # The second list was deleted; the first one stays as history.
        assert (await person.texts()).count(EN.prompt) == 1

        await person.write("again")
        await person.waits_for("You said again")
        assert client.asked.count(person.id) == 4
    kinds = [event.kind for event in events]
    assert kinds == ["shown", "shown", "missing", "confirmed", "replayed", "passed"]
    assert events[2].credited + events[3].credited == pytest.approx(21.0)
    assert events[5].cached
    balance = await client.client.get_balance()
    assert balance.hold_balance == pytest.approx(21.0)


async def test_a_pressed_button_of_the_bot_is_held_and_replayed_with_an_answer(
    sandbox: Sandbox, client: CountingClient
) -> None:
    async with polling(sandbox, SponsorGate(client, pass_seconds=0)) as running:
        person = await running.person()
        await person.write("menu")
        await person.waits_for("You said menu")
        news = await sandbox.advertise("City news")
        await person.press("Joke")
        await person.waits_for(EN.prompt)
        assert await person.notice() == EN.subscribe_first
        assert running.handled == ["menu"]
        await sandbox.join(news, person.id)
        await person.press("I subscribed")
        await person.waits_for("Ha ha")
        assert await person.notice() == "A joke"
        assert running.handled == ["menu", "joke"]


async def test_a_replay_works_under_an_events_isolation_and_keeps_the_data_of_the_dispatcher(
    sandbox: Sandbox, client: CountingClient
) -> None:
    news = await sandbox.advertise("City news")
    dispatcher = Dispatcher(events_isolation=SimpleEventIsolation())
    async with polling(sandbox, SponsorGate(client), dispatcher=dispatcher) as running:
        person = await running.person()
        await person.write("hello")
        await person.waits_for(EN.prompt)
        await sandbox.join(news, person.id)
        await person.press("I subscribed")
        await person.waits_for("You said hello")
        data = running.data_seen[0]
        assert data["given"] == "kept"
        assert data["event_update"].message.text == "hello"
        assert data["event_from_user"].id == person.id
        assert await data["state"].get_state() is None


async def test_handlers_with_the_flag_and_users_to_skip_are_open(sandbox: Sandbox, client: CountingClient) -> None:
    await sandbox.advertise("City news")
    friends: set[int] = set()
    events: list[GateEvent] = []

    async def skip(event: Any, data: dict[str, Any]) -> bool:
        return data["event_from_user"].id in friends

    async with polling(sandbox, SponsorGate(client, skip=skip, on_event=events.append)) as running:
        person, friend = await running.person(), await running.person()
        friends.add(friend.id)
        await person.write("/help")
        await person.waits_for("Help for all")
        await friend.write("hello")
        await friend.waits_for("You said hello")
        assert [event.kind for event in events] == ["skipped", "skipped"]
        assert client.asked == []


async def test_only_the_router_of_the_gate_is_gated(sandbox: Sandbox, client: CountingClient) -> None:
    news = await sandbox.advertise("City news")

    def setup(dispatcher: Dispatcher, running: Running) -> None:
        open_router, gated = Router(), Router()

        @open_router.message(F.text == "open")
        async def is_open(message: Message) -> None:
            await message.answer("Open to all")

        add_handlers(gated, running)
        SponsorGate(client).setup(gated)
        dispatcher.include_routers(open_router, gated)

    async with polling(sandbox, SponsorGate(client), setup=setup) as running:
        person = await running.person()
        await person.write("open")
        await person.waits_for("Open to all")
        await person.write("hello")
        await person.waits_for(EN.prompt)
        await sandbox.join(news, person.id)
        await person.press("I subscribed")
        await person.waits_for("You said hello")


@pytest.mark.parametrize(("language", "texts"), [("ru", RU), ("uk", UK), ("en", EN), ("de", EN)])
async def test_texts_follow_the_language_of_the_user(
    sandbox: Sandbox, client: CountingClient, language: str, texts: Any
) -> None:
    await sandbox.advertise("City news")
    async with polling(sandbox, SponsorGate(client)) as running:
        person = await running.person(language=language)
        await person.write("hello")
        await person.waits_for(texts.prompt)
        assert (await person.buttons())[-1] == texts.confirm_button


async def test_own_texts_replace_some_and_a_failing_function_does_not_stop_the_gate(
    sandbox: Sandbox, client: CountingClient
) -> None:
    await sandbox.advertise("City news")
    async with polling(sandbox, SponsorGate(client, texts={"prompt": "Please <b> subscribe"})) as running:
        person = await running.person()
        await person.write("hello")
        await person.waits_for("Please <b> subscribe")
        assert (await person.buttons())[-1] == EN.confirm_button
    errors: list[BaseException] = []

    def broken(language: str | None) -> dict[str, str]:
        raise KeyError(language)

    async with polling(sandbox, SponsorGate(client, texts=broken, on_error=errors.append)) as running:
        person = await running.person()
        await person.write("hello")
        await person.waits_for(EN.prompt)
        assert isinstance(errors[0], KeyError)
    with pytest.raises(ValueError, match="unknown name promt"):
        SponsorGate(client, texts={"promt": "Typo"})


async def test_while_sponsorgate_fails_users_pass_by_default_and_wait_with_closed(
    sandbox: Sandbox, client: CountingClient
) -> None:
    errors: list[BaseException] = []
    events: list[GateEvent] = []
    client.error = SponsorgateError("broken", status=503, code="database_unavailable")
    async with polling(sandbox, SponsorGate(client, on_error=errors.append, on_event=events.append)) as running:
        person = await running.person()
        await person.write("hello")
        await person.waits_for("You said hello")
        await person.write("more")
        await person.waits_for("You said more")
        assert errors == [client.error]
        # The second message did not wait for another call.
        assert client.asked == [person.id]
        assert [event.kind for event in events] == ["unavailable", "unavailable"]
    async with polling(sandbox, SponsorGate(client, on_unavailable="closed", on_error=errors.append)) as running:
        person = await running.person()
        await person.write("hello")
        await person.waits_for(EN.unavailable)
        assert running.handled == []


async def test_a_service_that_hangs_costs_a_user_at_most_the_time_limit(
    sandbox: Sandbox, client: CountingClient
) -> None:
    errors: list[BaseException] = []
    client.hangs = True
    async with polling(sandbox, SponsorGate(client, timeout=0.2, on_error=errors.append)) as running:
        person = await running.person()
        await person.write("hello")
        await person.waits_for("You said hello")
        assert isinstance(errors[0], TimeoutError)


async def test_a_press_during_an_outage_follows_the_policy(sandbox: Sandbox, client: CountingClient) -> None:
    await sandbox.advertise("City news")
    async with polling(sandbox, SponsorGate(client, on_unavailable="closed", on_error=lambda _: None)) as running:
        person = await running.person()
        await person.write("hello")
        await person.waits_for(EN.prompt)
        client.error = ConnectionError("away")
        await person.press("I subscribed")
        await eventually("the alert", lambda: _notices(person, EN.unavailable))
        assert running.handled == []
    client.error = None
    async with polling(sandbox, SponsorGate(client, on_error=lambda _: None)) as running:
        person = await running.person()
        await person.write("hello")
        await person.waits_for(EN.prompt)
        client.error = ConnectionError("away")
        await person.press("I subscribed")
        await person.waits_for("You said hello")


async def test_while_telegram_cannot_check_the_user_is_asked_to_press_again(
    sandbox: Sandbox, client: CountingClient
) -> None:
    news = await sandbox.advertise("City news")
    async with polling(sandbox, SponsorGate(client)) as running:
        person = await running.person()
        await person.write("hello")
        await person.waits_for(EN.prompt)
        await sandbox.control("PUT", f"/chats/{news}/members/{person.id}?silent=true")
        await sandbox.fault("down", method="getChatMember")
        await person.press("I subscribed")
        await eventually("the alert", lambda: _notices(person, EN.check_later))
        await sandbox.fault("none")

        async def presses_again() -> bool:
            if EN.prompt in await person.texts():
                await person.press("I subscribed")
            return "You said hello" in await person.texts()

        await eventually("the user is in", presses_again)


async def test_a_list_that_telegram_refuses_counts_as_an_outage(sandbox: Sandbox, client: CountingClient) -> None:
    await sandbox.advertise("City news")
    errors: list[BaseException] = []
    async with polling(sandbox, SponsorGate(client, on_error=errors.append)) as running:
        person = await running.person()
        await sandbox.fault("too_many_requests", method="sendMessage", count=1, retry_after=1)
        await person.write("hello")
        await person.waits_for("You said hello")
        assert "Flood control" in str(errors[0]) or "Too Many Requests" in str(errors[0])


@pytest.mark.parametrize("kind", ["aiogram storage", "own store"])
async def test_a_store_keeps_passes_and_held_updates_over_a_restart(
    sandbox: Sandbox, client: CountingClient, kind: str
) -> None:
    news = await sandbox.advertise("City news")
    store = MemoryStorage() if kind == "aiogram storage" else MemoryStore()
    name, token = await sandbox.telegram_bot()

    async def telegram_bot() -> tuple[str, str]:
        return name, token

    sandbox.telegram_bot = telegram_bot  # type: ignore[method-assign]
    async with polling(sandbox, SponsorGate(client, store=store)) as running:
        person = await running.person()
        await person.write("/start ref_7")
        await person.waits_for(EN.prompt)
    await sandbox.join(news, person.id)
    async with polling(sandbox, SponsorGate(client, store=store)) as running:
        await person.press("I subscribed")
        await person.waits_for("Welcome by ref_7")
    asked = len(client.asked)
    async with polling(sandbox, SponsorGate(client, store=store)) as running:
        await person.write("hello")
        await person.waits_for("You said hello")
        assert len(client.asked) == asked
    assert not isinstance(store, MemoryStorage) or "sponsorgate" in await store.get_data(
        AiogramStore(store)._key(running.bot.id, person.id)
    )


async def test_a_broken_store_costs_calls_and_never_an_update(sandbox: Sandbox, client: CountingClient) -> None:
    class Broken:
        async def load(self, bot_id: int, user_id: int) -> dict[str, Any]:
            raise ConnectionError("redis is away")

        async def save(self, bot_id: int, user_id: int, record: dict[str, Any], *, seconds: float) -> None:
            raise ConnectionError("redis is away")

    errors: list[BaseException] = []
    async with polling(sandbox, SponsorGate(client, store=Broken(), on_error=errors.append)) as running:
        person = await running.person()
        await person.write("hello")
        await person.waits_for("You said hello")
        assert errors


async def test_without_a_held_update_the_list_becomes_a_thank_you_and_on_passed_is_called(
    sandbox: Sandbox, client: CountingClient
) -> None:
    news = await sandbox.advertise("City news")

    async def on_passed(query: CallbackQuery, data: dict[str, Any]) -> None:
        await data["bot"].send_message(query.from_user.id, "The menu")

    async with polling(sandbox, SponsorGate(client, replay_seconds=0, on_passed=on_passed)) as running:
        person = await running.person()
        await person.write("hello")
        await person.waits_for(EN.prompt)
        await sandbox.join(news, person.id)
        await person.press("I subscribed")
        await person.waits_for("The menu")
        assert (await person.texts()) == [EN.passed, "The menu"]
        assert running.handled == []


async def test_a_revoked_pass_is_checked_again(sandbox: Sandbox, client: CountingClient) -> None:
    gate = SponsorGate(client)
    async with polling(sandbox, gate) as running:
        person = await running.person()
        await person.write("one")
        await person.waits_for("You said one")
        await sandbox.advertise("City news")
        await gate.revoke(running.bot, person.id)
        await person.write("two")
        await person.waits_for(EN.prompt)


async def test_in_groups_each_member_passes_alone_and_only_with_the_option(
    sandbox: Sandbox, client: CountingClient
) -> None:
    news = await sandbox.advertise("City news")
    group = (await sandbox.control("POST", "/chats", {"type": "supergroup", "title": "A group"}))["chat_id"]

    async def seen(bot: str) -> list[str]:
        messages = (await sandbox.control("GET", f"/chats/{group}/messages?bot={bot}"))["messages"]
        return [one["text"] for one in messages if one["from"] == "bot"]

    async def write(user: Person, text: str) -> None:
        await sandbox.control("POST", f"/chats/{group}/messages", {"user_id": user.id, "text": text})

    def press_by(user: Person, message_id: int) -> Update:
        # The sandbox has no presses in groups, so the test makes the update itself.
        message = {"message_id": message_id, "date": 1, "chat": {"id": group, "type": "supergroup", "title": "A group"}}
        sender = {"id": user.id, "is_bot": False, "first_name": "Vera", "language_code": "en"}
        query = {
            "id": "1",
            "from": sender,
            "chat_instance": "1",
            "data": f"sponsorgate:{person.id}",
            "message": message,
        }
        return Update.model_validate({"update_id": 1, "callback_query": query})

    errors: list[BaseException] = []
    async with polling(sandbox, SponsorGate(client, groups=True, on_error=errors.append)) as running:
        await sandbox.control("PUT", f"/chats/{group}/members/{running.bot.id}?status=administrator")
        person, other = await running.person(), await running.person()
        for one in (person, other):
            await sandbox.join(group, one.id)
        await write(person, "hello")
        await eventually("the list", lambda: _contains(seen, running.name, f"Vera: {EN.prompt}"))
        # One list a minute: the second message is gated without a second list.
        await write(person, "hello again")
        await sandbox.join(news, person.id)
        shown = (await sandbox.control("GET", f"/chats/{group}/messages?bot={running.name}"))["messages"]
        list_id = next(one["message_id"] for one in shown if EN.prompt in one["text"])
        await running.dispatcher.feed_update(running.bot, press_by(other, list_id))
        assert running.handled == []
        await running.dispatcher.feed_update(running.bot, press_by(person, list_id))
        assert running.handled == ["hello again"]
        assert await seen(running.name) == ["You said hello again"]
    async with polling(sandbox, SponsorGate(client)) as running:
        await sandbox.control("PUT", f"/chats/{group}/members/{running.bot.id}?status=administrator")
        await write(other, "hello")
        await eventually("groups are open", lambda: _contains(seen, running.name, "You said hello"))


class Recorder:
    """A session without a network, for updates that the sandbox does not have."""

    def __init__(self) -> None:
        self.calls: list[TelegramMethod[Any]] = []

    async def __call__(self, bot: Bot, method: TelegramMethod[Any], timeout: Any = None) -> Any:
        self.calls.append(method)
        if isinstance(method, SendMessage):
            chat = {"id": method.chat_id, "type": "private"}
            return Message.model_validate({"message_id": 9, "date": 1, "chat": chat, "text": method.text})
        return True

    async def close(self) -> None:
        pass


USER = {"id": 77, "is_bot": False, "first_name": "Vera", "language_code": "en"}
CHAT = {"id": 77, "type": "private", "first_name": "Vera"}


def offline_bot() -> tuple[Bot, Recorder]:
    bot, recorder = Bot("42:TEST"), Recorder()
    bot.session = recorder  # type: ignore[assignment]
    return bot, recorder


def update_of(kind: str, **fields: Any) -> Update:
    return Update.model_validate({"update_id": 1, kind: {"from": USER, **fields}})


async def test_edited_messages_and_inline_queries_are_gated_by_option(sandbox: Sandbox, client: CountingClient) -> None:
    await sandbox.advertise("City news")
    edited = update_of("edited_message", message_id=1, date=1, edit_date=2, chat=CHAT, text="hello")
    inline = update_of("inline_query", id="1", query="cats", offset="")
    for updates, handled in [
        (("message", "callback_query"), ["edited hello", "inline cats"]),
        (("message", "callback_query", "edited_message", "inline_query"), []),
    ]:
        bot, recorder = offline_bot()
        dispatcher = Dispatcher()
        running = Running(bot, dispatcher, "", sandbox)
        SponsorGate(client, updates=updates).setup(dispatcher)
        add_handlers(dispatcher, running)
        await dispatcher.feed_update(bot, edited)
        await dispatcher.feed_update(bot, inline)
        assert running.handled == handled
    prompt, answer = recorder.calls
    assert isinstance(prompt, SendMessage)
    assert prompt.text == EN.prompt
    assert prompt.parse_mode is None
    assert isinstance(answer, AnswerInlineQuery)
    assert answer.button is not None
    assert (answer.results, answer.is_personal, answer.button.text) == ([], True, EN.inline_button)
    with pytest.raises(ValueError, match="pre_checkout_query cannot be gated"):
        SponsorGate(client, updates=["pre_checkout_query"])


async def test_the_list_for_a_join_request_goes_to_the_user(sandbox: Sandbox, client: CountingClient) -> None:
    await sandbox.advertise("City news")
    bot, recorder = offline_bot()
    dispatcher = Dispatcher()
    joined: list[int] = []
    SponsorGate(client, updates=["chat_join_request"]).setup(dispatcher)

    @dispatcher.chat_join_request()
    async def join(request: ChatJoinRequest) -> None:
        joined.append(request.from_user.id)

    group = {"id": -100200, "type": "supergroup", "title": "G"}
    await dispatcher.feed_update(bot, update_of("chat_join_request", chat=group, user_chat_id=77, date=1))
    [prompt] = recorder.calls
    assert isinstance(prompt, SendMessage)
    assert (prompt.chat_id, prompt.text, joined) == (77, EN.prompt, [])


async def test_payments_service_messages_channels_and_bots_pass(sandbox: Sandbox, client: CountingClient) -> None:
    await sandbox.advertise("City news")
    bot, _ = offline_bot()
    dispatcher = Dispatcher()
    handled: list[str] = []
    SponsorGate(client, groups=True).setup(dispatcher)

    @dispatcher.message()
    async def any_message(message: Message) -> None:
        handled.append(message.content_type)

    paid = {"currency": "XTR", "total_amount": 1, "invoice_payload": "x"}
    payment = {**paid, "telegram_payment_charge_id": "1", "provider_payment_charge_id": "2"}
    group = {"id": -100200, "type": "supergroup", "title": "G"}
    base = {"message_id": 1, "date": 1}
    await dispatcher.feed_update(bot, update_of("message", **base, chat=CHAT, successful_payment=payment))
    await dispatcher.feed_update(bot, update_of("message", **base, chat=group, new_chat_members=[USER]))
    await dispatcher.feed_update(bot, update_of("message", **base, chat=group, sender_chat=group, text="as the group"))
    robot = {**USER, "is_bot": True}
    await dispatcher.feed_update(
        bot, Update.model_validate({"update_id": 1, "message": {**base, "from": robot, "chat": group, "text": "x"}})
    )
    assert handled == ["successful_payment", "new_chat_members", "text", "text"]
    assert client.asked == []


async def test_several_messages_at_once_make_one_call_and_one_list(sandbox: Sandbox, client: CountingClient) -> None:
    await sandbox.advertise("City news")
    bot, recorder = offline_bot()
    dispatcher = Dispatcher()
    running = Running(bot, dispatcher, "", sandbox)
    SponsorGate(client).setup(dispatcher)
    add_handlers(dispatcher, running)
    updates = [update_of("message", message_id=n, date=1, chat=CHAT, text=f"m{n}") for n in range(5)]
    await asyncio.gather(*(dispatcher.feed_update(bot, update) for update in updates))
    assert client.asked == [USER["id"]]
    assert len(recorder.calls) == 1


async def test_a_forged_or_foreign_press_gives_no_access(sandbox: Sandbox, client: CountingClient) -> None:
    await sandbox.advertise("City news")
    bot, recorder = offline_bot()
    dispatcher = Dispatcher()
    running = Running(bot, dispatcher, "", sandbox)
    SponsorGate(client).setup(dispatcher)
    add_handlers(dispatcher, running)
    message = {"message_id": 3, "date": 1, "chat": CHAT, "text": "list"}
    for data in [
        "sponsorgate:77",
        "sponsorgate:78",
        "sponsorgate:",
        "sponsorgate:-1",
        "sponsorgate:x",
        "sponsorgate:77:1",
    ]:
        press = update_of("callback_query", id="1", chat_instance="1", data=data, message=message)
        await dispatcher.feed_update(bot, press)
    assert running.handled == []
    assert "You" not in str(recorder.calls)


async def test_polling_asks_for_presses_even_if_the_bot_has_no_handler_for_them(client: CountingClient) -> None:
    dispatcher = Dispatcher()

    @dispatcher.message()
    async def only(message: Message) -> None:
        pass

    SponsorGate(client).setup(dispatcher)
    assert dispatcher.resolve_used_update_types() == ["callback_query", "message"]


async def test_a_wrong_token_stops_the_start_of_the_bot_and_leaves_no_connection_open(sandbox: Sandbox) -> None:
    client = Sponsorgate(sandbox.url, "at_wrong")
    dispatcher = Dispatcher()
    SponsorGate(client).setup(dispatcher)
    with pytest.raises(TokenError, match="does not accept this token"):
        await dispatcher.emit_startup()
    assert client._transport._session is None


async def test_errors_of_handlers_reach_the_bot_also_in_a_replay(sandbox: Sandbox, client: CountingClient) -> None:
    news = await sandbox.advertise("City news")
    caught: list[str] = []

    def setup(dispatcher: Dispatcher, running: Running) -> None:
        SponsorGate(client).setup(dispatcher)

        @dispatcher.message()
        async def fails(message: Message) -> None:
            raise RuntimeError("the handler is broken")

        @dispatcher.errors()
        async def on_error(event: Any) -> bool:
            caught.append(str(event.exception))
            return True

    async with polling(sandbox, SponsorGate(client), setup=setup) as running:
        person = await running.person()
        await person.write("hello")
        await person.waits_for(EN.prompt)
        await sandbox.join(news, person.id)
        await person.press("I subscribed")

        async def is_caught() -> bool:
            return caught == ["the handler is broken"]

        await eventually("the error handler", is_caught)


async def test_when_the_clock_moves_past_the_round_new_sponsors_are_shown_again(
    sandbox: Sandbox, client: CountingClient
) -> None:
    news = await sandbox.advertise("City news")
    async with polling(sandbox, SponsorGate(client, pass_seconds=0)) as running:
        person = await running.person()
        await person.write("hello")
        await person.waits_for(EN.prompt)
        await sandbox.join(news, person.id)
        await person.press("I subscribed")
        await person.waits_for("You said hello")
        await sandbox.advertise("Book club")
        await sandbox.control("POST", "/clock", {"advance_seconds": 2 * 86_400})
        await person.write("two days later")
        await person.waits_for(EN.prompt)
        assert (await person.buttons())[0] == "📢 Book club"


async def _count(person: Person, text: str, count: int) -> bool:
    return (await person.texts()).count(text) >= count


async def _has_buttons(person: Person, labels: list[str]) -> bool:
    return await person.buttons() == labels


async def _notices(person: Person, text: str) -> bool:
    return await person.notice() == text


async def _contains(seen: Any, bot: str, text: str) -> bool:
    return text in await seen(bot)
