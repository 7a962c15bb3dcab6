import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { entryOfRun } from "../../../shared/domain/matching/queue-places.ts";
import { explainWaiting } from "../../../shared/domain/run/waiting/explain-waiting.ts";
import { DynamoMembershipStore } from "../../../shared/storage/pool/dynamo-membership-store.ts";
import { DynamoWaitingView } from "../../../shared/storage/waiting/dynamo-waiting-view.ts";
import { machineItem } from "../../../shared/storage/machine/machine-item.ts";
import { poolItem } from "../../../shared/storage/pool/pool-item.ts";
import { enqueueWrite } from "../../../shared/storage/queue/queue-rows.ts";
import { sessionItem } from "../../../shared/storage/session/session-item.ts";
import { aRun } from "../../support/builders/entities.ts";
import { useTable } from "../../support/dynamo-stores.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { waitingViewSuite } from "../../support/ports/waiting-view.suite.ts";

const table = useTable();

waitingViewSuite(() => {
  const clock = new FakeClock();
  const dynamo = table().at(clock);
  return {
    view: new DynamoWaitingView({ table: dynamo }),
    memberships: new DynamoMembershipStore({ table: dynamo, clock }),
    putMachine: async (machine) => void (await dynamo.put(machineItem(machine))),
    putPool: async (pool) => void (await dynamo.put(poolItem(pool))),
    putSession: async (session) => void (await dynamo.put(sessionItem(session))),
    putRun: async (run) => void (await dynamo.transact([enqueueWrite(entryOfRun(run))])),
  };
});

describe("DynamoWaitingView", () => {
  it.each([
    ["a machine", { namedMachineId: v7() }, ["GetItem", "Query"]],
    ["a session", { sessionId: v7() }, ["GetItem", "Query"]],
    ["pools", { poolIds: [v7(), v7()] }, ["BatchGetItem", "Query"]],
    ["any machine", {}, ["Query", "Query", "Query", "Query"]],
  ])("asks a bounded number of times for %s", async (_what, target, calls) => {
    const { at, take } = table();
    const view = new DynamoWaitingView({ table: at(new FakeClock()) });
    take();
    await explainWaiting(view, aRun({ status: "scheduling", ...target }));
    expect([...take()].sort()).toEqual(calls);
  });
});
