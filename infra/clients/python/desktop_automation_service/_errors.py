from __future__ import annotations

import json
from typing import Any

import httpx


class ApiError(Exception):
    """The service refused. ``error_code`` is one of the closed list of the documents, or None for an invalid request."""

    def __init__(
        self,
        message: str,
        *,
        status: int,
        error_code: str | None = None,
        details: Any = None,
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.error_code = error_code
        #: The details of a refusal, or the items of a validation error.
        self.details = details
        self.request_id = request_id
        self.retry_after = retry_after
        #: The first field that a validation error names, such as ``body.name``.
        self.field = _first_field(details)

    def __str__(self) -> str:
        known = [self.error_code or f"status {self.status}"]
        if self.request_id is not None:
            known.append(f"request {self.request_id}")
        return f"{super().__str__()} ({', '.join(known)})"


class ApiUnreachable(Exception):
    """No response came: the connection failed, or the attempt took too long. A write may have had its effect."""

    def __init__(self, cause: Exception) -> None:
        super().__init__(f"the service did not respond: {str(cause) or type(cause).__name__}")
        self.__cause__ = cause


def error_of(response: httpx.Response) -> ApiError:
    """:param response: one that has been read."""
    status = response.status_code
    try:
        body = response.json()
    except (json.JSONDecodeError, UnicodeDecodeError):
        body = None
    refusal = body if isinstance(body, dict) else {}
    items = refusal.get("detail")
    details = items if isinstance(items, list) else refusal.get("details")
    code = refusal.get("error_code")
    return ApiError(
        _sentence_of(items) if isinstance(items, list) else str(refusal.get("message", f"status {status}")),
        status=status,
        error_code=code if isinstance(code, str) else None,
        details=details,
        request_id=response.headers.get("x-request-id"),
        retry_after=retry_after_of(response),
    )


def retry_after_of(response: httpx.Response) -> float | None:
    header = response.headers.get("retry-after", "")
    return float(header) if header.isascii() and header.isdigit() and len(header) <= 6 else None


def _first_field(details: Any) -> str | None:
    if not isinstance(details, list):
        return None
    fields = (_field_of(item) for item in details)
    return next((field for field in fields if field is not None), None)


def _field_of(item: Any) -> str | None:
    loc = item.get("loc") if isinstance(item, dict) else None
    return ".".join(str(part) for part in loc) if isinstance(loc, list) else None


def _sentence_of(items: list[Any]) -> str:
    return "; ".join(f"{_field_of(item)}: {item.get('msg')}" for item in items if isinstance(item, dict))
