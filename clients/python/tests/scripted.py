"""A server that answers as a test says."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web

Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass
class Scripted:
    url: str
    requests: list[tuple[str, str, dict[str, str], str]] = field(default_factory=list)
    """Method, path with query, headers, body."""

    @property
    def keys(self) -> list[str | None]:
        return [headers.get("Idempotency-Key") for _, _, headers, _ in self.requests]


def answer(status: int, body: object, headers: dict[str, str] | None = None) -> Answer:
    async def respond(_: web.Request) -> web.StreamResponse:
        if isinstance(body, str):
            return web.Response(status=status, text=body, headers=headers, content_type="text/html")
        return web.json_response(body, status=status, headers=headers)

    return respond


async def hang_up(request: web.Request) -> web.StreamResponse:
    assert request.transport is not None
    request.transport.close()
    return web.Response()


@asynccontextmanager
async def scripted(answers: Sequence[Answer]) -> AsyncIterator[Scripted]:
    """The last answer is repeated."""
    server = Scripted("")

    async def handle(request: web.Request) -> web.StreamResponse:
        server.requests.append((request.method, request.raw_path, dict(request.headers), await request.text()))
        return await answers[min(len(server.requests), len(answers)) - 1](request)

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", handle)
    runner = web.AppRunner(app, shutdown_timeout=1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    server.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield server
    finally:
        await runner.cleanup()
