"""Turns of the chat function whose log lines, metrics and spans are read."""

import asyncio
import json
from collections.abc import Mapping

import httpx

from tests.fakes.aws.api_gateway import REQUEST_ID, function, request_context
from tests.fakes.world import ALICE

QUESTION = "Which company does Jack Russel work for?"
REPLY = "Jack Russel works for ABC Corp."
CALLS = (
    ("call_1", "search_leads", '{"name_contains": "Russel"}'),
    ("call_2", "search_accounts", '{"name_contains": "ABC"}'),
)
TRACE, CALLER = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
CONTENT = ("Jack", "Russel", "ABC Corp", "work for", "name_contains")
PATH = "/api/ai/chat"


def ask(
    message: str = QUESTION,
    user: Mapping[str, str] = ALICE,
    headers: Mapping[str, str] | None = None,
    request_id: str = REQUEST_ID,
) -> httpx.Response:
    return asyncio.run(ask_async(message, user, headers, request_id))


async def ask_async(
    message: str, user: Mapping[str, str], headers: Mapping[str, str] | None = None, request_id: str = REQUEST_ID
) -> httpx.Response:
    context = request_context("POST", PATH, PATH, user) | {"requestId": request_id}
    fields = {"content-type": "application/json", "x-amzn-request-context": json.dumps(context), **(headers or {})}
    encoded = [(name.encode(), text.encode()) for name, text in fields.items()]
    transport = httpx.ASGITransport(app=function("chat").app)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        return await client.post(PATH, content=json.dumps({"message": message}), headers=encoded)
