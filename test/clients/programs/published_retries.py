"""What the published client repeats, and what not, without a service."""

import asyncio
import json
from unittest.mock import patch

import httpx

from desktop_automation_service import ApiError, ApiUnreachable, AsyncClient, Call, Client, Retries

MACHINE = "0198c0de-7a1b-7c3d-9e4f-25b1d820cc78"
REFUSAL = {"error": "No", "message": "no", "error_code": "rate_limited", "details": {}}


class Replies:
    """Each request gets the next reply."""

    def __init__(self, *replies: httpx.Response | Exception) -> None:
        self._replies = list(replies)
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        reply = self._replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply

    @property
    def keys(self) -> list[str | None]:
        return [request.headers.get("idempotency-key") for request in self.requests]


def refusal(status: int, error_code: str, **headers: str) -> httpx.Response:
    return httpx.Response(status, json={**REFUSAL, "error_code": error_code}, headers=headers)


def client_of(replies: Replies, retries: Retries | None = None) -> Client:
    return Client("https://api.example/", "das_key", retries=retries, transport=httpx.MockTransport(replies))


def failure_of(replies: Replies, retries: Retries | None = None) -> ApiError | ApiUnreachable:
    try:
        client_of(replies, retries).create_run({"workflow_id": MACHINE})
    except (ApiError, ApiUnreachable) as error:
        return error
    raise AssertionError("no error")


def test_writes_are_repeated_under_one_key() -> None:
    lost = httpx.ConnectError("lost")
    replies = Replies(refusal(503, "service_unavailable"), lost, httpx.Response(201, json={"id": "r"}))
    assert client_of(replies).create_run({"workflow_id": MACHINE})["id"] == "r"
    assert len(set(replies.keys)) == 1 and replies.keys[0]
    assert {request.content for request in replies.requests} == {b'{"workflow_id":"%s"}' % MACHINE.encode()}
    replies = Replies(httpx.Response(201, json={}))
    client_of(replies).create_run({"workflow_id": MACHINE}, idempotency_key="mine")
    assert replies.keys == ["mine"]


def test_retry_after_is_obeyed() -> None:
    replies = Replies(refusal(429, "rate_limited", **{"retry-after": "1"}), httpx.Response(200, json={}))
    with patch("time.sleep") as sleep:
        client_of(replies).get_machine(MACHINE)
    assert 1 <= sleep.call_args.args[0] <= 1.2
    assert replies.keys == [None, None]
    # Longer than there is time: at once.
    error = failure_of(Replies(refusal(429, "rate_limited", **{"retry-after": "61"})))
    assert isinstance(error, ApiError) and error.retry_after == 61


def test_an_attempt_that_is_being_processed_is_waited_for() -> None:
    processed = [refusal(409, "request_in_progress", **{"retry-after": "1"}) for _ in range(12)]
    replies = Replies(httpx.ReadTimeout("late"), *processed, httpx.Response(201, json={"id": "r"}))
    with patch("time.sleep"):
        assert client_of(replies).create_run({"workflow_id": MACHINE})["id"] == "r"
    error = failure_of(Replies(processed[0]), Retries(attempts_max=1))
    assert isinstance(error, ApiError) and error.error_code == "request_in_progress"


def test_what_is_final_is_not_repeated() -> None:
    for status, code in ((500, "internal_error"), (504, "outcome_unknown"), (409, "conflict")):
        error = failure_of(Replies(refusal(status, code, **{"x-request-id": "r1"})))
        assert isinstance(error, ApiError) and (error.status, error.error_code) == (status, code)
        assert error.request_id == "r1" and "r1" in str(error)
    replies = Replies(httpx.ReadTimeout("late"), httpx.ReadTimeout("late"))
    error = failure_of(replies, Retries(attempts_max=2))
    assert isinstance(error, ApiUnreachable) and len(replies.requests) == 2
    assert str(error) == "the service did not respond: late"
    item = {"loc": ["body", "name"], "msg": "Field required", "type": "missing"}
    invalid = failure_of(Replies(httpx.Response(422, json={"detail": [item]})))
    assert isinstance(invalid, ApiError) and invalid.field == "body.name" and invalid.error_code is None


def page(*ids: str) -> httpx.Response:
    return httpx.Response(200, json={"items": [{"id": each} for each in ids]})


def test_lists_go_on_behind_their_last_item() -> None:
    replies = Replies(refusal(413, "answer_too_large"), page("a"), page("b"), page())
    found = client_of(replies).iter_machines(limit=2, status=["connected", "error"], metadata={"a": "b"})
    assert [machine["id"] for machine in found] == ["a", "b"]
    assert [request.url.params.get("after") for request in replies.requests] == [None, None, "a", "b"]
    assert [request.url.params["limit"] for request in replies.requests] == ["2", "1", "1", "1"]
    last = replies.requests[-1].url.params
    assert last.get_list("status") == ["connected", "error"] and last["metadata[a]"] == "b"
    replies = Replies(page("a", "b"), page("c"))
    pools = client_of(replies).iter_pools(limit=2, skip=1)
    assert [pool["id"] for pool in pools] == ["a", "b", "c"]
    assert [request.url.params["skip"] for request in replies.requests] == ["1", "3"]
    short = httpx.Response(200, json={"items": [{"id": "a"}], "total": 3})
    replies = Replies(short, page("b", "c"), page())
    assert len([*client_of(replies).iter_machines(limit=2)]) == 3
    assert [request.url.params.get("after") for request in replies.requests] == [None, "a", "c"]


def test_arguments_are_sent_by_their_own_names() -> None:
    replies = Replies(httpx.Response(200, json={}), httpx.Response(204))
    client = client_of(replies)
    client.read_file(MACHINE, path="a b", as_="url")
    assert str(replies.requests[0].url.query, "ascii") == "path=a+b&as=url"
    client.unassign_tag("a/b", "c")
    assert replies.requests[1].url.raw_path == b"/v1/workflows/a%2Fb/tags/c"


def test_a_call_goes_nowhere_but_to_its_own_path() -> None:
    replies = Replies()
    client = client_of(replies)
    for call in (
        lambda: client.unassign_tag(MACHINE, ".."),
        lambda: client.request(Call("GET", ".evil.example/v1/caller")),
    ):
        try:
            call()
        except ValueError:
            continue
        raise AssertionError("no error")
    assert replies.requests == []


def test_files_go_by_their_own_address_without_credentials() -> None:
    upload = {"url": "https://bucket.example/f?s=1", "headers": {"content-type": "text/plain"}}
    made = httpx.Response(201, json={"id": "f", "upload": upload})
    link = httpx.Response(200, json={"url": "https://bucket.example/f?s=2"})
    there = httpx.Response(412, text="<Error/>")
    replies = Replies(made, httpx.ConnectError("lost"), there, link, httpx.Response(200, content=b"abc"))
    client = client_of(replies)
    assert client.upload_file(MACHINE, b"a" * 5_000_000, filename="a.txt")["id"] == "f"
    assert client.download_file("f") == b"abc"
    sent = [
        (request.method, request.url.host, request.headers.get("authorization"))
        for request in replies.requests
    ]
    bucket = [("PUT", "bucket.example", None)] * 2
    assert sent == [
        ("POST", "api.example", "Bearer das_key"),
        *bucket,
        ("GET", "api.example", "Bearer das_key"),
        ("GET", "bucket.example", None),
    ]
    assert json.loads(replies.requests[0].content)["size_bytes"] == 5_000_000
    replies = Replies(httpx.Response(201, json={"id": "f"}))
    client_of(replies).upload_file(MACHINE, b"abc", filename="a.csv")
    body = json.loads(replies.requests[0].content)
    assert (body["content"], body["content_type"]) == ("YWJj", "text/csv")


def test_a_run_is_followed_from_what_was_seen_and_pauses_where_it_did_not_wait() -> None:
    going = {"id": "r", "status": "running", "revision": 3}
    ended = {**going, "status": "success", "revision": 4}
    pausing = httpx.Response(200, json=going, headers={"retry-after": "1"})
    replies = Replies(pausing, httpx.Response(200, json=ended))
    with patch("time.sleep") as sleep:
        assert client_of(replies).wait_until_ended("r")["status"] == "success"
    sleep.assert_called_once_with(1)
    assert [request.url.params["revision"] for request in replies.requests] == ["0", "3"]

    steps: list[int] = []
    first = {"items": [{"index": 1}, {"index": 2}], "run": None}
    replies = Replies(
        httpx.Response(200, json=first),
        httpx.Response(200, json={"items": [{"index": 3}], "run": ended}),
    )
    client_of(replies).wait_until_ended("r", lambda step: steps.append(step["index"]))
    assert steps == [1, 2, 3]
    assert [request.url.params["after_index"] for request in replies.requests] == ["0", "2"]
    try:
        client_of(Replies(httpx.Response(200, json=going))).wait_until_ended("r", timeout=0)
        raise AssertionError("no error")
    except TimeoutError:
        pass


def test_the_async_client_does_the_same() -> None:
    async def use() -> None:
        replies = Replies(refusal(503, "service_unavailable"), httpx.Response(201, json={"id": "r"}), page("a"))
        transport = httpx.MockTransport(replies)
        async with AsyncClient("https://api.example", transport=transport) as client:
            assert (await client.create_run({"workflow_id": MACHINE}))["id"] == "r"
            assert [machine["id"] async for machine in client.iter_machines()] == ["a"]
        assert replies.keys[0] == replies.keys[1] is not None
        assert json.loads(replies.requests[1].content) == {"workflow_id": MACHINE}

    asyncio.run(use())


for name, test in [*globals().items()]:
    if name.startswith("test_"):
        test()
