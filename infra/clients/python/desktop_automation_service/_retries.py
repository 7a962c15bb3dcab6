from __future__ import annotations

import random
import time
from dataclasses import dataclass

from ._errors import ApiError, ApiUnreachable

# These failures are transient. A 500 is a bug and would repeat.
_PASSING = frozenset({429, 502, 503, 504})
_FIRST_PAUSE = 0.2
_LONGEST_PAUSE = 5.0


@dataclass(frozen=True)
class Retries:
    """How often and how long a call is attempted. The response may name the pause (``Retry-After``)."""

    attempts_max: int = 4
    total_seconds: float = 60.0


class Attempts:
    """The attempts of one call."""

    def __init__(self, retries: Retries, *, may_repeat: bool = True) -> None:
        self._count = 0
        self._max = retries.attempts_max if may_repeat else 1
        self._end = time.monotonic() + retries.total_seconds
        self._backoff = _FIRST_PAUSE

    def pause_after(self, failure: ApiError | ApiUnreachable) -> float:
        """:return: the seconds until the next attempt. :raises: the failure, if it is final."""
        # The first request under the key is being processed, and its response will come: the time bounds the wait alone.
        if self._count == 0 or not _is_in_progress(failure):
            self._count += 1
            self._backoff *= 2
        # Clients do not repeat all at once.
        pause = random.random() * min(_LONGEST_PAUSE, self._backoff)
        if isinstance(failure, ApiError):
            if not _is_passing(failure):
                raise failure
            if failure.retry_after is not None:
                pause = failure.retry_after + random.random() * _FIRST_PAUSE
        if self._count >= self._max or time.monotonic() + pause > self._end:
            raise failure
        return pause


def _is_in_progress(failure: ApiError | ApiUnreachable) -> bool:
    return isinstance(failure, ApiError) and failure.error_code == "request_in_progress"


def _is_passing(failure: ApiError) -> bool:
    # Every repeat under this key gets the same response.
    if failure.error_code == "outcome_unknown":
        return False
    return failure.status in _PASSING or _is_in_progress(failure)
