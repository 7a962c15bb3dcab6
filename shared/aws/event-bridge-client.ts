import { EventBridgeClient } from "@aws-sdk/client-eventbridge";
import { bounded } from "./bounded.ts";
import { clientSettings } from "./client-settings.ts";
import { metered } from "./metered.ts";

export function createEventBridgeClient(): EventBridgeClient {
  return metered("eventbridge", bounded(new EventBridgeClient(clientSettings)));
}
