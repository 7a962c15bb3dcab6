import { beforeEach, inject } from "vitest";
import { DynamoTable } from "../../../shared/storage/table/dynamo-table.ts";
import { matchSweepsSuite } from "../../support/matching/match-sweeps.suite.ts";
import { createTestTable } from "../../support/table.ts";

let table: Awaited<ReturnType<typeof createTestTable>>;

// Each test has a table of its own, since the sweeper looks across organizations.
beforeEach(async () => {
  table = await createTestTable(inject("dynamoDbUrl"));
});

matchSweepsSuite(() => ({
  at: (clock) => new DynamoTable({ client: table.client, tableName: table.tableName, clock }),
}));
