import type { BucketCors } from "../aws/s3/bucket-cors.ts";
import type { Cors } from "../gateway/cors.ts";
import type { Throttle } from "../gateway/token-bucket.ts";
import type { Json, JsonObject } from "./json.ts";

export type PolicyDocument = JsonObject;

export type RoleModel = {
  readonly name: string;
  readonly arn: string;
  readonly policies: readonly PolicyDocument[];
};

export type FunctionModel = {
  /** The address is the stack's name and the logical id. */
  readonly address: string;
  readonly logicalId: string;
  /** The name is that of the construct, which is the folder in `functions/` without hyphens. */
  readonly shortName: string;
  readonly name: string;
  readonly arn: string;
  readonly region: string;
  readonly folder: string;
  readonly handler: string;
  readonly runtime: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
  readonly reservedConcurrency: number | undefined;
  readonly asyncRetriesMax: number;
  readonly asyncEventAgeMaxMs: number;
  readonly versions: readonly string[];
  readonly aliases: Readonly<Record<string, string>>;
  readonly durable: DurableModel | undefined;
  readonly role: RoleModel;
  readonly callers: readonly string[];
};

/** Failed asynchronous invocations are sent to the queues. */
export type DurableModel = {
  readonly executionTimeoutSeconds: number;
  readonly retentionDays: number;
  readonly deadLetterArn: string | undefined;
  readonly onFailureArn: string | undefined;
};

export type ResourceModel = { readonly address: string; readonly name: string; readonly arn: string };

export type TableModel = ResourceModel & {
  readonly streamArn: string;
  readonly properties: JsonObject;
};

export type SecretModel = ResourceModel & {
  /** The value is undefined for a secret that starts empty. */
  readonly value: string | undefined;
};

export type QueueModel = ResourceModel & { readonly url: string; readonly properties: JsonObject };

export type RouteModel = {
  readonly routeKey: string;
  readonly functionAddress: string;
  readonly integrationTimeoutMs: number | undefined;
  readonly throttle: Throttle | undefined;
};

export type ApiModel = {
  readonly address: string;
  readonly id: string;
  readonly protocol: "HTTP" | "WEBSOCKET";
  readonly stage: string;
  readonly throttle: Throttle | undefined;
  readonly cors: Cors | undefined;
  readonly routes: readonly RouteModel[];
  readonly routeSelectionExpression: string | undefined;
  readonly hostNames: readonly string[];
};

export type EventSourceModel = {
  readonly address: string;
  readonly functionAddress: string;
  readonly sourceArn: string;
  readonly enabled: boolean;
  readonly batchSize: number;
  readonly parallelizationFactor: number;
  readonly startingPosition: "LATEST" | "TRIM_HORIZON";
  /** A record that matches one pattern passes; without patterns all pass. */
  readonly filters: readonly JsonObject[];
  readonly bisectsOnError: boolean;
  readonly reportsBatchItemFailures: boolean;
  /** With -1, a record is retried until it expires. */
  readonly retryAttemptsMax: number;
  readonly recordAgeSecondsMax: number;
  readonly onFailureArn: string | undefined;
};

export type ScheduleModel = {
  readonly address: string;
  readonly name: string;
  readonly expression: string;
  readonly enabled: boolean;
  readonly functionAddress: string;
  readonly input: Json | undefined;
};

export type EventRuleModel = {
  readonly address: string;
  readonly pattern: JsonObject;
  readonly enabled: boolean;
  readonly targets: readonly {
    readonly functionAddress: string | undefined;
    readonly queueArn: string | undefined;
  }[];
};

export type BucketModel = ResourceModel & { readonly cors: BucketCors | undefined };

export type EdgeModel = {
  /** A value may refer to a secret (`{{resolve:secretsmanager:…}}`). */
  readonly originHeaders: readonly { readonly name: string; readonly value: string }[];
};

export type Application = {
  readonly functions: readonly FunctionModel[];
  readonly tables: readonly TableModel[];
  readonly buckets: readonly BucketModel[];
  readonly secrets: readonly SecretModel[];
  readonly queues: readonly QueueModel[];
  readonly eventBuses: readonly ResourceModel[];
  readonly httpApis: readonly ApiModel[];
  readonly webSocketApis: readonly ApiModel[];
  readonly edges: readonly EdgeModel[];
  readonly eventSources: readonly EventSourceModel[];
  readonly schedules: readonly ScheduleModel[];
  readonly eventRules: readonly EventRuleModel[];
  readonly problems: readonly string[];
};
