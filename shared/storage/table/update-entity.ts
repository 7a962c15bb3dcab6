import { randomUUID } from "node:crypto";
import { ChangedTooOften } from "../../domain/changed-too-often.ts";
import type { Idempotency } from "../../domain/idempotency/idempotency.ts";
import type { FailedConditions } from "./dynamo-failure.ts";
import type { StoreDeps } from "./dynamo-table.ts";
import type { Change, Condition, Write } from "./expression.ts";
import { allOf } from "./expression.ts";
import type { Item, Key } from "./item.ts";
import { changedEntity } from "./row.ts";
import { refuseTaken, transactIdempotent } from "./transact-idempotent.ts";

/** Members of pools come and go by the dozen; each attempt writes unless it was overtaken. */
const overtakenMax = 50;

/** What an attempt comes to: writes with the outcome that they have when none of them is overtaken, or a refusal. */
export type Attempt<Outcome> =
  | { readonly writes: readonly Write[]; readonly outcome: Outcome; readonly result: unknown }
  | { readonly refused: Outcome };

/**
 * Reads, decides and writes until nobody else came between.
 *
 * @param of `what` it is, for the error: "the machine".
 * @param attempt is given the conditions of the attempt before that failed; it reads anew what they do not show.
 * @throws {AlreadyOnRecord}
 * @throws {ChangedTooOften}
 */
export async function writeAsRead<Outcome>(
  { table, clock }: StoreDeps,
  { what, idempotency }: { readonly what: string; readonly idempotency?: Idempotency | undefined },
  attempt: (failed: FailedConditions | undefined) => Promise<Attempt<Outcome>>,
): Promise<Outcome> {
  let failed: FailedConditions | undefined;
  for (let attempts = 0; attempts < overtakenMax; attempts += 1) {
    const next = await attempt(failed);
    const nowMs = clock.now();
    if ("refused" in next) {
      // A repeat must hear the first answer, whose work may be what refuses it.
      if (idempotency) await refuseTaken(table, idempotency, nowMs);
      return next.refused;
    }
    const once = { idempotency, result: next.result, nowMs };
    const outcome = await transactIdempotent(table, next.writes, once);
    if (outcome.kind === "written") return next.outcome;
    failed = outcome.failed;
  }
  throw new ChangedTooOften(what);
}

type Updated<Entity> = { readonly kind: "updated"; readonly entity: Entity } | { readonly kind: "changed" };

export interface EntityUpdate<Entity, Refusal> {
  /** For the error: "the machine". */
  readonly what: string;
  readonly key: Key;
  readonly parse: (item: Item) => Entity;
  readonly change: { readonly [Name in keyof Entity]?: Entity[Name] | undefined };
  /** The same, of the row. */
  readonly write: Change;
  /** Which rule keeps the entity from being changed. */
  readonly refuse: (current: Entity | undefined) => Refusal | undefined;
  /** The same in DynamoDB's words. */
  readonly condition: Condition;
  readonly idempotency?: Idempotency | undefined;
  /** As it was read already. @default one read, where one is needed */
  readonly before?: Entity | undefined;
  /** What must be as it was read besides the revision, because it is in the answer on record. */
  readonly isAsRead?: (before: Entity) => Condition;
  /** What changes with it, at places from 1 on. */
  readonly beside?: ((before: Entity, after: Entity) => readonly Write[]) | undefined;
  /** What a failed condition of those means; undefined: try again. */
  readonly refuseBeside?: (failed: FailedConditions) => Promise<Refusal | undefined>;
}

/**
 * Changes an entity: one conditional write, unless there is a record or something beside it. The answer on record is
 * the entity after the change, so that it is read then, and written on condition that it still is what was read.
 *
 * @throws {AlreadyOnRecord}
 * @throws {ChangedTooOften}
 */
export async function updateEntity<Entity extends { readonly revision: number }, Refusal>(
  deps: StoreDeps,
  update: EntityUpdate<Entity, Refusal>,
): Promise<Updated<Entity> | Refusal> {
  const { table } = deps;
  const { key, parse, write, refuse, condition, idempotency, beside } = update;
  if (!idempotency && !beside) {
    const writeId = randomUUID();
    const stamped = { ...write, set: { ...write.set, write_id: writeId } };
    const { kind, item } = await table.update(key, stamped, condition);
    // A response was lost and the write sent again: what it found is itself.
    if (item && (kind === "updated" || item.write_id === writeId)) {
      return { kind: "updated", entity: parse(item) };
    }
    return refuse(item && parse(item)) ?? { kind: "changed" };
  }
  const parsed = (item: Item | undefined) => item && parse(item);
  let current = update.before ?? parsed(await table.get(key));
  return await writeAsRead<Updated<Entity> | Refusal>(deps, update, async (failed) => {
    if (failed) {
      const refused = await update.refuseBeside?.(failed);
      if (refused) return { refused };
      current = parsed(failed.has(0) ? failed.get(0) : await table.get(key));
    }
    const refused = refuse(current);
    if (refused || !current) return { refused: refused ?? { kind: "changed" } };
    const entity = changedEntity(current, update.change);
    const { revision } = current;
    const isAsRead = { expression: "revision = :read_revision", values: { read_revision: revision } };
    const also = update.isAsRead ? [update.isAsRead(current)] : [];
    return {
      writes: [
        { kind: "update", key, change: write, condition: allOf(condition, isAsRead, ...also) },
        ...(beside?.(current, entity) ?? []),
      ],
      outcome: { kind: "updated", entity },
      result: entity,
    };
  });
}
