"""The errors of the client."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime


@dataclass(frozen=True)
class FieldError:
    """One invalid field of a request."""

    field: str
    message: str


class SponsorgateError(Exception):
    """A failed call. It contains neither the token nor the request, so you can log it.

    Codes without a response of the service: `timeout`, `network_error`, `unexpected_answer`.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int = 0,
        code: str = "network_error",
        detail: str | None = None,
        fields: tuple[FieldError, ...] = (),
        retry_after: float | None = None,
        request_id: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        """The HTTP status; 0 without a response."""
        self.code = code
        """The reason, for programs. A newer service can have more reasons than `models.ErrorCode`."""
        self.detail = detail
        """The service's fixed text for the status."""
        self.fields = fields
        """The invalid fields, on 422."""
        self.retry_after = retry_after
        """The seconds to wait, on 429 and 503."""
        self.request_id = request_id
        """Write it into a question to the operator."""

    def __str__(self) -> str:
        text = f"{self.status} {self.code}: {self.message}" if self.status else f"{self.code}: {self.message}"
        for one in self.fields:
            text += f" [{one.field}: {one.message}]"
        return text if self.request_id is None else f"{text} (request {self.request_id})"


class TokenError(SponsorgateError):
    """401: the token is wrong or disabled."""


class NotFoundError(SponsorgateError):
    """404: no such task, order, link, webhook or bot."""


class InvalidRequestError(SponsorgateError):
    """400 or 422: the service does not accept the request. `fields` has the invalid fields."""


class RateLimitError(SponsorgateError):
    """429: too many requests. `retry_after` has the seconds to wait."""


class UnavailableError(SponsorgateError):
    """The service did not respond, or responded with 5xx."""


def error_class(status: int) -> type[SponsorgateError]:
    """Returns the class for an HTTP status; 0 means no response."""
    if status == 0 or status >= 500:
        return UnavailableError
    known: dict[int, type[SponsorgateError]] = {
        400: InvalidRequestError,
        401: TokenError,
        404: NotFoundError,
        422: InvalidRequestError,
        429: RateLimitError,
    }
    return known.get(status, SponsorgateError)


def error_from_response(status: int, text: str, headers: Mapping[str, str]) -> SponsorgateError:
    """Reads an error response of the service, or of a proxy that sends another format."""
    body = _parse_object(text)
    code, message = body.get("code"), body.get("message")
    is_from_service = isinstance(code, str) and isinstance(message, str)
    detail, request_id, errors = body.get("detail"), body.get("request_id"), body.get("errors")
    return error_class(status)(
        str(message) if is_from_service else f"The answer was HTTP {status} without a reason.",
        status=status,
        code=str(code) if is_from_service else "unexpected_answer",
        detail=detail if isinstance(detail, str) else None,
        fields=_field_errors(errors),
        retry_after=parse_retry_after(headers.get("Retry-After")),
        request_id=request_id if isinstance(request_id, str) else headers.get("X-Request-Id"),
    )


def _field_errors(errors: object) -> tuple[FieldError, ...]:
    if not isinstance(errors, list):
        return ()
    return tuple(
        FieldError(one["field"], one["message"])
        for one in errors
        if isinstance(one, dict) and isinstance(one.get("field"), str) and isinstance(one.get("message"), str)
    )


def _parse_object(text: str) -> dict[str, object]:
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def parse_retry_after(header: str | None, now: datetime | None = None) -> float | None:
    """Reads seconds, or a date, which some proxies send."""
    if header is None:
        return None
    text = header.strip()
    if text.isascii() and text.isdigit() and len(text) <= 9:
        return float(text)
    try:
        at = parsedate_to_datetime(text)
    except (ValueError, TypeError):
        return None
    if at.tzinfo is None:
        at = at.replace(tzinfo=timezone.utc)
    return max(0.0, (at - (now or datetime.now(timezone.utc))).total_seconds())
