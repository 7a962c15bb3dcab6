import { describe, expect, inject, it } from "vitest";
import { issueApiKey } from "../../../infra/keys/issue-api-key.ts";
import { RunList } from "../../../shared/contract/run/run.ts";
import { anOrganization } from "../../support/builders/entities.ts";
import { countCalls } from "../../support/counting-client.ts";
import { createDynamoService } from "../../support/dynamo-service.ts";
import { organizationItems } from "../../support/seed/organization-items.ts";
import { writeItems } from "../../support/seed/write-items.ts";
import { createTestTable } from "../../support/table.ts";

async function warmInstance(runs: number, related: number) {
  const table = await createTestTable(inject("dynamoDbUrl"));
  const organizationId = anOrganization();
  await writeItems(table, organizationItems({ organizationId, runs, related }));
  const { key } = await issueApiKey({ ...table, organizationId, scopes: ["read"], name: "test" });
  const { client, take } = countCalls(table.client);
  const { ask } = await createDynamoService({ client, tableName: table.tableName });
  await ask(key, "/v1/runs");
  return async (query: string) => {
    take();
    const list = RunList.parse(await ask(key, `/v1/runs${query}`));
    return { list, calls: [...take()].sort() };
  };
}

describe("calls to DynamoDB for a page of runs", () => {
  it("are six for 100 runs of 100 workflows and 100 machines in 100 pools, with all of them", async () => {
    const listed = await warmInstance(100, 100);
    const { list, calls } = await listed("?include=workflow,machine,machine.pools");
    expect(calls).toEqual([...Array<string>(4).fill("BatchGetItem"), "Query", "Query"]);
    const { items, total, included = [] } = list;
    const count = (type: string) => included.filter((each) => each.type === type).length;
    expect([items.length, total, count("workflow"), count("machine"), count("pool")]).toEqual(
      Array.from({ length: 5 }, () => 100),
    );
  });

  it("are three without what the runs name, at 100 runs and at 1,500", async () => {
    for (const runs of [100, 1_500]) {
      const listed = await warmInstance(runs, 3);
      const { list, calls } = await listed("");
      expect([list.items.length, list.total]).toEqual([100, runs]);
      expect(calls).toEqual(["BatchGetItem", "Query", "Query"]);
    }
  });
});
