from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any, Literal

import httpx

from ._errors import ApiError, ApiUnreachable, error_of
from ._pages import Pages
from ._requests import ATTEMPT_SECONDS, Call, arguments_of, result_of
from ._retries import Attempts, Retries


class AsyncSender:
    """Sends calls, and repeats them where that is safe."""

    def __init__(
        self,
        base_url: str,
        credentials: str | None = None,
        *,
        retries: Retries | None = None,
        timeout: float = ATTEMPT_SECONDS,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        """
        :param credentials: an API key, or the token of a dashboard session; None for public operations.
        :param timeout: bounds one attempt, in seconds.
        """
        self._base_url = base_url
        self._credentials = credentials
        self._retries = retries or Retries()
        self._timeout = timeout
        self._http = httpx.AsyncClient(timeout=timeout, transport=transport, follow_redirects=True)

    async def aclose(self) -> None:
        await self._http.aclose()

    async def request(self, call: Call) -> httpx.Response:
        """
        Any request of the service, also one that this release does not know.

        :raises ApiError: the last response, if it is not a success.
        :raises ApiUnreachable: no response came.
        """
        return await self._send(arguments_of(call, self._base_url, self._credentials))

    async def _send(self, arguments: Mapping[str, Any], done: int = 200) -> httpx.Response:
        request = self._http.build_request(**arguments)
        attempts = Attempts(self._retries)
        while True:
            failure: ApiError | ApiUnreachable
            try:
                response = await self._http.send(request)
                if response.is_success or response.status_code == done:
                    return response
                failure = error_of(response)
            except httpx.TransportError as cause:
                failure = ApiUnreachable(cause)
            await asyncio.sleep(attempts.pause_after(failure))

    async def _call(self, method: str, path: str, **more: Any) -> Any:
        return result_of(await self.request(Call(method, path, **more)))

    async def _each(
        self, path: str, by: Literal["after", "skip"], query: Mapping[str, Any]
    ) -> AsyncIterator[Any]:
        pages = Pages(by, query)
        while not pages.is_over:
            try:
                page = await self._call("GET", path, query=pages.query)
            except ApiError as error:
                pages.shrink(error)
                continue
            for item in pages.items_of(page):
                yield item
