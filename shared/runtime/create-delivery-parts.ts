import { createSecretsManagerClient } from "../aws/secrets-manager-client.ts";
import { createEncryption } from "../secrets/encryption/create-encryption.ts";
import { SecretsManagerSecretStore } from "../secrets/secrets-manager-secret-store.ts";
import { DynamoDeliveryStore } from "../storage/webhook/dynamo-delivery-store.ts";
import { DynamoSendStore } from "../storage/webhook/dynamo-send-store.ts";
import { DynamoWebhookEndpointStore } from "../storage/webhook/dynamo-webhook-endpoint-store.ts";
import { HttpWebhookSender } from "../webhooks/http-webhook-sender.ts";
import { createTable, tableVariables } from "./create-table.ts";
import type { Environment } from "./environment.ts";
import { createStdoutLogger, logVariables } from "./stdout-logger.ts";
import { systemClock as clock } from "./system.ts";

export const deliveryVariables = [
  ...tableVariables,
  "DATA_KEY_SECRET",
  ...logVariables,
  "WEBHOOKS_TO_LOOPBACK",
  "ORGANIZATION_SENDS_MAX",
] as const;

/** Makes what an attempt of a delivery needs, but for what starts others. */
export function createDeliveryParts(env: Environment<(typeof deliveryVariables)[number]>) {
  const client = createSecretsManagerClient();
  const encryption = createEncryption({ client, secretId: env.DATA_KEY_SECRET, clock });
  const table = createTable(env, { encryption, clock });
  return {
    deliveries: new DynamoDeliveryStore({ table, clock }),
    webhookEndpoints: new DynamoWebhookEndpointStore({ table, clock }),
    sends: new DynamoSendStore({ table, clock, organizationSendsMax: env.ORGANIZATION_SENDS_MAX }),
    secrets: new SecretsManagerSecretStore({ client, deployment: env.DEPLOYMENT }),
    webhookSender: new HttpWebhookSender({ clock, allowsLoopback: env.WEBHOOKS_TO_LOOPBACK }),
    clock,
    logger: createStdoutLogger(env),
  };
}
