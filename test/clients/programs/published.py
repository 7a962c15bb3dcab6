import asyncio
import os

from desktop_automation_service import ApiError, AsyncClient, Client, models

BASE_URL, API_KEY = os.environ["BASE_URL"], os.environ["API_KEY"]
MACHINE_ID = os.environ["MACHINE_ID"]
WORKFLOW_ID = os.environ["WORKFLOW_ID"]
ORDER: models.CreateRunBody = {
    "workflow_id": WORKFLOW_ID,
    "machine_id": MACHINE_ID,
    "input_values": {"item": "Desk lamp", "quantity": 3},
    "sensitive_input_values": {"pin": "2468"},
}


def use(client: Client) -> str:
    machines = client.iter_machines(limit=1, status="connected")
    assert MACHINE_ID in [machine["id"] for machine in machines]

    steps: list[models.RunStep] = []
    run = client.wait_until_ended(client.create_run(ORDER)["id"], steps.append)
    assert run["status"] == "success", run["error"]
    assert steps[0]["action"]["type"] == "click" and steps[-1]["status"] == "done"

    # One goes into the request, the other to the bucket.
    for content in (b"abc", b"a" * 5_000_000):
        made = client.upload_file(run["id"], content, attachment_type="output", filename="ä.txt")
        assert client.download_file(made["id"]) == content

    try:
        client.update_machine(MACHINE_ID, {"name": ""})
        raise AssertionError("a machine without a name")
    except ApiError as error:
        assert (error.status, error.field) == (422, "body.name"), error
    return run["id"]


async def use_async(client: AsyncClient, run_id: str) -> None:
    runs = [run["id"] async for run in client.iter_runs(limit=1)]
    assert run_id in runs and len(runs) == len(set(runs))
    run, missing = await asyncio.gather(
        client.wait_until_ended(run_id), client.get_run(MACHINE_ID), return_exceptions=True
    )
    assert not isinstance(run, BaseException) and run["status"] == "success"
    assert isinstance(missing, ApiError) and missing.error_code == "not_found" and missing.request_id


async def main(run_id: str) -> None:
    async with AsyncClient(BASE_URL, API_KEY) as client:
        await use_async(client, run_id)


with Client(BASE_URL, API_KEY) as client:
    run_id = use(client)
asyncio.run(main(run_id))
