from __future__ import annotations

import random
from collections.abc import Callable

from .errors import SponsorgateError

BASE_DELAY_SECONDS = 0.25
MAX_DELAY_SECONDS = 5.0
# The client does not wait for a longer `Retry-After`: the caller gets the error at once.
MAX_WAIT_SECONDS = 30.0

# POST operations that can be retried when the outcome of the first attempt is unknown: a repeat has no second effect.
# Other POST operations are retried only with an Idempotency-Key.
REPEATABLE_POSTS = frozenset(
    {
        "postGetSponsors",
        "postConfirmSubscription",
        "postConfirmSubscriptions",
        "postUserSubscriptions",
        "postExplain",
        "postGetBalance",
        "postOrdersIdPause",
        "postOrdersIdResume",
        "postOrdersIdCancel",
        "postWebhooksIdEnable",
        "postPostback",
    }
)


def is_repeatable(operation: str, verb: str, takes_key: bool) -> bool:
    """Returns whether a second attempt is safe when the first one may have been executed."""
    return verb != "POST" or takes_key or operation in REPEATABLE_POSTS


def is_ambiguous(error: SponsorgateError) -> bool:
    """Returns whether the service may have executed the failed call."""
    return error.status == 0 or error.status >= 500 or error.code == "request_in_flight"


def delay_before_retry(
    error: SponsorgateError, attempt: int, *, repeatable: bool, draw: Callable[[], float] = random.random
) -> float | None:
    """Returns the seconds before the next attempt, or None for no retry. `attempt` counts from 0."""
    may_repeat = error.status == 429 or (is_ambiguous(error) and repeatable)
    wait = error.retry_after or 0.0
    if not may_repeat or wait > MAX_WAIT_SECONDS:
        return None
    # Full jitter: callers that failed together do not retry together.
    return wait + draw() * min(MAX_DELAY_SECONDS, BASE_DELAY_SECONDS * float(2**attempt))
