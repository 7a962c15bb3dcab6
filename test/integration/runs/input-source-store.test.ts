import { describe, expect, it } from "vitest";
import { DynamoInputSourceStore } from "../../../shared/storage/run/dynamo-input-source-store.ts";
import { machineItem } from "../../../shared/storage/machine/machine-item.ts";
import { poolItem } from "../../../shared/storage/pool/pool-item.ts";
import { workflowItem } from "../../../shared/storage/workflow/workflow-item.ts";
import { useTable } from "../../support/dynamo-stores.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { inputSourceStoreSuite } from "../../support/ports/input-source-store.suite.ts";

const table = useTable();

inputSourceStoreSuite(() => {
  const dynamo = table().at(new FakeClock());
  return {
    inputSources: new DynamoInputSourceStore({ table: dynamo }),
    put: async (entity) => {
      if ("workflow" in entity) await dynamo.put(workflowItem(entity.workflow));
      else if ("machine" in entity) await dynamo.put(machineItem(entity.machine));
      else await dynamo.put(poolItem(entity.pool));
    },
  };
});

describe("DynamoInputSourceStore", () => {
  it("asks once", async () => {
    const { at, take } = table();
    const store = new DynamoInputSourceStore({ table: at(new FakeClock()) });
    take();
    await store.read("o", { workflowId: "w", machineId: "m", poolIds: ["p1", "p2", "p1"] });
    expect(take()).toEqual(["BatchGetItem"]);
  });
});
