import * as z from "zod";
import { logLevels } from "../shared/vocabulary/log-levels.ts";
import { modelEndpoints } from "../shared/vocabulary/providers.ts";

/**
 * How long CloudWatch Logs can keep a log group, in days.
 *
 * Source: https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutRetentionPolicy.html
 */
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
/** Of a provider, a gateway before it, or a stand-in on this machine. */
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

/** `cdk -c` passes text. */
function parsedJson(given: unknown): unknown {
  if (typeof given !== "string") return given;
  try {
    return JSON.parse(given);
  } catch {
    return given;
  }
}

const originError = "must be origins: https://dashboard.example.com, or http:// of this machine";

/** `cdk -c` passes text. */
function parsedList(given: unknown): unknown {
  return typeof given === "string" ? given.split(",").filter((part) => part !== "") : given;
}

/** As a browser sends it. */
function isOrigin(text: string): boolean {
  return isEndpoint(text) && new URL(text).origin === text;
}

function isEndpoint(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.search !== "" || url.hash !== "") return false;
  if (url.protocol === "https:") return true;
  return url.protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
}

const SettingsSchema = z
  .strictObject({
    /** Names the stacks (`das-<deployment>-data` …) and the folder of the customers' secrets. */
    deployment: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,19}$/, "must be 1 to 20 of a-z, 0-9 and -, beginning with a letter")
      .default("main"),
    /** Of the stream of a table that was restored (RUNBOOK.md, "Restore"), which the service is on instead of its own. */
    restoredTableStreamArn: z
      .string()
      .regex(
        /^arn:aws[a-z-]*:dynamodb:[a-z0-9-]+:\d{12}:table\/[A-Za-z0-9_.-]{3,255}\/stream\/[0-9T:.-]+$/,
        "must be the ARN of a table's stream",
      )
      .optional(),
    /** A backup vault of another account, to which a daily backup of the table and the bucket is copied. */
    backupCopyVaultArn: z
      .string()
      .regex(/^arn:aws[a-z-]*:backup:[a-z0-9-]+:\d{12}:backup-vault:.+/, "must be the ARN of a backup vault")
      .optional(),
    /** A key of AWS KMS, in this Region, that encrypts table, bucket and secrets. @default those that AWS owns */
    kmsKeyArn: arn("kms").optional(),
    /** Whose dashboard tokens are accepted; the defaults belong to the local stack, and to no issuer when deployed. */
    jwtIssuer: httpsUrl.default("https://identity.local/"),
    jwtAudience: z.string().min(1, "must not be empty").default("desktop-automation-service"),
    jwtJwksUrl: httpsUrl.default("https://identity.local/.well-known/jwks.json"),
    /** Since it was issued, however late a dashboard token expires. */
    jwtMaxAgeSeconds: count(60, 2_592_000).default(43_200),
    /** Custom domains, one per API: a host name and its certificate, in this Region. */
    httpHostName: hostName.optional(),
    httpCertificateArn: arn("acm").optional(),
    /** CloudFront with AWS WAF before the HTTP API; the certificate of its host name in us-east-1. */
    edge: flag.default(false),
    edgeCertificateArn: arn("acm:us-east-1").optional(),
    /** Which version of its secret the distribution sends: one named here is what makes CloudFormation read it again. */
    edgeSecretVersionId: z.uuid("must be the id of a secret's version").optional(),
    /** Requests of one address in 60 s that AWS WAF lets through; 10 is its least. */
    edgeAddressRateLimit: count(10, 2_000_000_000).default(6_000),
    webSocketHostName: hostName.optional(),
    webSocketCertificateArn: arn("acm").optional(),
    /** A public zone of Route 53 in this account, where the records of both host names are made. */
    hostedZoneId: z
      .string()
      .regex(/^[A-Z0-9]{1,32}$/, "must be the id of a hosted zone")
      .optional(),
    /** Needs the Region's log role of API Gateway; HTTP access logs do not and are always on. */
    webSocketAccessLogs: flag.default(false),
    /** Makes that role and sets it for the whole account and Region; for one deployment of a Region only. */
    apiGatewayLogRole: flag.default(false),
    /** Who receives alarms: an address, or a topic that exists. */
    alarmEmail: z.email("must be an e-mail address").optional(),
    alarmTopicArn: arn("sns").optional(),
    /** Metrics of each route of both APIs: five or more for each, at $0.30 a month. */
    detailedMetrics: flag.default(false),
    /** Releases go to all requests at once, also while the service fails: for a repair, not for cdk.json. */
    releaseAtOnce: flag.default(false),
    canaries: flag.default(false),
    /** The account's, of which the functions reserve their shares (`infra/concurrency.ts`). @default none reserved */
    lambdaConcurrency: count(1_000, 1_000_000).optional(),
    /** How long a machine may be without a connection before its run ends as `error`. */
    vanishedMachineGraceSeconds: count(1, 86_400).default(120),
    /** How long nothing may wait or run in a session before it ends. */
    sessionIdleSeconds: count(1, 2_592_000).default(3_600),
    /** Of pages in browsers that may call the HTTP API; `cdk -c` separates them by commas. */
    corsOrigins: z
      .preprocess(parsedList, z.array(z.string().refine(isOrigin, originError), originError).max(100))
      .default([]),
    /** Requests a second, and at once, of each API's stage. */
    throttleRate: count(1, 100_000).default(1_000),
    throttleBurst: count(1, 100_000).default(2_000),
    /** Requests of one API key in 60 s, one write each; 0: not limited, and one program in a loop takes the stage's throttle. */
    apiKeyRateLimit: count(0, 999_999_999).default(600),
    /** Requests of all API keys of an organization in 60 s, one more write each; 0: not limited. */
    organizationRateLimit: count(0, 60_000).default(0),
    /** After its end, when a run is deleted with all that is its own; 0: never. */
    runDays: count(0, 36_500).default(0),
    /** After which a run attachment expires for which no other time was given; files given with a run stay with it. */
    attachmentDays: count(1, 36_500).default(90),
    /** For which the steps of runs and their pictures are kept; a run's own may need them for two days. */
    stepDays: count(3, 3_650).default(30),
    /** For which the log of calls to desktops is kept; 0: there is none. */
    requestLogDays: count(0, 3_650).default(7),
    /** For which it is on record who changed what. */
    auditDays: count(1, 3_650).default(400),
    /** Calls to desktops that an organization may have under way, exact within a second. */
    organizationCallsMax: count(1, 1_000).default(200),
    /** Runs of an organization that the service carries out at once; further ones wait. */
    organizationExecutionsMax: count(1, 1_000).default(50),
    /** Connections that one API key may have open; a handshake counts them, 0.5 read units for each 20. */
    keyConnectionsMax: count(1, 100_000).default(1_000),
    /** Tokens a day and organization on the platform's own keys of models' providers; 0: they are given to nobody. */
    platformTokensPerDay: count(0, 1_000_000_000_000).default(2_000_000),
    /** Instead of the providers' own addresses; `googleToken` is where a service account gets its tokens. */
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
      if (!settings.edge || settings[needed] !== undefined) continue;
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

/** What a deployment can choose. Nothing here can make anything be removed. */
export type Settings = z.output<typeof SettingsSchema>;

/** The CDK's own context: feature flags, what its command line adds, and what it has looked up. */
const foreignKey = /^(aws:|@aws-cdk\/|cli-|constructs\/|cdk-)|:account=/;

/**
 * Reads the settings out of the CDK's context (`cdk.json`, or `-c name=value`).
 *
 * @throws {Error} one sentence that names the first setting that is unknown or wrong.
 */
export function parseSettings(context: Readonly<Record<string, unknown>>): Settings {
  const own = Object.fromEntries(Object.entries(context).filter(([key]) => !foreignKey.test(key)));
  const parsed = SettingsSchema.safeParse(own);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  if (issue?.code === "unrecognized_keys" && issue.path.length === 0) {
    const known = Object.keys(SettingsSchema.shape).join(", ");
    throw new Error(`there is no setting ${issue.keys[0]}; the settings are ${known}`);
  }
  throw new Error(`the setting ${issue?.path.join(".")} ${issue?.message}`);
}
