import { createLambdaClient } from "../../shared/aws/lambda-client.ts";
import { LambdaDeliveryStarter } from "../../shared/execution/lambda-delivery-starter.ts";
import { LambdaExecutions } from "../../shared/execution/lambda-executions.ts";
import { createDeliveryParts, deliveryVariables } from "../../shared/runtime/create-delivery-parts.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { systemIds as ids } from "../../shared/runtime/system.ts";
import { readStartedAttempt } from "../../shared/webhooks/read-delivery-job.ts";
import { createWebhookSender } from "./app.ts";

const env = readEnvironment([...deliveryVariables, "AWS_LAMBDA_FUNCTION_NAME", "WEBHOOK_DELIVERER_ARN"]);
const client = createLambdaClient();
const sender = env.AWS_LAMBDA_FUNCTION_NAME;
const executions = new LambdaExecutions({ client, executor: env.WEBHOOK_DELIVERER_ARN });

export const handler = createWebhookSender({
  ...createDeliveryParts(env),
  readStartedAttempt,
  deliveryStarter: new LambdaDeliveryStarter({ client, sender, ids }),
  // Executions learn this function's name, which CloudFormation cannot put in their environment, as it does the reverse.
  deliveryExecutions: { start: async (name, job) => await executions.start(name, { ...job, sender }) },
});
