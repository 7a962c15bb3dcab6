import { type Change, type ChangeKind, changeKinds } from "../../domain/live/change.ts";
import type { HintStore, Pending } from "../../domain/live/hint-store.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import { DynamoStore } from "../table/dynamo-store.ts";
import type { StoreDeps } from "../table/dynamo-table.ts";
import { allOf, type Condition, hasValue } from "../table/expression.ts";
import type { Item } from "../table/item.ts";
import { hintsKey } from "../table/keys.ts";

/** A turn that has not written for this time has died. */
const turnLeaseMs = 20_000;

/** Each write costs as much as the row is long; a change has some 60 bytes. */
const pendingMax = 200;

const keptSeconds = 24 * 3_600;

/** Each change is an element of a set with its own mark, so that removing what was sent keeps what has come since. */
export class DynamoHintStore extends DynamoStore<StoreDeps> implements HintStore {
  async note(organizationId: OrganizationId, changes: readonly Change[]): Promise<boolean> {
    const [first] = changes;
    if (first === undefined) return true;
    const hasRoom: Condition = {
      expression: "(attribute_not_exists(pending) OR size(pending) < :max)",
      values: { max: pendingMax },
    };
    const noted = await this.#add(organizationId, changes, hasRoom);
    if (noted.kind === "updated") return this.#isUnderWay(noted.item);
    const all = await this.#add(organizationId, [{ kind: "all", id: first.id, mark: first.mark }]);
    return all.kind === "updated" && this.#isUnderWay(all.item);
  }

  async begin(organizationId: OrganizationId, turn: string): Promise<Pending | undefined> {
    const nowMs = this.deps.clock.now();
    const isFree: Condition = {
      expression: "(attribute_not_exists(turn_until_ms) OR turn_until_ms <= :now OR turn = :turn)",
      values: { now: nowMs, turn },
    };
    return await this.#take(organizationId, turn, {}, isFree);
  }

  async goOn(
    organizationId: OrganizationId,
    turn: string,
    sent?: { readonly changes: readonly Change[]; readonly notBeforeMs: number },
  ): Promise<Pending | undefined> {
    const elements = new Set(sent?.changes.map(elementOf));
    const change = {
      set: sent ? { not_before_ms: sent.notBeforeMs } : {},
      ...(elements.size > 0 && { delete: { pending: elements } }),
    };
    return await this.#take(organizationId, turn, change, hasValue("turn", turn));
  }

  async end(organizationId: OrganizationId, turn: string, isHandedOver = false): Promise<boolean> {
    const isDone = isHandedOver ? undefined : hasValue("pending", null);
    const { kind } = await this.table.update(
      hintsKey(organizationId),
      { remove: ["turn", "turn_until_ms"] },
      allOf(hasValue("turn", turn), isDone),
    );
    return kind === "updated";
  }

  async #add(organizationId: OrganizationId, changes: readonly Change[], condition?: Condition) {
    const set = { kind: "hints", organization_id: organizationId, ttl: this.#ttl };
    const add = { pending: new Set(changes.map(elementOf)) };
    return await this.table.update(hintsKey(organizationId), { set, add }, condition);
  }

  async #take(
    organizationId: OrganizationId,
    turn: string,
    change: { readonly set?: Item; readonly delete?: Readonly<Record<string, ReadonlySet<string>>> },
    condition: Condition,
  ): Promise<Pending | undefined> {
    const lease = { turn, turn_until_ms: this.deps.clock.now() + turnLeaseMs, ttl: this.#ttl };
    const whose = { kind: "hints", organization_id: organizationId };
    const set = { ...change.set, ...whose, ...lease };
    const outcome = await this.table.update(hintsKey(organizationId), { ...change, set }, condition);
    return outcome.kind === "updated" ? pendingOf(outcome.item) : undefined;
  }

  #isUnderWay({ turn_until_ms: untilMs }: Item): boolean {
    return Number(untilMs ?? 0) > this.deps.clock.now();
  }

  get #ttl(): number {
    return Math.ceil(this.deps.clock.now() / 1_000) + keptSeconds;
  }
}

function pendingOf({ pending, not_before_ms: notBeforeMs }: Item): Pending {
  const elements = pending instanceof Set ? [...(pending as ReadonlySet<string>)] : [];
  return { changes: elements.flatMap(changeOf), notBeforeMs: Number(notBeforeMs ?? 0) };
}

function elementOf({ kind, id, mark }: Change): string {
  return [kind, id, mark].join("#");
}

function changeOf(element: string): readonly Change[] {
  const [kind = "", id = "", mark = ""] = element.split("#");
  return isKind(kind) ? [{ kind, id, mark }] : [];
}

function isKind(kind: string): kind is ChangeKind {
  return changeKinds.some((each) => each === kind);
}
