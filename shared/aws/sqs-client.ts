import { SQSClient } from "@aws-sdk/client-sqs";
import { bounded } from "./bounded.ts";
import { clientSettings } from "./client-settings.ts";

/** The endpoint comes from the environment, not from a queue's address. */
export function createSqsClient(): SQSClient {
  return bounded(new SQSClient({ ...clientSettings, useQueueUrlAsEndpoint: false, md5: false }));
}
