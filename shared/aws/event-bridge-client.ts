import { EventBridgeClient } from "@aws-sdk/client-eventbridge";
import { clientSettings } from "./client-settings.ts";
import { metered } from "./metered.ts";

/** Region, credentials and endpoint come from the environment that Lambda gives. */
export function createEventBridgeClient(): EventBridgeClient {
  return metered("eventbridge", new EventBridgeClient(clientSettings));
}
