import { LambdaClient } from "@aws-sdk/client-lambda";
import { bounded } from "./bounded.ts";
import { clientSettings } from "./client-settings.ts";
import { metered } from "./metered.ts";

export function createLambdaClient(): LambdaClient {
  return metered("lambda", bounded(new LambdaClient(clientSettings)));
}
