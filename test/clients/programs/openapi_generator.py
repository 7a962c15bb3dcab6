import os
import time

import openapi_client as client
from openapi_client import models

env = os.environ
configuration = client.Configuration(host=env["BASE_URL"], access_token=env["API_KEY"])
with client.ApiClient(configuration) as api:
    machines = client.MachinesApi(api).list_machines(limit=10, status=["connected", "error"])
    assert env["MACHINE_ID"] in [str(machine.id) for machine in machines.items]

    assert client.HealthApi(api).get_database_health().actual_instance.status == "ok"

    scroll = models.ScrollBody(direction="down", amount=1, x=200, y=150)
    client.ComputerApi(api).scroll_mouse(env["MACHINE_ID"], scroll)

    runs = client.RunsApi(api)
    run = runs.create_run(
        models.CreateRunBody(
            workflow_id=env["WORKFLOW_ID"],
            machine_id=env["MACHINE_ID"],
            input_values={"item": "Desk lamp", "quantity": 3},
            sensitive_input_values={"pin": "2468"},
        )
    )
    while run.status in (models.RunStatus.SCHEDULING, models.RunStatus.RUNNING):
        time.sleep(0.3)
        run = runs.get_run(run.id)
    assert run.status == models.RunStatus.SUCCESS, run.error
    steps = runs.list_run_steps(run.id)
    assert steps.items[0].action["type"] == "click" and steps.items[-1].status == "done"

    attachments = client.RunAttachmentsApi(api)
    made = attachments.create_run_attachment(
        models.CreateAttachmentBody(
            run_id=run.id, attachment_type="output", filename="ä.txt", content="YWJj"
        )
    )
    assert made.size_bytes == 3
    assert attachments.download_run_attachment(made.id) == b"abc"
