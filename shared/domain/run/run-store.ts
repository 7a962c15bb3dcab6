import type { RunSortMode, RunStatus } from "../../vocabulary/runs.ts";
import type { Attachment } from "../attachment/attachment.ts";
import type { EntityStore } from "../entity/entity-store.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { Metadata } from "../metadata/metadata.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { AnyOf, CreatedRange, Page, PageRequest } from "../page.ts";
import type { RunStep } from "../run-step/run-step.ts";
import type { SecretValues } from "../secret-store.ts";
import type { Session } from "../session/session.ts";
import type { Run } from "./run.ts";
import type { RunChange, RunExpectation, RunRefusal } from "./run-change.ts";

export interface RunFilter extends CreatedRange {
  readonly workflowId?: AnyOf<string>;
  readonly machineId?: AnyOf<string>;
  readonly sessionId?: AnyOf<string>;
  readonly status?: AnyOf<RunStatus>;
  readonly metadata?: Metadata;
  /** Held runs alone, or all others. */
  readonly waitingForPerson?: boolean;
  /** A substring of the JSON of inputs and output (only the head of a spilled one), error or session_alias. */
  readonly search?: string;
}

export const heavyFields = ["outputData", "runMessageHistory"] as const;
export type HeavyField = (typeof heavyFields)[number];

export interface RunListOptions {
  readonly heavy?: readonly HeavyField[];
  /** @default newest */
  readonly sortMode?: RunSortMode | undefined;
}

/** The runs of one request name its sensitive values by this id. */
export interface NewSecret {
  readonly id: string;
  readonly values: SecretValues;
}

export interface NewRuns {
  readonly organizationId: OrganizationId;
  readonly runs: readonly Run[];
  readonly attachments: readonly Attachment[];
  readonly secret?: NewSecret | undefined;
  readonly session?: Session | undefined;
  readonly required: {
    readonly workflowIds: readonly string[];
    readonly machineIds: readonly string[];
    readonly poolIds: readonly string[];
    readonly sessionIds: readonly string[];
  };
  /** A name within the idempotency record makes this part idempotent. Without it ids must be fresh. */
  readonly part?: { readonly idempotencyId: string; readonly number: number } | undefined;
}

export type CreateRunsOutcome =
  | { readonly kind: "created" }
  | { readonly kind: "repeated" }
  | { readonly kind: "missing"; readonly what: RequiredKind; readonly id: string }
  | { readonly kind: "session_ended"; readonly id: string };

export interface RestartedRun {
  /** Nothing is written unless the run is unchanged and has ended. */
  readonly before: Run;
  readonly run: Run;
  readonly attachments: readonly Attachment[];
  readonly session?: Session | undefined;
  /** Undefined if `run` names the secret of `before`. */
  readonly secret?: NewSecret | undefined;
}

export type RestartRunOutcome =
  | { readonly kind: "restarted" }
  | Extract<CreateRunsOutcome, { kind: "missing" | "session_ended" }>
  | { readonly kind: "changed" };

export type RequiredKind = "workflow" | "machine" | "pool" | "session";

export type UpdateRunOutcome = { readonly kind: "updated"; readonly run: Run } | RunRefusal;

export interface RecordedResponse {
  readonly idempotency: Idempotency;
  readonly result: unknown;
}

/** `markDeleted` also cancels a run that has not ended. */
export interface RunStore extends EntityStore<Run> {
  findSession(organizationId: OrganizationId, sessionId: string): Promise<Session | undefined>;
  /** One transaction has at most 100 items. A secret's row is removed with its last use. @throws {AlreadyOnRecord} */
  create(news: NewRuns, answer?: RecordedResponse): Promise<CreateRunsOutcome>;
  /** Makes one transaction, on the condition that the resources that the run names exist. @throws {AlreadyOnRecord} */
  restart(restarted: RestartedRun, answer?: RecordedResponse): Promise<RestartRunOutcome>;
  /** One transaction also frees the machine. Returns false when the run has changed, or one of its pools is gone. */
  reschedule(before: Run, run: Run): Promise<boolean>;
  /**
   * Makes one conditional write, or with a record or metadata one read and one transaction.
   * @throws {AlreadyOnRecord} @throws {InvalidInput} for too many pairs of metadata.
   */
  update(
    organizationId: OrganizationId,
    runId: string,
    change: RunChange,
    options?: RunExpectation & { readonly idempotency?: Idempotency | undefined },
  ): Promise<UpdateRunOutcome>;
  /** Lists waiting runs after that position, oldest first; the next position is null at the end. */
  listWaiting(
    organizationId: OrganizationId,
    after: string | null,
  ): Promise<{ readonly runs: readonly Pick<Run, "id" | "workflowId">[]; readonly position: string | null }>;
  /**
   * Lists newest first, or the active ones before the others; heavy fields are null unless requested.
   * @throws {DomainError} `search_too_broad` beyond 10,000 rows read.
   */
  list(
    organizationId: OrganizationId,
    filter: RunFilter,
    page: PageRequest,
    options?: RunListOptions,
  ): Promise<Page<Run>>;

  findWithLastIndex(
    organizationId: OrganizationId,
    runId: string,
  ): Promise<{ readonly run: Run | undefined; readonly lastIndex: number }>;
  /** Reads a run and one of its steps, if that has begun, in one call. */
  findWithStep(
    organizationId: OrganizationId,
    runId: string,
    index: number,
  ): Promise<{ readonly run: Run | undefined; readonly step: RunStep | undefined }>;
  listEndedBefore(untilMs: number, limit: number): Promise<readonly Run[]>;
  /** Hides an expired run, but keeps one that was retried, or whose metadata was changed, since it was read. */
  expire(run: Run, deletedAt: string): Promise<void>;
  /** The read is strongly consistent; deleted attachments count until they are removed. */
  listAttachmentIds(organizationId: OrganizationId, runId: string): Promise<readonly string[]>;
  /** Returns undefined when the run names no secret, or its values are gone. @throws {Undecryptable} */
  readSecret(run: Pick<Run, "organizationId" | "secretId">): Promise<SecretValues | undefined>;
  /** The aliases stay, so that a retry can name the values to be sent again. Other runs stay as they are. */
  releaseSecret(organizationId: OrganizationId, runId: string, secretId: string): Promise<void>;
  /** Lists ended runs of all organizations that still have a secret, earliest end first. */
  listSecretsDue(limit: number): Promise<readonly Run[]>;
}
