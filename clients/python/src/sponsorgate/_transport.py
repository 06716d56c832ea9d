from __future__ import annotations

import asyncio
import json
import re
import types
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, overload
from urllib.parse import quote, urlsplit

import aiohttp
from yarl import URL

from ._decode import DecodeError, decode, encode
from ._retry import delay_before_retry, is_ambiguous, is_repeatable
from .errors import SponsorgateError, UnavailableError, error_from_response

T = TypeVar("T")


@dataclass(frozen=True)
class Route:
    verb: str
    path: str
    auth: str
    """How the token is sent: `header`, `query` or `none`."""
    takes_key: bool
    """Whether a repeat with the same Idempotency-Key returns the first response."""


class Call(Protocol):
    """Sends one operation and returns its decoded response."""

    @overload
    async def __call__(self, operation: str, result: type[T], **parts: Any) -> T: ...
    @overload
    async def __call__(self, operation: str, result: None, **parts: Any) -> None: ...
    @overload
    async def __call__(self, operation: str, result: types.UnionType, **parts: Any) -> Any: ...


class Page(Protocol):
    @property
    def next_cursor(self) -> str | None: ...
    @property
    def has_more(self) -> bool: ...


P = TypeVar("P", bound=Page)


async def every_item(
    read: Callable[[str | None], Awaitable[P]], items_of: Callable[[P], Sequence[T]]
) -> AsyncIterator[T]:
    """Iterates over all items of a paged list. Reads a page when the previous one is used up."""
    cursor: str | None = None
    while True:
        page = await read(cursor)
        for item in items_of(page):
            yield item
        # A repeated cursor would cause an endless loop.
        if not page.has_more or page.next_cursor is None or page.next_cursor == cursor:
            return
        cursor = page.next_cursor


@dataclass(frozen=True)
class Request:
    verb: str
    url: str
    headers: Mapping[str, str]
    body: bytes | None
    expects_html: bool


class Transport:
    """Sends requests: address, token, time limit, retries, response or error."""

    def __init__(
        self,
        base_url: str,
        token: str,
        routes: Mapping[str, Route],
        *,
        timeout: float,
        retries: int,
        session: aiohttp.ClientSession | None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        # Checked here, because an error about an invalid header would contain the token.
        if not re.fullmatch(r"[\x21-\x7e]+", token):
            raise ValueError("token must be the API token of a bot, without spaces")
        if timeout <= 0 or retries < 0:
            raise ValueError("timeout must be more than 0, retries 0 or more")
        self._base_url = _checked_base_url(base_url)
        self._token = token
        self._routes = routes
        self._timeout = timeout
        self._retries = retries
        self._given_session = session
        self._session: aiohttp.ClientSession | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._sleep = sleep

    async def call(
        self,
        operation: str,
        result: Any,
        *,
        path: Mapping[str, Any] | None = None,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> Any:
        route = self._routes[operation]
        request = self._build(route, path or {}, query or {}, body, idempotency_key)
        limit = self._timeout if timeout is None else timeout
        attempts = (self._retries if retries is None else retries) + 1
        repeatable = is_repeatable(operation, route.verb, route.takes_key)
        may_be_executed = False
        attempt = 0
        while True:
            try:
                return self._read(await self._send(request, limit), request, result)
            except SponsorgateError as error:
                # An earlier attempt deleted it: the call has succeeded.
                if may_be_executed and error.status == 404 and route.verb == "DELETE":
                    return None
                may_be_executed = may_be_executed or is_ambiguous(error)
                attempt += 1
                delay = delay_before_retry(error, attempt - 1, repeatable=repeatable) if attempt < attempts else None
                if delay is None:
                    raise
            await self._sleep(delay)

    async def close(self) -> None:
        """Closes the connections. A session that the caller passed stays open."""
        session, self._session = self._session, None
        if session is not None and not session.closed:
            await session.close()

    def _build(
        self,
        route: Route,
        path: Mapping[str, Any],
        query: Mapping[str, Any],
        body: Mapping[str, Any] | None,
        idempotency_key: str | None,
    ) -> Request:
        address = re.sub(r"\{(\w+)\}", lambda found: quote(str(path[found[1]]), safe=""), route.path)
        parameters = {name: str(value) for name, value in query.items() if value is not None}
        if route.auth == "query":
            parameters["api_token"] = self._token
        if parameters:
            address += "?" + "&".join(f"{quote(name)}={quote(value, safe='')}" for name, value in parameters.items())
        headers = {"Accept": "application/json"}
        if route.auth == "header":
            headers["Auth"] = self._token
        if body is not None:
            headers["Content-Type"] = "application/json"
        if route.takes_key:
            # One key per call: every attempt must send the same.
            headers["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
        payload = None if body is None else json.dumps(encode(body), ensure_ascii=False, allow_nan=False).encode()
        expects_html = parameters.get("output_format") == "html"
        return Request(route.verb, self._base_url + address, headers, payload, expects_html)

    async def _send(self, request: Request, limit: float) -> tuple[int, str]:
        try:
            async with self._open_session().request(
                request.verb,
                # Already encoded; aiohttp would decode and encode it again.
                URL(request.url, encoded=True),
                headers=request.headers,
                data=request.body,
                # Without a body aiohttp would name a content type that the service does not accept.
                skip_auto_headers=["Content-Type"],
                # A redirect would send the token to another address.
                allow_redirects=False,
                timeout=aiohttp.ClientTimeout(total=limit),
            ) as response:
                text = (await response.read()).decode(errors="replace")
                if not 200 <= response.status < 300:
                    raise error_from_response(response.status, text, response.headers)
                return response.status, text
        except (asyncio.TimeoutError, TimeoutError):
            # Not chained: the original error can contain the address, and so the token of /statistic.
            raise UnavailableError(f"Sponsorgate did not answer within {limit:g} s.", code="timeout") from None
        except (aiohttp.ClientError, OSError) as error:
            reason = self._without_token(str(error) or type(error).__name__)
            raise UnavailableError(f"Sponsorgate could not be reached: {reason}", code="network_error") from None

    def _read(self, answer: tuple[int, str], request: Request, result: Any) -> Any:
        status, text = answer
        if result is None or status == 204:
            return None
        if request.expects_html:
            return text
        try:
            return decode(json.loads(text), result)
        except DecodeError as error:
            message = f"The answer was not understood: {error}."
            raise SponsorgateError(message, status=status, code="unexpected_answer") from None
        except ValueError:
            message = "The answer is not JSON: is this the address of Sponsorgate?"
            raise SponsorgateError(message, status=status, code="unexpected_answer") from None

    def _open_session(self) -> aiohttp.ClientSession:
        if self._given_session is not None:
            return self._given_session
        loop = asyncio.get_running_loop()
        if self._session is None or self._session.closed or self._loop is not loop:
            # A session belongs to one event loop. A program that calls asyncio.run twice has two.
            self._session = aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar(), trust_env=True)
            # aiohttp would repeat a lost DELETE unseen, and the 404 of the repeat would look like a failure.
            if hasattr(self._session, "_retry_connection"):
                self._session._retry_connection = False
            self._loop = loop
        return self._session

    def _without_token(self, text: str) -> str:
        return text.replace(self._token, "<token>").replace(quote(self._token, safe=""), "<token>")


def _checked_base_url(given: str) -> str:
    parts = urlsplit(given.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise ValueError("base_url must be an http or https address without a query")
    return given.strip().rstrip("/")
