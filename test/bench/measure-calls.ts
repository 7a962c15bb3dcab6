import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { createApiKey } from "../../infra/keys/create-api-key.ts";
import { startAwsEndpoint } from "../../infra/local/aws/aws-endpoint.ts";
import { SecretsManagerSecretStore } from "../../shared/secrets/secrets-manager-secret-store.ts";
import { machineItem } from "../../shared/storage/machine/machine-item.ts";
import { aMachine, anOrganization } from "../support/builders/entities.ts";
import { createDynamoService } from "../support/dynamo-service.ts";
import { organizationItems } from "../support/seed/organization-items.ts";
import { writeItems } from "../support/seed/write-items.ts";
import { createTestTable } from "../support/table.ts";
import type { Figure } from "./figure.ts";

const listCallsMax = 6;
const related = "?include=workflow,machine,machine.pools";

/** Calls to AWS, counted by the stand-in that answers them, by the service and in all. */
interface Calls {
  readonly dynamodb: number;
  readonly secretsmanager: number;
  /** Such as `2 Query, 4 BatchGetItem`. */
  readonly text: string;
}

/**
 * Counts the calls of a warm instance for a page of 100 runs with all related resources, and for a change of a
 * machine's sensitive parameters.
 */
export async function measureCalls(): Promise<readonly Figure[]> {
  const aws = await startAwsEndpoint();
  try {
    const { client: direct, tableName } = await createTestTable(aws.dynamoDbUrl);
    const organizationId = anOrganization();
    const alone = aMachine({ organizationId });
    const table = { client: direct, tableName };
    await writeItems(table, organizationItems({ organizationId, runs: 100, related: 100 }));
    await writeItems(table, [machineItem(alone)]);
    const key = {
      client: direct,
      tableName,
      organizationId,
      scopes: ["read", "write"],
      name: "bench",
    } as const;
    const { key: credentials } = await createApiKey(key);
    const to = { endpoint: aws.url, region: aws.region, credentials: aws.admin };
    const secretsClient = new SecretsManagerClient(to);
    const client = new DynamoDBClient(to);
    const secrets = new SecretsManagerSecretStore({
      client: secretsClient,
      deployment: "bench",
      tableId: async () => tableName,
    });
    const service = await createDynamoService({ client, tableName, secrets });
    const callsOf = async (path: string, change?: { readonly patch: unknown }): Promise<Calls> => {
      aws.calls.clear();
      await service.ask(credentials, path, change);
      return counted(aws.calls.snapshot().counts.admin ?? {});
    };
    const change = { patch: { machine_sensitive_parameters: { pin: "a-secret-value" } } };
    // From now on the API key is cached.
    await service.ask(credentials, `/v1/runs${related}`);
    const list = await callsOf(`/v1/runs${related}`);
    const machine = `/v1/machines/${alone.id}`;
    const first = await callsOf(machine, change);
    const next = await callsOf(machine, change);
    for (const used of [direct, client, secretsClient]) used.destroy();
    return [
      {
        figure: "list of 100 runs of 100 workflows and 100 machines in 100 pools, with all of them, calls",
        measured: list.text,
        target: `at most ${listCallsMax}`,
        isReached: list.dynamodb <= listCallsMax,
      },
      {
        figure: "PATCH machine in no pools with one sensitive parameter, calls",
        measured: first.text,
        target: "1 to Secrets Manager, 3 to DynamoDB (one counts it)",
        isReached: first.secretsmanager === 1 && first.dynamodb === 3,
      },
      {
        figure: "the same when it had one, which goes after the write",
        measured: next.text,
        target: "",
      },
    ];
  } finally {
    await aws.stop();
  }
}

function counted(services: Readonly<Record<string, Readonly<Record<string, number>>>>): Calls {
  const sum = (service: string) =>
    Object.values(services[service] ?? {}).reduce((all, calls) => all + calls, 0);
  const operations = Object.values(services).flatMap((each) => Object.entries(each));
  return {
    dynamodb: sum("dynamodb"),
    secretsmanager: sum("secretsmanager"),
    text: operations.map(([operation, calls]) => `${calls} ${operation}`).join(", "),
  };
}
