import { createLambdaClient } from "../../shared/aws/lambda-client.ts";
import { LambdaDeliveryStarter } from "../../shared/execution/lambda-delivery-starter.ts";
import { lambdaHandler } from "../../shared/http/lambda-handler.ts";
import { createHttpParts, httpVariables } from "../../shared/runtime/create-http-parts.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { SecretsManagerSecretStore } from "../../shared/secrets/secrets-manager-secret-store.ts";
import { rememberedTableId } from "../../shared/storage/table/table-id.ts";
import { DynamoDeliveryStore } from "../../shared/storage/webhook/dynamo-delivery-store.ts";
import { DynamoSendStore } from "../../shared/storage/webhook/dynamo-send-store.ts";
import { DynamoWebhookEndpointStore } from "../../shared/storage/webhook/dynamo-webhook-endpoint-store.ts";
import { HttpWebhookSender } from "../../shared/webhooks/http-webhook-sender.ts";
import { mintSigningSecret } from "../../shared/webhooks/sign.ts";
import { createWebhooksApp } from "./app.ts";

const env = readEnvironment([
  ...httpVariables,
  "SECRETS_KMS_KEY",
  "WEBHOOK_SENDER_ARN",
  "WEBHOOKS_TO_LOOPBACK",
  "ORGANIZATION_SENDS_MAX",
]);
const { http, table, secretsClient } = createHttpParts(env);
const { clock } = http;
const tableId = rememberedTableId(table);

export const handler = lambdaHandler(
  createWebhooksApp({
    ...http,
    webhookEndpoints: new DynamoWebhookEndpointStore({ table, clock }),
    sends: new DynamoSendStore({ table, clock, organizationSendsMax: env.ORGANIZATION_SENDS_MAX }),
    deliveries: new DynamoDeliveryStore({ table, clock }),
    deliveryStarter: new LambdaDeliveryStarter({
      client: createLambdaClient(),
      sender: env.WEBHOOK_SENDER_ARN,
      ids: http.ids,
    }),
    webhookSender: new HttpWebhookSender({ clock, allowsLoopback: env.WEBHOOKS_TO_LOOPBACK }),
    secrets: new SecretsManagerSecretStore({
      client: secretsClient,
      deployment: env.DEPLOYMENT,
      tableId,
      kmsKeyId: env.SECRETS_KMS_KEY,
    }),
    mintSigningSecret,
  }),
  http,
);
