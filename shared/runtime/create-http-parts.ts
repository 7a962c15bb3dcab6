import { serviceCalls as calls } from "../aws/metered.ts";
import { createSecretsManagerClient } from "../aws/secrets-manager-client.ts";
import type { SessionVerifier } from "../domain/access/credentials.ts";
import type { OriginVerifier } from "../http/edge.ts";
import type { AccessDeps, AppDeps, HttpDeps, RateLimitDeps } from "../http/http-deps.ts";
import { CachedKeyVerifier } from "../secrets/cached-key-verifier.ts";
import { createSigner } from "../secrets/create-signer.ts";
import { EdgeSecret } from "../secrets/edge-secret.ts";
import { createEncryption } from "../secrets/encryption/create-encryption.ts";
import { DynamoApiKeyStore } from "../storage/access/dynamo-api-key-store.ts";
import { DynamoRateLimiter } from "../storage/access/dynamo-rate-limiter.ts";
import { DynamoIdempotencyStore } from "../storage/idempotency/dynamo-idempotency-store.ts";
import { createAsyncActs } from "./async-acts.ts";
import { createTable, tableVariables } from "./create-table.ts";
import type { Environment } from "./environment.ts";
import { createStdoutLogger, logVariables } from "./stdout-logger.ts";
import { systemClock, systemIds } from "./system.ts";

export const accessVariables = [
  ...tableVariables,
  "DATA_KEY_SECRET",
  "JWT_ISSUER",
  "JWT_ROLES_CLAIM",
  "JWT_AUDIENCE",
  "JWT_JWKS_URL",
  "JWT_MAX_AGE_SECONDS",
  ...logVariables,
  "RATE_LIMIT_API_KEY",
  "ORIGIN_SECRET",
  "RATE_LIMIT_ORGANIZATION",
] as const;

export const httpVariables = [...accessVariables, "IDEMPOTENCY_KEY_SECRET"] as const;

/** The group's own stores share the table and the client. */
export function createAccessParts(env: Environment<(typeof accessVariables)[number]>) {
  const clock = systemClock;
  const secretsClient = createSecretsManagerClient();
  const acts = createAsyncActs();
  const table = createTable(env, {
    encryption: createEncryption({ client: secretsClient, secretId: env.DATA_KEY_SECRET, clock }),
    clock,
    acts,
  });
  const originSecret = env.ORIGIN_SECRET;
  const http: AppDeps & AccessDeps & RateLimitDeps & { readonly origin: OriginVerifier | undefined } = {
    logger: createStdoutLogger(env),
    calls,
    clock,
    ids: systemIds,
    keyVerifier: new CachedKeyVerifier({ apiKeys: new DynamoApiKeyStore({ table, clock }), clock }),
    sessionVerifier: createSessionVerifier(env, clock),
    rateLimiter: new DynamoRateLimiter({ table, clock }),
    rateLimits: { perApiKey: env.RATE_LIMIT_API_KEY, perOrganization: env.RATE_LIMIT_ORGANIZATION },
    origin:
      originSecret === undefined
        ? undefined
        : new EdgeSecret({ client: secretsClient, secretId: originSecret, clock }),
  };
  return { http, table, secretsClient, acts };
}

/** The verifier is loaded with the first token of a dashboard: programs have API keys. */
function createSessionVerifier(
  env: Environment<(typeof accessVariables)[number]>,
  clock: typeof systemClock,
): SessionVerifier {
  let loading: Promise<SessionVerifier> | undefined;
  const load = async () => {
    const { createJwtSessionVerifier } = await import("../http/access/jwt-session-verifier.ts");
    return createJwtSessionVerifier({
      issuer: env.JWT_ISSUER,
      audience: env.JWT_AUDIENCE,
      jwksUrl: env.JWT_JWKS_URL,
      maxAgeSeconds: env.JWT_MAX_AGE_SECONDS,
      rolesClaim: env.JWT_ROLES_CLAIM,
      clock,
    });
  };
  return {
    verify: async (token) => {
      loading ??= load();
      return await (await loading).verify(token);
    },
  };
}

export function createHttpParts(env: Environment<(typeof httpVariables)[number]>) {
  const { http, table, secretsClient: client, acts } = createAccessParts(env);
  const { clock } = http;
  const idempotent: HttpDeps & typeof http = {
    ...http,
    acts,
    idempotencyRecords: new DynamoIdempotencyStore({ table, clock }),
    idempotencySigner: createSigner({ client, secretId: env.IDEMPOTENCY_KEY_SECRET, clock }),
  };
  return { http: idempotent, table, secretsClient: client };
}
