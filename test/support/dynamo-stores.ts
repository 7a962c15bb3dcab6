import { beforeAll, inject } from "vitest";
import type { Clock } from "../../shared/domain/clock.ts";
import { DynamoTable } from "../../shared/storage/table/dynamo-table.ts";
import { type CountedCalls, countCalls } from "./counting-client.ts";
import { FakeClock } from "./fakes/fake-clock.ts";
import { testEncryption as encryption } from "./fakes/fake-data-key.ts";
import { type CreateTableStores, tableStores } from "./stores/table-stores.ts";
import { createTestTable } from "./table.ts";

export interface TableForTests extends CountedCalls {
  readonly tableName: string;
  at(clock: Clock): DynamoTable;
}

export function useTable(): () => TableForTests {
  let table: TableForTests | undefined;
  beforeAll(async () => {
    const { client, tableName } = await createTestTable(inject("dynamoDbUrl"));
    const counted = countCalls(client);
    table = {
      ...counted,
      tableName,
      at: (clock) => new DynamoTable({ client: counted.client, tableName, clock, encryption }),
    };
  });
  return () => {
    if (!table) throw new Error("the table is there once a test runs");
    return table;
  };
}

export function useTableStores(): CreateTableStores {
  const table = useTable();
  return ({ clock = new FakeClock(), searchRowsMax } = {}) =>
    tableStores({ table: table().at(clock), clock, searchRowsMax });
}
