import { expect, it } from "vitest";
import { DynamoIdempotencyStore } from "../../../shared/storage/table/dynamo-idempotency-store.ts";
import { DynamoMachineStore } from "../../../shared/storage/machine/dynamo-machine-store.ts";
import { DynamoMembershipStore } from "../../../shared/storage/pool/dynamo-membership-store.ts";
import { DynamoPoolStore } from "../../../shared/storage/pool/dynamo-pool-store.ts";
import { useTable } from "../../support/dynamo-stores.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { checkMembershipModel } from "../../support/ports/membership-model.suite.ts";
import { membershipStoreSuite } from "../../support/ports/membership-store.suite.ts";

const table = useTable();

const stores = () => {
  const clock = new FakeClock();
  const dynamo = table().at(clock);
  return {
    memberships: new DynamoMembershipStore({ table: dynamo, clock }),
    pools: new DynamoPoolStore({ table: dynamo, clock }),
    machines: new DynamoMachineStore({ table: dynamo, clock }),
    idempotencyRecords: new DynamoIdempotencyStore({ table: dynamo, clock }),
  };
};

membershipStoreSuite(stores);

it("keeps members, their number and what machines name the same after any sequence of changes", async () => {
  expect.hasAssertions();
  await checkMembershipModel(stores, 12);
});
