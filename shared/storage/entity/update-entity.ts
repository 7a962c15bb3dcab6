import { randomUUID } from "node:crypto";
import { type Edit, requireEdition } from "../../domain/entity/edition.ts";
import type { Idempotency } from "../../domain/idempotency/idempotency.ts";
import { overtakenBy, untilWritten } from "../../domain/until-written.ts";
import { refuseTaken, transactIdempotent } from "../idempotency/transact-idempotent.ts";
import type { StoreDeps } from "../table/dynamo-table.ts";
import { allOf, type Change, type Condition, update } from "../table/expression.ts";
import type { Item, Key } from "../table/item.ts";
import { changedEntity } from "../table/row.ts";
import type { Failures, Parts } from "../table/transaction.ts";
import { hasEdition, withNextEdition } from "./edition-writes.ts";

export type Attempt<Outcome, Name extends string> =
  | { readonly parts: Parts<Name>; readonly outcome: Outcome; readonly result: unknown }
  | { readonly refused: Outcome };

/** @param attempt gets the failures of the attempt before. @throws {AlreadyOnRecord} @throws {ChangedTooOften} */
export async function writeAsRead<Outcome, Name extends string = string>(
  { table, clock }: StoreDeps,
  { what, idempotency }: { readonly what: string; readonly idempotency?: Idempotency | undefined },
  attempt: (failures: Failures<Name> | undefined) => Promise<Attempt<Outcome, Name>>,
): Promise<Outcome> {
  return await untilWritten<Failures<Name> | undefined, Outcome>(table.pacing, {
    what,
    // A pool's members may be added and removed by the dozen at once.
    attemptsMax: 50,
    read: async () => undefined,
    decide: async (before) => {
      const next = await attempt(before);
      const nowMs = clock.now();
      if ("refused" in next) {
        // A repeat must get the first response, whose effect may be the reason for this refusal.
        if (idempotency) await refuseTaken(table, idempotency, nowMs);
        return next.refused;
      }
      const once = { idempotency, result: next.result, nowMs };
      const { failed, failures } = await transactIdempotent(table, next.parts, once);
      return failed === undefined ? next.outcome : overtakenBy(failures);
    },
  });
}

type Updated<Entity> = { readonly kind: "updated"; readonly entity: Entity } | { readonly kind: "changed" };

export interface EntityUpdate<Entity, Refusal, Beside extends string> {
  /** The error names the entity with this text, such as "the machine". */
  readonly what: string;
  readonly key: Key;
  readonly parse: (item: Item) => Entity;
  readonly change: { readonly [Name in keyof Entity]?: Entity[Name] | undefined };
  readonly write: Change;
  readonly refuse: (current: Entity | undefined) => Refusal | undefined;
  /** The condition is equivalent to `refuse`. */
  readonly condition: Condition;
  readonly idempotency?: Idempotency | undefined;
  readonly before?: Entity | undefined;
  /** A person's write raises the edition. */
  readonly edit?: Edit | undefined;
  /** Fields of the recorded result may need a condition besides the revision. */
  readonly isAsRead?: (before: Entity) => Condition;
  readonly beside?: ((before: Entity, after: Entity) => Parts<Beside>) | undefined;
  /** Undefined means that the update is repeated. */
  readonly refuseBeside?: (failures: Failures<Beside | "entity">) => Promise<Refusal | undefined>;
}

/**
 * Makes one conditional write, unless a result is recorded: that is the entity after the change, so it is read first.
 *
 * @throws {AlreadyOnRecord}
 * @throws {ChangedTooOften}
 * @throws {ChangedMeanwhile}
 */
export async function updateEntity<
  Entity extends { readonly revision: number; readonly edition?: number; readonly deletedAt?: string | null },
  Refusal,
  Beside extends string = never,
>(deps: StoreDeps, given: EntityUpdate<Entity, Refusal, Beside>): Promise<Updated<Entity> | Refusal> {
  const { table } = deps;
  const { key, parse, idempotency, beside, edit } = given;
  const write = edit ? withNextEdition(given.write) : given.write;
  const refuse = (current: Entity | undefined) => {
    if (edit) requireEdition(current, edit);
    return given.refuse(current);
  };
  if (!idempotency && !beside) {
    const writeId = randomUUID();
    const stamped = { ...write, set: { ...write.set, write_id: writeId } };
    const condition = allOf(given.condition, edit && hasEdition(edit));
    const { kind, item } = await table.update(key, stamped, condition);
    // A write repeated after a lost response meets its own.
    if (item && (kind === "updated" || item.write_id === writeId)) {
      return { kind: "updated", entity: parse(item) };
    }
    return refuse(item && parse(item)) ?? { kind: "changed" };
  }
  const parsed = (item: Item | undefined) => item && parse(item);
  let current = given.before ?? parsed(await table.get(key));
  type Part = Beside | "entity";
  return await writeAsRead<Updated<Entity> | Refusal, Part>(deps, given, async (failures) => {
    if (failures) {
      const refused = await given.refuseBeside?.(failures);
      if (refused) return { refused };
      current = parsed(failures.has("entity") ? failures.item("entity") : await table.get(key));
    }
    const refused = refuse(current);
    if (refused || !current) return { refused: refused ?? { kind: "changed" } };
    const { revision, edition = 0 } = current;
    const entity = { ...changedEntity(current, given.change), ...(edit && { edition: edition + 1 }) };
    const isAsRead = { expression: "revision = :read_revision", values: { read_revision: revision } };
    return {
      parts: {
        entity: update(
          key,
          write,
          allOf(
            given.condition,
            isAsRead,
            edit && hasEdition({ ifEdition: [edition] }),
            given.isAsRead?.(current),
          ),
        ),
        ...beside?.(current, entity),
      },
      outcome: { kind: "updated", entity },
      result: entity,
    };
  });
}
