import { createLambdaClient } from "../../shared/aws/lambda-client.ts";
import { LambdaDeliveryStarter } from "../../shared/execution/lambda-delivery-starter.ts";
import { createDeliveryParts, deliveryVariables } from "../../shared/runtime/create-delivery-parts.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { systemIds as ids } from "../../shared/runtime/system.ts";
import { readDeliveryExecution } from "../../shared/webhooks/read-delivery-job.ts";
import { createWebhookDeliverer } from "./app.ts";

const client = createLambdaClient();

export const handler = createWebhookDeliverer({
  ...createDeliveryParts(readEnvironment(deliveryVariables)),
  readDeliveryExecution,
  starterOf: (sender) => new LambdaDeliveryStarter({ client, sender, ids }),
});
