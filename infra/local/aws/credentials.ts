import { randomBytes } from "node:crypto";

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
}

/** DynamoDB Local accepts only letters and digits in a key id. */
export function newCredentials(): Credentials {
  return {
    accessKeyId: `ASIA${randomBytes(8).toString("hex").toUpperCase()}`,
    secretAccessKey: randomBytes(30).toString("base64url"),
    sessionToken: randomBytes(48).toString("base64url"),
  };
}
