import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { createMachinesApp } from "../../functions/machines/app.ts";
import { createRunsApp } from "../../functions/runs/app.ts";
import type { SecretStore } from "../../shared/domain/secret-store.ts";
import { systemClock as clock } from "../../shared/runtime/system-clock.ts";
import { CachedKeyVerifier } from "../../shared/secrets/cached-key-verifier.ts";
import { DynamoApiKeyStore } from "../../shared/storage/access/dynamo-api-key-store.ts";
import { DynamoIdempotencyStore } from "../../shared/storage/table/dynamo-idempotency-store.ts";
import { DynamoInputSourceStore } from "../../shared/storage/run/dynamo-input-source-store.ts";
import { DynamoMachineStore } from "../../shared/storage/machine/dynamo-machine-store.ts";
import { DynamoPoolStore } from "../../shared/storage/pool/dynamo-pool-store.ts";
import { DynamoRateLimiter } from "../../shared/storage/access/dynamo-rate-limiter.ts";
import { DynamoRunStore } from "../../shared/storage/run/dynamo-run-store.ts";
import { DynamoTable } from "../../shared/storage/table/dynamo-table.ts";
import { DynamoWaitingView } from "../../shared/storage/waiting/dynamo-waiting-view.ts";
import { DynamoWorkflowStore } from "../../shared/storage/workflow/dynamo-workflow-store.ts";
import { createTestService } from "./shared/test-service.ts";

export interface DynamoServiceOptions {
  readonly client: Pick<DynamoDBClient, "send">;
  readonly tableName: string;
  /** @default in memory */
  readonly secrets?: SecretStore;
}

/** The runs' and the machines' route groups over a table, called without a network of their own. */
export async function createDynamoService({ client, tableName, secrets }: DynamoServiceOptions) {
  const { deps } = await createTestService();
  const table = new DynamoTable({ client, tableName, clock });
  const stored = { table, clock };
  const service = {
    ...deps,
    ...(secrets && { secrets }),
    clock,
    keyVerifier: new CachedKeyVerifier({ apiKeys: new DynamoApiKeyStore({ table }), clock }),
    idempotencyRecords: new DynamoIdempotencyStore({ table, clock }),
    rateLimiter: new DynamoRateLimiter({ table, clock }),
    machines: new DynamoMachineStore(stored),
    pools: new DynamoPoolStore(stored),
    workflows: new DynamoWorkflowStore(stored),
    waitingView: new DynamoWaitingView(stored),
    inputSources: new DynamoInputSourceStore(stored),
    runs: new DynamoRunStore(stored),
  };
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
