import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { organizationIdOf } from "../../../shared/domain/organization-id.ts";
import { explainWaiting } from "../../../shared/domain/run/waiting/explain-waiting.ts";
import { aRun } from "../../support/builders/entities.ts";
import { countCalls } from "../../support/counting-client.ts";
import { DynamoModel } from "../../support/dynamo-model/dynamo-model.ts";
import { createModelStores } from "../../support/stores/model-stores.ts";

const counted = countCalls(new DynamoModel().client as DynamoDBClient);
const stores = createModelStores({ client: counted.client });

describe("calls to the table", () => {
  it("are one for the sources of a run's inputs, and for the owners of its secrets", async () => {
    await stores.inputSources.read(organizationIdOf("o"), {
      workflowId: "w",
      machineId: "m",
      poolIds: ["p1", "p2", "p1"],
    });
    expect(counted.take()).toEqual(["BatchGetItem"]);
    await stores.secretOwners.read(organizationIdOf("o"), [
      { kind: "machine", id: "m" },
      { kind: "pool", id: "p" },
    ]);
    expect(counted.take()).toEqual(["BatchGetItem"]);
  });

  it("are none for a request that meets a window which is known to be full", async () => {
    const bucket = { name: `address#${v7()}`, limit: 1 };
    const kinds: string[] = [];
    for (let count = 0; count < 4; count++) kinds.push((await stores.rateLimiter.take(bucket)).kind);
    expect(kinds).toEqual(["allowed", "refused", "refused", "refused"]);
    expect(counted.take()).toEqual(["UpdateItem", "UpdateItem"]);
  });

  it.each([
    ["a machine", { namedMachineId: v7() }, ["GetItem", "Query"]],
    ["a session", { sessionId: v7() }, ["GetItem", "Query"]],
    ["pools", { poolIds: [v7(), v7()] }, ["BatchGetItem", "Query"]],
    ["any machine", {}, ["Query", "Query", "Query", "Query"]],
  ])("are bounded for why a run waits for %s", async (_what, target, calls) => {
    await explainWaiting(stores.waitingView, aRun(target));
    expect([...counted.take()].sort()).toEqual(calls);
  });
});
