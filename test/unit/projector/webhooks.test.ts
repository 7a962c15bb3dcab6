import { describe, expect, it } from "vitest";
import { createProjector } from "../../../functions/projector/app.ts";
import {
  WebhookMachineEvent,
  WebhookRunEvent,
  WebhookScheduleEvent,
} from "../../../shared/contract/webhook/webhook-events.ts";
import type { Caller } from "../../../shared/domain/access/caller.ts";
import { deleteWorkflow } from "../../../shared/domain/entity/delete-entity.ts";
import { createChain } from "../../../shared/domain/run/create/create-chain.ts";
import { createRun } from "../../../shared/domain/run/create/create-run.ts";
import { createRuns } from "../../../shared/domain/run/create/create-runs.ts";
import { endRun } from "../../../shared/domain/run/end-run.ts";
import { retryRun } from "../../../shared/domain/run/retry/retry-run.ts";
import type { Run } from "../../../shared/domain/run/run.ts";
import { spill } from "../../../shared/domain/spill.ts";
import type { WebhookEndpoint } from "../../../shared/domain/webhook/webhook-endpoint.ts";
import { AjvInputChecker } from "../../../shared/schema/ajv-input-checker.ts";
import { reduceRecord } from "../../../shared/storage/stream/reduce-record.ts";
import { readTableChange, type TableStreamRecord } from "../../../shared/storage/stream/stream-changes.ts";
import { eventAttributes, readEvents } from "../../../shared/storage/stream/stream-events.ts";
import { aSchedule } from "../../support/builders/schedules.ts";
import { aWebhookEndpoint } from "../../support/builders/webhooks.ts";
import { type DeletionWorld, deletionWorld } from "../../support/deletions/deletion-world.ts";
import { readsNothing } from "../../support/projector-reads.ts";

const secret = "a-value-that-nobody-may-see";

/** An attempt may be started more than once, and is made once. */
function startedJobs({ deliveryStarter: { started } }: Pick<DeletionWorld, "deliveryStarter">) {
  return [...new Map(started.map(({ job }) => [job.deliveryId, job])).values()];
}

async function setUp(endpoints: readonly Partial<WebhookEndpoint>[] = [{}], isWebhooksEnabled = true) {
  const world = deletionWorld();
  const workflow = await world.put.workflow({ isWebhooksEnabled });
  const { organizationId } = workflow;
  for (const fields of endpoints) {
    await world.webhookEndpoints.create(aWebhookEndpoint({ organizationId, ...fields }));
  }
  const project = createProjector<TableStreamRecord>({
    ...world,
    ...readsNothing,
    readChange: readTableChange,
    readEvents,
  });
  const told = () =>
    world.takeRecords().map((record) => ({
      ...record,
      eventID: record.dynamodb.SequenceNumber,
      dynamodb: { ...record.dynamodb, ApproximateCreationDateTime: world.clock.now() / 1_000 },
    }));
  const ended = async (fields: Partial<Run> = {}) => {
    const run = await world.put.run({
      organizationId,
      workflowId: workflow.id,
      status: "running",
      sensitiveAliases: ["pin"],
      inputValues: { customer: "Ada" },
      outputData: { kind: "inline", value: { total: 3 } },
      ...fields,
    });
    world.takeRecords();
    await endRun(world, run.organizationId, run.id, { status: "error", reason: "the shop was closed" });
    return { run, records: told() };
  };
  const queued = async () =>
    await Promise.all(
      startedJobs(world).map(async ({ deliveryId, eventId }) => ({
        delivery: await world.deliveries.find(organizationId, deliveryId),
        body: JSON.parse((await world.deliveries.findBody(organizationId, eventId)) ?? "{}"),
      })),
    );
  const { userId } = workflow;
  const caller: Caller = {
    kind: "api_key",
    organizationId,
    userId,
    principal: "key",
    keyId: "key",
    scopes: ["write"],
  };
  const deleteIt = async (as = (record: TableStreamRecord) => record) => {
    world.takeRecords();
    await deleteWorkflow(world, caller, { id: workflow.id });
    for (let records = told(); records.length > 0; records = told()) {
      await project({ Records: records.map(as) });
    }
  };
  return { ...world, organizationId, workflow, caller, project, told, ended, queued, deleteIt };
}

describe("the end of a run", () => {
  it("goes to each endpoint that wants it, whole and once, though the stream tells it again", async () => {
    const wanting = { eventTypes: ["run.complete"] } as const;
    const others = [{ eventTypes: ["run.running"] }, { isEnabled: false }] as const;
    const { ended, project, queued, organizationId } = await setUp([{}, wanting, ...others]);
    const { run, records } = await ended();
    for (const _ of [1, 2]) expect(await project({ Records: records })).toEqual({ batchItemFailures: [] });
    const sent = await queued();
    expect(sent).toHaveLength(2);
    const [{ delivery, body } = { delivery: undefined, body: undefined }, second] = sent;
    expect(second?.body).toEqual(body);
    expect(delivery).toMatchObject({ status: "pending", eventType: "run.complete", round: 1, attempts: [] });
    const event = WebhookRunEvent.parse(body);
    expect(event).toMatchObject({ event_id: delivery?.eventId, event_type: "run.complete" });
    expect(event.run).toMatchObject({
      id: run.id,
      organization_id: organizationId,
      status: "error",
      error: ["the shop was closed"],
      input_values: { customer: "Ada" },
      output_data: { total: 3 },
      omitted_fields: [],
      sensitive_input_aliases: { pin: "pin" },
    });
  });

  it("is kept to itself by a workflow without webhooks", async () => {
    const { ended, project, queued } = await setUp([{}], false);
    await project({ Records: (await ended({ isWebhooksEnabled: true })).records });
    expect(await queued()).toEqual([]);
  });

  it("goes out in turns of the organizations, so that one with many keeps no other's waiting", async () => {
    const world = await setUp();
    const queued: string[] = [];
    const { deliveries } = world;
    const putMessage = deliveries.putMessage.bind(deliveries);
    deliveries.putMessage = async (message) => {
      queued.push(message.organizationId);
      await putMessage(message);
    };
    const records: Awaited<ReturnType<typeof world.ended>>["records"] = [];
    const organizations = Array.from({ length: 12 }, (_, index) => ({ runs: index < 11 ? 8 : 1 }));
    for (const { runs } of organizations) {
      const { id: workflowId, organizationId } = await world.put.workflow({ isWebhooksEnabled: true });
      await world.webhookEndpoints.create(aWebhookEndpoint({ organizationId }));
      for (let run = 0; run < runs; run += 1) {
        records.push(...(await world.ended({ organizationId, workflowId })).records);
      }
    }
    await world.project({ Records: records });
    expect(queued).toHaveLength(11 * 8 + 1);
    const alone = queued.findIndex((each) => queued.indexOf(each) === queued.lastIndexOf(each));
    expect(alone).toBeLessThan(2 * organizations.length);
  });

  it("costs an organization without endpoints one call", async () => {
    const { ended, project, countCalls } = await setUp([]);
    const { records } = await ended();
    expect(await countCalls(async () => await project({ Records: records }))).toBe(1);
  });

  it("carries what is in the bucket, up to 192 KB", async () => {
    const world = await setUp();
    const { ended, project, queued, organizationId, files } = world;
    const spilled = async (characters: number) => {
      const place = { organizationId, kind: "run", id: world.workflow.id, field: "output_data" };
      const objectId = world.ids.uuid7();
      return await spill({ files }, { ...place, objectId }, "x".repeat(characters));
    };
    const [first, second] = [
      await ended({ outputData: await spilled(150_000) }),
      await ended({ outputData: await spilled(200_000) }),
    ];
    await project({ Records: [...first.records, ...second.records] });
    const runs = (await queued()).map(({ body }) => WebhookRunEvent.parse(body).run);
    const byId = (id: string) => runs.find((run) => run.id === id);
    expect(byId(first.run.id)).toMatchObject({ output_data: "x".repeat(150_000), omitted_fields: [] });
    expect(byId(second.run.id)).toMatchObject({ output_data: null, omitted_fields: ["output_data"] });
  });

  it("is queued again from a record that was set aside, with the run as it is then", async () => {
    const { ended, project, queued, deliveryStarter, setAside } = await setUp();
    const { run, records } = await ended();
    deliveryStarter.isAway = true;
    await project({ Records: records });
    expect(setAside.records).toHaveLength(1);
    deliveryStarter.isAway = false;
    const reduced = records.map((record) => reduceRecord(record, eventAttributes()));
    expect(await project({ Records: reduced })).toEqual({ batchItemFailures: [] });
    const [{ body } = { body: undefined }, ...more] = await queued();
    expect([more, WebhookRunEvent.parse(body).run.id]).toEqual([[], run.id]);
  });
});

describe("the end of a run that waits while its workflow is deleted", () => {
  const ends = [{ eventTypes: ["run.complete"] }] as const;
  type World = Awaited<ReturnType<typeof setUp>>;
  type Make = (
    deps: World & { readonly inputChecker: AjvInputChecker },
    workflowId: string,
  ) => Promise<unknown>;
  const create: Make = async (deps, workflowId) => await createRun(deps, deps.caller, { workflowId });

  it.each<[string, number, Make]>([
    ["created", 1, create],
    [
      "created in bulk",
      2,
      async (deps, workflowId) => createRuns(deps, deps.caller, { workflowId, count: 2 }),
    ],
    [
      "created in a chain",
      1,
      async (deps, workflowId) => {
        const steps = [{ workflowId, continueOnFailure: false }];
        return await createChain(deps, deps.caller, { steps, keepsSession: false });
      },
    ],
    [
      "retried",
      1,
      async (deps, workflowId) => {
        const { organizationId, caller } = deps;
        const { id } = await createRun(deps, caller, { workflowId });
        await endRun(deps, organizationId, id, { status: "cancelled", reason: "not today" });
        return await retryRun(deps, caller, { runId: id, reuseSession: false });
      },
    ],
  ])("is sent once as the workflow had it when the run was created: %s", async (_how, count, make) => {
    for (const isWebhooksEnabled of [true, false]) {
      const world = await setUp(ends, isWebhooksEnabled);
      await make({ ...world, inputChecker: new AjvInputChecker(world) }, world.workflow.id);
      await world.deleteIt();
      expect(await world.workflows.findDeleted(world.organizationId, world.workflow.id)).toBeUndefined();
      const sent = (await world.queued()).map(({ body }) => [body.event_type, body.run.status]);
      expect(sent).toEqual(Array(isWebhooksEnabled ? count : 0).fill(["run.complete", "cancelled"]));
    }
  });

  it("is sent from a record that was set aside, too", async () => {
    const { put, deleteIt, queued, organizationId, workflow } = await setUp(ends);
    const { id } = await put.run({ organizationId, workflowId: workflow.id, isWebhooksEnabled: true });
    await deleteIt((record) => reduceRecord(record, eventAttributes()));
    expect((await queued()).map(({ body }) => body.run.id)).toEqual([id]);
  });

  it("is not sent of a run whose workflow has sent none", async () => {
    const { put, deleteIt, queued, organizationId, workflow, state } = await setUp(ends);
    await put.run({ organizationId, workflowId: workflow.id });
    expect(state().rows.find(({ kind }) => kind === "run")).not.toHaveProperty("is_webhooks_enabled");
    await deleteIt();
    expect(await queued()).toEqual([]);
  });
});

describe("what becomes of a machine", () => {
  it("goes to the endpoints, whatever workflows say, without its parameters", async () => {
    const { put, told, project, queued, organizationId } = await setUp([{}], false);
    const machine = await put.machine({ organizationId, parameters: { pin: secret } });
    await project({ Records: told() });
    const created = (await queued())
      .map(({ body }) => body)
      .find(({ event_type }) => event_type === "machine.created");
    expect(WebhookMachineEvent.parse(created).machine).toMatchObject({
      machine_id: machine.id,
      name: machine.name,
      previous_status: null,
    });
    expect(JSON.stringify(created)).not.toContain(secret);
  });
});

describe("what becomes of a schedule", () => {
  it("goes to the endpoints, whatever workflows say, without its inputs", async () => {
    const { schedules, told, project, queued, organizationId, workflow } = await setUp([{}], false);
    const schedule = aSchedule({ organizationId, workflowId: workflow.id, inputValues: { pin: secret } });
    await schedules.create(schedule);
    await schedules.switchOff(schedule, "workflow_deleted", schedule.createdAt);
    await project({ Records: told() });
    const [sent, ...others] = (await queued()).map(({ body }) => body);
    expect([sent?.event_type, others]).toEqual(["schedule.disabled", []]);
    expect(WebhookScheduleEvent.parse(sent).schedule).toMatchObject({
      schedule_id: schedule.id,
      disabled_reason: "workflow_deleted",
    });
    expect(JSON.stringify(sent)).not.toContain(secret);
  });
});
