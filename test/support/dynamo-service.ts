import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { createMachinesApp } from "../../functions/machines/app.ts";
import { createRunsApp } from "../../functions/runs/app.ts";
import type { SecretStore } from "../../shared/domain/secret-store.ts";
import { systemClock as clock } from "../../shared/runtime/system-clock.ts";
import { CachedKeyVerifier } from "../../shared/secrets/cached-key-verifier.ts";
import { DynamoTable } from "../../shared/storage/table/dynamo-table.ts";
import { testEncryption as encryption } from "./fakes/fake-data-key.ts";
import { createTestService } from "./shared/test-service.ts";
import { tableStores } from "./stores/table-stores.ts";

export interface DynamoServiceOptions {
  readonly client: Pick<DynamoDBClient, "send">;
  readonly tableName: string;
  /** @default in memory */
  readonly secrets?: SecretStore;
}

export async function createDynamoService({ client, tableName, secrets }: DynamoServiceOptions) {
  const { deps } = await createTestService();
  const table = new DynamoTable({ client, tableName, clock, encryption });
  const stores = tableStores({ table, clock });
  const keyVerifier = new CachedKeyVerifier({ apiKeys: stores.apiKeys, clock });
  const service = { ...deps, ...stores, keyVerifier, ...(secrets && { secrets }) };
  const [runs, machines] = [createRunsApp(service), createMachinesApp(service)];
  return {
    table,
    /** @throws {Error} for an answer that is not 200. */
    ask: async (key: string, path: string, change?: { readonly patch: unknown }): Promise<unknown> => {
      const app = path.startsWith("/v1/machines") ? machines : runs;
      const authorization = `Bearer ${key}`;
      const response = await app.request(
        path,
        change === undefined
          ? { headers: { authorization } }
          : {
              method: "PATCH",
              headers: { authorization, "content-type": "application/json" },
              body: JSON.stringify(change.patch),
            },
      );
      const answer = await response.json();
      if (response.status !== 200) throw new Error(`${path} was answered with ${JSON.stringify(answer)}`);
      return answer;
    },
  };
}
