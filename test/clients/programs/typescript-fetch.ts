import { deepEqual, equal, ok } from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import {
  AttachmentType,
  ComputerApi,
  Configuration,
  HealthApi,
  MachinesApi,
  RunAttachmentsApi,
  RunStatus,
  RunsApi,
  ScrollBodyDirectionEnum,
} from "./client/index.ts";

const { BASE_URL: basePath = "", API_KEY: apiKey = "", MACHINE_ID = "", WORKFLOW_ID = "" } = process.env;
const configuration = new Configuration({ basePath, accessToken: apiKey });

const machines = await new MachinesApi(configuration).listMachines({
  limit: 10,
  status: ["connected", "error"],
});
ok(machines.items.some(({ id }) => id === MACHINE_ID));

equal((await new HealthApi(configuration).getDatabaseHealth()).status, "ok");

await new ComputerApi(configuration).scrollMouse({
  machineId: MACHINE_ID,
  scrollBody: { direction: ScrollBodyDirectionEnum.Down, amount: 1, x: 200, y: 150 },
});

const runs = new RunsApi(configuration);
let run = await runs.createRun({
  createRunBody: {
    workflowId: WORKFLOW_ID,
    machineId: MACHINE_ID,
    inputValues: { item: "Desk lamp", quantity: 3 },
    sensitiveInputValues: { pin: "2468" },
  },
});
const { id: runId } = run;
while (run.status === RunStatus.Scheduling || run.status === RunStatus.Running) {
  await sleep(300);
  run = await runs.getRun({ runId });
}
equal(run.status, RunStatus.Success, run.error.join());
const { items: steps } = await runs.listRunSteps({ runId });
equal(steps[0]?.action.type, "click");
equal(steps.at(-1)?.status, "done");

const attachments = new RunAttachmentsApi(configuration);
const made = await attachments.createRunAttachment({
  createAttachmentBody: {
    runId,
    attachmentType: AttachmentType.Output,
    filename: "ä.txt",
    content: "YWJj",
  },
});
equal(made.sizeBytes, 3);
const file = await attachments.downloadRunAttachment({ attachmentId: made.id });
deepEqual(new Uint8Array(await file.arrayBuffer()), new TextEncoder().encode("abc"));
