import { expect, it } from "vitest";
import { createProjector } from "../../../functions/projector/app.ts";
import { UsageAggregate } from "../../../shared/contract/usage.ts";
import { createWaitingRuns } from "../../../shared/domain/run/waiting/cancel-waiting-runs.ts";
import { readEndedRun, type TableStreamRecord } from "../../../shared/storage/stream/stream-changes.ts";
import { GatewayDismissal } from "../../../shared/tunnel/gateway-dismissal.ts";
import { readsNothing } from "../../support/projector-reads.ts";
import { FakeSockets } from "../../support/tunnel-world/fake-sockets.ts";
import { RecordingLogger } from "../../support/tunnel-world/recording-logger.ts";
import { setUpRuns } from "./run-service.ts";

it("counts the ends that the stream tells, once though a batch comes again", async () => {
  const { ask, stores, putRun, create } = await setUpRuns();
  const project = createProjector<TableStreamRecord>({
    ...stores,
    ...readsNothing,
    waitingRuns: createWaitingRuns(stores),
    dismissal: new GatewayDismissal(new FakeSockets()),
    logger: new RecordingLogger(),
    starter: { start: async () => {} },
    readEndedRun,
  });
  await putRun({ status: "task_failed" });
  const { id } = (await (await create()).json()) as { id: string };
  await ask("DELETE", `/v1/runs/${id}`);
  const Records = stores.model.takeRecords();
  for (const _ of [1, 2]) expect(await project({ Records })).toEqual({ batchItemFailures: [] });
  const day = new Date(stores.clock.now()).toISOString().slice(0, 10);
  const response = await ask("GET", `/v1/usage/aggregate?from_date=${day}&to_date=${day}`);
  expect(UsageAggregate.parse(await response.json())).toEqual({
    from_date: day,
    to_date: day,
    tokens: [],
    runs: { success: 0, error: 0, task_failed: 1, cancelled: 1 },
    steps: { agentic: 0, replayed: 0, repaired: 0 },
    total_agentic_steps: 0,
    total_cached_steps: 0,
    period_start: `${day}T00:00:00.000Z`,
    period_end: `${day}T23:59:59.999Z`,
    mode: "simulated",
    runs_counted: 2,
  });
});

it.each([
  ["from_date=2026-01-01&to_date=2027-01-01", 200],
  ["from_date=2026-01-01&to_date=2027-01-02", 422],
  ["from_date=2026-01-02&to_date=2026-01-01", 422],
  ["from_date=2026-02-30&to_date=2026-03-01", 422],
  ["from_date=2026-01-01", 422],
  ["from_date=2026-01-01T23:30:00-01:00&to_date=2026-01-02T00:00:00Z&mode=billed", 200],
  ["from_date=2026-01-01T00:00:00Z&to_date=2027-01-02T00:00:00Z", 422],
  ["from_date=2026-01-01T25:00:00Z&to_date=2026-01-02", 422],
])("takes 1 to 366 days: %s is %d", async (query, status) => {
  const { ask } = await setUpRuns();
  expect((await ask("GET", `/v1/usage/aggregate?${query}`)).status).toBe(status);
});
