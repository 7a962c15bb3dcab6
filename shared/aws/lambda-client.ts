import { LambdaClient } from "@aws-sdk/client-lambda";
import { clientSettings } from "./client-settings.ts";
import { metered } from "./metered.ts";

export function createLambdaClient(): LambdaClient {
  return metered("lambda", new LambdaClient(clientSettings));
}
