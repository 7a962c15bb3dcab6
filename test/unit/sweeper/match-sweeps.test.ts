import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoTable } from "../../../shared/storage/table/dynamo-table.ts";
import { DynamoModel } from "../../support/dynamo-model/dynamo-model.ts";
import { matchSweepsSuite } from "../../support/matching/match-sweeps.suite.ts";

matchSweepsSuite(() => {
  // Each test has a table of its own, since the sweeper looks across organizations.
  const client = new DynamoModel().client as DynamoDBClient;
  return { at: (clock) => new DynamoTable({ client, tableName: "table", clock }) };
});
