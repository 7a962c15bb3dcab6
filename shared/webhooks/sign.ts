import { createHmac, randomBytes } from "node:crypto";

const secretPrefix = "whsec_";

/** The length is that of the signatures' digest. */
const secretBytes = 32;

export function mintSigningSecret(): string {
  return `${secretPrefix}${randomBytes(secretBytes).toString("base64")}`;
}

/** Source: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
export function signedHeaders(
  { id, body, secrets }: { readonly id: string; readonly body: string; readonly secrets: readonly string[] },
  nowMs: number,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(nowMs / 1_000));
  const signed = `${id}.${timestamp}.${body}`;
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(secretPrefix.length), "base64");
    return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
  });
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}
