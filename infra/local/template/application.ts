import type { Cors } from "../gateway/cors.ts";
import type { Json, JsonObject } from "./json.ts";

/** An IAM policy document with everything in it resolved. */
export type PolicyDocument = JsonObject;

export type RoleModel = {
  readonly name: string;
  readonly arn: string;
  readonly policies: readonly PolicyDocument[];
};

export type FunctionModel = {
  /** Unique in the application: stack name and logical id. */
  readonly address: string;
  readonly logicalId: string;
  /** The construct's own name, as `functions/` has it without hyphens: `machines`, `workflowtags`. */
  readonly shortName: string;
  /** Physical name. */
  readonly name: string;
  readonly arn: string;
  readonly region: string;
  /** Absolute path of the unpacked bundle. */
  readonly folder: string;
  /** `file.export`. */
  readonly handler: string;
  readonly runtime: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
  readonly reservedConcurrency: number | undefined;
  /** Of asynchronous invocations, 0 to 2. */
  readonly asyncRetriesMax: number;
  /** Published ones: `1`. */
  readonly versions: readonly string[];
  /** Name -> version. */
  readonly aliases: Readonly<Record<string, string>>;
  readonly durable: DurableModel | undefined;
  readonly role: RoleModel;
  /** Names of the roles that its own policy lets invoke it. */
  readonly callers: readonly string[];
};

/** What makes a function durable, and who is told of an execution that failed. */
export type DurableModel = {
  readonly executionTimeoutSeconds: number;
  readonly retentionDays: number;
  /** Queue that is sent the payload of an asynchronous invocation. */
  readonly deadLetterArn: string | undefined;
  /** Queue that is sent the record of an asynchronous invocation. */
  readonly onFailureArn: string | undefined;
};

export type TableModel = {
  readonly address: string;
  readonly name: string;
  readonly arn: string;
  readonly streamArn: string;
  readonly type: "AWS::DynamoDB::Table" | "AWS::DynamoDB::GlobalTable";
  /** As in the template, resolved. */
  readonly properties: JsonObject;
};

export type BucketModel = {
  readonly address: string;
  readonly name: string;
  readonly arn: string;
  readonly properties: JsonObject;
};

export type SecretModel = {
  readonly address: string;
  readonly name: string;
  readonly arn: string;
  /** As declared, or made by the rules of `GenerateSecretString`; undefined for a secret that starts empty. */
  readonly value: string | undefined;
};

export type QueueModel = {
  readonly address: string;
  readonly name: string;
  readonly arn: string;
  readonly url: string;
  readonly properties: JsonObject;
};

export type EventBusModel = { readonly address: string; readonly name: string; readonly arn: string };

/** Requests per second, and how many may come at once. */
export type Throttle = { readonly rateLimit: number; readonly burstLimit: number };

export type RouteModel = {
  /** `GET /v1/machines/{machine_id}`, `$default`, `$connect`. */
  readonly routeKey: string;
  readonly functionAddress: string;
  readonly payloadFormatVersion: string;
  readonly integrationTimeoutMs: number | undefined;
  /** Overrides the stage's. */
  readonly throttle: Throttle | undefined;
};

export type ApiModel = {
  readonly address: string;
  readonly id: string;
  readonly name: string;
  readonly protocol: "HTTP" | "WEBSOCKET";
  /** `$default` for an HTTP API without one of its own. */
  readonly stage: string;
  readonly stageVariables: Readonly<Record<string, string>>;
  readonly throttle: Throttle | undefined;
  readonly cors: Cors | undefined;
  readonly routes: readonly RouteModel[];
  readonly routeSelectionExpression: string | undefined;
  /** Custom domain names that lead to the stage. */
  readonly hostNames: readonly string[];
  readonly properties: JsonObject;
};

export type EventSourceModel = {
  readonly address: string;
  readonly functionAddress: string;
  /** Of the table's stream. */
  readonly sourceArn: string;
  readonly enabled: boolean;
  readonly batchSize: number;
  /** Batches of a shard at once. */
  readonly parallelizationFactor: number;
  readonly startingPosition: "LATEST" | "TRIM_HORIZON";
  /** Event patterns, parsed; a record that matches one passes. Empty: all pass. */
  readonly filters: readonly JsonObject[];
  readonly bisectsOnError: boolean;
  readonly reportsBatchItemFailures: boolean;
  /** -1: until the record is gone. */
  readonly retryAttemptsMax: number;
  /** -1: until the record is gone. */
  readonly recordAgeSecondsMax: number;
  readonly onFailureArn: string | undefined;
};

export type ScheduleModel = {
  readonly address: string;
  readonly name: string;
  /** `rate(1 minute)`. */
  readonly expression: string;
  readonly enabled: boolean;
  readonly functionAddress: string;
  /** What the function is given in place of the usual event. */
  readonly input: Json | undefined;
};

/** A rule on the events that services put on the default bus by themselves. */
export type EventRuleModel = {
  readonly address: string;
  readonly pattern: JsonObject;
  readonly enabled: boolean;
  /** Each is a function or a queue. */
  readonly targets: readonly {
    readonly functionAddress: string | undefined;
    readonly queueArn: string | undefined;
  }[];
};

/** A distribution before the HTTP API. */
export type EdgeModel = {
  /** What it adds to each request; a value may refer to a secret (`{{resolve:secretsmanager:…}}`). */
  readonly originHeaders: readonly { readonly name: string; readonly value: string }[];
};

/** A synthesized app, as the local stack runs it. */
export type Application = {
  readonly functions: readonly FunctionModel[];
  readonly tables: readonly TableModel[];
  readonly buckets: readonly BucketModel[];
  readonly secrets: readonly SecretModel[];
  readonly queues: readonly QueueModel[];
  readonly eventBuses: readonly EventBusModel[];
  readonly httpApis: readonly ApiModel[];
  readonly webSocketApis: readonly ApiModel[];
  readonly edges: readonly EdgeModel[];
  readonly eventSources: readonly EventSourceModel[];
  readonly schedules: readonly ScheduleModel[];
  readonly eventRules: readonly EventRuleModel[];
  /** What the template requires and the local stack does not do: one sentence each. */
  readonly problems: readonly string[];
};
