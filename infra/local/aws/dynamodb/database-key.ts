import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const keyFile = "access-key";

/**
 * DynamoDB Local listens on every interface, verifies no signature and gives each access key its own database,
 * so a secret key keeps every other program out. The database files are named after it.
 */
export function databaseKey(dataDir: string | undefined): string {
  // DynamoDB Local accepts only letters and digits.
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

/** Access key and Region select a database, so all callers share one credential scope. */
export function databaseAuthorization(accessKeyId: string): string {
  const scope = "20260101/us-east-1/dynamodb/aws4_request";
  return `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=host, Signature=${"0".repeat(64)}`;
}
