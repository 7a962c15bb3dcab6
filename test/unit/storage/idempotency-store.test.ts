import { InMemoryIdempotencyStore } from "../../support/fakes/in-memory-idempotency-store.ts";
import { idempotencyStoreSuite } from "../../support/ports/idempotency-store.suite.ts";

idempotencyStoreSuite((clock) => new InMemoryIdempotencyStore(clock));
