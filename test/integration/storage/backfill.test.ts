import { expect, it } from "vitest";
import { backfills } from "../../../infra/backfill/backfills.ts";
import { writePageAnew } from "../../../infra/backfill/write-anew.ts";
import { runItem } from "../../../shared/storage/run/run-item.ts";
import { runKey } from "../../../shared/storage/table/keys.ts";
import { anOrganization, aRun } from "../../support/builders/entities.ts";
import { useTable } from "../../support/dynamo-stores.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { tableStores } from "../../support/stores/table-stores.ts";

const tables = useTable();

it("writes rows of an earlier release anew, page by page, and goes on from a cursor", async () => {
  const clock = new FakeClock();
  const table = tables().at(clock);
  const { client, tableName } = tables();
  const { runs } = tableStores({ table, clock });
  const organizationId = anOrganization();
  const endedAt = new Date(clock.now()).toISOString();
  const ended = Array.from({ length: 5 }, () => aRun({ organizationId, status: "success", endedAt }));
  const kept = [
    aRun({ organizationId }),
    aRun({ organizationId, status: "success", endedAt, deletedAt: endedAt }),
  ];
  for (const run of [...ended, ...kept]) await table.put(runItem(run));
  const untilMs = clock.now();
  const found = async () =>
    (await runs.listEndedBefore(untilMs, 1_000)).filter((run) => run.organizationId === organizationId);
  expect(await found()).toEqual([]);

  const backfill = backfills["ended-runs"];
  if (backfill === undefined) throw new Error("there is no such backfill");
  const pass = async (from: string | undefined) =>
    await writePageAnew({ client, tableName, table, backfill, from, rows: 2 });
  const writtenIn = async () => {
    let [written, cursor, pages] = [0, undefined as string | undefined, 0];
    do {
      const page = await pass(cursor);
      [written, cursor, pages] = [written + page.written, page.cursor, pages + 1];
    } while (cursor !== undefined);
    return { written, pages };
  };
  const first = await writtenIn();
  expect(first.written).toBeGreaterThanOrEqual(5);
  expect(first.pages).toBeGreaterThan(3);
  expect(new Set((await found()).map(({ id }) => id))).toEqual(new Set(ended.map(({ id }) => id)));
  expect(await writtenIn()).toMatchObject({ written: 0 });
  await expect(pass("not a cursor")).rejects.toThrow("--from takes what an earlier pass has printed");
});

it("leaves a row that the service changes meanwhile", async () => {
  const clock = new FakeClock();
  const table = tables().at(clock);
  const { client, tableName } = tables();
  const endedAt = new Date(clock.now()).toISOString();
  const run = aRun({ organizationId: anOrganization(), status: "success", endedAt });
  await table.put(runItem(run));
  const backfill = backfills["ended-runs"];
  if (backfill === undefined) throw new Error("there is no such backfill");
  const retried = runItem({ ...run, status: "scheduling", endedAt: null });
  const racing: typeof backfill = {
    ...backfill,
    writeOf: (row) => (row.id === run.id ? backfill.writeOf(row) : undefined),
  };
  const send = client.send.bind(client) as (command: unknown) => Promise<unknown>;
  const between = {
    send: async (command: unknown) => {
      const page = await send(command);
      await table.put(retried);
      return page;
    },
  } as unknown as typeof client;
  let cursor: string | undefined;
  do {
    const page = await writePageAnew({ client: between, tableName, table, backfill: racing, from: cursor });
    expect(page.written).toBe(0);
    cursor = page.cursor;
  } while (cursor !== undefined);
  expect(await table.get(runKey(run.organizationId, run.id))).toMatchObject({
    due_pk: expect.stringContaining("WAITING#RUN"),
  });
});
