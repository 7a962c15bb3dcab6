import { createProjector } from "../../../functions/projector/app.ts";
import { endRun } from "../../../shared/domain/run/end-run.ts";
import { beginAttempt } from "../../../shared/domain/webhook/delivery/begin-attempt.ts";
import { executionPut } from "../../../shared/storage/execution/execution-item.ts";
import { readTableChange, type TableStreamRecord } from "../../../shared/storage/stream/stream-changes.ts";
import { readEvents } from "../../../shared/storage/stream/stream-events.ts";
import { aWebhookEndpoint } from "../builders/webhooks.ts";
import { deletionWorld } from "../deletions/deletion-world.ts";
import { readsNothing } from "../projector-reads.ts";

const ending = { status: "error", reason: "the shop was closed" } as const;

/**
 * Starts runs and ends all of them at once, more than may be in flight, and sends their ends to endpoints that take each:
 * counts the durable executions started.
 */
export async function durableStarts({
  runs,
  endpoints,
}: {
  readonly runs: number;
  readonly endpoints: number;
}): Promise<{ readonly ofRuns: number; readonly ofDeliveries: number; readonly sent: number }> {
  const world = deletionWorld();
  const { put, table, clock, deliveryStarter, deliveryExecutions, secrets, starter, webhookSender } = world;
  const { organizationId, id: workflowId } = await put.workflow({ isWebhooksEnabled: true });
  for (let number = 0; number < endpoints; number += 1) {
    const endpoint = aWebhookEndpoint({ organizationId, eventTypes: ["run.complete"] });
    await secrets.create(endpoint.secretName, { secret: world.mintSigningSecret() });
    await world.webhookEndpoints.create(endpoint);
  }
  const project = createProjector<TableStreamRecord>({
    ...world,
    ...readsNothing,
    readChange: readTableChange,
    readEvents,
  });
  const told = async () => {
    const records = world.takeRecords().map((record) => ({
      ...record,
      eventID: record.dynamodb.SequenceNumber,
      dynamodb: { ...record.dynamodb, ApproximateCreationDateTime: clock.now() / 1_000 },
    }));
    for (let at = 0; at < records.length; at += 100) {
      await project({ Records: records.slice(at, at + 100) });
      await carryOut();
    }
  };
  const begunRuns: string[] = [];
  let begun = 0;
  const carryOut = async () => {
    for (; begun < deliveryStarter.started.length; begun += 1) {
      const attempt = deliveryStarter.started[begun];
      if (attempt !== undefined) await beginAttempt(world, attempt.job, attempt.startId);
    }
  };
  for (let number = 0; number < runs; number += 1) {
    const run = await put.run({ organizationId, workflowId, status: "running" });
    const startedAt = new Date(clock.now()).toISOString();
    const execution = executionPut({
      organizationId,
      runId: run.id,
      assignmentId: world.ids.uuid7(),
      machineId: world.ids.uuid7(),
      part: 1,
      arn: null,
      planKey: null,
      cursor: null,
      startedAt,
      held: null,
      callbackId: null,
      resumed: null,
      heldMs: 0,
    });
    if (execution.kind === "put") await table.put(execution.item);
    begunRuns.push(run.id);
  }
  await told();
  for (const id of begunRuns) await endRun(world, organizationId, id, ending);
  await told();
  return {
    ofRuns: starter.started.length,
    ofDeliveries: deliveryExecutions.started.length,
    sent: webhookSender.sent.length,
  };
}
