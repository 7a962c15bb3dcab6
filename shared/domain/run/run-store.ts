import type { OrganizationId } from "../access/organization-id.ts";
import type { Attachment } from "../attachment/attachment.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { Page, PageRequest } from "../page.ts";
import type { Run, Session } from "./run.ts";
import type { RunChange, RunExpectation, RunRefusal } from "./run-change.ts";
import type { RunStatus } from "./run-status.ts";

export interface RunFilter {
  readonly workflowId?: string;
  readonly machineId?: string;
  readonly sessionId?: string;
  readonly status?: RunStatus;
  /** Substring of the JSON of input_values and output_data (of a spilled one its beginning), error or session_alias. */
  readonly search?: string;
  /** ISO 8601, both ends included. */
  readonly createdAtFrom?: string;
  readonly createdAtTo?: string;
}

/** The fields that a list leaves out unless they are named. */
export type HeavyField = "outputData" | "runMessageHistory";

/** Runs that come about together, with what must be there for them and what is made beside them. */
export interface NewRuns {
  readonly organizationId: OrganizationId;
  readonly runs: readonly Run[];
  readonly attachments: readonly Attachment[];
  /** One that begins with these runs. */
  readonly session?: Session | undefined;
  /** What must be there at that moment. */
  readonly required: {
    readonly workflowIds: readonly string[];
    readonly machineIds: readonly string[];
    readonly poolIds: readonly string[];
    readonly sessionIds: readonly string[];
  };
  /** Makes this part of a request come about once: a name within the idempotency record. Without it ids must be fresh. */
  readonly part?: { readonly idempotencyId: string; readonly number: number } | undefined;
  /** More runs of the request follow, which use the same secret. @default false */
  readonly isContinued?: boolean;
}

export type CreateRunsOutcome =
  | { readonly kind: "created" }
  /** The part had come about before. */
  | { readonly kind: "repeated" }
  | { readonly kind: "missing"; readonly what: RequiredKind; readonly id: string }
  | { readonly kind: "session_ended"; readonly id: string };

/** A run that has ended and is put back to the start. */
export interface RestartedRun {
  /** As it was read: nothing is written unless it still is like that, and has ended. */
  readonly before: Run;
  /** As it begins anew. */
  readonly run: Run;
  /** New ones, which come about with it. */
  readonly attachments: readonly Attachment[];
}

export type RestartRunOutcome =
  /** The secret whose last use was the run's before, to be removed. */
  | { readonly kind: "restarted"; readonly unusedSecret: string | null }
  | Extract<CreateRunsOutcome, { kind: "missing" | "session_ended" }>
  /** It is not as it was read. */
  | { readonly kind: "changed" };

export type RequiredKind = "workflow" | "machine" | "pool" | "session";

export type UpdateRunOutcome = { readonly kind: "updated"; readonly run: Run } | RunRefusal;

/** The answer that goes on record with the write. */
export interface RecordedResponse {
  readonly idempotency: Idempotency;
  readonly result: unknown;
}

/** Deleted runs are never found. */
export interface RunStore {
  /** One consistent read. */
  find(organizationId: OrganizationId, runId: string): Promise<Run | undefined>;
  findSession(organizationId: OrganizationId, sessionId: string): Promise<Session | undefined>;
  /**
   * Everything in one transaction of at most 100 items (see `new-runs-size.ts`), with the answer on record when a
   * idempotency record is given. Each run that names a secret counts as one use of it.
   *
   * @throws {AlreadyOnRecord}
   */
  create(news: NewRuns, answer?: RecordedResponse): Promise<CreateRunsOutcome>;
  /**
   * One transaction, on the condition that the run has ended and that what it names is there.
   *
   * @throws {AlreadyOnRecord}
   */
  restart(restarted: RestartedRun, answer?: RecordedResponse): Promise<RestartRunOutcome>;
  /**
   * One conditional write; with an idempotency record, one read and one transaction that stores the run as the idempotency record's result.
   *
   * @throws {AlreadyOnRecord}
   */
  update(
    organizationId: OrganizationId,
    runId: string,
    change: RunChange,
    options?: RunExpectation & { readonly idempotency?: Idempotency | undefined },
  ): Promise<UpdateRunOutcome>;
  /**
   * Hides the run and lowers the count in one transaction; a running one is cancelled by it. The row stays,
   * marked deleted and due, until `remove`. False when there is no such run.
   *
   * @throws {AlreadyOnRecord}
   */
  markDeleted(
    organizationId: OrganizationId,
    runId: string,
    deletedAt: string,
    idempotency?: Idempotency,
  ): Promise<boolean>;
  /**
   * Newest first, with the exact total; heavy fields only where asked for, null otherwise.
   *
   * @throws {DomainError} `search_too_broad` beyond 10,000 rows read.
   */
  list(
    organizationId: OrganizationId,
    filter: RunFilter,
    page: PageRequest,
    heavy: readonly HeavyField[],
  ): Promise<Page<Run>>;

  /** For the projector and the sweeper: one that is marked deleted. */
  findDeleted(organizationId: OrganizationId, runId: string): Promise<Run | undefined>;
  /** Ids of the run's attachments, strongly consistent, deleted ones included until they are removed. */
  listAttachmentIds(organizationId: OrganizationId, runId: string): Promise<readonly string[]>;
  /**
   * The last step of a deletion: the row goes, and with it the use of its secret.
   *
   * @returns true when nobody uses its secret any more: it is to be removed.
   */
  remove(organizationId: OrganizationId, runId: string): Promise<boolean>;
  /**
   * Ends the use of its secret by a run that has ended; its aliases stay. Nothing happens to one that goes on or has
   * another secret by now.
   *
   * @returns true when nobody uses the secret any more: it is to be removed. Also when that was so before.
   */
  releaseSecret(organizationId: OrganizationId, runId: string, secretName: string): Promise<boolean>;
  /** Ended, not deleted, and with a secret still; of all organizations, those that ended first. */
  listSecretsDue(limit: number): Promise<readonly Run[]>;
  /** Whether a run uses that secret, for the sweeper. */
  isSecretUsed(organizationId: OrganizationId, secretName: string): Promise<boolean>;
}
