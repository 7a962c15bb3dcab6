import { describe, expect, it } from "vitest";
import { DynamoMachineStore } from "../../../shared/storage/machine/dynamo-machine-store.ts";
import { DynamoPoolStore } from "../../../shared/storage/pool/dynamo-pool-store.ts";
import { DynamoSecretOwnerStore } from "../../../shared/storage/run/dynamo-secret-owner-store.ts";
import { useTable } from "../../support/dynamo-stores.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { secretOwnerStoreSuite } from "../../support/ports/secret-owner-store.suite.ts";

const table = useTable();

describe("DynamoSecretOwnerStore", () => {
  secretOwnerStoreSuite(() => {
    const clock = new FakeClock();
    const stored = { table: table().at(clock), clock };
    return {
      secretOwners: new DynamoSecretOwnerStore(stored),
      machines: new DynamoMachineStore(stored),
      pools: new DynamoPoolStore(stored),
    };
  });

  it("asks once", async () => {
    const { at, take } = table();
    const store = new DynamoSecretOwnerStore({ table: at(new FakeClock()) });
    take();
    await store.read("o", [
      { kind: "machine", id: "m" },
      { kind: "pool", id: "p" },
    ]);
    expect(take()).toEqual(["BatchGetItem"]);
  });
});
