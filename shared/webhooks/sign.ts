import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";

/** The length is that of the signatures' digest. */
const secretBytes = 32;

export function mintSigningSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString("base64")}`;
}

/** Source: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
export function signedHeaders(
  { id, body, secrets }: { readonly id: string; readonly body: string; readonly secrets: readonly string[] },
  nowMs: number,
): Readonly<Record<string, string>> {
  const at = new Date(nowMs);
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(nowMs / 1_000)),
    "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(" "),
  };
}
