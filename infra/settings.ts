import * as z from "zod";
import { pingSecondsMax, pingSecondsMin } from "../shared/vocabulary/drivers.ts";
import { logLevels } from "../shared/vocabulary/log-levels.ts";
import { modelEndpoints } from "../shared/vocabulary/providers.ts";
import { leadingKeysSettings } from "./constructs/table-access.ts";
import { edgeSteps } from "./edge-step.ts";

/** Source: https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutRetentionPolicy.html */
const retentionDays = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
] as const;

const flag = z.union([z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")], {
  error: "must be true or false",
});
/** `cdk -c` passes text, cdk.json numbers. */
const count = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .union([z.number(), z.string().regex(/^\d+$/).transform(Number)], { error })
    .pipe(z.int({ error }).min(min, { error }).max(max, { error }));
};
const httpsUrl = z.url({ protocol: /^https$/, error: "must be an https:// address" });
const endpointUrl = z
  .string()
  .refine((text) => isEndpoint(text), "must be an https:// address, or one of this machine's");
const hostName = z
  .string()
  .regex(
    /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/,
    "must be a host name in lower case",
  );
const arn = (service: string) =>
  z.string().regex(new RegExp(`^arn:aws[a-z-]*:${service}:.+`), `must be the ARN of ${service}`);

const ModelEndpoints = z.partialRecord(z.enum(modelEndpoints), endpointUrl, {
  error: `must be an object of ${modelEndpoints.join(", ")}`,
});

const text = z.string().min(1, "must not be empty");
const ConsoleSignIn = z.strictObject(
  {
    clientId: text,
    authorizeUrl: endpointUrl,
    tokenUrl: endpointUrl,
    scope: text.default("openid"),
    token: z
      .enum(["access_token", "id_token"], { error: "must be access_token or id_token" })
      .default("access_token"),
    audience: text.optional(),
  },
  { error: "must be an object with clientId, authorizeUrl and tokenUrl" },
);

function parsedJson(given: unknown): unknown {
  if (typeof given !== "string") return given;
  try {
    return JSON.parse(given);
  } catch {
    return given;
  }
}

const originError = "must be origins: https://dashboard.example.com, or http:// of this machine";

/** A function has them in its environment, of which Lambda takes 4 KB. */
const originsLengthMax = 2_000;
const originsError = `must have at most ${originsLengthMax} characters together`;

function parsedList(given: unknown): unknown {
  return typeof given === "string" ? given.split(",").filter((part) => part !== "") : given;
}

function isOrigin(text: string): boolean {
  return isEndpoint(text) && new URL(text).origin === text;
}

function isEndpoint(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.search !== "" || url.hash !== "") return false;
  if (url.protocol === "https:") return true;
  return url.protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
}

/** A new account may have as few. */
export const lambdaConcurrencyMin = 10;

const SettingsSchema = z
  .strictObject({
    /** The name is in the stacks' names (`das-<deployment>-data` …) and in the folder of the customers' secrets. */
    deployment: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,19}$/, "must be 1 to 20 of a-z, 0-9 and -, beginning with a letter")
      .default("main"),
    /** After a restore (RUNBOOK.md, "Restore"), the service uses the restored table instead of its own. */
    restoredTableStreamArn: z
      .string()
      .regex(
        /^arn:aws[a-z-]*:dynamodb:[a-z0-9-]+:\d{12}:table\/[A-Za-z0-9_.-]{3,255}\/stream\/[0-9T:.-]+$/,
        "must be the ARN of a table's stream",
      )
      .optional(),
    /** The vault, of another account, gets a copy of the daily backup of the table and the bucket. */
    backupCopyVaultArn: z
      .string()
      .regex(/^arn:aws[a-z-]*:backup:[a-z0-9-]+:\d{12}:backup-vault:.+/, "must be the ARN of a backup vault")
      .optional(),
    /** The KMS key of this Region encrypts what is kept (DEPLOY.md, "A key of your own"). @default keys that AWS owns */
    kmsKeyArn: arn("kms").optional(),
    /** `off` leaves out of the roles which kinds of items their actions are for (`npm run deploy:probe`). */
    leadingKeys: z
      .enum(leadingKeysSettings, { error: `must be ${leadingKeysSettings.join(" or ")}` })
      .default("enforced"),
    /** The defaults are the local stack's; a deployment without these settings has no issuer. */
    jwtIssuer: httpsUrl.default("https://identity.local/"),
    jwtAudience: z.string().min(1, "must not be empty").default("desktop-automation-service"),
    jwtJwksUrl: httpsUrl.default("https://identity.local/.well-known/jwks.json"),
    /** The age counts from when a dashboard token was issued, however late it expires. */
    jwtMaxAgeSeconds: count(60, 2_592_000).default(43_200),
    /** The claim with a user's roles. @default none: every user of an organization is its administrator */
    jwtRolesClaim: z.string().min(1, "must not be empty").optional(),
    /** People sign in to the console at the issuer of `jwtIssuer` by this client. @default by an API key alone */
    consoleSignIn: z.preprocess(parsedJson, ConsoleSignIn).optional(),
    /** Each API can have a custom domain, with a certificate in this Region. */
    httpHostName: hostName.optional(),
    httpCertificateArn: arn("acm").optional(),
    /** CloudFront with AWS WAF is in front of the HTTP API, with a certificate in us-east-1. */
    edge: z.enum(edgeSteps, { error: `must be ${edgeSteps.join(", ")}` }).default("none"),
    edgeCertificateArn: arn("acm:us-east-1").optional(),
    /** CloudFormation reads the distribution's secret again only when this version changes. */
    edgeSecretVersionId: z.uuid("must be the id of a secret's version").optional(),
    /** AWS WAF allows this many requests of one address in 60 s; 10 is its minimum. */
    edgeAddressRateLimit: count(10, 2_000_000_000).default(6_000),
    webSocketHostName: hostName.optional(),
    webSocketCertificateArn: arn("acm").optional(),
    hostedZoneId: z
      .string()
      .regex(/^[A-Z0-9]{1,32}$/, "must be the id of a hosted zone")
      .optional(),
    /** WebSocket access logs need the Region's log role of API Gateway. */
    webSocketAccessLogs: flag.default(false),
    /** The role is set for the whole account and Region, so only one deployment of a Region may create it. */
    apiGatewayLogRole: flag.default(false),
    alarmEmail: z.email("must be an e-mail address").optional(),
    alarmTopicArn: arn("sns").optional(),
    /** AWS Budgets tells of half of it, of all, and that a month will cost more; 0 means no budget. */
    monthlyBudgetUsd: count(0, 10_000_000).default(300),
    /** The account's monitor of cost anomalies, of which one of at least `costAnomalyUsd` is reported. */
    costAnomalyMonitorArn: arn("ce").optional(),
    costAnomalyUsd: count(1, 10_000_000).default(50),
    /** Each route of both APIs has five or more metrics, at $0.30 a month each. */
    detailedMetrics: flag.default(false),
    /** Releases skip the gradual shift, even while the service fails. This is for a repair, not for cdk.json. */
    releaseAtOnce: flag.default(false),
    canaries: flag.default(false),
    /** A simulated desktop carries out the smallest run every five minutes, and releases are tried before traffic. */
    syntheticRun: flag.default(false),
    /** The functions reserve shares of the account's concurrency (`infra/concurrency.ts`). @default none reserved */
    lambdaConcurrency: count(lambdaConcurrencyMin, 1_000_000).optional(),
    /** After this time without a connection, a machine's run ends as `error`. */
    vanishedMachineGraceSeconds: count(1, 86_400).default(120),
    /** After this time without running or waiting runs, a session ends. */
    sessionIdleSeconds: count(1, 2_592_000).default(3_600),
    /** Browsers' pages of these origins may call the HTTP API; `cdk -c` separates them by commas. */
    corsOrigins: z
      .preprocess(parsedList, z.array(z.string().refine(isOrigin, originError), originError).max(100))
      .refine((origins) => origins.join().length <= originsLengthMax, originsError)
      .default([]),
    /** The throttle of each API's stage is in requests per second. */
    throttleRate: count(1, 100_000).default(1_000),
    throttleBurst: count(1, 100_000).default(2_000),
    /** One API key may send this many requests in 60 s; 0 means no limit but the stage's throttle. */
    apiKeyRateLimit: count(0, 999_999_999).default(600),
    /** All API keys of an organization may send this many requests in 60 s; 0 means no limit. */
    organizationRateLimit: count(0, 60_000).default(0),
    /** A run is deleted with all that belongs to it this long after its end; 0 means never. */
    runDays: count(0, 36_500).default(0),
    /** A run attachment without its own expiry lasts this long; files of a run stay with it. */
    attachmentDays: count(1, 36_500).default(90),
    /** Steps of runs and their pictures are kept this long; a run's own recovery may need them for two days. */
    stepDays: count(3, 3_650).default(30),
    /** The log of calls to desktops is kept this long; 0 means that there is none. */
    requestLogDays: count(0, 3_650).default(7),
    /** Audit events are kept this long. */
    auditDays: count(1, 3_650).default(400),
    /** An organization may have this many calls to desktops under way, exact within a second. */
    organizationCallsMax: count(1, 1_000).default(200),
    /** The service executes this many runs of an organization at once; further ones wait. */
    organizationExecutionsMax: count(1, 1_000).default(50),
    /** One API key may have this many connections open; a handshake's count costs 0.5 read units for each 20. */
    keyConnectionsMax: count(1, 100_000).default(1_000),
    /** A driver pings this often: each ping is two messages, and networks drop what is idle for longer. */
    pingSeconds: count(pingSecondsMin, pingSecondsMax).default(300),
    /** An organization may use this many tokens a day on the platform's own provider keys; 0 disables them. */
    platformTokensPerDay: count(0, 1_000_000_000_000).default(2_000_000),
    /** These replace the providers' own addresses; `googleToken` issues the tokens of a service account. */
    modelEndpoints: z.preprocess(parsedJson, ModelEndpoints).default({}),
    logRetentionDays: count(1, 3653)
      .pipe(z.literal(retentionDays, { error: `must be one of ${retentionDays.join(", ")}` }))
      .default(30),
    logLevel: z.enum(logLevels, { error: "must be debug, info, warn or error" }).default("info"),
  })
  .superRefine((settings, context) => {
    const together = (one: keyof typeof settings, other: keyof typeof settings) => {
      if ((settings[one] === undefined) === (settings[other] === undefined)) return;
      const [missing, given] = settings[one] === undefined ? [one, other] : [other, one];
      context.addIssue({ code: "custom", path: [missing], message: `is needed with ${given}` });
    };
    together("httpHostName", "httpCertificateArn");
    together("webSocketHostName", "webSocketCertificateArn");
    for (const needed of ["httpHostName", "edgeCertificateArn"] as const) {
      if (settings.edge === "none" || settings[needed] !== undefined) continue;
      context.addIssue({ code: "custom", path: [needed], message: "is needed with edge" });
    }
    if (settings.httpHostName !== undefined && settings.httpHostName === settings.webSocketHostName) {
      context.addIssue({
        code: "custom",
        path: ["webSocketHostName"],
        message: "must differ from httpHostName",
      });
    }
    if (settings.alarmEmail !== undefined && settings.alarmTopicArn !== undefined) {
      context.addIssue({ code: "custom", path: ["alarmEmail"], message: "cannot go with alarmTopicArn" });
    }
  });

/** No setting causes a resource to be removed. */
export type Settings = z.output<typeof SettingsSchema>;

export const settingNames: readonly string[] = Object.keys(SettingsSchema.shape);

/** The CDK's own context has feature flags, its command line's values and its look-ups. */
const foreignKey = /^(aws:|@aws-cdk\/|cli-|constructs\/|cdk-)|:account=/;

/** @throws {Error} one sentence that names the first setting that is unknown or wrong. */
export function parseSettings(context: Readonly<Record<string, unknown>>): Settings {
  const own = Object.fromEntries(Object.entries(context).filter(([key]) => !foreignKey.test(key)));
  const parsed = SettingsSchema.safeParse(own);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  if (issue?.code === "unrecognized_keys" && issue.path.length === 0) {
    throw new Error(`there is no setting ${issue.keys[0]}; the settings are ${settingNames.join(", ")}`);
  }
  throw new Error(`the setting ${issue?.path.join(".")} ${issue?.message}`);
}
