import { Annotations, Match } from "aws-cdk-lib/assertions";
import { describe, expect, it } from "vitest";
import {
  makeServiceApp,
  type Resource,
  resourcesOf,
  sampleRoutes,
  type Template,
  templatesOf,
} from "./synthesize.ts";

const { service } = templatesOf(makeServiceApp({ logRetentionDays: 7 }));
const { service: limited } = templatesOf(
  makeServiceApp({ lambdaConcurrency: 1_500, apiKeyRateLimit: 0, pingSeconds: 60, logLevel: "debug" }),
);

function functionNamed(name: string): Resource {
  const found = Object.entries(service.Resources).find(
    ([id, { Type }]) => Type === "AWS::Lambda::Function" && id.startsWith(`${name}Function`),
  );
  if (found === undefined) throw new Error(`there is no function ${name}`);
  return found[1];
}

/** Logical ids of resources of a type, which begin with a function's name. */
function idsOf(type: string, name: string): readonly string[] {
  return Object.entries(service.Resources)
    .filter(([id, { Type }]) => Type === type && id.startsWith(name))
    .map(([id]) => id);
}

/** Functions that no route of the HTTP API leads to. */
const others = [
  "tunnel",
  "sweeper",
  "scheduler",
  "projector",
  "matcher",
  "executor",
  "executionswatch",
  "webhooksender",
  "webhookdeliverer",
];
const durable = ["executor", "webhookdeliverer"];
const groups = Object.keys(sampleRoutes).map((group) => group.replaceAll("-", ""));
const accessGroups = groups.filter((name) => !["health", "docs", "console"].includes(name));

describe("the console", () => {
  it("knows how people sign in, and where tunnel and bucket are, by settings alone", () => {
    const urls = { authorizeUrl: "https://login.example/authorize", tokenUrl: "https://login.example/token" };
    const consoleSignIn = JSON.stringify({ clientId: "c", ...urls });
    const { service: signing } = templatesOf(
      makeServiceApp({ consoleSignIn, jwtIssuer: "https://issuer.example/" }),
    );
    const variablesIn = ({ Resources }: Template) =>
      Object.entries(Resources).find(
        ([id, { Type }]) => Type === "AWS::Lambda::Function" && id.startsWith("consoleFunction"),
      )?.[1].Properties.Environment.Variables;
    expect(variablesIn(service)).toMatchObject({
      CONSOLE_SIGN_IN: "null",
      WEBSOCKET_URL: expect.anything(),
      FILES_URL: { "Fn::Join": ["", ["https://", expect.anything()]] },
    });
    expect(JSON.parse(variablesIn(signing).CONSOLE_SIGN_IN)).toEqual({
      issuer: "https://issuer.example/",
      clientId: "c",
      ...urls,
      scope: "openid",
      token: "access_token",
    });
  });
});

describe("the functions", () => {
  it("run on Node 24 and arm64, and log to a group of their own that forgets", () => {
    const functions = resourcesOf(service, "AWS::Lambda::Function");
    expect(functions).toHaveLength(groups.length + others.length);
    const logGroups = functions.map(({ Properties }) => {
      expect(Properties).toMatchObject({
        Runtime: "nodejs24.x",
        Architectures: ["arm64"],
        Handler: "loader.handler",
      });
      // Without the SDK's calls a trace says nothing that the request's line does not.
      expect(Properties).not.toHaveProperty("TracingConfig");
      const id: string = Properties.LoggingConfig.LogGroup.Ref;
      expect(service.Resources[id]?.Properties.RetentionInDays).toBe(7);
      return id;
    });
    expect(new Set(logGroups).size).toBe(functions.length);
  });

  it.each([
    ...groups.map((name) => [name, 29] as const),
    ["tunnel", 28],
    ["sweeper", 55],
    ["scheduler", 120],
    ["projector", 60],
    ["matcher", 60],
    ["executionswatch", 30],
  ] as const)("%s ends within %d s and has 512 to 1024 MB", (name, seconds) => {
    const { Timeout, MemorySize } = functionNamed(name).Properties;
    expect(Timeout).toBe(seconds);
    expect(MemorySize).toBeGreaterThanOrEqual(512);
    expect(MemorySize).toBeLessThanOrEqual(1024);
  });

  it("have Lambda's lines of each invocation in their logs, but for those that most calls and pings go to", () => {
    const levelOf = (name: string) => functionNamed(name).Properties.LoggingConfig.SystemLogLevel;
    const busy = ["computer", "tunnel"];
    for (const name of [...groups, ...others]) {
      expect([name, levelOf(name)]).toEqual([name, busy.includes(name) ? "WARN" : "INFO"]);
    }
  });

  it("write what the setting lets through, since Lambda would drop lines below INFO", () => {
    const levels = (template: Template) => [
      ...new Set(
        resourcesOf(template, "AWS::Lambda::Function").map(({ Properties }) =>
          [Properties.Environment.Variables.LOG_LEVEL, Properties.LoggingConfig.ApplicationLogLevel].join(),
        ),
      ),
    ];
    expect(levels(service)).toEqual(["info,INFO"]);
    expect(levels(limited)).toEqual(["debug,DEBUG"]);
  });

  it.each(accessGroups)("%s knows who issues dashboard tokens", (name) => {
    expect(functionNamed(name).Properties.Environment.Variables).toMatchObject({
      DEPLOYMENT: "main",
      SERVICE_VERSION: "1.2.3",
      LOG_LEVEL: "info",
      JWT_ISSUER: "https://identity.local/",
      JWT_AUDIENCE: "desktop-automation-service",
      JWT_JWKS_URL: "https://identity.local/.well-known/jwks.json",
      JWT_MAX_AGE_SECONDS: "43200",
    });
  });

  it("limit an API key to 600 requests a minute, unless the setting switches it off", () => {
    const limits = (template: Template) =>
      resourcesOf(template, "AWS::Lambda::Function")
        .map(({ Properties }) => Properties.Environment.Variables.RATE_LIMIT_API_KEY)
        .filter((limit) => limit !== undefined);
    expect(limits(service)).toEqual(accessGroups.map(() => "600"));
    expect(limits(limited)).toEqual(accessGroups.map(() => "0"));
  });

  it("tell drivers the setting's interval of pings", () => {
    const intervals = (template: Template) =>
      resourcesOf(template, "AWS::Lambda::Function").flatMap(
        ({ Properties }) => Properties.Environment.Variables.PING_SECONDS ?? [],
      );
    expect([intervals(service), intervals(limited)]).toEqual([["300"], ["60"]]);
  });

  it("let an organization have at most a quarter of the places of calls, where they are known", () => {
    const sharesIn = (template: Template) => [
      ...new Set(
        Object.values(template.Resources).flatMap(
          ({ Properties }) => Properties?.Environment?.Variables?.ORGANIZATION_CALLS_MAX ?? [],
        ),
      ),
    ];
    expect([sharesIn(service), sharesIn(limited)]).toEqual([["200"], ["85"]]);
  });

  it("reserve shares of the account's concurrency when it is set, and else synthesis says that they do not", () => {
    const reserved = (template: Template) =>
      Object.entries(template.Resources).flatMap(([id, { Properties }]) =>
        Properties?.ReservedConcurrentExecutions === undefined
          ? []
          : [[id.replace(/Function.*/, ""), Properties.ReservedConcurrentExecutions]],
      );
    expect(reserved(service)).toEqual([]);
    expect(Object.fromEntries(reserved(limited))).toEqual({
      tunnel: 409,
      computer: 340,
      executor: 272,
      following: 204,
      matcher: 68,
      health: 27,
      machinehealth: 27,
    });
    const warned = (settings: object) =>
      Annotations.fromStack(makeServiceApp({ ...settings }).service).findWarning("*", Match.anyValue());
    expect(warned({ lambdaConcurrency: 1_500 })).toEqual([]);
    expect(JSON.stringify(warned({}))).toContain("lambdaConcurrency");
  });

  it.each(["sweeper", "scheduler"])("invokes the %s every minute, and never again for one", (name) => {
    const timers = resourcesOf(service, "AWS::Events::Rule").filter(
      ({ Properties }) => Properties.ScheduleExpression !== undefined,
    );
    expect(timers).toHaveLength(2);
    const scheduled = timers.filter(({ Properties }) => JSON.stringify(Properties.Targets).includes(name));
    expect(scheduled.map(({ Properties }) => Properties)).toEqual([
      expect.objectContaining({
        ScheduleExpression: "rate(1 minute)",
        State: "ENABLED",
        Targets: [
          expect.objectContaining({ RetryPolicy: expect.objectContaining({ MaximumRetryAttempts: 0 }) }),
        ],
      }),
    ]);
    const invoked = resourcesOf(service, "AWS::Lambda::EventInvokeConfig").find(({ Properties }) =>
      JSON.stringify(Properties.FunctionName).includes(name),
    );
    expect(invoked?.Properties.MaximumRetryAttempts).toBe(0);
  });

  it("lets the sweeper, the scheduler, the projector and the webhooks' sender alone call themselves, each by its own policy", () => {
    const own = resourcesOf(service, "AWS::Lambda::Permission").filter(({ Properties }) =>
      JSON.stringify(Properties.Principal).includes("Role"),
    );
    expect(own.map(({ Properties }) => Properties)).toEqual(
      ["sweeper", "scheduler", "projector", "webhooksender"].map((name) => ({
        Action: "lambda:InvokeFunction",
        FunctionName: { "Fn::GetAtt": [expect.stringMatching(new RegExp(`^${name}`)), "Arn"] },
        Principal: { "Fn::GetAtt": [expect.stringMatching(new RegExp(`^${name}Role`)), "Arn"] },
      })),
    );
  });

  it("lets those alone call each other without end that do so on purpose, since Lambda ends a chain of some 16", () => {
    const allowed = [...groups, ...others].filter(
      (name) => functionNamed(name).Properties.RecursiveLoop === "Allow",
    );
    expect(allowed).toEqual(["projector", "executor", "webhooksender", "webhookdeliverer"]);
  });

  it.each(["projector", "matcher"])(
    "feeds the %s in batches that are tried again for 23 hours, and takes what it sets aside",
    (name) => {
      const mappings = resourcesOf(service, "AWS::Lambda::EventSourceMapping");
      expect(mappings).toHaveLength(2);
      const mapping = mappings.find(({ Properties }) =>
        JSON.stringify(Properties.FunctionName).includes(name),
      );
      expect(mapping?.Properties).toMatchObject({
        BatchSize: 100,
        ParallelizationFactor: 10,
        MaximumRecordAgeInSeconds: 82_800,
        MetricsConfig: { Metrics: ["EventCount"] },
        BisectBatchOnFunctionError: true,
        FunctionResponseTypes: ["ReportBatchItemFailures"],
        StartingPosition: "TRIM_HORIZON",
      });
      // Batches are retried without a limit.
      expect(mapping?.Properties).not.toHaveProperty("MaximumRetryAttempts");
      const [queueId] = mapping?.Properties.DestinationConfig.OnFailure.Destination["Fn::GetAtt"] ?? [];
      expect(service.Resources[queueId]?.Properties.SqsManagedSseEnabled).toBe(true);
      const policy = resourcesOf(service, "AWS::SQS::QueuePolicy").find(({ Properties }) =>
        JSON.stringify(Properties.Queues).includes(queueId),
      );
      expect(JSON.stringify(policy)).toContain('"aws:SecureTransport":"false"');
    },
  );
});

describe("the aliases", () => {
  it("shift each function of the HTTP API, and all others change at once", () => {
    const aliases = groups.map((name) => {
      const [id = "", ...more] = idsOf("AWS::Lambda::Alias", name).filter((each) =>
        each.startsWith(`${name}Function`),
      );
      expect(more).toEqual([]);
      expect(service.Resources[id]?.UpdatePolicy).toMatchObject({ CodeDeployLambdaAliasUpdate: {} });
      return id;
    });
    const integrations = resourcesOf(service, "AWS::ApiGatewayV2::Integration").map(({ Properties }) =>
      JSON.stringify(Properties.IntegrationUri),
    );
    for (const id of aliases) expect(integrations.filter((uri) => uri.includes(id))).not.toEqual([]);
    expect(idsOf("AWS::Lambda::Alias", "")).toHaveLength(groups.length + durable.length);
    for (const name of others.filter((each) => !durable.includes(each))) {
      expect(idsOf("AWS::Lambda::Alias", name)).toEqual([]);
    }
  });
});

describe("the executor", () => {
  const executor = functionNamed("executor");

  it("outlives the longest run, with a whole CPU, and each version of it outlives what runs on it", () => {
    expect(executor.Properties).toMatchObject({
      Timeout: 900,
      MemorySize: 1024,
      DurableConfig: { ExecutionTimeout: 262_800, RetentionPeriodInDays: 7 },
    });
    const [version] = idsOf("AWS::Lambda::Version", "executor");
    expect(service.Resources[version ?? ""]).toMatchObject({
      DeletionPolicy: "Retain",
      UpdateReplacePolicy: "Retain",
    });
    const [alias] = idsOf("AWS::Lambda::Alias", "executor");
    expect(service.Resources[alias ?? ""]?.Properties).toMatchObject({
      Name: "live",
      FunctionVersion: { "Fn::GetAtt": [version, "Version"] },
    });
  });

  it("is tried for an hour, with no number of retries, which durable functions do not take", () => {
    const config = resourcesOf(service, "AWS::Lambda::EventInvokeConfig").find(({ Properties }) =>
      JSON.stringify(Properties.Qualifier).includes("executorFunctionAliaslive"),
    );
    expect(config?.Properties.MaximumEventAgeInSeconds).toBe(3_600);
    expect(config?.Properties).not.toHaveProperty("MaximumRetryAttempts");
    expect(config?.Properties).not.toHaveProperty("DestinationConfig");
  });

  it("leaves the payload of what failed in an encrypted queue, and its events go to who ends the run", () => {
    const [queueId] = executor.Properties.DeadLetterConfig.TargetArn["Fn::GetAtt"];
    expect(service.Resources[queueId]?.Properties).toMatchObject({
      SqsManagedSseEnabled: true,
      MessageRetentionPeriod: 14 * 86_400,
    });
    const rule = resourcesOf(service, "AWS::Events::Rule").find(
      ({ Properties }) => Properties.EventPattern !== undefined,
    );
    const [executorId] = Object.entries(service.Resources).find(([, each]) => each === executor) ?? [];
    expect(rule?.Properties.EventPattern).toEqual({
      source: ["aws.lambda"],
      "detail-type": ["Durable Execution Status Change"],
      detail: {
        status: ["FAILED", "TIMED_OUT", "STOPPED"],
        functionArn: [{ prefix: { "Fn::GetAtt": [executorId, "Arn"] } }],
      },
    });
    expect(JSON.stringify(rule?.Properties.Targets)).toContain("executionswatch");
  });
});
