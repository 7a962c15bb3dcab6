import type { Clock } from "../clock.ts";
import { InvalidInput } from "../invalid-input.ts";
import type { SecretDeps } from "../secrets/own-secret.ts";
import type { WebhookSender } from "./delivery/webhook-sender.ts";
import type { WebhookEndpointStore } from "./webhook-endpoint-store.ts";

export interface WebhookDeps extends SecretDeps {
  readonly webhookEndpoints: WebhookEndpointStore;
  readonly webhookSender: WebhookSender;
  readonly mintSigningSecret: () => string;
  readonly clock: Clock;
}

/** @throws {InvalidInput} for an address that would be refused, as far as is known without resolving it. */
export function requireAddress({ webhookSender }: Pick<WebhookDeps, "webhookSender">, url: string): void {
  const problem = webhookSender.refusalOf(url);
  if (problem === undefined) return;
  throw new InvalidInput([
    { loc: ["body", "url"], msg: `Value error, ${problem}`, type: "value_error", input: url },
  ]);
}
