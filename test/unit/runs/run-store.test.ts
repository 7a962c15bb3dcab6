import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { InMemoryClaimStore } from "../../support/fakes/in-memory-claim-store.ts";
import { InMemoryRunStore } from "../../support/fakes/in-memory-run-store.ts";
import { runListSuite } from "../../support/ports/run-list.suite.ts";
import { type RunStores, runStoreSuite } from "../../support/ports/run-store.suite.ts";

function stores(searchRowsMax: number): RunStores {
  const claims = new InMemoryClaimStore(new FakeClock());
  const there = new Set<string>();
  const exists = (...what: readonly string[]) => there.has(what.join(" "));
  const runs = new InMemoryRunStore(claims, exists, searchRowsMax);
  return {
    runs,
    claims,
    putRequired: async (...what) => void there.add(what.join(" ")),
    putRun: async (run) => runs.write(run),
  };
}

runStoreSuite(() => stores(10_000));
runListSuite(() => stores(5));
