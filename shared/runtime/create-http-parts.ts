import { createDynamoDbClient } from "../aws/dynamodb-client.ts";
import { createSecretsManagerClient } from "../aws/secrets-manager-client.ts";
import { createJwtSessionVerifier } from "../http/access/jwt-session-verifier.ts";
import type { OriginVerifier } from "../http/edge.ts";
import type { HttpDeps } from "../http/http-deps.ts";
import { CachedKeyVerifier } from "../secrets/cached-key-verifier.ts";
import { createSigner } from "../secrets/create-signer.ts";
import { EdgeSecret } from "../secrets/edge-secret.ts";
import { createEncryption } from "../secrets/encryption/create-encryption.ts";
import { DynamoApiKeyStore } from "../storage/access/dynamo-api-key-store.ts";
import { DynamoRateLimiter } from "../storage/access/dynamo-rate-limiter.ts";
import { DynamoIdempotencyStore } from "../storage/idempotency/dynamo-idempotency-store.ts";
import { DynamoTable } from "../storage/table/dynamo-table.ts";
import type { Environment } from "./environment.ts";
import { createStdoutLogger } from "./stdout-logger.ts";
import { systemClock } from "./system-clock.ts";
import { systemIds } from "./system-ids.ts";

/** What every HTTP route group reads from its environment. */
export const httpVariables = [
  "TABLE_NAME",
  "SIGNING_KEY_SECRET",
  "DATA_KEY_SECRET",
  "JWT_ISSUER",
  "JWT_AUDIENCE",
  "JWT_JWKS_URL",
  "JWT_MAX_AGE_SECONDS",
  "LOG_LEVEL",
  "RATE_LIMIT_API_KEY",
  "ORIGIN_SECRET",
  "RATE_LIMIT_ORGANIZATION",
] as const;

/** The pipeline's dependencies, and the table and the client, which the group's own stores share. */
export function createHttpParts(env: Environment<(typeof httpVariables)[number]>) {
  const clock = systemClock;
  const secretsClient = createSecretsManagerClient();
  const table = new DynamoTable({
    client: createDynamoDbClient(),
    tableName: env.TABLE_NAME,
    encryption: createEncryption({ client: secretsClient, secretId: env.DATA_KEY_SECRET, clock }),
    clock,
  });
  const originSecret = env.ORIGIN_SECRET;
  const http: HttpDeps & { readonly origin: OriginVerifier | undefined } = {
    logger: createStdoutLogger(env.LOG_LEVEL),
    clock,
    ids: systemIds,
    keyVerifier: new CachedKeyVerifier({ apiKeys: new DynamoApiKeyStore({ table }), clock }),
    sessionVerifier: createJwtSessionVerifier({
      issuer: env.JWT_ISSUER,
      audience: env.JWT_AUDIENCE,
      jwksUrl: env.JWT_JWKS_URL,
      maxAgeSeconds: env.JWT_MAX_AGE_SECONDS,
      clock,
    }),
    rateLimiter: new DynamoRateLimiter({ table, clock }),
    rateLimits: { perApiKey: env.RATE_LIMIT_API_KEY, perOrganization: env.RATE_LIMIT_ORGANIZATION },
    idempotencyRecords: new DynamoIdempotencyStore({ table, clock }),
    origin:
      originSecret === undefined
        ? undefined
        : new EdgeSecret({ client: secretsClient, secretId: originSecret, clock }),
    signer: createSigner({ client: secretsClient, secretId: env.SIGNING_KEY_SECRET, clock }),
  };
  return { http, table, secretsClient };
}
