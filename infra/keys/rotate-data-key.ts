import { randomBytes } from "node:crypto";
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  type SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";
import { DataKeyValue, rotated, withoutUnneeded } from "../../shared/secrets/encryption/data-key-value.ts";

/** A command repeated by mistake must not create a version. */
const apartMs = 1_800_000;

/**
 * @param at.oldestMs is when the table's oldest sensitive values of a run were encrypted.
 * @returns the number of earlier keys, which stay while anything encrypted by them may be read.
 */
export async function rotateDataKey(
  client: Pick<SecretsManagerClient, "send">,
  secretId: string,
  at: { readonly nowMs: number; readonly oldestMs: number | undefined },
): Promise<number> {
  const { SecretString: text = "" } = await client.send(new GetSecretValueCommand({ SecretId: secretId }));
  const value = DataKeyValue.parse(JSON.parse(text));
  const [last] = value.earlier;
  if (last !== undefined && Date.parse(last.until) + apartMs > at.nowMs) {
    throw new Error(`the data key was rotated at ${last.until}; nothing was done`);
  }
  const next = rotated(withoutUnneeded(value, at), randomBytes(32).toString("hex"), at.nowMs);
  await client.send(new PutSecretValueCommand({ SecretId: secretId, SecretString: JSON.stringify(next) }));
  return next.earlier.length;
}
