"""Runs the real SDKs of SubGram and Flyer against a sandbox: gate, subscribe, pass, leave, webhook.

Called by sdks.test.ts with the address of the service. Prints one JSON object per check; exits with 1 on the first failure.
"""

import asyncio
import json
import sys
import time

import aiohttp
from aiosubgram import SubgramClient
from aiosubgram.exceptions import APIError as SubgramApiError
from flyerapi.flyerapi import APIError as FlyerApiError
from flyerapi.flyerapi import Flyer

ADDRESS = sys.argv[1]
FIRST_USER = 6_500_000_000


class SponsorgateFlyer(Flyer):
    async def _request(self, method, params={}):
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=5)) as session:
            url = f"{ADDRESS}/compat/flyer/{method}"
            async with session.post(url, json={"key": self.key, **params}) as response:
                return await response.json()


def subgram(token):
    client = SubgramClient(secret_key=token, api_token=token, api_key=token)
    client.API_URL = f"{ADDRESS}/compat/subgram"
    return client


class Sandbox:
    def __init__(self, session):
        self.session = session
        self.user = FIRST_USER

    async def control(self, verb, path, body=None):
        # aiohttp names a content type even without a body.
        plain = ["Content-Type"] if body is None else None
        request = self.session.request(verb, f"{ADDRESS}/sandbox{path}", json=body, skip_auto_headers=plain)
        async with request as response:
            assert response.status < 300, (path, response.status, await response.text())
            return await response.json() if response.status != 204 else None

    async def api(self, token, path, body):
        async with self.session.post(f"{ADDRESS}/api/v1/{path}", json=body, headers={"Auth": token}) as response:
            return await response.json()

    async def publisher(self, username=None):
        account = await self.control("POST", "/accounts", {"deposit": 0})
        bot = {"account_id": account["account_id"], "beta": True}
        if username is not None:
            bot["username"] = username
        return (await self.control("POST", "/bots", bot))["api_token"]

    async def advertise(self):
        account = await self.control("POST", "/accounts", {"deposit": 100})
        chat = await self.control("POST", "/chats", {"type": "channel", "title": "A channel"})
        order = {"account_id": account["account_id"], "chat_id": chat["chat_id"], "price_per_sub": 10, "quantity": 10}
        await self.control("POST", "/orders", order)
        return chat["chat_id"]

    async def pause_all(self):
        for order in (await self.control("GET", "/state"))["orders"]:
            if order["status"] == "active":
                await self.control("POST", f"/orders/{order['order_id']}/pause")

    def fresh_user(self):
        self.user += 1
        return self.user

    async def eventually(self, what, holds):
        deadline = time.monotonic() + 120
        while not await holds():
            assert time.monotonic() < deadline, what
            await asyncio.sleep(0.1)


async def hook(sandbox, token, format_name):
    body = {
        "url": f"{ADDRESS}/sandbox/inbox/{format_name}-sdk",
        "events": ["subscription.confirmed", "subscription.reversed"],
        "format": format_name,
    }
    return (await sandbox.api(token, "webhooks", body))["secret"]


async def received(sandbox, format_name):
    return (await sandbox.control("GET", f"/inbox?name={format_name}-sdk"))["deliveries"]


async def check_subgram(sandbox):
    await sandbox.pause_all()
    token = await sandbox.publisher()
    chats = [await sandbox.advertise(), await sandbox.advertise()]
    secret = await hook(sandbox, token, "subgram")
    user = sandbox.fresh_user()
    client = subgram(token)
    first = await client.get_sponsors(chat_id=user, user_id=user, first_name="Anna", language_code="ru", max_sponsors=5)
    assert first.status == "warning" and len(first.sponsors) == 2, first
    assert all(isinstance(one.ads_id, str) and one.status == "unsubscribed" for one in first.sponsors), first
    await sandbox.control("PUT", f"/chats/{chats[0]}/members/{user}")
    half = await client.get_user_subscriptions(user_id=user, links=[one.link for one in first.sponsors])
    assert sorted(one.status for one in half.sponsors) == ["subscribed", "unsubscribed"], half
    await sandbox.control("PUT", f"/chats/{chats[1]}/members/{user}")
    passed = await client.get_sponsors(chat_id=user, user_id=user)
    assert passed.status == "ok", passed
    assert (await client.get_sponsors(chat_id=user, user_id=user)).status == "ok"
    await sandbox.control("DELETE", f"/chats/{chats[0]}/members/{user}")

    async def three_arrived():
        return len(await received(sandbox, "subgram")) >= 3

    await sandbox.eventually("SubGram's webhooks have arrived", three_arrived)
    messages = await received(sandbox, "subgram")
    assert all(message["headers"]["api-key"] == secret for message in messages), messages
    statuses = sorted(json.loads(message["body"])["webhooks"][0]["status"] for message in messages)
    assert statuses == ["subscribed", "subscribed", "unsubscribed"], statuses
    balance = await client.get_balance()
    assert balance.status == "ok" and len(balance.bots_info) == 1, balance
    info = await client.get_bot_info(bot_id=balance.bots_info[0].bot_id)
    assert info.result.api_key == token, info
    assert (await client.get_statistic(action="allbots")).data.total_subscribers == 1
    earned = (await client.get_statistic(action="sponsor", bot_id=info.result.bot_id)).data.table_data
    assert sorted(one.subscribers for one in earned) == [0, 1], earned
    assert (await client.get_filters()).filters.ads.countries == []
    for action in ("exclude", "activate"):
        toggled = await client.toggle_exclusion(action=action, context="publisher", ads_id=int(first.sponsors[0].ads_id))
        assert toggled.status == "ok", toggled
    try:
        await client.get_user_info(user_id=user)
        raise AssertionError("data about a person were returned")
    except SubgramApiError as error:
        assert error.status_code == 404, error
    await client.close()
    stranger = subgram("at_unknown")
    try:
        await stranger.get_sponsors(chat_id=user, user_id=user)
        raise AssertionError("an unknown token was accepted")
    except SubgramApiError as error:
        assert error.status_code == 401, error
    await stranger.close()


async def check_flyer(sandbox):
    await sandbox.pause_all()
    username = "flyer_sdk_bot"
    token = await sandbox.publisher(username)
    bot = await sandbox.control("POST", "/chats", {"type": "bot", "title": "Flyer", "username": username})
    chat = await sandbox.advertise()
    await hook(sandbox, token, "flyer")
    user = sandbox.fresh_user()
    await sandbox.control("POST", f"/persons/{user}/messages", {"bot": username, "text": "/start"})
    assert await SponsorgateFlyer(token).check(user) is True, "without the bot's token the user passes"
    put = sandbox.session.put(f"{ADDRESS}/compat/telegram-token", json={"bot_token": bot["token"]}, headers={"Auth": token})
    async with put as response:
        assert response.status == 200, await response.text()
    flyer = SponsorgateFlyer(token)
    assert (await flyer.get_me())["type"] == "sub"
    assert await flyer.check(user, language_code="ru", message={"text": "Subscribe, please"}) is False
    seen = json.dumps(await sandbox.control("GET", f"/persons/{user}/messages?bot={username}"))
    assert "Subscribe, please" in seen, seen
    (task,) = await flyer.get_tasks(user, language_code="ru", limit=5)
    assert task["task"] == "subscribe channel" and len(task["links"]) == 1, task
    assert await flyer.check_task(task["signature"]) == "incomplete"
    await sandbox.control("PUT", f"/chats/{chat}/members/{user}")
    assert await flyer.check_task(task["signature"]) == "complete"
    assert await flyer.check(user) is True
    assert len((await flyer.get_completed_tasks(user))["completed_tasks"]) == 1
    await sandbox.control("DELETE", f"/chats/{chat}/members/{user}")

    async def aborted():
        return await flyer.check_task(task["signature"]) == "abort"

    async def two_arrived():
        return len(await received(sandbox, "flyer")) >= 2

    await sandbox.eventually("the task is aborted", aborted)
    await sandbox.eventually("Flyer's webhooks have arrived", two_arrived)
    types = sorted(json.loads(message["body"])["type"] for message in await received(sandbox, "flyer"))
    assert types == ["new_status", "sub_completed"], types
    try:
        await SponsorgateFlyer("at_unknown").check(user)
        raise AssertionError("an unknown key was accepted")
    except FlyerApiError:
        pass


async def main():
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=60)) as session:
        sandbox = Sandbox(session)
        for check in (check_subgram, check_flyer):
            await check(sandbox)
            print(json.dumps({"passed": check.__name__}), flush=True)


asyncio.run(main())
