import { it } from "vitest";
import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { InMemoryIdempotencyStore } from "../../support/fakes/in-memory-idempotency-store.ts";
import { InMemoryRunStore } from "../../support/fakes/in-memory-run-store.ts";
import { checkRunModel, type ModelledRuns } from "../../support/ports/run-model.suite.ts";

function stores(): ModelledRuns {
  const there = new Set<string>();
  const exists = (...what: readonly string[]) => there.has(what.join(" "));
  const runs = new InMemoryRunStore(new InMemoryIdempotencyStore(new FakeClock()), exists);
  return {
    runs,
    putRequired: async (...what) => void there.add(what.join(" ")),
    putRun: async (run) => runs.write(run),
  };
}

it("keeps totals, states and uses of secrets through any sequence of changes to runs", async () => {
  await checkRunModel(stores, 300);
});
