"""Sponsorgate for Python: users of your bot subscribe to sponsors, and you earn for each subscription."""

from . import models
from .client import Sponsorgate
from .errors import (
    FieldError,
    InvalidRequestError,
    NotFoundError,
    RateLimitError,
    SponsorgateError,
    TokenError,
    UnavailableError,
)
from .webhooks import WebhookEvent, WebhookVerificationError, sign_postback, verify_webhook

__all__ = [
    "FieldError",
    "InvalidRequestError",
    "NotFoundError",
    "RateLimitError",
    "Sponsorgate",
    "SponsorgateError",
    "TokenError",
    "UnavailableError",
    "WebhookEvent",
    "WebhookVerificationError",
    "models",
    "sign_postback",
    "verify_webhook",
]
