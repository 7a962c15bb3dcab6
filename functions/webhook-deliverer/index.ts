import { createLambdaClient } from "../../shared/aws/lambda-client.ts";
import { deliveryName, deliveryPayload } from "../../shared/domain/webhook/delivery/delivery.ts";
import type { DeliveryStarter } from "../../shared/domain/webhook/delivery/queue-send.ts";
import { LambdaDeliveryStarter } from "../../shared/execution/lambda-delivery-starter.ts";
import { LambdaExecutions } from "../../shared/execution/lambda-executions.ts";
import { createDeliveryParts, deliveryVariables } from "../../shared/runtime/create-delivery-parts.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { systemIds as ids } from "../../shared/runtime/system.ts";
import { readDeliveryExecution } from "../../shared/webhooks/read-delivery-job.ts";
import { createWebhookDeliverer } from "./app.ts";

const env = readEnvironment([...deliveryVariables, "AWS_LAMBDA_FUNCTION_NAME", "EXECUTOR_ALIAS"]);
const client = createLambdaClient();
const executor = `${env.AWS_LAMBDA_FUNCTION_NAME}:${env.EXECUTOR_ALIAS}`;
const executions = new LambdaExecutions({ client, executor });
const withoutSender: DeliveryStarter = {
  start: async (job) => await executions.start(deliveryName(job), deliveryPayload(job)),
};

export const handler = createWebhookDeliverer({
  ...createDeliveryParts(env),
  readDeliveryExecution,
  starterOf: (sender) =>
    sender === undefined ? withoutSender : new LambdaDeliveryStarter({ client, sender, ids }),
});
