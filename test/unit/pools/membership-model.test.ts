import { expect, it } from "vitest";
import { inMemoryStores } from "../../support/fakes/in-memory-stores.ts";
import { checkMembershipModel } from "../../support/ports/membership-model.suite.ts";

it("keeps members, their number and what machines name the same after any sequence of changes", async () => {
  expect.hasAssertions();
  await checkMembershipModel(() => inMemoryStores(), 200);
});
