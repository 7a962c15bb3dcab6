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
        skip: int = self._query.pop("skip", 0)
        self._passed = self._count = skip
        self._paging: dict[str, Any] = {"skip": skip} if skip else {}
        self.is_over = False

    @property
    def query(self) -> dict[str, Any]:
        return {**self._query, **self._paging, "limit": self._limit}

    def items_of(self, page: Any) -> list[Any]:
        items: list[Any] = page if isinstance(page, list) else page["items"]
        self._count += len(items)
        self._passed += self._limit
        self.is_over = not items or (len(items) < self._limit and not self._has_more(page))
        last = items[-1].get("id") if items and self._by == "after" else None
        self._paging = {"skip": self._passed} if last is None else {"after": last}
        return items

    def _has_more(self, page: Any) -> bool:
        # A page is also short where items of it were just deleted: the index lists them, and the total does not.
        return isinstance(page, dict) and page.get("total", 0) > self._count

    def shrink(self, error: ApiError) -> None:
        """A page that is larger than a response may be is asked for in parts. :raises: any other error."""
        if error.status != _TOO_LARGE or self._limit == 1:
            raise error
        self._limit = -(-self._limit // 4)
