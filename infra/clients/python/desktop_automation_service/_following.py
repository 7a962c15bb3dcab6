from __future__ import annotations

import time
from typing import Any

import httpx

from . import models
from ._errors import retry_after_of
from ._facts import TERMINAL_RUN_STATUSES, WAIT_SECONDS_MAX
from ._requests import Call, segment

# A response needs this long beyond the wait.
_RESPONSE_SECONDS = 5


class Following:
    """A run that is followed to its end, by requests that wait for a change."""

    def __init__(self, run_id: str, *, by_steps: bool, attempt: float, timeout: float | None) -> None:
        self._run_id = run_id
        self._by_steps = by_steps
        self._wait = max(1, min(WAIT_SECONDS_MAX, int(attempt - _RESPONSE_SECONDS)))
        self._timeout = timeout
        self._end = None if timeout is None else time.monotonic() + timeout
        self._seen = 0
        self.ended: models.Run | None = None
        self.pause = 0.0

    @property
    def call(self) -> Call:
        path = f"/v1/runs/{segment(self._run_id)}"
        query: dict[str, Any] = {"wait_seconds": self._wait}
        if self._by_steps:
            return Call("GET", f"{path}/steps", query={**query, "after_index": self._seen})
        return Call("GET", path, query={**query, "revision": self._seen})

    def steps_of(self, response: httpx.Response) -> list[models.RunStep]:
        """:return: the steps that are new; ``ended`` is the run as soon as it has ended. :raises TimeoutError:"""
        body = response.json()
        run: models.Run | None = body["run"] if self._by_steps else body
        steps: list[models.RunStep] = body["items"] if self._by_steps else []
        if steps:
            self._seen = steps[-1]["index"]
        if run is not None and run["status"] in TERMINAL_RUN_STATUSES:
            self.ended = run
        elif run is not None and not self._by_steps:
            self._seen = run["revision"]
        # The header says that the request did not wait.
        self.pause = retry_after_of(response) or 0.0
        if self.ended is None and self._end is not None and time.monotonic() + self.pause > self._end:
            raise TimeoutError(f"the run {self._run_id} goes on after {self._timeout} seconds")
        return steps
