import { issueApiKey } from "../../infra/keys/issue-api-key.ts";
import { startDynamoDbLocal } from "../../infra/local/aws/dynamodb/dynamodb-local.ts";
import type { OrganizationId } from "../../shared/domain/organization-id.ts";
import { runItem } from "../../shared/storage/run/run-item.ts";
import { readCount } from "../../shared/storage/table/counters.ts";
import type { DynamoTable } from "../../shared/storage/table/dynamo-table.ts";
import { listPartitions } from "../../shared/storage/table/index-keys.ts";
import { countRows } from "../../shared/storage/table/query.ts";
import { anOrganization, aRun } from "../support/builders/entities.ts";
import { type CountedCalls, countCalls } from "../support/counting-client.ts";
import { createDynamoService } from "../support/dynamo-service.ts";
import { organizationItems } from "../support/seed/organization-items.ts";
import { writeItems } from "../support/seed/write-items.ts";
import { createTestTable, type TestTable } from "../support/table.ts";
import { type Figure, median, milliseconds } from "./figure.ts";
import { indexReadCost, indexRowBytes } from "./read-cost.ts";
import { sized } from "./sized.ts";

/** The largest is compared with the smallest; a page has 100. */
const [few, some, many] = [100, sized(10_000, 110), sized(100_000, 300)];
const warmUp = sized(20, 1);
const rounds = sized(150, 2);
const ratioMax = 1.2;
const skip = sized(90_000, 200);
const moreQueriesMax = 20;

interface Organization {
  readonly organizationId: OrganizationId;
  readonly key: string;
  readonly runs: number;
}

type Service = Awaited<ReturnType<typeof createDynamoService>>;

/**
 * Lists of runs of organizations of three sizes in one table on DynamoDB Local, through the runs' route group: the
 * first page at 100 and at 100,000 runs in turns, a page far behind, and what `total` would cost without the counters.
 */
export async function measureLists(): Promise<readonly Figure[]> {
  const dynamoDb = await startDynamoDbLocal();
  try {
    const { client, tableName } = await createTestTable(dynamoDb.url);
    const organizations: Organization[] = [];
    for (const runs of [few, some, many]) organizations.push(await seed({ client, tableName }, runs));
    const counted = countCalls(client);
    const service = await createDynamoService({ client: counted.client, tableName });
    const [small, large] = [organizationOf(organizations, few), organizationOf(organizations, many)];
    const figures = [
      await comparePages(service, small, large),
      await pageBehind(service, counted, large),
      ...(await countWithout(service.table, counted, organizations)),
    ];
    client.destroy();
    return figures;
  } finally {
    await dynamoDb.stop();
  }
}

async function seed(table: TestTable, runs: number): Promise<Organization> {
  const organizationId = anOrganization();
  await writeItems(table, organizationItems({ organizationId, runs, related: 100 }));
  const { key } = await issueApiKey({ ...table, organizationId, scopes: ["read"], name: "bench" });
  return { organizationId, key, runs };
}

function organizationOf(organizations: readonly Organization[], runs: number): Organization {
  const found = organizations.find((organization) => organization.runs === runs);
  if (!found) throw new Error(`no organization has ${runs} runs`);
  return found;
}

async function comparePages(service: Service, small: Organization, large: Organization): Promise<Figure> {
  const times = { small: [] as number[], large: [] as number[] };
  for (let round = 0; round < warmUp + rounds; round += 1) {
    const smallMs = await timeOfPage(service, small);
    const largeMs = await timeOfPage(service, large);
    if (round < warmUp) continue;
    times.small.push(smallMs);
    times.large.push(largeMs);
  }
  const [largeMs, smallMs] = [median(times.large), median(times.small)];
  const ratio = largeMs / smallMs;
  return {
    figure: `first page of runs at ${many} / at ${few}, medians of ${rounds} in turns`,
    measured: `${milliseconds(largeMs)} / ${milliseconds(smallMs)} = ${ratio.toFixed(2)}`,
    target: `at most ${ratioMax}`,
    isReached: ratio <= ratioMax,
  };
}

async function timeOfPage(service: Service, { key, runs }: Organization): Promise<number> {
  const startedMs = performance.now();
  const page = (await service.ask(key, "/v1/runs")) as {
    readonly items: readonly unknown[];
    readonly total: number;
  };
  const tookMs = performance.now() - startedMs;
  if (page.items.length !== 100 || page.total !== runs)
    throw new Error(`a page had ${page.items.length} runs of ${page.total}`);
  return tookMs;
}

async function pageBehind(service: Service, counted: CountedCalls, large: Organization): Promise<Figure> {
  const callsOf = async (path: string) => {
    counted.take();
    await service.ask(large.key, path);
    return counted.take().length;
  };
  const first = await callsOf("/v1/runs");
  const here = await callsOf(`/v1/runs?skip=${skip}`);
  const rowBytes = indexRowBytes(runItem(aRun({ organizationId: large.organizationId })), "list");
  const [real, bounded] = [indexReadCost(skip, rowBytes), indexReadCost(skip, 200)];
  return {
    figure: `page at skip ${skip}, calls: here; DynamoDB, worked out for rows of ${rowBytes} bytes, and of 200`,
    measured: `${here}; ${first} + ${real.queries}; ${first} + ${bounded.queries}`,
    target: `at most ${moreQueriesMax} more, worked out`,
    isReached: bounded.queries <= moreQueriesMax,
  };
}

/** The total by the counters, and by a query over the index. */
async function countWithout(
  table: DynamoTable,
  counted: CountedCalls,
  organizations: readonly Organization[],
): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const { organizationId, runs } of organizations) {
    const partition = listPartitions.runs(organizationId);
    const byRows = await callsAndTime(counted, runs, () => countRows(table, { index: "list", partition }));
    const byCounters = await callsAndTime(counted, runs, () => readCount(table, organizationId, "RUN"));
    const worked = indexReadCost(runs, indexRowBytes(runItem(aRun({ organizationId })), "list"));
    figures.push({
      figure: `total of ${runs} runs without counters, calls: here; DynamoDB, worked out; with counters`,
      measured: `${byRows.calls} in ${milliseconds(byRows.ms)}; ${worked.queries}, ${worked.units} read units; ${byCounters.calls} in ${milliseconds(byCounters.ms)}, 1 read unit`,
      target: "",
    });
  }
  return figures;
}

async function callsAndTime(counted: CountedCalls, runs: number, count: () => Promise<number>) {
  counted.take();
  const startedMs = performance.now();
  const total = await count();
  const ms = performance.now() - startedMs;
  if (total !== runs) throw new Error(`${runs} runs were counted as ${total}`);
  return { calls: counted.take().length, ms };
}
