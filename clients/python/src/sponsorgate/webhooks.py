"""Verification of webhooks, and the events that they carry."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from ._decode import DecodeError, decode, parse_time

DEFAULT_TOLERANCE_SECONDS = 300
# The service signs with two secrets at most. The limit keeps a hostile header cheap.
MAX_SIGNATURES = 8

Role = Literal["publisher", "advertiser"]


@dataclass(frozen=True, kw_only=True)
class SubscriptionConfirmed:
    """A subscription was counted."""

    role: Role
    bot_id: int
    user_id: int
    order_id: int
    status: Literal["subscribed"]
    amount: float
    """Rubles: the reward for the publisher, the charge for the advertiser."""
    credit_status: Literal["paid", "hold"]
    created_at: datetime


@dataclass(frozen=True, kw_only=True)
class SubscriptionReversed:
    """The user left inside the window. The reward was reversed."""

    role: Role
    bot_id: int
    user_id: int
    order_id: int
    status: Literal["unsubscribed"]
    amount: float
    """Rubles: the reward that the publisher loses; what the advertiser gets back."""
    created_at: datetime
    """When the subscription was confirmed."""
    reversed_at: datetime


@dataclass(frozen=True, kw_only=True)
class SubscriptionRejected:
    """The advertiser's side refused a pending subscription, or did not reply for 72 hours."""

    role: Role
    bot_id: int
    user_id: int
    order_id: int
    status: Literal["unsubscribed"]
    amount: float
    reason: Literal["rejected", "no_answer"]
    created_at: datetime
    rejected_at: datetime


@dataclass(frozen=True, kw_only=True)
class ContestCompleted:
    """A contest ended, and its ranks are final."""

    contest_id: int
    name: str
    rank: int
    subscriptions: int
    revenue: float
    prize: float
    completed_at: datetime


@dataclass(frozen=True, kw_only=True)
class PayoutSent:
    """A payout was sent."""

    payout_id: int
    amount: float
    provider: str
    reference: str | None
    requested_at: datetime
    sent_at: datetime


@dataclass(frozen=True, kw_only=True)
class OrderCompleted:
    """All subscriptions of an order are settled."""

    order_id: int
    name: str
    status: Literal["completed"]
    subscribers: int
    spent: float
    completed_at: datetime


@dataclass(frozen=True, kw_only=True)
class WebhookTest:
    """A test event, sent on request."""

    webhook_id: int
    message: str


EVENT_DATA: dict[str, type[Any]] = {
    "subscription.confirmed": SubscriptionConfirmed,
    "subscription.reversed": SubscriptionReversed,
    "subscription.rejected": SubscriptionRejected,
    "contest.completed": ContestCompleted,
    "payout.sent": PayoutSent,
    "order.completed": OrderCompleted,
    "webhook.test": WebhookTest,
}

EventData = (
    SubscriptionConfirmed
    | SubscriptionReversed
    | SubscriptionRejected
    | ContestCompleted
    | PayoutSent
    | OrderCompleted
    | WebhookTest
    | dict[str, Any]
)


@dataclass(frozen=True, kw_only=True)
class WebhookEvent:
    """The body of a delivery."""

    type: str
    id: str
    """The same for every retry and replay: store it to handle an event once."""
    timestamp: datetime
    sequence: int
    """The number of the event in your account, without gaps, in the order of the facts."""
    data: EventData
    """An instance of the class for the type; a dict for types that are newer than this package."""


Problem = Literal["missing_header", "bad_timestamp", "wrong_time", "wrong_signature", "bad_body"]


class WebhookVerificationError(Exception):
    """The message is not from the service, too old, or incomplete. Respond with 400 and ignore it."""

    def __init__(self, code: Problem, message: str) -> None:
        super().__init__(message)
        self.code: Problem = code


def verify_webhook(
    *,
    secret: str | Sequence[str],
    headers: Mapping[str, str],
    body: bytes | str,
    tolerance_seconds: float = DEFAULT_TOLERANCE_SECONDS,
    now: float | None = None,
) -> WebhookEvent:
    """Verifies a message by the rules of Standard Webhooks and returns its event.

    secret: the `whsec_...` of the endpoint; several during a rotation.
    headers: the headers of the request, with names in any case.
    body: the raw body, before parsing: the signature covers exactly these bytes.
    tolerance_seconds: the largest difference between the message's time and ours.
    now: seconds since 1970, for tests.
    """
    secrets = [_decode_secret(one) for one in ([secret] if isinstance(secret, str) else secret)]
    if not secrets:
        raise ValueError("secret is missing")
    values = {name.lower(): value for name, value in headers.items()}
    message_id = _header(values, "webhook-id")
    timestamp = _header(values, "webhook-timestamp")
    signatures = _signatures_in(_header(values, "webhook-signature"))
    _check_time(timestamp, tolerance_seconds, time.time() if now is None else now)

    content = body.encode() if isinstance(body, str) else bytes(body)
    signed = f"{message_id}.{timestamp}.".encode() + content
    expected = [hmac.new(one, signed, hashlib.sha256).digest() for one in secrets]
    # All pairs are compared, in constant time, so that the time tells nothing about the right signature.
    matches = [hmac.compare_digest(one, given) for one in expected for given in signatures]
    if not any(matches):
        raise WebhookVerificationError("wrong_signature", "None of the signatures was made with a secret given here.")
    return _parse_event(content)


def sign_postback(secret: str, *, click_id: str, status: Literal["approved", "rejected"]) -> str:
    """Returns the signature for `postback`, made with the `postback.secret` of the order."""
    return hmac.new(secret.encode(), f"{click_id}:{status}".encode(), hashlib.sha256).hexdigest()


def _decode_secret(secret: str) -> bytes:
    key = _from_base64(secret.removeprefix("whsec_"))
    # Anyone can sign with an empty secret, so a missing setting must be an error.
    if not key:
        raise ValueError("secret must be the whsec_... of the endpoint")
    return key


def _from_base64(text: str) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None


def _header(values: Mapping[str, str], name: str) -> str:
    value = values.get(name)
    if not value:
        raise WebhookVerificationError("missing_header", f"The header {name} is missing.")
    return value


def _check_time(timestamp: str, tolerance: float, now: float) -> None:
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12):
        raise WebhookVerificationError("bad_timestamp", "The header webhook-timestamp is not a time in seconds.")
    off = abs(now - int(timestamp))
    # Written so that a tolerance of NaN rejects the message.
    if not off <= tolerance:
        raise WebhookVerificationError("wrong_time", f"The message is {round(off)} s off: old, or repeated.")


def _signatures_in(header: str) -> list[bytes]:
    """Parses `v1,<base64>` signatures, separated by spaces. Other versions are ignored."""
    parts = [part for part in header.split(" ") if part.startswith("v1,")][:MAX_SIGNATURES]
    return [signature for signature in (_from_base64(part[3:]) for part in parts) if signature is not None]


def _parse_event(content: bytes) -> WebhookEvent:
    try:
        value = json.loads(content)
        kind = EVENT_DATA.get(value["type"])
        data = value["data"]
        return WebhookEvent(
            type=decode(value["type"], str, "type"),
            id=decode(value["id"], str, "id"),
            timestamp=parse_time(decode(value["timestamp"], str, "timestamp")),
            sequence=decode(value["sequence"], int, "sequence"),
            data=decode(data, dict[str, Any], "data") if kind is None else decode(data, kind, "data"),
        )
    except (ValueError, KeyError, TypeError, DecodeError) as error:
        raise WebhookVerificationError("bad_body", "The body is not an event.") from error
