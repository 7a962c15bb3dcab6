import type { RunSortMode, RunStatus } from "../../vocabulary/runs.ts";
import type { Attachment } from "../attachment/attachment.ts";
import type { EntityStore } from "../entity/entity-store.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { CreatedRange, Page, PageRequest } from "../page.ts";
import type { SecretValues } from "../secret-store.ts";
import type { Session } from "../session/session.ts";
import type { Run } from "./run.ts";
import type { RunChange, RunExpectation, RunRefusal } from "./run-change.ts";

export interface RunFilter extends CreatedRange {
  readonly workflowId?: string;
  readonly machineId?: string;
  readonly sessionId?: string;
  readonly status?: RunStatus;
  /** Substring of the JSON of input_values and output_data (only the head of a spilled one), error or session_alias. */
  readonly search?: string;
}

/** The fields that a list leaves out unless requested. */
export const heavyFields = ["outputData", "runMessageHistory"] as const;
export type HeavyField = (typeof heavyFields)[number];

export interface RunListOptions {
  readonly heavy?: readonly HeavyField[];
  /** @default newest */
  readonly sortMode?: RunSortMode | undefined;
}

/** The sensitive values of one request, and the id under which its runs name them. */
export interface NewSecret {
  readonly id: string;
  readonly values: SecretValues;
}

/** Runs created together, with what they require and what is created beside them. */
export interface NewRuns {
  readonly organizationId: OrganizationId;
  readonly runs: readonly Run[];
  readonly attachments: readonly Attachment[];
  /** The secret that runs with sensitive inputs name. */
  readonly secret?: NewSecret | undefined;
  /** A session that begins with these runs. */
  readonly session?: Session | undefined;
  /** The entities that must exist at that time. */
  readonly required: {
    readonly workflowIds: readonly string[];
    readonly machineIds: readonly string[];
    readonly poolIds: readonly string[];
    readonly sessionIds: readonly string[];
  };
  /** Makes this part of a request idempotent: a name within the idempotency record. Without it ids must be fresh. */
  readonly part?: { readonly idempotencyId: string; readonly number: number } | undefined;
}

export type CreateRunsOutcome =
  | { readonly kind: "created" }
  /** The part was created before. */
  | { readonly kind: "repeated" }
  | { readonly kind: "missing"; readonly what: RequiredKind; readonly id: string }
  | { readonly kind: "session_ended"; readonly id: string };

/** An ended run that is retried. */
export interface RestartedRun {
  /** As read: nothing is written unless it is unchanged and has ended. */
  readonly before: Run;
  /** As it begins again. */
  readonly run: Run;
  /** New ones, created with it. */
  readonly attachments: readonly Attachment[];
  /** A session that begins with it. */
  readonly session?: Session | undefined;
  /** The new one that `run` names, if it is not that of `before`. */
  readonly secret?: NewSecret | undefined;
}

export type RestartRunOutcome =
  | { readonly kind: "restarted" }
  | Extract<CreateRunsOutcome, { kind: "missing" | "session_ended" }>
  /** It changed since it was read. */
  | { readonly kind: "changed" };

export type RequiredKind = "workflow" | "machine" | "pool" | "session";

export type UpdateRunOutcome = { readonly kind: "updated"; readonly run: Run } | RunRefusal;

/** The response recorded with the write. */
export interface RecordedResponse {
  readonly idempotency: Idempotency;
  readonly result: unknown;
}

/** `markDeleted` also cancels a run that has not ended. */
export interface RunStore extends EntityStore<Run> {
  findSession(organizationId: OrganizationId, sessionId: string): Promise<Session | undefined>;
  /**
   * Everything in one transaction of at most 100 items (see `new-runs-size.ts`), including any recorded response. Each
   * run that names a secret counts as one use of it, and its row goes with the last use.
   *
   * @throws {AlreadyOnRecord}
   */
  create(news: NewRuns, answer?: RecordedResponse): Promise<CreateRunsOutcome>;
  /**
   * One transaction, on the condition that the run has ended and that what it names exists.
   *
   * @throws {AlreadyOnRecord}
   */
  restart(restarted: RestartedRun, answer?: RecordedResponse): Promise<RestartRunOutcome>;
  /**
   * Puts a running run of the service back into the queue of its pools, and frees its machine: one transaction, on the
   * condition that it is as read.
   *
   * @param run as it waits again.
   * @returns false: it has changed since, or a pool of its is gone.
   */
  reschedule(before: Run, run: Run): Promise<boolean>;
  /**
   * One conditional write; with an idempotency record, one read and one transaction, which records the run as the
   * result.
   *
   * @throws {AlreadyOnRecord}
   */
  update(
    organizationId: OrganizationId,
    runId: string,
    change: RunChange,
    options?: RunExpectation & { readonly idempotency?: Idempotency | undefined },
  ): Promise<UpdateRunOutcome>;
  /** A page of the organization's runs that wait for a machine, oldest first, after that position; null: the last one. */
  listWaiting(
    organizationId: OrganizationId,
    after: string | null,
  ): Promise<{ readonly runs: readonly Pick<Run, "id" | "workflowId">[]; readonly position: string | null }>;
  /**
   * Newest first, or the active ones before the others, with the exact total; heavy fields only when requested, null
   * otherwise.
   *
   * @throws {DomainError} `search_too_broad` beyond 10,000 rows read.
   */
  list(
    organizationId: OrganizationId,
    filter: RunFilter,
    page: PageRequest,
    options?: RunListOptions,
  ): Promise<Page<Run>>;

  /** With the index of the last step that a worker has made. One call. */
  findWithLastIndex(
    organizationId: OrganizationId,
    runId: string,
  ): Promise<{ readonly run: Run | undefined; readonly lastIndex: number }>;
  /** Those that ended by then, the oldest first. */
  listEndedBefore(untilMs: number, limit: number): Promise<readonly Run[]>;
  /** Hides a run, unless it was retried meanwhile. */
  expire(organizationId: OrganizationId, runId: string, deletedAt: string): Promise<void>;
  /** Ids of the run's attachments, strongly consistent, including deleted ones until they are removed. */
  listAttachmentIds(organizationId: OrganizationId, runId: string): Promise<readonly string[]>;
  /**
   * The values of the secret that a run names; undefined when it names none, or they are gone.
   *
   * @throws {Undecryptable}
   */
  readSecret(run: Pick<Run, "organizationId" | "secretId">): Promise<SecretValues | undefined>;
  /**
   * Ends an ended run's use of its secret; its aliases stay, so that a retry can say which values must be sent again.
   * No-op for a run that has not ended or has another secret by now.
   */
  releaseSecret(organizationId: OrganizationId, runId: string, secretId: string): Promise<void>;
  /** Ended, not deleted, and still with a secret; of all organizations, earliest end first. */
  listSecretsDue(limit: number): Promise<readonly Run[]>;
}
