import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { InMemoryIdempotencyStore } from "../../support/fakes/in-memory-idempotency-store.ts";
import { InMemoryPoolStore } from "../../support/fakes/in-memory-pool-store.ts";
import { poolSearchRowsMaxInSuite, poolStoreSuite } from "../../support/ports/pool-store.suite.ts";

poolStoreSuite(() => {
  const idempotencyRecords = new InMemoryIdempotencyStore(new FakeClock());
  return { idempotencyRecords, pools: new InMemoryPoolStore(idempotencyRecords, poolSearchRowsMaxInSuite) };
});
