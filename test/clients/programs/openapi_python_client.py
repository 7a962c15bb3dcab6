import importlib
import os
import pkgutil
import time
from uuid import UUID

import service
from service import AuthenticatedClient, models
from service.api.computer import scroll_mouse
from service.api.health import get_database_health
from service.api.machines import list_machines
from service.api.run_attachments import create_run_attachment, download_run_attachment
from service.api.runs import create_run, get_run, list_run_steps

for module in pkgutil.walk_packages(service.__path__, "service."):
    importlib.import_module(module.name)

env = os.environ
machine_id = UUID(env["MACHINE_ID"])
with AuthenticatedClient(
    base_url=env["BASE_URL"], token=env["API_KEY"], raise_on_unexpected_status=True
) as client:
    machines = list_machines.sync(client=client, limit=10, status=list(models.MachineStatus))
    assert machine_id in [machine.id for machine in machines.items]

    assert get_database_health.sync(client=client).status == models.ReachableDatabaseStatus.OK

    scroll = models.ScrollBody(direction=models.ScrollBodyDirection.DOWN, amount=1, x=200, y=150)
    assert scroll_mouse.sync_detailed(machine_id, client=client, body=scroll).status_code == 200

    inputs = models.CreateRunBodyInputValuesType0.from_dict({"item": "Desk lamp", "quantity": 3})
    secrets = models.CreateRunBodySensitiveInputValuesType0.from_dict({"pin": "2468"})
    run = create_run.sync(
        client=client,
        body=models.CreateRunBody(
            workflow_id=UUID(env["WORKFLOW_ID"]),
            machine_id=machine_id,
            input_values=inputs,
            sensitive_input_values=secrets,
        ),
    )
    while run.status in (models.RunStatus.SCHEDULING, models.RunStatus.RUNNING):
        time.sleep(0.3)
        run = get_run.sync(run.id, client=client)
    assert run.status == models.RunStatus.SUCCESS, run.error
    steps = list_run_steps.sync(run.id, client=client)
    assert steps.items[0].action["type"] == "click"
    assert steps.items[-1].status == models.RunStepStatus.DONE

    made = create_run_attachment.sync(
        client=client,
        body=models.CreateAttachmentBody(
            run_id=run.id,
            attachment_type=models.AttachmentType.OUTPUT,
            filename="ä.txt",
            content="YWJj",
        ),
    )
    assert made.size_bytes == 3
    file = download_run_attachment.sync_detailed(made.id, client=client)
    assert file.content == b"abc"
