import type { ConsoleSignIn } from "../contract/console.ts";
import { type LogLevel, logLevels } from "../vocabulary/log-levels.ts";
import type { ModelEndpoint } from "../vocabulary/providers.ts";

/** An absent endpoint is the provider's own address. */
type ModelEndpoints = Readonly<Partial<Record<ModelEndpoint, string>>>;

const malformed = Symbol("malformed");

/** Readers avoid zod, because they run while a function starts, and the first zod schemas would add milliseconds. */
type Read<Value> = (given: string | undefined) => Value | typeof malformed;

const text: Read<string> = (given) => (given === undefined || given === "" ? malformed : given);

function url(...protocols: readonly string[]): Read<string> {
  return (given = "") => (protocols.includes(URL.parse(given)?.protocol ?? "") ? given : malformed);
}

const textOrNone: Read<string | undefined> = (given) => (given === "" ? malformed : given);

const level: Read<LogLevel> = (given = "info") => logLevels.find((known) => known === given) ?? malformed;

const positive: Read<number> = (given = "") => (/^[1-9]\d{0,8}$/.test(given) ? Number(given) : malformed);

const positiveOrNone: Read<number | undefined> = (given) =>
  given === undefined ? undefined : positive(given);

/** A limit of 0 switches it off. */
const limit: Read<number> = (given) => (given === "0" ? 0 : positive(given));

const tokens: Read<number> = (given = "") => (/^\d{1,13}$/.test(given) ? Number(given) : malformed);

const flagOrNone: Read<boolean> = (given) => (given === undefined ? false : given === "true" || malformed);

/** The deployment's setting has been validated already. */
function json<Value>(given = ""): Value | typeof malformed {
  try {
    return JSON.parse(given) as Value;
  } catch {
    return malformed;
  }
}

const endpoints: Read<ModelEndpoints> = json;

const signIn: Read<ConsoleSignIn | null> = json;

const origins: Read<readonly string[]> = json;

const variables = {
  AWS_REGION: text,
  LAMBDA_TASK_ROOT: text,
  /** Lambda itself sets the name, without a qualifier. */
  AWS_LAMBDA_FUNCTION_NAME: text,
  TABLE_NAME: text,
  /** Only the local stack sets this, never the template: its table shares the processors with all else. */
  TABLE_ATTEMPT_MS: positiveOrNone,
  BUCKET_NAME: text,
  /** The address of presigned requests, `https://<bucket>.s3.<Region>…`. */
  FILES_URL: url("https:", "http:"),
  EVENT_BUS_NAME: text,
  /** The queue for records of the stream that no repeat would help. */
  SET_ASIDE_QUEUE_URL: url("https:"),
  /** Secrets are under `das/<DEPLOYMENT>/`. */
  DEPLOYMENT: text,
  /** The name or ARN of the secret with the key of mailboxes, tickets and connection tokens. */
  TUNNEL_KEY_SECRET: text,
  IDEMPOTENCY_KEY_SECRET: text,
  DATA_KEY_SECRET: text,
  /** The address for messages to drivers, `https://…/<stage>`. */
  WEBSOCKET_CALLBACK_URL: url("https:", "http:"),
  /** The address that drivers connect to, `wss://…`. */
  WEBSOCKET_URL: url("wss:", "ws:"),
  /** The address of the API itself. */
  BASE_URL: url("https:", "http:"),
  /** A JSON array: the pages that may call the API. */
  CORS_ORIGINS: origins,
  /** `null` where people sign in to the console by an API key alone. */
  CONSOLE_SIGN_IN: signIn,
  EXECUTOR_ARN: text,
  EXECUTOR_ALIAS: text,
  WEBHOOK_DELIVERER_ARN: text,
  WEBHOOK_SENDER_ARN: text,
  /** Only the local stack sets this, never the template: webhooks may go to loopback. */
  WEBHOOKS_TO_LOOPBACK: flagOrNone,
  JWT_ISSUER: text,
  JWT_AUDIENCE: text,
  JWT_JWKS_URL: url("https:", "http:"),
  JWT_MAX_AGE_SECONDS: positive,
  JWT_ROLES_CLAIM: textOrNone,
  SERVICE_VERSION: text,
  LOG_LEVEL: level,
  /** The name or ARN of the secret that the CloudFront distribution sends, or none without a distribution. */
  ORIGIN_SECRET: textOrNone,
  /** The KMS key of new secrets; without one, Secrets Manager manages the key. */
  SECRETS_KMS_KEY: textOrNone,
  /** The number of requests of one API key in 60 s. */
  RATE_LIMIT_API_KEY: limit,
  /** The number of requests of all API keys of an organization together in 60 s. */
  RATE_LIMIT_ORGANIZATION: limit,
  VANISHED_MACHINE_GRACE_SECONDS: positive,
  SESSION_IDLE_SECONDS: positive,
  /** The number of days after a run's end; 0 keeps runs for ever. */
  RUN_DAYS: limit,
  ATTACHMENT_DAYS: positive,
  /** The tokens per day and organization on the platform's own keys; 0 allows none. */
  PLATFORM_TOKENS_PER_DAY: tokens,
  /** A JSON object with addresses that replace the providers' own. */
  MODEL_ENDPOINTS: endpoints,
  STEP_DAYS: positive,
  AUDIT_DAYS: positive,
  /** The number of days; 0 keeps no request log. */
  REQUEST_LOG_DAYS: limit,
  ORGANIZATION_CALLS_MAX: positive,
  ORGANIZATION_EXECUTIONS_MAX: positive,
  /** The executions of all organizations at once; none without the account's concurrency. */
  SERVICE_EXECUTIONS_MAX: positiveOrNone,
  ORGANIZATION_SENDS_MAX: positive,
  /** The number of requests of all organizations that may wait at the same time. */
  WAITS_MAX: positive,
  /** The number of requests of all organizations that may wait for a screen at the same time. */
  LOOKS_MAX: positive,
  KEY_CONNECTIONS_MAX: positive,
  PING_SECONDS: positive,
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
