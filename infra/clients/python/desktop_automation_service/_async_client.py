from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Self

from . import models
from ._async_operations import AsyncOperations
from ._files import ALREADY_THERE, File, FileUse, attachment_of
from ._following import Following


class AsyncClient(AsyncOperations):
    """
    A method for each operation of the API.

    Reads are repeated after 429, 502, 503, 504 and failed connections, and so are writes, each under an
    Idempotency-Key of its own; never after ``outcome_unknown``.
    """

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def wait_until_ended(
        self,
        run_id: str,
        on_step: Callable[[models.RunStep], object] | None = None,
        *,
        timeout: float | None = None,
    ) -> models.Run:
        """
        Waits until the run has ended, in few requests.

        :param on_step: gets each step once, in order, with its outcome.
        :param timeout: in seconds.
        :raises TimeoutError: it goes on.
        """
        by_steps = on_step is not None
        following = Following(run_id, by_steps=by_steps, attempt=self._timeout, timeout=timeout)
        while True:
            steps = following.steps_of(await self.request(following.call))
            if on_step is not None:
                for step in steps:
                    on_step(step)
            if following.ended is not None:
                return following.ended
            await asyncio.sleep(following.pause)

    async def upload_file(
        self,
        run_id: str,
        file: File,
        *,
        attachment_type: FileUse = "input",
        filename: str | None = None,
        content_type: str | None = None,
        target_path: str | None = None,
    ) -> models.RunAttachment:
        """
        Attaches a file of up to 100 MB to a run.

        :param file: a path, or the content itself.
        :param target_path: the file's place on the desktop.
        """
        body, content = attachment_of(run_id, file, attachment_type, filename, content_type, target_path)
        attachment = await self.create_run_attachment(body)
        upload = attachment.pop("upload", None)
        if upload is not None:
            put = {"method": "PUT", "url": upload["url"], "headers": upload["headers"], "content": content}
            await self._send(put, done=ALREADY_THERE)
        return attachment

    async def download_file(self, attachment_id: str) -> bytes:
        """Reads a run's file, of any size."""
        link = await self.get_run_attachment_download_url(attachment_id)
        response = await self._send({"method": "GET", "url": link["url"]})
        return response.content
