import type { Attachment } from "../../../shared/domain/attachment/attachment.ts";
import { isoMoment } from "../../../shared/domain/clock.ts";
import { DomainError } from "../../../shared/domain/errors.ts";
import type { Idempotency } from "../../../shared/domain/idempotency/idempotency.ts";
import { byAge, type QueueEntry } from "../../../shared/domain/matching/queue-entry.ts";
import { entryOfRun, entryOfSession } from "../../../shared/domain/matching/queue-places.ts";
import { placementOf, type Target, targetOfRun, targetText } from "../../../shared/domain/matching/target.ts";
import type { Page, PageRequest } from "../../../shared/domain/page.ts";
import { effectsOfEnd } from "../../../shared/domain/run/end-effects.ts";
import type { Run, Session } from "../../../shared/domain/run/run.ts";
import {
  changedRun,
  type RunChange,
  type RunExpectation,
  refusalOf,
} from "../../../shared/domain/run/run-change.ts";
import { isTerminal } from "../../../shared/domain/run/run-status.ts";
import type {
  CreateRunsOutcome,
  HeavyField,
  NewRuns,
  RecordedAnswer,
  RequiredKind,
  RestartedRun,
  RestartRunOutcome,
  RunFilter,
  RunStore,
  UpdateRunOutcome,
} from "../../../shared/domain/run/run-store.ts";
import type { Spilled } from "../../../shared/domain/spill.ts";
import type { InMemoryIdempotencyStore } from "./in-memory-idempotency-store.ts";
import type { InMemoryMachineStore } from "./in-memory-machine-store.ts";

/** Whether a workflow, a machine or a pool is there. */
export type Exists = (
  what: Exclude<RequiredKind, "session">,
  organizationId: string,
  id: string,
) => boolean | Promise<boolean>;

const notDeleted = (run: Run) => run.deletedAt === null;

/** Runs in memory; their attachments lie in a map that the fake of the attachments shares. */
export class InMemoryRunStore implements RunStore {
  readonly #idempotencyRecords: InMemoryIdempotencyStore;
  readonly #exists: Exists;
  readonly #searchRowsMax: number;
  readonly #machines: InMemoryMachineStore | undefined;
  readonly #rows = new Map<string, Run>();
  readonly sessions: Map<string, Session>;
  readonly #parts = new Set<string>();
  /** Every attachment there is, by id. */
  readonly attachments = new Map<string, Attachment>();

  /** Secrets that more runs are to use. */
  readonly #openSecrets = new Set<string>();

  /** Chains that are not to go on, by session and chain. */
  readonly stoppedChains = new Set<string>();

  /** @param machines whose machines the runs of a test have. */
  constructor(
    idempotencyRecords: InMemoryIdempotencyStore,
    exists: Exists,
    searchRowsMax = 10_000,
    machines?: InMemoryMachineStore,
  ) {
    this.#idempotencyRecords = idempotencyRecords;
    this.#exists = exists;
    this.#searchRowsMax = searchRowsMax;
    this.#machines = machines;
    this.sessions = machines?.sessions ?? new Map();
  }

  /** What waits for that target, the oldest first. */
  queueOf(organizationId: string, target: Target): readonly QueueEntry[] {
    const runs = [...this.#rows.values()].filter((run) => run.status === "scheduling" && notDeleted(run));
    const sessions = [...this.sessions.values()].filter(({ status }) => status === "pending");
    return [...runs.map(entryOfRun), ...sessions.map(entryOfSession)]
      .filter((entry) => entry.organizationId === organizationId)
      .filter((entry) => targetText(entry.target) === targetText(target))
      .sort(byAge);
  }

  /** Sets of pools that something waits for. */
  knownPoolSets(organizationId: string): readonly (readonly string[])[] {
    const isOwn = (one: Run | Session) => one.organizationId === organizationId;
    const targets = [
      ...[...this.#rows.values()].filter(isOwn).map(targetOfRun),
      ...[...this.sessions.values()].filter(isOwn).map(placementOf),
    ].filter((target) => target.kind === "pools");
    return [...new Map(targets.map((target) => [targetText(target), target.poolIds])).values()];
  }

  async find(organizationId: string, runId: string): Promise<Run | undefined> {
    const run = this.#row(organizationId, runId);
    return run?.deletedAt === null ? structuredClone(run) : undefined;
  }

  async findSession(organizationId: string, sessionId: string): Promise<Session | undefined> {
    const session = this.sessions.get(sessionId);
    return session?.organizationId === organizationId ? structuredClone(session) : undefined;
  }

  async create(news: NewRuns, answer?: RecordedAnswer): Promise<CreateRunsOutcome> {
    this.#idempotencyRecords.check(answer?.idempotency);
    const part = news.part && `${news.part.idempotencyId} ${news.part.number}`;
    if (part !== undefined && this.#parts.has(part)) return { kind: "repeated" };
    const refused = await this.#missing(news);
    if (refused) return refused;
    if (news.runs.some((run) => this.#rows.has(run.id))) throw new Error("there is a run with this id");
    this.#idempotencyRecords.commit(answer?.idempotency, answer?.result);
    if (part !== undefined) this.#parts.add(part);
    if (news.session) this.writeSession(news.session);
    for (const id of news.required.sessionIds) this.#touch(id);
    for (const run of news.runs) this.write(run);
    for (const { secretName } of news.runs) {
      if (secretName === null) continue;
      if (news.isContinued === true) this.#openSecrets.add(secretName);
      else this.#openSecrets.delete(secretName);
    }
    for (const one of news.attachments) this.attachments.set(one.id, structuredClone(one));
    return { kind: "created" };
  }

  async restart(
    { before, run, attachments }: RestartedRun,
    answer?: RecordedAnswer,
  ): Promise<RestartRunOutcome> {
    this.#idempotencyRecords.check(answer?.idempotency);
    const { organizationId, workflowId, namedMachineId, poolIds, sessionId } = run;
    const required = {
      workflowIds: [workflowId],
      machineIds: namedMachineId === null ? [] : [namedMachineId],
      poolIds,
      sessionIds: sessionId === null ? [] : [sessionId],
    };
    const refused = await this.#missing({ organizationId, required });
    if (refused) return refused;
    const current = this.#row(organizationId, run.id);
    if (!current || current.deletedAt !== null || !isTerminal(current.status)) return { kind: "changed" };
    if (current.revision !== before.revision) return { kind: "changed" };
    this.#idempotencyRecords.commit(answer?.idempotency, answer?.result);
    this.write(run);
    for (const id of required.sessionIds) this.#touch(id);
    for (const one of attachments) this.attachments.set(one.id, structuredClone(one));
    const old = before.secretName;
    const isUnused = old !== null && (await this.#isUnused(organizationId, old));
    return { kind: "restarted", unusedSecret: isUnused ? old : null };
  }

  async #missing({
    organizationId,
    required,
  }: Pick<NewRuns, "organizationId" | "required">): Promise<
    Extract<CreateRunsOutcome, { kind: "missing" | "session_ended" }> | undefined
  > {
    const named: readonly (readonly [Exclude<RequiredKind, "session">, readonly string[]])[] = [
      ["workflow", required.workflowIds],
      ["machine", required.machineIds],
      ["pool", required.poolIds],
    ];
    for (const [what, ids] of named) {
      for (const id of ids) {
        if (!(await this.#exists(what, organizationId, id))) return { kind: "missing", what, id };
      }
    }
    for (const id of required.sessionIds) {
      const session = await this.findSession(organizationId, id);
      if (!session) return { kind: "missing", what: "session", id };
      if (session.status === "ended") return { kind: "session_ended", id };
    }
    return undefined;
  }

  async update(
    organizationId: string,
    runId: string,
    change: RunChange,
    options: RunExpectation & { readonly idempotency?: Idempotency | undefined } = {},
  ): Promise<UpdateRunOutcome> {
    this.#idempotencyRecords.check(options.idempotency);
    const run = this.#row(organizationId, runId);
    const refused = refusalOf(run, change, options);
    if (refused || !run) return refused ?? { kind: "not_found" };
    const changed = changedRun(run, change);
    this.#idempotencyRecords.commit(options.idempotency, changed);
    this.write(changed);
    if (isTerminal(changed.status) && !isTerminal(run.status)) this.#endAround(run, changed);
    return { kind: "updated", run: structuredClone(changed) };
  }

  async markDeleted(
    organizationId: string,
    runId: string,
    deletedAt: string,
    idempotency?: Idempotency,
  ): Promise<boolean> {
    this.#idempotencyRecords.check(idempotency);
    const run = this.#row(organizationId, runId);
    if (!run || run.deletedAt !== null) return false;
    this.#idempotencyRecords.commit(idempotency, null);
    const end = isTerminal(run.status) ? {} : ({ status: "cancelled", endedAt: deletedAt } as const);
    const deleted = { ...run, ...end, deletedAt, revision: run.revision + 1 };
    this.write(deleted);
    if (!isTerminal(run.status)) this.#endAround(run, deleted);
    return true;
  }

  async list(
    organizationId: string,
    filter: RunFilter,
    page: PageRequest,
    heavy: readonly HeavyField[],
  ): Promise<Page<Run>> {
    const from = Date.parse(filter.createdAtFrom ?? "") || 0;
    const to = Date.parse(filter.createdAtTo ?? "") || Number.MAX_SAFE_INTEGER;
    const inRange = (run: Run) => Date.parse(run.createdAt) >= from && Date.parse(run.createdAt) <= to;
    const filters = (
      [
        ["sessionId", filter.sessionId],
        ["machineId", filter.machineId],
        ["workflowId", filter.workflowId],
        ["status", filter.status],
      ] as const
    ).filter(([, wanted]) => wanted !== undefined);
    const isFound = (run: Run, wanted: typeof filters) =>
      wanted.every(([name, value]) => run[name] === value);
    const living = [...this.#rows.values()].filter(
      (run) => run.organizationId === organizationId && notDeleted(run) && inRange(run),
    );
    const indexed = living.filter((run) => isFound(run, filters.slice(0, 1)));
    const isLookedAt = filters.length > 1 || filter.search !== undefined;
    if (isLookedAt && indexed.length > this.#searchRowsMax) {
      throw new DomainError("search_too_broad", "the search reads too many runs; narrow its range");
    }
    const found = indexed
      .filter((run) => isFound(run, filters) && hasText(run, filter.search?.toLowerCase() ?? ""))
      .sort((one, other) => (order(one) < order(other) ? 1 : -1));
    const items = found.slice(page.skip, page.skip + page.limit).map((run) => ({
      ...structuredClone(run),
      ...(heavy.includes("outputData") ? {} : { outputData: null }),
      ...(heavy.includes("runMessageHistory") ? {} : { runMessageHistory: null }),
    }));
    return { items, total: found.length };
  }

  async findDeleted(organizationId: string, runId: string): Promise<Run | undefined> {
    const run = this.#row(organizationId, runId);
    return run && run.deletedAt !== null ? structuredClone(run) : undefined;
  }

  async listDeletedDue(limit: number): Promise<readonly Run[]> {
    const deleted = [...this.#rows.values()].filter((run) => run.deletedAt !== null);
    deleted.sort((one, other) => (String(one.deletedAt) < String(other.deletedAt) ? -1 : 1));
    return structuredClone(deleted.slice(0, limit));
  }

  async listAttachmentIds(organizationId: string, runId: string): Promise<readonly string[]> {
    return [...this.attachments.values()]
      .filter((one) => one.organizationId === organizationId && one.runId === runId)
      .map(({ id }) => id);
  }

  async remove(organizationId: string, runId: string): Promise<boolean> {
    const run = await this.findDeleted(organizationId, runId);
    if (!run) return false;
    this.#rows.delete(runId);
    return run.secretName !== null && (await this.#isUnused(organizationId, run.secretName));
  }

  async releaseSecret(organizationId: string, runId: string, secretName: string): Promise<boolean> {
    const run = await this.find(organizationId, runId);
    if (run?.secretName === secretName && isTerminal(run.status)) {
      this.write({ ...run, secretName: null, revision: run.revision + 1 });
    }
    return await this.#isUnused(organizationId, secretName);
  }

  async listSecretsDue(limit: number): Promise<readonly Run[]> {
    const due = [...this.#rows.values()].filter(
      (run) => notDeleted(run) && run.secretName !== null && isTerminal(run.status),
    );
    return due
      .sort((one, other) => String(one.endedAt).localeCompare(String(other.endedAt)))
      .slice(0, limit)
      .map((run) => ({ ...structuredClone(run), outputData: null, runMessageHistory: null }));
  }

  async #isUnused(organizationId: string, secretName: string): Promise<boolean> {
    return !this.#openSecrets.has(secretName) && !(await this.isSecretUsed(organizationId, secretName));
  }

  async isSecretUsed(organizationId: string, secretName: string): Promise<boolean> {
    return [...this.#rows.values()].some(
      (run) => run.organizationId === organizationId && run.secretName === secretName,
    );
  }

  #touch(sessionId: string): void {
    const session = this.sessions.get(sessionId);
    if (session) this.writeSession({ ...session, usedAt: isoMoment(this.#idempotencyRecords.now()) });
  }

  /** What follows from a run's end. */
  #endAround(run: Run, ended: Run): void {
    const { session: effect, stopsChain } = effectsOfEnd(run, ended);
    const session = run.sessionId === null ? undefined : this.sessions.get(run.sessionId);
    const isOpen = session !== undefined && session.status !== "ended";
    if (isOpen && effect === "ends") this.writeSession({ ...session, status: "ended" });
    if (isOpen && effect === "used") this.#touch(session.id);
    if (stopsChain) this.stoppedChains.add(`${run.sessionId} ${run.chainId}`);
    const machine =
      run.machineId === null ? undefined : this.#machines?.row(run.organizationId, run.machineId);
    if (run.status !== "running" || machine === undefined || machine.currentRunId !== run.id) return;
    const isReleased = effect === "ends" || (effect === "used" && !isOpen);
    const reservedSessionId =
      isReleased && machine.reservedSessionId === run.sessionId ? null : machine.reservedSessionId;
    this.#machines?.write({
      ...machine,
      currentRunId: null,
      reservedSessionId,
      revision: machine.revision + 1,
    });
  }

  /** Puts a row in place, whatever was there: to arrange a test. */
  write(run: Run): void {
    this.#rows.set(run.id, structuredClone(run));
  }

  writeSession(session: Session): void {
    this.sessions.set(session.id, structuredClone(session));
  }

  #row(organizationId: string, runId: string): Run | undefined {
    const run = this.#rows.get(runId);
    return run?.organizationId === organizationId ? run : undefined;
  }
}

function hasText(run: Run, search: string): boolean {
  const texts = [
    JSON.stringify(run.inputValues),
    textOf(run.outputData),
    ...run.error,
    run.sessionAlias ?? "",
  ];
  return texts.some((text) => text.toLowerCase().includes(search));
}

function textOf(spilled: Spilled | null): string {
  if (spilled === null) return "";
  return spilled.kind === "inline" ? JSON.stringify(spilled.value) : spilled.head;
}

function order(run: Run): string {
  return `${run.createdAt} ${run.id}`;
}
