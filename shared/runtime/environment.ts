import { type LogLevel, logLevels } from "../vocabulary/log-levels.ts";
import type { ModelEndpoint } from "../vocabulary/providers.ts";

/** An absent endpoint is the provider's own address. */
type ModelEndpoints = Readonly<Partial<Record<ModelEndpoint, string>>>;

const malformed = Symbol("malformed");

/** Without zod, since it runs while a function starts: the first zod schemas would add milliseconds. */
type Read<Value> = (given: string | undefined) => Value | typeof malformed;

const text: Read<string> = (given) => (given === undefined || given === "" ? malformed : given);

function url(...protocols: readonly string[]): Read<string> {
  return (given = "") => (protocols.includes(URL.parse(given)?.protocol ?? "") ? given : malformed);
}

const textOrNone: Read<string | undefined> = (given) => (given === "" ? malformed : given);

const level: Read<LogLevel> = (given = "info") => logLevels.find((known) => known === given) ?? malformed;

const positive: Read<number> = (given = "") => (/^[1-9]\d{0,8}$/.test(given) ? Number(given) : malformed);

/** A limit of 0 switches it off. */
const limit: Read<number> = (given) => (given === "0" ? 0 : positive(given));

const tokens: Read<number> = (given = "") => (/^\d{1,13}$/.test(given) ? Number(given) : malformed);

const flagOrNone: Read<boolean> = (given) => (given === undefined ? false : given === "true" || malformed);

/** The deployment's setting has been validated already. */
const endpoints: Read<ModelEndpoints> = (given = "") => {
  try {
    return JSON.parse(given) as ModelEndpoints;
  } catch {
    return malformed;
  }
};

const variables = {
  AWS_REGION: text,
  LAMBDA_TASK_ROOT: text,
  /** Set by Lambda itself, without a qualifier. */
  AWS_LAMBDA_FUNCTION_NAME: text,
  TABLE_NAME: text,
  BUCKET_NAME: text,
  /** `https://<bucket>.s3.<Region>…`, where presigned addresses lead. */
  FILES_URL: url("https:", "http:"),
  EVENT_BUS_NAME: text,
  /** Where records of the stream go that no repeat helps. */
  SET_ASIDE_QUEUE_URL: url("https:"),
  /** Secrets are under `das/<DEPLOYMENT>/`. */
  DEPLOYMENT: text,
  /** Name or ARN of the secret that holds the key of mailboxes, tickets and connection tokens. */
  TUNNEL_KEY_SECRET: text,
  IDEMPOTENCY_KEY_SECRET: text,
  DATA_KEY_SECRET: text,
  /** `https://…/<stage>`, where messages to drivers are posted. */
  WEBSOCKET_CALLBACK_URL: url("https:", "http:"),
  /** `wss://…`, which drivers connect to. */
  WEBSOCKET_URL: url("wss:", "ws:"),
  EXECUTOR_ARN: text,
  EXECUTOR_ALIAS: text,
  WEBHOOK_DELIVERER_ARN: text,
  /** Set on this machine alone, by the local stack, never by the template: webhooks may go to loopback. */
  WEBHOOKS_TO_LOOPBACK: flagOrNone,
  JWT_ISSUER: text,
  JWT_AUDIENCE: text,
  JWT_JWKS_URL: url("https:", "http:"),
  JWT_MAX_AGE_SECONDS: positive,
  SERVICE_VERSION: text,
  LOG_LEVEL: level,
  /** Name or ARN of the secret that the CloudFront distribution sends; none without one. */
  ORIGIN_SECRET: textOrNone,
  /** The KMS key of new secrets; none: the key that Secrets Manager manages. */
  SECRETS_KMS_KEY: textOrNone,
  /** Requests of one API key in 60 s. */
  RATE_LIMIT_API_KEY: limit,
  /** Requests of all API keys of an organization together in 60 s. */
  RATE_LIMIT_ORGANIZATION: limit,
  VANISHED_MACHINE_GRACE_SECONDS: positive,
  SESSION_IDLE_SECONDS: positive,
  /** Days after a run's end; 0 keeps runs for ever. */
  RUN_DAYS: limit,
  ATTACHMENT_DAYS: positive,
  /** Tokens a day and organization on the platform's own keys; 0 gives none. */
  PLATFORM_TOKENS_PER_DAY: tokens,
  /** JSON: addresses instead of the providers' own. */
  MODEL_ENDPOINTS: endpoints,
  STEP_DAYS: positive,
  AUDIT_DAYS: positive,
  /** Days, of which 0 keeps no request log. */
  REQUEST_LOG_DAYS: limit,
  ORGANIZATION_CALLS_MAX: positive,
  ORGANIZATION_EXECUTIONS_MAX: positive,
  KEY_CONNECTIONS_MAX: positive,
};

export type Variables = typeof variables;

export type Environment<Name extends keyof Variables> = {
  readonly [N in Name]: Exclude<ReturnType<Variables[N]>, typeof malformed>;
};

/** @throws {Error} that names every missing or malformed variable, and no value. */
export function readEnvironment<Name extends keyof Variables>(
  names: readonly Name[],
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Environment<Name> {
  const problems: string[] = [];
  const entries = names.map((name) => {
    const value = variables[name](environment[name]);
    if (value === malformed) problems.push(name);
    return [name, value] as const;
  });
  if (problems.length > 0) {
    throw new Error(`these environment variables are missing or malformed: ${problems.join(", ")}`);
  }
  return Object.fromEntries(entries) as Environment<Name>;
}
