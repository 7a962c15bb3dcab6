import { EventBridgeClient } from "@aws-sdk/client-eventbridge";
import { clientSettings } from "./client-settings.ts";

/** Region, credentials and endpoint come from the environment that Lambda gives. */
export function createEventBridgeClient(): EventBridgeClient {
  return new EventBridgeClient(clientSettings);
}
