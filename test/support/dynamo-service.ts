import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { createRunsApp } from "../../functions/runs/app.ts";
import { systemClock as clock } from "../../shared/runtime/system.ts";
import { CachedKeyVerifier } from "../../shared/secrets/cached-key-verifier.ts";
import { DynamoTable } from "../../shared/storage/table/dynamo-table.ts";
import { testEncryption as encryption } from "./fakes/fake-data-key.ts";
import { createTestService } from "./shared/test-service.ts";
import { tableStores } from "./stores/table-stores.ts";

export interface DynamoServiceOptions {
  readonly client: Pick<DynamoDBClient, "send">;
  readonly tableName: string;
}

/** The runs' route group over a table, called without a network of its own. */
export async function createDynamoService({ client, tableName }: DynamoServiceOptions) {
  const { deps } = await createTestService();
  const table = new DynamoTable({ client, tableName, clock, encryption });
  const stores = tableStores({ table, clock });
  const keyVerifier = new CachedKeyVerifier({ apiKeys: stores.apiKeys, clock });
  const runs = createRunsApp({ ...deps, ...stores, keyVerifier });
  return {
    table,
    /** @throws {Error} for an answer that is not 200. */
    ask: async (key: string, path: string): Promise<unknown> => {
      const response = await runs.request(path, { headers: { authorization: `Bearer ${key}` } });
      const answer = await response.json();
      if (response.status !== 200) throw new Error(`${path} was answered with ${JSON.stringify(answer)}`);
      return answer;
    },
  };
}
