import { type DynamoDBClient, TransactWriteItemsCommand, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import { describe, expect, it } from "vitest";
import { requireUpdatedMachine } from "../../../shared/domain/machine/update-outcome.ts";
import { requireUpdatedPool } from "../../../shared/domain/pool/pool-deps.ts";
import { requireUpdatedRun } from "../../../shared/domain/run/update-outcome.ts";
import { runItem } from "../../../shared/storage/run/run-item.ts";
import { countWrite } from "../../../shared/storage/table/counters.ts";
import { put } from "../../../shared/storage/table/expression.ts";
import { workflowKey } from "../../../shared/storage/table/keys.ts";
import { aMachine, anAttachment, anIdempotency, aPool, aRun } from "../../support/builders/entities.ts";
import { aTrajectory } from "../../support/builders/trajectories.ts";
import { DynamoModel } from "../../support/dynamo-model/dynamo-model.ts";
import { createModelStores } from "../../support/stores/model-stores.ts";

function createContended() {
  const model = new DynamoModel();
  const { client } = model;
  const overtaking: Pick<DynamoDBClient, "send"> = {
    send: async (command: Parameters<DynamoDBClient["send"]>[0]) => {
      const writes = command instanceof TransactWriteItemsCommand ? command.input.TransactItems : [];
      const update = writes?.find(({ Update }) => Update !== undefined)?.Update;
      if (update !== undefined) {
        await client.send(
          new UpdateItemCommand({
            TableName: update.TableName,
            Key: update.Key,
            UpdateExpression: "ADD #revision :one",
            ExpressionAttributeNames: { "#revision": "revision" },
            ExpressionAttributeValues: { ":one": { N: "1" } },
          }),
        );
      }
      return client.send(command);
    },
  };
  const calm = createModelStores({ model });
  return { calm, contended: createModelStores({ model, client: overtaking }) };
}

type World = ReturnType<typeof createContended>;

const updatedAt = "2026-01-15T12:00:00.000Z";

const updates: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
  "a machine": async ({ calm, contended }) => {
    const { id, organizationId, ...machine } = aMachine();
    await calm.machines.create({ ...machine, id, organizationId });
    const options = { idempotency: anIdempotency(organizationId) };
    const outcome = await contended.machines.update(organizationId, id, { name: "new" }, options);
    return requireUpdatedMachine(id, outcome);
  },
  "a pool": async ({ calm, contended }) => {
    const pool = aPool();
    await calm.pools.create(pool);
    const options = { idempotency: anIdempotency(pool.organizationId) };
    const change = { description: "new", updatedAt };
    return requireUpdatedPool(
      pool.id,
      await contended.pools.update(pool.organizationId, pool.id, change, options),
    );
  },
  "a run": async ({ calm, contended }) => {
    const run = aRun();
    await calm.table.transact({ run: put(runItem(run)), count: countWrite("RUN", run, 1) });
    const options = { idempotency: anIdempotency(run.organizationId) };
    const change = { usageMetadata: {}, updatedAt };
    return requireUpdatedRun(
      run.id,
      await contended.runs.update(run.organizationId, run.id, change, options),
    );
  },
  "an attachment": async ({ calm, contended }) => {
    const run = aRun();
    await calm.table.transact({ run: put(runItem(run)), count: countWrite("RUN", run, 1) });
    const { organizationId } = run;
    const attachment = anAttachment({ organizationId, runId: run.id, expiresAt: null });
    await calm.attachments.create(attachment);
    const change = { expiresAt: null, updatedAt };
    return contended.attachments.setExpiry(
      organizationId,
      attachment.id,
      change,
      anIdempotency(organizationId),
    );
  },
  "a trajectory": async ({ calm, contended }) => {
    const trajectory = aTrajectory();
    const { organizationId, id, workflowId } = trajectory;
    await calm.table.put({ ...workflowKey(organizationId, workflowId), kind: "workflow" });
    await calm.trajectories.create(trajectory);
    const change = { name: "new", updatedAt };
    return contended.trajectories.update(organizationId, id, change, anIdempotency(organizationId));
  },
};

describe("an entity that others change all the time", () => {
  it.each(Object.entries(updates))("is %s: 503 with Retry-After, whichever it is", async (_, update) => {
    await expect(update(createContended())).rejects.toMatchObject({
      code: "service_unavailable",
      message: expect.stringContaining("is being changed too often; try again"),
      retryAfterSeconds: 1,
    });
  });
});
