import { InMemoryClaimStore } from "../../support/fakes/in-memory-claim-store.ts";
import { claimStoreSuite } from "../../support/ports/claim-store.suite.ts";

claimStoreSuite((clock) => new InMemoryClaimStore(clock));
