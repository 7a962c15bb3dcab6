import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { Logger } from "../../shared/domain/logger.ts";
import { matchChanges } from "../../shared/domain/matching/match-changes.ts";
import type { MatchDeps } from "../../shared/domain/matching/match-deps.ts";
import { atOnceMax } from "../../shared/domain/matching/match-round.ts";
import type { Assignment, AssignOutcome } from "../../shared/domain/matching/match-store.ts";
import type { MatchTrigger } from "../../shared/domain/matching/match-trigger.ts";
import { systemClock as clock, systemIds as ids } from "../../shared/runtime/system.ts";
import { AjvInputChecker } from "../../shared/schema/ajv-input-checker.ts";
import { assignParts } from "../../shared/storage/matching/assign-run-writes.ts";
import { DynamoMatchStore } from "../../shared/storage/matching/dynamo-match-store.ts";
import { DynamoModelConfigurationStore } from "../../shared/storage/model-configuration/dynamo-model-configuration-store.ts";
import { DynamoRunStore } from "../../shared/storage/run/dynamo-run-store.ts";
import { DynamoTable } from "../../shared/storage/table/dynamo-table.ts";
import { countCalls } from "../support/counting-client.ts";
import { InMemoryFileStore } from "../support/fakes/in-memory-file-store.ts";
import type { TestTable } from "../support/table.ts";

/** Records assignments and left work. */
class NotingMatchStore extends DynamoMatchStore {
  readonly assigned: Assignment[] = [];
  /** Work that rounds left, which the stream would deliver. */
  left: MatchTrigger[] = [];
  refused = 0;

  override async leave(...given: Parameters<DynamoMatchStore["leave"]>): Promise<void> {
    await super.leave(...given);
    const [organizationId, changes] = given;
    this.left.push({ kind: "left", organizationId, changes });
  }

  override async assign(assignment: Assignment): Promise<AssignOutcome> {
    const outcome = await super.assign(assignment);
    if (outcome.kind === "assigned") this.assigned.push(assignment);
    else this.refused += 1;
    return outcome;
  }
}

/** Lambda's limit is 60 s; DynamoDB Local is so much slower than DynamoDB that this would measure repetitions. */
const limitMs = 600_000;
/** The setting's default. */
const executionsMax = 50;

export interface Matched {
  readonly tookMs: number;
  readonly calls: readonly string[];
  readonly assigned: readonly Assignment[];
  /** Number of refused assignments, where another was first. */
  readonly refused: number;
}

export type BenchMatcher = ReturnType<typeof createBenchMatcher>;

/** The matcher as its function composes it, on a table whose stream the benchmark controls. */
export function createBenchMatcher({ client, tableName }: TestTable & { readonly client: DynamoDBClient }) {
  const counted = countCalls(client);
  const table = new DynamoTable({ client: counted.client, tableName, clock });
  const runs = new DynamoRunStore({ table, clock });
  const matches = new NotingMatchStore({ table, organizationExecutionsMax: executionsMax });
  const silent = () => undefined;
  const logger: Logger = {
    debug: silent,
    info: silent,
    warn: silent,
    error: console.error,
    with: () => logger,
  };
  const deps: MatchDeps = {
    modelConfigurations: new DynamoModelConfigurationStore({ table, clock }),
    matches,
    runs,
    clock,
    ids,
    files: new InMemoryFileStore(clock),
    checker: new AjvInputChecker({ clock }),
    logger,
    starter: { start: async () => {} },
  };
  const round = async (triggers: readonly MatchTrigger[]): Promise<void> => {
    const failed = await matchChanges(deps, triggers, Date.now() + limitMs);
    if (failed.size > 0) throw new Error(`${failed.size} triggers failed`);
  };
  return {
    matches,
    runs,
    /** Runs one invocation; the work that it leaves is added to `matches.left`. */
    round,
    /**
     * Runs concurrent invocations, each with some of the triggers.
     *
     * @throws {Error} when a trigger failed.
     */
    match: async (...batches: readonly (readonly MatchTrigger[])[]): Promise<Matched> => {
      counted.take();
      matches.assigned.length = 0;
      matches.refused = 0;
      const startedMs = performance.now();
      await Promise.all(batches.map(round));
      while (matches.left.length > 0) await round(matches.left.splice(0));
      const tookMs = performance.now() - startedMs;
      return { tookMs, calls: counted.take(), assigned: [...matches.assigned], refused: matches.refused };
    },
    /** Writes the assignments' transactions and nothing else, with the matcher's concurrency. */
    assignBare: async (assignments: readonly Assignment[]): Promise<number> => {
      const left = assignments.map((assignment) => assignParts(assignment, executionsMax)).values();
      const startedMs = performance.now();
      await inTurns(left, async (parts) => {
        const { failed } = await table.transact(parts);
        if (failed !== undefined) throw new Error("a bare transaction failed");
      });
      return performance.now() - startedMs;
    },
  };
}

/** Acts on the values with the concurrency at which the matcher serves machines. */
export async function inTurns<T>(values: Iterable<T>, act: (value: T) => Promise<void>): Promise<void> {
  const left = values[Symbol.iterator]();
  const rest = { [Symbol.iterator]: () => left };
  const work = async () => {
    for (const value of rest) await act(value);
  };
  await Promise.all(Array.from({ length: atOnceMax }, work));
}
