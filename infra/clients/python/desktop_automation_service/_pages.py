from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from ._errors import ApiError

_TOO_LARGE = 413
_PAGE_ITEMS = 100


class Pages:
    """
    Which page of a list is next. Those after the first begin behind its last item where the operation can, so that what
    changes meanwhile moves nothing.
    """

    def __init__(self, by: Literal["after", "skip"], query: Mapping[str, Any]) -> None:
        self._by = by
        self._query = {**query}
        self._limit: int = self._query.pop("limit", _PAGE_ITEMS)
        self._skip: int = self._query.pop("skip", 0)
        self._paging: dict[str, Any] = {"skip": self._skip} if self._skip else {}
        self.is_over = False

    @property
    def query(self) -> dict[str, Any]:
        return {**self._query, **self._paging, "limit": self._limit}

    def items_of(self, page: Any) -> list[Any]:
        items: list[Any] = page if isinstance(page, list) else page["items"]
        self._skip += len(items)
        self.is_over = len(items) < self._limit
        last = items[-1].get("id") if items and self._by == "after" else None
        self._paging = {"skip": self._skip} if last is None else {"after": last}
        return items

    def shrink(self, error: ApiError) -> None:
        """A page that is larger than a response may be is asked for in parts. :raises: any other error."""
        if error.status != _TOO_LARGE or self._limit == 1:
            raise error
        self._limit = -(-self._limit // 4)
