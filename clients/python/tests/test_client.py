"""The client against the real service, and against servers that fail."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from aiohttp import web
from scripted import answer, hang_up, scripted
from support import Sandbox, eventually

from sponsorgate import (
    InvalidRequestError,
    NotFoundError,
    RateLimitError,
    Sponsorgate,
    SponsorgateError,
    TokenError,
    UnavailableError,
    models,
    sign_postback,
)
from sponsorgate._methods import ROUTES
from sponsorgate._retry import delay_before_retry
from sponsorgate.errors import parse_retry_after

OK_SPONSORS = {"status": "ok", "sponsors": [], "message": "Go on"}
TOKEN = "at_secret"


async def test_every_operation_works_against_the_service(sandbox: Sandbox, service_url: str) -> None:
    token = await sandbox.publisher(beta=True, deposit=1_000)
    news = await sandbox.advertise("City news", price=20)
    called: set[str] = set()
    async with Sponsorgate(service_url, token) as api:
        send = api._transport.call

        async def recorded(operation: str, *values: Any, **parts: Any) -> Any:
            called.add(operation)
            return await send(operation, *values, **parts)

        for part in [api, *(value for value in vars(api).values() if hasattr(value, "_call"))]:
            part._call = recorded

        assert (await api.health()).status == "ok"
        assert (await api.ready()).status == "ready"
        current = await api.tokens.current()
        assert current.created_at.tzinfo is not None

        user = 7_000_000_000
        answer = await api.get_sponsors(user_id=user, first_name="Vera", username=None, language_code="en")
        assert answer.status == "warning"
        [task] = answer.sponsors
        assert (task.title, task.resource_type, task.reward) == ("City news", "channel", 14)
        many = await api.get_sponsors(user_id=user, max_sponsors=1_000)
        assert len(many.sponsors) == 1
        explained = await api.explain(user_id=user)
        assert explained.removed.paused >= 0
        early = await api.confirm_subscription(user_id=user, ads_id=task.ads_id)
        assert (early.subscribed, early.credited) == (False, None)
        await sandbox.join(news, user)
        done = await api.confirm_subscriptions(user_id=user, ads_ids=[task.ads_id])
        assert done.grant_access
        assert done.results[0].credited == 14
        balance = await api.get_balance()
        assert (balance.balance, balance.hold_balance) == (1_000, 14)
        for stored in (
            await api.user_subscriptions(user_id=user, ads_ids=[task.ads_id]),
            await api.user_subscriptions(user_id=user, links=[task.link]),
        ):
            assert (stored.subscriptions[0].ads_id, stored.subscriptions[0].status) == (task.ads_id, "subscribed")

        assert (await api.statistic.all_bots()).bots[0].total_subscribers == 1
        assert (await api.statistic.bots()).subscriptions[0].user_id == user
        assert "<table" in str(await api.statistic.query(output_format="html"))

        chat = await sandbox.control("POST", "/chats", {"type": "bot", "title": "My shop"})
        details: dict[str, Any] = {"link": chat["link"], "resource_type": "bot", "title": "My shop"}
        order = await api.orders.create(
            **details, price_per_sub=5, quantity=10, bot_token=chat["token"], idempotency_key="order-1"
        )
        again = await api.orders.create(
            **details, price_per_sub=5, quantity=10, bot_token=chat["token"], idempotency_key="order-1"
        )
        assert again.order_id == order.order_id
        assert [one.order_id async for one in api.orders.all(limit=1)] == [order.order_id]
        assert (await api.orders.list()).orders[0].name == order.name
        assert (await api.orders.pause(order.order_id)).status == "paused"
        assert (await api.orders.resume(order.order_id)).status == "active"
        assert (await api.orders.top_up(order.order_id, quantity=5)).remaining_subscribers == 15
        assert (await api.orders.get(order.order_id)).subscribers == 0
        assert (await api.statistic.all_ads()).orders[0].order_id == order.order_id
        assert (await api.statistic.ads(order_id=order.order_id)).subscriptions == []
        await api.orders.cancel(order.order_id)

        rule = models.LinkRuleInput(url="https://example.com/de", countries=["DE"])
        link = await api.links.create(url="https://example.com", name="Spring", geo=[rule])
        second = await api.links.create(url="https://example.com/2")
        assert link.geo[0].countries == ["DE"]
        assert {one.link_id async for one in api.links.all(limit=1)} == {link.link_id, second.link_id}
        await api.links.list(limit=1)
        assert (await api.links.update(link.link_id, geo=[])).geo == []
        assert (await api.links.get(link.link_id)).name == "Spring"
        assert (await api.links.clicks(link.link_id, days=7)).total == 0
        await api.links.delete(link.link_id)
        with pytest.raises(NotFoundError) as missing:
            await api.links.get(link.link_id)
        assert missing.value.code == "link_not_found"

        hook = await api.webhooks.create(url=f"{service_url}/sandbox/inbox/python-api", events=["payout.sent"])
        assert (await api.webhooks.list()).webhooks[0].webhook_id == hook.webhook_id
        sent = await api.webhooks.test(hook.webhook_id)

        async def is_delivered() -> bool:
            page = await api.webhooks.deliveries(hook.webhook_id)
            return page.deliveries[0].status == "delivered"

        await eventually("the test event is delivered", is_delivered)
        assert [one.delivery_id async for one in api.webhooks.all_deliveries(hook.webhook_id)] == [sent.delivery_id]
        assert (await api.webhooks.replay(hook.webhook_id, delivery_id=sent.delivery_id)).replayed == 1
        since = datetime.now(timezone.utc) + timedelta(days=3650)
        with pytest.raises(InvalidRequestError):
            await api.webhooks.replay(hook.webhook_id, since=since, delivery_id=sent.delivery_id)
        assert (await api.webhooks.enable(hook.webhook_id)).is_enabled
        assert (await api.webhooks.rotate_secret(hook.webhook_id)).secret != hook.secret
        await api.webhooks.delete(hook.webhook_id)

        assert [one async for one in api.payouts.all()] == []
        assert (await api.payouts.list()).has_more is False
        assert isinstance((await api.contests.list()).contests, list)
        assert (await api.platform_stats()).all_time.subscriptions >= 1
        signature = sign_postback("secret", click_id="unknown", status="approved")
        with pytest.raises(SponsorgateError):
            await api.postback(click_id="unknown", status="approved", signature=signature)

        rotated = await api.tokens.rotate(grace_hours=0)
    async with Sponsorgate(service_url, rotated.api_token) as renewed:
        assert (await renewed.get_balance()).hold_balance == 14
    assert called == set(ROUTES)


async def test_errors_have_code_fields_and_request_id_and_never_the_token(service_url: str) -> None:
    async with Sponsorgate(service_url, TOKEN) as api:
        for call in (api.get_balance(), api.statistic.all_bots()):
            with pytest.raises(TokenError) as refused:
                await call
            error = refused.value
            assert (error.status, error.code, error.detail) == (401, "invalid_token", "Invalid or inactive Bot API Key")
            assert error.request_id
            assert TOKEN not in f"{error} {error!r} {error.__cause__} {error.__context__}"
    async with Sponsorgate("http://127.0.0.1:9", TOKEN, retries=0) as api:
        with pytest.raises(UnavailableError) as away:
            await api.statistic.all_bots()
        assert (away.value.status, away.value.code) == (0, "network_error")
        assert TOKEN not in str(away.value)


async def test_invalid_fields_are_listed(sandbox: Sandbox, service_url: str) -> None:
    async with Sponsorgate(service_url, await sandbox.publisher()) as api:
        with pytest.raises(InvalidRequestError) as refused:
            await api.confirm_subscriptions(user_id=-1, ads_ids=[])
        assert refused.value.status == 422
        assert {"user_id", "ads_ids"} & {one.field.split(".")[0] for one in refused.value.fields}


async def test_temporary_failures_are_retried_with_the_same_key() -> None:
    link = {
        "link_id": 1,
        "code": "x",
        "short_url": "http://x",
        "url": "http://y",
        "name": "",
        "geo": [],
        "created_at": "2026-01-01T00:00:00.000+00:00",
    }
    limited = answer(429, {"code": "too_many_requests", "message": "Slow down", "detail": ""}, {"Retry-After": "0"})
    async with scripted([limited, hang_up, answer(201, link)]) as server, Sponsorgate(server.url, TOKEN) as api:
        assert (await api.links.create(url="http://y")).link_id == 1
        assert len(server.requests) == 3
        assert len(set(server.keys)) == 1
        assert server.keys[0]
    async with scripted([limited]) as server, Sponsorgate(server.url, TOKEN, retries=1) as api:
        with pytest.raises(RateLimitError) as refused:
            await api.get_balance()
        assert refused.value.retry_after == 0
        assert len(server.requests) == 2


async def test_calls_without_a_key_are_repeated_only_when_they_were_not_executed() -> None:
    broken = answer(500, {"code": "internal_error", "message": "Broken", "detail": ""})
    async with scripted([broken]) as server, Sponsorgate(server.url, TOKEN) as api:
        with pytest.raises(UnavailableError):
            await api.webhooks.create(url="https://example.com", events=["payout.sent"])
        assert len(server.requests) == 1
    gone = answer(404, {"code": "link_not_found", "message": "No such link", "detail": ""})
    async with scripted([hang_up, gone]) as server, Sponsorgate(server.url, TOKEN) as api:
        await api.links.delete(5)
        assert [method for method, *_ in server.requests] == ["DELETE", "DELETE"]
    async with scripted([gone]) as server, Sponsorgate(server.url, TOKEN) as api:
        with pytest.raises(NotFoundError):
            await api.links.delete(5)


async def test_an_attempt_ends_at_its_time_limit() -> None:
    async def hang(_: web.Request) -> web.StreamResponse:
        await asyncio.sleep(60)
        return web.Response()

    async with scripted([hang]) as server, Sponsorgate(server.url, TOKEN, retries=0, timeout=0.1) as api:
        with pytest.raises(UnavailableError) as late:
            await api.get_balance()
        assert late.value.code == "timeout"


async def test_redirects_and_foreign_answers_are_errors() -> None:
    moved = answer(302, "", {"Location": "http://127.0.0.1:9/"})
    async with scripted([moved]) as server, Sponsorgate(server.url, TOKEN, retries=0) as api:
        with pytest.raises(SponsorgateError) as refused:
            await api.get_balance()
        assert refused.value.status == 302
    for body in ("<html>", {"status": "ok"}, {"status": "warning", "sponsors": [{"ads_id": "1"}]}):
        async with scripted([answer(200, body)]) as server, Sponsorgate(server.url, TOKEN) as api:
            with pytest.raises(SponsorgateError) as refused:
                await api.get_sponsors(user_id=1)
            assert refused.value.code == "unexpected_answer"


async def test_a_newer_service_may_send_more_fields_and_values() -> None:
    newer = {"status": "later", "sponsors": [], "message": "Go on", "new_field": {"a": 1}}
    async with scripted([answer(200, newer)]) as server, Sponsorgate(f"{server.url}/", TOKEN) as api:
        assert str((await api.get_sponsors(user_id=1)).status) == "later"
        method, path, headers, body = server.requests[0]
        assert (method, path, body) == ("POST", "/api/v1/get-sponsors", '{"user_id": 1}')
        assert (headers["Auth"], headers["Content-Type"]) == (TOKEN, "application/json")


async def test_a_call_without_a_body_names_no_content_type() -> None:
    balance = {"balance": 1.5, "hold_balance": 0, "withdrawable": 1, "bots_info": []}
    async with scripted([answer(200, balance)]) as server, Sponsorgate(server.url, TOKEN) as api:
        assert (await api.get_balance()).balance == 1.5
        assert "Content-Type" not in server.requests[0][2]


def test_the_client_can_be_created_without_an_event_loop_and_used_in_several() -> None:
    async def serve_and_call(api: Sponsorgate, port_of: list[str]) -> None:
        async with scripted([answer(200, OK_SPONSORS)]) as server:
            api._transport._base_url = server.url
            assert (await api.get_sponsors(user_id=1)).status == "ok"
            await api.close()

    api = Sponsorgate("http://127.0.0.1:1", TOKEN)
    for _ in range(2):
        asyncio.run(serve_and_call(api, []))


@pytest.mark.parametrize("url", ["", "api.example.com", "ftp://x", "http://", "https://x?y=1"])
def test_a_wrong_address_is_refused_at_once(url: str) -> None:
    with pytest.raises(ValueError, match="base_url"):
        Sponsorgate(url, TOKEN)


@pytest.mark.parametrize("token", ["", "at_x\n", "at x"])
def test_a_token_that_is_no_header_is_refused_without_showing_it(token: str) -> None:
    with pytest.raises(ValueError, match="token must be") as refused:
        Sponsorgate("http://x", token)
    assert not token or token not in str(refused.value)


def test_the_wait_before_a_retry_doubles_and_respects_retry_after() -> None:
    lost = UnavailableError("lost")
    waits = [delay_before_retry(lost, attempt, repeatable=True, draw=lambda: 1.0) for attempt in range(6)]
    assert waits == [0.25, 0.5, 1.0, 2.0, 4.0, 5.0]
    assert delay_before_retry(lost, 0, repeatable=False) is None
    slow = RateLimitError("slow", status=429, retry_after=3)
    assert delay_before_retry(slow, 0, repeatable=False, draw=lambda: 0.0) == 3
    assert delay_before_retry(RateLimitError("slow", status=429, retry_after=31), 0, repeatable=True) is None
    now = datetime(2026, 1, 1, tzinfo=timezone.utc)
    assert parse_retry_after("Thu, 01 Jan 2026 00:00:09 GMT", now) == 9
    assert parse_retry_after("soon") is None
