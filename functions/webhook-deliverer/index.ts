import { createDynamoDbClient } from "../../shared/aws/dynamodb-client.ts";
import { createLambdaClient } from "../../shared/aws/lambda-client.ts";
import { createSecretsManagerClient } from "../../shared/aws/secrets-manager-client.ts";
import { LambdaExecutions } from "../../shared/execution/lambda-executions.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { createStdoutLogger, logVariables } from "../../shared/runtime/stdout-logger.ts";
import { systemClock as clock } from "../../shared/runtime/system.ts";
import { createEncryption } from "../../shared/secrets/encryption/create-encryption.ts";
import { SecretsManagerSecretStore } from "../../shared/secrets/secrets-manager-secret-store.ts";
import { DynamoTable } from "../../shared/storage/table/dynamo-table.ts";
import { DynamoDeliveryStore } from "../../shared/storage/webhook/dynamo-delivery-store.ts";
import { DynamoSendStore } from "../../shared/storage/webhook/dynamo-send-store.ts";
import { DynamoWebhookEndpointStore } from "../../shared/storage/webhook/dynamo-webhook-endpoint-store.ts";
import { HttpWebhookSender } from "../../shared/webhooks/http-webhook-sender.ts";
import { readDeliveryJob } from "../../shared/webhooks/read-delivery-job.ts";
import { createWebhookDeliverer } from "./app.ts";

const env = readEnvironment([
  "TABLE_NAME",
  "DATA_KEY_SECRET",
  ...logVariables,
  "WEBHOOKS_TO_LOOPBACK",
  "AWS_LAMBDA_FUNCTION_NAME",
  "EXECUTOR_ALIAS",
  "ORGANIZATION_SENDS_MAX",
]);
const client = createSecretsManagerClient();
const encryption = createEncryption({ client, secretId: env.DATA_KEY_SECRET, clock });
const table = new DynamoTable({
  client: createDynamoDbClient(),
  tableName: env.TABLE_NAME,
  encryption,
  clock,
});

export const handler = createWebhookDeliverer({
  readDeliveryJob,
  deliveries: new DynamoDeliveryStore({ table, clock }),
  webhookEndpoints: new DynamoWebhookEndpointStore({ table, clock }),
  sends: new DynamoSendStore({ table, clock, organizationSendsMax: env.ORGANIZATION_SENDS_MAX }),
  deliveryStarter: new LambdaExecutions({
    client: createLambdaClient(),
    executor: `${env.AWS_LAMBDA_FUNCTION_NAME}:${env.EXECUTOR_ALIAS}`,
  }),
  secrets: new SecretsManagerSecretStore({ client, deployment: env.DEPLOYMENT }),
  webhookSender: new HttpWebhookSender({ clock, allowsLoopback: env.WEBHOOKS_TO_LOOPBACK }),
  clock,
  logger: createStdoutLogger(env),
});
