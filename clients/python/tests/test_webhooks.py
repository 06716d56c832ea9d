"""verify_webhook agrees with `standardwebhooks`, the reference library."""

from __future__ import annotations

import base64
import dataclasses
import json
import random
import time
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest
from standardwebhooks.webhooks import Webhook
from support import Sandbox, eventually

from sponsorgate import Sponsorgate, WebhookVerificationError, sign_postback, verify_webhook
from sponsorgate.webhooks import EVENT_DATA, SubscriptionConfirmed, WebhookTest

SAMPLES = Path(__file__).resolve().parents[3] / "docs/webhook-events"
SECRET = "whsec_" + base64.b64encode(b"a secret of twenty-four!").decode()
OTHER = "whsec_" + base64.b64encode(b"another one of 24 bytes!").decode()
EVENT = json.dumps(
    {
        "type": "webhook.test",
        "id": "evt_1",
        "timestamp": "2026-01-01T09:30:00.142+00:00",
        "sequence": 1,
        "data": {"webhook_id": 1, "message": "Привет"},
    }
)


def signed(body: str, secret: str = SECRET, at: float | None = None) -> dict[str, str]:
    when = datetime.fromtimestamp(time.time() if at is None else at, timezone.utc)
    signature = Webhook(secret).sign("evt_1", when, body)
    return {
        "webhook-id": "evt_1",
        "webhook-timestamp": str(int(when.timestamp())),
        "webhook-signature": signature,
    }


def test_a_message_signed_by_the_reference_library_is_accepted() -> None:
    event = verify_webhook(secret=SECRET, headers=signed(EVENT), body=EVENT.encode())
    assert event.data == WebhookTest(webhook_id=1, message="Привет")
    upper = {name.title(): value for name, value in signed(EVENT).items()}
    assert verify_webhook(secret=[OTHER, SECRET], headers=upper, body=EVENT) == event


def test_both_libraries_agree_about_changed_messages() -> None:
    draw = random.Random(16)
    verdicts = {True: 0, False: 0}
    for _ in range(2_000):
        body, headers = EVENT, signed(EVENT, draw.choice([SECRET, SECRET, OTHER]))
        change = draw.randrange(10)
        if change == 0:
            body = body.replace("1", "2")
        elif change == 1:
            headers["webhook-id"] = "evt_2"
        elif change == 2:
            off = draw.choice([-400, -310, -290, -1, 0, 1, 290, 310, 400])
            headers = signed(EVENT, at=time.time() + off)
        elif change == 3:
            headers["webhook-timestamp"] = draw.choice(["", "x", str(int(time.time()) + 1)])
        elif change == 4:
            headers["webhook-signature"] = headers["webhook-signature"].replace("v1,", draw.choice(["v2,", "v1a,", ""]))
        elif change == 5:
            headers["webhook-signature"] = f"v1,AAAA {headers['webhook-signature']} v2,BBBB"
        elif change == 6:
            del headers[draw.choice(sorted(headers))]
        elif change == 7:
            good = headers["webhook-signature"]
            place = draw.randrange(3, len(good) - 1)
            headers["webhook-signature"] = good[:place] + draw.choice("ABab") + good[place + 1 :]
        assert ours(body, headers) == theirs(body, headers), (body, headers)
        verdicts[ours(body, headers)] += 1
    assert min(verdicts.values()) > 300


def ours(body: str, headers: dict[str, str]) -> bool:
    try:
        verify_webhook(secret=SECRET, headers=headers, body=body)
    except WebhookVerificationError:
        return False
    return True


def theirs(body: str, headers: dict[str, str]) -> bool:
    try:
        Webhook(SECRET).verify(body, headers)
    except Exception:
        return False
    return True


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.json")), ids=lambda path: path.stem)
def test_every_documented_event_is_read_with_all_its_fields(path: Path) -> None:
    body = path.read_text()
    event = verify_webhook(secret=SECRET, headers=signed(body), body=body)
    sample: dict[str, Any] = json.loads(body)
    assert type(event.data) is EVENT_DATA[sample["type"]]
    assert {one.name for one in dataclasses.fields(event.data)} == set(sample["data"])  # type: ignore[arg-type]


def test_all_event_types_have_a_sample() -> None:
    assert {path.stem for path in SAMPLES.glob("*.json")} == set(EVENT_DATA)


def test_events_that_are_newer_than_the_package_have_a_dict() -> None:
    body = json.dumps({**json.loads(EVENT), "type": "bot.renamed", "data": {"name": "x"}})
    assert verify_webhook(secret=SECRET, headers=signed(body), body=body).data == {"name": "x"}


@pytest.mark.parametrize("body", ["", "[]", "{}", "null", '"x"', EVENT.replace('"id"', '"no"'), "\udcff"])
def test_a_signed_body_that_is_no_event_is_refused(body: str) -> None:
    raw = body.encode(errors="surrogateescape")
    text = raw.decode(errors="replace")
    headers = signed(text)
    with pytest.raises(WebhookVerificationError) as refused:
        verify_webhook(secret=SECRET, headers=headers, body=text.encode())
    assert refused.value.code == "bad_body"


@pytest.mark.parametrize("secret", ["", "whsec_", "whsec_§", []])
def test_a_missing_secret_is_an_error_of_the_program(secret: Any) -> None:
    with pytest.raises(ValueError, match="secret"):
        verify_webhook(secret=secret, headers=signed(EVENT), body=EVENT)


def test_a_postback_is_signed_as_the_service_expects() -> None:
    # The same value as in the tests of the TypeScript client's signPostback.
    assert len(sign_postback("secret", click_id="c1", status="approved")) == 64


async def test_deliveries_of_the_service_are_accepted_also_during_a_rotation(
    sandbox: Sandbox, service_url: str
) -> None:
    news = await sandbox.advertise("City news")
    async with Sponsorgate(service_url, await sandbox.publisher(beta=True)) as api:
        hook = await api.webhooks.create(
            url=f"{service_url}/sandbox/inbox/python-hooks", events=["subscription.confirmed"]
        )
        rotated = await api.webhooks.rotate_secret(hook.webhook_id)
        user = 7_100_000_000 + int(time.time())
        [task] = (await api.get_sponsors(user_id=user)).sponsors
        await sandbox.join(news, user)
        await api.confirm_subscriptions(user_id=user, ads_ids=[task.ads_id])

    async def caught() -> list[dict[str, Any]]:
        inbox = await sandbox.control("GET", "/inbox?name=python-hooks")
        return [one for one in inbox["deliveries"] if str(user) in one["body"]]

    await eventually("the delivery", caught)
    [message] = await caught()
    for secret in (hook.secret, rotated.secret):
        event = verify_webhook(secret=secret, headers=message["headers"], body=message["body"])
        assert isinstance(event.data, SubscriptionConfirmed)
        assert (event.data.user_id, event.data.amount, event.data.role) == (user, 7, "publisher")
    with pytest.raises(WebhookVerificationError):
        verify_webhook(secret=SECRET, headers=message["headers"], body=message["body"])
