import { DynamoTable } from "../../../shared/storage/table/dynamo-table.ts";
import { DynamoModel } from "../../support/dynamo-model/dynamo-model.ts";
import { matchStoreSuite } from "../../support/ports/match-store.suite.ts";

matchStoreSuite((clock) => new DynamoTable({ client: new DynamoModel().client, tableName: "table", clock }));
