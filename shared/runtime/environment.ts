import { type LogLevel, logLevels } from "../vocabulary/log-levels.ts";
import type { ModelEndpoint } from "../vocabulary/providers.ts";

/** Where models and tokens are asked for; absent: the provider's own address. */
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

/** 0 switches it off. */
const limit: Read<number> = (given) => (given === "0" ? 0 : positive(given));

const tokens: Read<number> = (given = "") => (/^\d{1,13}$/.test(given) ? Number(given) : malformed);

const flagOrNone: Read<boolean> = (given) => (given === undefined ? false : given === "true" || malformed);

/** The setting has judged what is in it. */
const endpoints: Read<ModelEndpoints> = (given = "") => {
  try {
    return JSON.parse(given) as ModelEndpoints;
  } catch {
    return malformed;
  }
};

/** Every variable of our functions; the template's constructs set them. */
const variables = {
  /** Set by Lambda itself. */
  AWS_REGION: text,
  /** Set by Lambda itself: the folder of the function's code. */
  LAMBDA_TASK_ROOT: text,
  /** Set by Lambda itself: the function's name, without a qualifier. */

  /** Set by Lambda itself. */
  AWS_LAMBDA_FUNCTION_NAME: text,
  TABLE_NAME: text,
  BUCKET_NAME: text,
  /** `https://<bucket>.s3.<Region>…`, where presigned addresses lead. */
  FILES_URL: url("https:", "http:"),
  /** The event bus to which customers listen. */
  EVENT_BUS_NAME: text,
  /** Where records of the stream go that no repeat helps. */
  SET_ASIDE_QUEUE_URL: url("https:"),
  /** Secrets are under `das/<DEPLOYMENT>/`. */
  DEPLOYMENT: text,
  /** Name or ARN of the secret that holds the key of mailboxes, tickets and connection tokens. */
  TUNNEL_KEY_SECRET: text,
  /** The same of the key of idempotency records. */
  IDEMPOTENCY_KEY_SECRET: text,
  /** Name or ARN of the secret that holds the data key. */
  DATA_KEY_SECRET: text,
  /** `https://…/<stage>`, where messages to drivers are posted. */
  WEBSOCKET_CALLBACK_URL: url("https:", "http:"),
  /** `wss://…`, which drivers connect to. */
  WEBSOCKET_URL: url("wss:", "ws:"),
  /** The executor's alias. */
  EXECUTOR_ARN: text,
  /** The executor's alias, for itself. */
  EXECUTOR_ALIAS: text,
  /** The webhook deliverer's alias. */
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
  /** How long a machine may be without a connection before its run ends. */
  VANISHED_MACHINE_GRACE_SECONDS: positive,
  /** How long a session may be unused before it ends. */
  SESSION_IDLE_SECONDS: positive,
  /** After its end, when a run is deleted; 0: never. */
  RUN_DAYS: limit,
  /** After which an attachment expires that says nothing else. */
  ATTACHMENT_DAYS: positive,
  /** Tokens a day and organization on the platform's own keys; 0: none are given. */
  PLATFORM_TOKENS_PER_DAY: tokens,
  /** JSON: addresses instead of the providers' own. */
  MODEL_ENDPOINTS: endpoints,
  /** For which the steps of runs are kept. */
  STEP_DAYS: positive,
  /** For which audit events are kept. */
  AUDIT_DAYS: positive,
  /** For which the request log is kept; 0: there is none. */
  REQUEST_LOG_DAYS: limit,
  /** Calls to desktops that an organization may have under way. */
  ORGANIZATION_CALLS_MAX: positive,
  /** Runs of an organization that the service carries out at once. */
  ORGANIZATION_EXECUTIONS_MAX: positive,
  /** Connections that one key may have open. */
  KEY_CONNECTIONS_MAX: positive,
};

export type Variables = typeof variables;

export type Environment<Name extends keyof Variables> = {
  readonly [N in Name]: Exclude<ReturnType<Variables[N]>, typeof malformed>;
};

/**
 * Reads the variables named, once, while a function starts.
 *
 * @throws {Error} one that names every missing or malformed variable, and no value.
 */
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
