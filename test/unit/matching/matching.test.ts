import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoTable } from "../../../shared/storage/table/dynamo-table.ts";
import { countCalls } from "../../support/counting-client.ts";
import { DynamoModel } from "../../support/dynamo-model/dynamo-model.ts";
import type { FakeClock } from "../../support/fakes/fake-clock.ts";
import { matchIdleSuite } from "../../support/matching/match-idle.suite.ts";
import { matchRacesSuite } from "../../support/matching/match-races.suite.ts";
import { matchingSuite } from "../../support/matching/matching.suite.ts";

const counted = countCalls(new DynamoModel().client as DynamoDBClient);

const table = () => ({
  take: counted.take,
  at: (clock: FakeClock) => new DynamoTable({ client: counted.client, tableName: "table", clock }),
});

const many = 1_000;
matchIdleSuite(table, { many });
matchingSuite(table, { many });
matchRacesSuite(table);
