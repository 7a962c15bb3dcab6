import type { oas32, ZodOpenApiObject } from "zod-openapi";
import { WebhookEventType } from "../../shared/contract/webhook/webhook.ts";

const json = "application/json";

const headers: readonly oas32.ParameterObject[] = [
  {
    name: "webhook-id",
    description: "The event's id, the same at every attempt: drop one that you have seen.",
    example: "01890a5d-ac96-774b-bcce-b302099a8057",
  },
  {
    name: "webhook-timestamp",
    description: "Time of this attempt, in seconds since the epoch.",
    example: "1795262400",
  },
  {
    name: "webhook-signature",
    description:
      "`v1,` and the base64 of the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` under the endpoint's secret; one for each secret that is good, separated by blanks.",
    example: "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  },
].map((header) => ({ ...header, in: "header", required: true, schema: { type: "string" } }));

/** Generators make a class of a tag: these in the endpoints' own would replace its operations. */
export const webhookTag = "Webhook events";

export function webhookObjects(): NonNullable<ZodOpenApiObject["webhooks"]> {
  return Object.fromEntries(
    [...WebhookEventType.options, "webhook.test" as const].map((type) => [
      type,
      {
        post: {
          operationId: operationIdOf(type),
          tags: [webhookTag],
          // openapi-generator makes calls of these too, which no client can send, and which do not compile for
          // typescript-fetch; with this word it leaves them out and keeps the bodies.
          "x-internal": true,
          summary: `Sends \`${type}\``,
          description:
            "Signed with the secret of the endpoint that it is sent to. It may come twice, and out of order.",
          security: [],
          parameters: [...headers],
          // An event may get more fields, as a response may.
          requestBody: {
            required: true,
            content: { [json]: { schema: { $ref: `#/components/schemas/${bodyOf(type)}` } } },
          },
          responses: {
            "2XX": { description: "The event counts as delivered." },
            410: { description: "The endpoint is switched off: nothing more is sent to it." },
            default: { description: "The event is sent again, up to nine times; `webhook.test` is not." },
          },
        },
      },
    ]),
  );
}

/** `run.created` is `sendRunCreated`. */
function operationIdOf(type: string): string {
  const words = type.split(/[._]/).map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
  return `send${words.join("")}`;
}

function bodyOf(type: WebhookEventType | "webhook.test"): string {
  if (type === "webhook.test") return "WebhookTestEvent";
  if (type === "machine.superseded") return "WebhookConnectionEvent";
  if (type.startsWith("schedule.")) return "WebhookScheduleEvent";
  return type.startsWith("run.") ? "WebhookRunEvent" : "WebhookMachineEvent";
}
