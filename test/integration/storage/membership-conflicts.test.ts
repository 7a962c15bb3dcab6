import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { expect, it } from "vitest";
import { dynamoDbSettings } from "../../../shared/aws/dynamodb-client.ts";
import { systemClock as clock } from "../../../shared/runtime/system.ts";
import { DynamoTable } from "../../../shared/storage/table/dynamo-table.ts";
import { useAwsStandIn } from "../../support/aws-stand-in.ts";
import { aMachine, anOrganization, aPool } from "../../support/builders/entities.ts";
import { useTable } from "../../support/dynamo-stores.ts";
import { tableStores } from "../../support/stores/table-stores.ts";

const aws = useAwsStandIn();
const table = useTable();

it("counts 50 machines that are added at once, though transactions meet", async () => {
  const { url, region, admin, faults } = aws();
  const client = new DynamoDBClient({ ...dynamoDbSettings, endpoint: url, region, credentials: admin });
  // The deadline is so long that a slow machine's retries do not reach it.
  const deadlineMs = () => clock.now() + 50_000;
  const dynamo = new DynamoTable({ client, tableName: table().tableName, clock, deadlineMs });
  const { pools, machines, memberships } = tableStores({ table: dynamo, clock });
  const organizationId = anOrganization();
  const pool = aPool({ organizationId });
  await pools.create(pool);
  const ids = Array.from({ length: 50 }, () => aMachine({ organizationId }));
  for (const machine of ids) await machines.create(machine);
  faults.inject({
    operation: "TransactWriteItems",
    error: "TransactionConflict",
    count: 60,
    probability: 0.5,
  });
  const outcomes = await Promise.all(
    ids.map(({ id }) => memberships.addMachines(organizationId, pool.id, [id])),
  );
  faults.clear();
  expect(outcomes.map(({ kind }) => kind)).toEqual(ids.map(() => "added"));
  expect((await pools.find(organizationId, pool.id))?.machineCount).toBe(50);
  expect(await memberships.machineIds(organizationId, pool.id)).toHaveLength(50);
});
