import { LambdaClient } from "@aws-sdk/client-lambda";
import { clientSettings } from "./client-settings.ts";

/** Region, credentials and endpoint come from the environment that Lambda gives. */
export function createLambdaClient(): LambdaClient {
  return new LambdaClient(clientSettings);
}
