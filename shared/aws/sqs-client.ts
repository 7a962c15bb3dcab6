import { SQSClient } from "@aws-sdk/client-sqs";
import { clientSettings } from "./client-settings.ts";

/** Region, credentials and endpoint come from the environment that Lambda gives, not from a queue's address. */
export function createSqsClient(): SQSClient {
  return new SQSClient({ ...clientSettings, useQueueUrlAsEndpoint: false, md5: false });
}
