import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const keyFile = "access-key";

/**
 * The access key whose database the tables are in. DynamoDB Local listens on every interface, verifies no signature
 * and gives each access key a database of its own: so a secret one keeps every other program out.
 *
 * @param dataDir keeps it beside the database files, which are named after it.
 */
export function databaseKey(dataDir: string | undefined): string {
  // Letters and digits are all that DynamoDB Local takes.
  const fresh = randomBytes(20).toString("hex");
  if (dataDir === undefined) return fresh;
  const file = path.join(dataDir, keyFile);
  try {
    writeFileSync(file, fresh, { flag: "wx", mode: 0o600 });
    return fresh;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    return readFileSync(file, "utf8").trim();
  }
}

/** Replaces the caller's credential scope: access key and Region select a database, so all callers share both. */
export function databaseAuthorization(accessKeyId: string): string {
  const scope = "20260101/us-east-1/dynamodb/aws4_request";
  return `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=host, Signature=${"0".repeat(64)}`;
}
