import { EventBridgeClient } from "@aws-sdk/client-eventbridge";
import { clientSettings } from "./client-settings.ts";
import { metered } from "./metered.ts";

export function createEventBridgeClient(): EventBridgeClient {
  return metered("eventbridge", new EventBridgeClient(clientSettings));
}
