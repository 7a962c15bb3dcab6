import { isoTimestamp } from "../../domain/clock.ts";
import type { Idempotency } from "../../domain/idempotency/idempotency.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import type { Page, PageRequest } from "../../domain/page.ts";
import type { Run } from "../../domain/run/run.ts";
import { changedRun, type RunChange, type RunExpectation, refusalOf } from "../../domain/run/run-change.ts";
import { isTerminal } from "../../domain/run/run-status.ts";
import type {
  CreateRunsOutcome,
  NewRuns,
  RecordedResponse,
  RestartedRun,
  RestartRunOutcome,
  RunFilter,
  RunListOptions,
  RunStore,
  UpdateRunOutcome,
} from "../../domain/run/run-store.ts";
import type { SecretValues } from "../../domain/secret-store.ts";
import type { Session } from "../../domain/session/session.ts";
import { attachmentWrites } from "../attachment/attachment-item.ts";
import { DynamoEntityStore } from "../entity/dynamo-entity-store.ts";
import { deletedChange } from "../entity/mark-deleted.ts";
import { updateEntity } from "../entity/update-entity.ts";
import { hasBegun, lastIndexIn, stepRow } from "../execution/execution-item.ts";
import { parseSession } from "../session/session-item.ts";
import { counting, countWrite, countWrites } from "../table/counters.ts";
import { readDue } from "../table/due-items.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import { allOf, hasValue, isAsRead, isDeleted, living, put, remove, update } from "../table/expression.ts";
import { attributesOf, duePartition } from "../table/index-keys.ts";
import type { Key } from "../table/item.ts";
import {
  runAttachmentRange,
  runKey,
  runMetadataKey,
  sessionKey,
  stepCountKey,
  stepKey,
} from "../table/keys.ts";
import { queryItems } from "../table/query.ts";
import { readIndexedKeys } from "./dynamo-indexed-key-store.ts";
import { newSessionWrite, writeNewRuns } from "./run-creation.ts";
import { executionOver, machineFreed, writeRun } from "./run-end.ts";
import { lightAttributes, parseRun, runChange, runItem } from "./run-item.ts";
import { queryRuns, queryWaiting } from "./run-list.ts";
import { hasNoMetadata, isWithMetadata, metadataRemoved, metadataWrite } from "./run-metadata.ts";
import { transactQueueing } from "./run-queueing.ts";
import { readSecretValues, secretWrite, useEndWrite, writeWithUseEnd } from "./run-secret.ts";
import { isEnded, runCondition } from "./run-update.ts";

export class DynamoRunStore extends DynamoEntityStore<Run> implements RunStore {
  protected readonly kind = "run";
  protected readonly count = counting("RUN");
  protected readonly listed = attributesOf("list", "filter1", "filter2", "filter3", "filter4");
  protected readonly key = runKey;
  protected readonly parse = parseRun;

  async reschedule(before: Run, run: Run): Promise<boolean> {
    const required = { workflowIds: [], machineIds: [], poolIds: run.poolIds, sessionIds: [] };
    const { result } = await transactQueueing(
      this.table,
      { organizationId: run.organizationId, runs: [run], session: undefined, required },
      {
        run: put(runItem(run), isAsRead(before)),
        machine: machineFreed(before),
        execution: executionOver(before),
      },
      { idempotency: undefined, result: undefined, nowMs: this.deps.clock.now() },
    );
    return result?.kind === "queued";
  }

  async findSession(organizationId: OrganizationId, sessionId: string): Promise<Session | undefined> {
    const item = await this.table.get(sessionKey(organizationId, sessionId));
    return item && parseSession(item);
  }

  async create(news: NewRuns, answer?: RecordedResponse): Promise<CreateRunsOutcome> {
    return await writeNewRuns(this.table, news, answer, this.deps.clock.now());
  }

  /** @throws {AlreadyOnRecord} */
  async restart(restarted: RestartedRun, answer?: RecordedResponse): Promise<RestartRunOutcome> {
    const nowMs = this.deps.clock.now();
    const { run, session } = restarted;
    const { organizationId } = run;
    const { failed, result } = await transactQueueing(
      this.table,
      { organizationId, runs: [run], session, required: requiredBy(restarted) },
      await restartParts(this.table, restarted, nowMs),
      { idempotency: answer?.idempotency, result: answer?.result, nowMs },
    );
    if (failed !== undefined || result === undefined) return { kind: "changed" };
    if (result.kind !== "queued") return result;
    return { kind: "restarted" };
  }

  async listWaiting(organizationId: OrganizationId, after: string | null) {
    return await queryWaiting(this.table, organizationId, after);
  }

  async update(
    organizationId: OrganizationId,
    runId: string,
    change: RunChange,
    options: RunExpectation & { readonly idempotency?: Idempotency | undefined } = {},
  ): Promise<UpdateRunOutcome> {
    const { idempotency, ...expectation } = options;
    const { metadata, ...fields } = change;
    if (metadata !== undefined || (change.status !== undefined && isTerminal(change.status))) {
      return await this.#updateAsRead(organizationId, runId, change, expectation, idempotency);
    }
    const outcome = await updateEntity(this.deps, {
      what: "the run",
      key: runKey(organizationId, runId),
      parse: parseRun,
      change: fields,
      write: runChange(organizationId, fields),
      idempotency,
      condition: runCondition(change, expectation),
      refuse: (current) => refusalOf(current, change, expectation),
    });
    return outcome.kind === "updated" ? { kind: "updated", run: outcome.entity } : outcome;
  }

  /** The effects of an end depend on the run, and so does metadata, so the run is read first. */
  async #updateAsRead(
    organizationId: OrganizationId,
    runId: string,
    change: RunChange,
    expectation: RunExpectation,
    idempotency: Idempotency | undefined,
  ): Promise<UpdateRunOutcome> {
    const [read, keys] = await Promise.all([
      this.read(organizationId, runId),
      change.metadata === undefined ? [] : readIndexedKeys(this.table, organizationId),
    ]);
    return await writeRun<UpdateRunOutcome>(this.deps, { run: read, idempotency }, (before, failures) => {
      if (failures?.has("judgedOn")) return { refused: { kind: "changed" } };
      const refused = refusalOf(before, change, expectation);
      if (refused || !before) return { refused: refused ?? { kind: "not_found" } };
      const fields = change.status === undefined ? change : { ...change, held: null };
      const run = changedRun(before, fields);
      const isOther = change.metadata !== undefined;
      const pairs = isOther ? { metadata: run.metadata } : {};
      const metadata = isOther ? metadataWrite(before, run, keys) : undefined;
      const written = runChange(organizationId, { ...fields, metadata: undefined, ...pairs });
      const condition = runCondition(change, expectation);
      const done = { outcome: { kind: "updated", run }, result: run } as const;
      if (change.status === undefined) {
        const key = runKey(organizationId, runId);
        return {
          parts: { run: update(key, written, allOf(condition, isAsRead(before))), metadata },
          ...done,
        };
      }
      const end = {
        before,
        after: run,
        // A session's times are from the service's own clock, not the worker's.
        endedAt: isoTimestamp(this.deps.clock.now()),
        change: written,
        condition,
        metadata,
        judgedOn: expectation.judgedOn,
      };
      return { end, ...done };
    });
  }

  /** The first attempt assumes that the run has ended and has no metadata. @throws {AlreadyOnRecord} @throws {ChangedTooOften} */
  override async markDeleted(
    organizationId: OrganizationId,
    runId: string,
    deletedAt: string,
    idempotency?: Idempotency,
  ): Promise<boolean> {
    const run = { organizationId, id: runId };
    const change = deletedChange({ kind: "run", id: runId, deletedAt }, this.listed);
    const key = runKey(organizationId, runId);
    const count = countWrite("RUN", run, -1);
    const done = { outcome: true, result: null };
    return await writeRun<boolean>(this.deps, { run: undefined, idempotency }, (before, failures) => {
      if (failures && before?.deletedAt !== null) return { refused: false };
      if (!before) {
        const condition = allOf(living, isEnded, hasNoMetadata);
        return { parts: { run: update(key, change, condition), count }, ...done };
      }
      const metadata = metadataRemoved(before);
      if (isTerminal(before.status)) {
        return { parts: { run: update(key, change, isAsRead(before)), count, metadata }, ...done };
      }
      const after: Run = { ...before, status: "cancelled", held: null, endedAt: deletedAt, deletedAt };
      const cancelled = {
        ...change,
        set: { ...change.set, status: "cancelled", held: null, ended_at: deletedAt },
      };
      const end = {
        before,
        after,
        endedAt: deletedAt,
        change: cancelled,
        condition: living,
        count,
        metadata,
      };
      return { end, ...done };
    });
  }

  async list(
    organizationId: OrganizationId,
    filter: RunFilter,
    page: PageRequest,
    options: RunListOptions = {},
  ): Promise<Page<Run>> {
    return await queryRuns(this.table, organizationId, filter, page, options, this.searchRowsMax);
  }

  async findWithLastIndex(organizationId: OrganizationId, runId: string) {
    const { run, beside } = await this.#findWith(organizationId, runId, stepCountKey(organizationId, runId));
    return { run, lastIndex: lastIndexIn(beside) };
  }

  async findWithStep(organizationId: OrganizationId, runId: string, index: number) {
    const { run, beside } = await this.#findWith(
      organizationId,
      runId,
      stepKey(organizationId, runId, index),
    );
    return { run, step: beside && hasBegun(beside) ? stepRow.parse(beside) : undefined };
  }

  async #findWith(organizationId: OrganizationId, runId: string, key: Key) {
    const items = await this.table.batchGet([runKey(organizationId, runId), key]);
    const [run] = items.filter(({ kind }) => kind === "run").map(parseRun);
    return {
      run: run?.deletedAt === null ? run : undefined,
      beside: items.find(({ kind }) => kind !== "run"),
    };
  }

  async listAttachmentIds(organizationId: OrganizationId, runId: string): Promise<readonly string[]> {
    const rows = { partition: runKey(organizationId, runId).pk, ...runAttachmentRange };
    return (await queryItems(this.table, rows)).map((item) => String(item.id));
  }

  /** The row is removed together with its use of a secret, so that neither happens twice. */
  async remove(organizationId: OrganizationId, runId: string): Promise<void> {
    const run = await this.findDeleted(organizationId, runId);
    if (run === undefined) return;
    const key = runKey(organizationId, runId);
    // A release that does not know the row may have marked the run.
    if (isWithMetadata(run)) await this.table.delete(runMetadataKey(organizationId, runId));
    if (run.secretId === null) await this.table.delete(key, isDeleted);
    else await writeWithUseEnd(this.table, run, remove(key, isDeleted));
  }

  async readSecret(run: Pick<Run, "organizationId" | "secretId">): Promise<SecretValues | undefined> {
    return await readSecretValues(this.table, run);
  }

  /** A run that continues, or has another secret by now, keeps it. */
  async releaseSecret(organizationId: OrganizationId, runId: string, secretId: string): Promise<void> {
    const change = {
      // The run stays sorted by its end.
      set: { due_pk: duePartition("ENDED#RUN", runId) },
      remove: ["secret_id"],
      add: { revision: 1 },
    };
    const hasIt = hasValue("secret_id", secretId);
    const run = update(runKey(organizationId, runId), change, allOf(living, isEnded, hasIt));
    await writeWithUseEnd(this.table, { organizationId, secretId }, run);
  }

  async listSecretsDue(limit: number): Promise<readonly Run[]> {
    const due = await readDue(this.table, "ENDED#RUN_SECRET", { limit, attributes: lightAttributes() });
    const runs = due.map(parseRun);
    return runs.filter((run) => isTerminal(run.status) && run.secretId !== null && run.deletedAt === null);
  }

  async expire(run: Run, deletedAt: string): Promise<void> {
    const { organizationId, id } = run;
    const change = deletedChange({ kind: "run", id, deletedAt }, this.listed);
    const metadata = metadataRemoved(run);
    const isKnown = metadata === undefined ? hasNoMetadata : isAsRead(run);
    await this.table.transact({
      run: update(runKey(organizationId, id), change, allOf(living, isEnded, isKnown)),
      count: countWrite("RUN", run, -1),
      metadata,
    });
  }

  async listEndedBefore(untilMs: number, limit: number): Promise<readonly Run[]> {
    const due = await readDue(this.table, "ENDED#RUN", { untilMs, limit, attributes: lightAttributes() });
    return due.map(parseRun).filter((run) => isTerminal(run.status) && run.deletedAt === null);
  }
}

function requiredBy({ run, session }: RestartedRun) {
  return {
    workflowIds: [run.workflowId],
    machineIds: run.namedMachineId === null ? [] : [run.namedMachineId],
    poolIds: run.poolIds,
    sessionIds: run.sessionId === null || session !== undefined ? [] : [run.sessionId],
  };
}

async function restartParts(
  table: DynamoTable,
  { before, run, session, attachments, secret }: RestartedRun,
  nowMs: number,
) {
  const isOther = before.secretId !== run.secretId;
  return {
    run: put(runItem(run), allOf(isAsRead(before), isEnded)),
    session: newSessionWrite(session),
    attachments: attachments.flatMap(attachmentWrites),
    counts: countWrites("ATTACHMENT", attachments),
    // The condition fails where the uses have changed.
    use: isOther ? await useEndWrite(table, before) : undefined,
    secret: isOther ? await secretWrite(table, { ...run, secret }, [run], nowMs) : undefined,
  };
}
