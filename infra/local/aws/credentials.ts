import { randomBytes } from "node:crypto";

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
}

/** Fresh credentials in the form of an assumed role's. DynamoDB Local takes letters and digits only in a key id. */
export function newCredentials(): Credentials {
  return {
    accessKeyId: `ASIA${randomBytes(8).toString("hex").toUpperCase()}`,
    secretAccessKey: randomBytes(30).toString("base64url"),
    sessionToken: randomBytes(48).toString("base64url"),
  };
}
