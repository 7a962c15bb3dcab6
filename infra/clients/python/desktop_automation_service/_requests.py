"""What the sync and the async client share: neither sends anything here."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import IO, Any, TypeAlias
from urllib.parse import quote

import httpx

#: Of each field of a form: the file's name, its content, its media type.
FormBody: TypeAlias = Mapping[str, tuple[str, bytes | IO[bytes], str]]

#: The service responds within 30 seconds.
ATTEMPT_SECONDS = 35.0


@dataclass(frozen=True)
class Call:
    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    form: FormBody | None = None
    idempotency_key: str | None = None
    if_match: str | None = None


def segment(value: object) -> str:
    """:raises ValueError: for what would lead to another path: URLs resolve it in whatever encoding."""
    if str(value) in (".", ".."):
        raise ValueError(f'"{value}" cannot be part of a path')
    return quote(str(value), safe="")


def arguments_of(call: Call, base_url: str, credentials: str | None) -> dict[str, Any]:
    """:return: what ``httpx`` makes a request of; it is sent again as it is."""
    if not call.path.startswith("/"):
        raise ValueError("a path begins with /: the credentials would go to another host")
    headers: dict[str, str] = {}
    if credentials is not None:
        headers["authorization"] = f"Bearer {credentials}"
    if call.method != "GET":
        headers["idempotency-key"] = call.idempotency_key or str(uuid.uuid4())
    if call.if_match is not None:
        headers["if-match"] = call.if_match
    url = base_url.rstrip("/") + call.path
    arguments: dict[str, Any] = {"method": call.method, "url": url, "headers": headers}
    if call.query:
        arguments["params"] = _pairs_of(call.query)
    if call.body is not None:
        arguments["json"] = call.body
    if call.form is not None:
        arguments["files"] = call.form
    return arguments


def _pairs_of(query: Mapping[str, Any]) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for argument, value in query.items():
        # An argument that would be one of Python's own words ends in an underscore.
        name = argument.removesuffix("_")
        if isinstance(value, Mapping):
            pairs += [(f"{name}[{key}]", _text_of(each)) for key, each in value.items()]
        elif isinstance(value, (list, tuple)):
            pairs += [(name, _text_of(each)) for each in value]
        elif value is not None:
            pairs.append((name, _text_of(value)))
    return pairs


def _text_of(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def result_of(response: httpx.Response) -> Any:
    """:return: what JSON says, the bytes of anything else, or None where there is no body."""
    kind = response.headers.get("content-type", "")
    if kind.startswith("application/json"):
        return response.json()
    return response.content if kind else None
