import type { WebhookEndpoint } from "../../domain/webhook/webhook-endpoint.ts";
import { disabledReasons, type WebhookEventType } from "../../vocabulary/events.ts";
import type { Item, Key } from "../table/item.ts";
import { listedKey } from "../table/keys.ts";
import {
  type Field,
  flag,
  number,
  oneOf,
  orElse,
  orNull,
  revisedFields,
  row,
  text,
  texts,
} from "../table/row.ts";

export const endpointRow = row<WebhookEndpoint>("webhook_endpoint", {
  ...revisedFields,
  url: text,
  description: text,
  // An endpoint stays readable when an event is no longer sent.
  eventTypes: texts as Field<readonly WebhookEventType[]>,
  isEnabled: flag,
  disabledReason: orNull(oneOf(disabledReasons)),
  secretName: text,
  previousSecretUntil: orNull(text),
  failingSince: orNull(text),
  timeouts: orElse(number, 0),
  updatedAt: text,
});

export const parseEndpoint = endpointRow.parse;

export function endpointItem(endpoint: WebhookEndpoint): Item & Key {
  return {
    ...listedKey(endpoint.organizationId, "WEBHOOK_ENDPOINTS", endpoint.id),
    ...endpointRow.write(endpoint),
  };
}
