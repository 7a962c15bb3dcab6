import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { InMemoryClaimStore } from "../../support/fakes/in-memory-claim-store.ts";
import { InMemoryPoolStore } from "../../support/fakes/in-memory-pool-store.ts";
import { poolSearchRowsMaxInSuite, poolStoreSuite } from "../../support/ports/pool-store.suite.ts";

poolStoreSuite(() => {
  const claims = new InMemoryClaimStore(new FakeClock());
  return { claims, pools: new InMemoryPoolStore(claims, poolSearchRowsMaxInSuite) };
});
