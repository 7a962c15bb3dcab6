import type { Act, Actor, ActUnderWay } from "../../domain/audit/act.ts";
import { callerKinds } from "../../vocabulary/access.ts";
import { allOf, isThere, update, type Write } from "./expression.ts";
import type { Item } from "./item.ts";
import { resourceOfKey } from "./keys.ts";
import { type Fields, flag, maybe, nested, oneOf, row, text } from "./row.ts";

/** The attribute names the request that changed an item last; the service's own changes remove it. */
const attribute = "act";

export const actorFields: Fields<Actor> = {
  kind: oneOf(callerKinds),
  principal: text,
  userId: text,
  address: text,
};

export const actorField = nested<Actor>(actorFields);

interface Stamp extends Act {
  readonly isRemoving?: boolean | undefined;
}

const stampRow = row<{ readonly act: Stamp }>("", {
  act: nested<Stamp>({
    id: text,
    createdAt: text,
    actor: actorField,
    operation: text,
    requestId: text,
    resourceType: text,
    isRemoving: maybe(flag),
  }),
});
const stampOnly = stampRow.pick(attribute);

export function stampOf(item: Item | undefined): Stamp | undefined {
  return item?.[attribute] === undefined ? undefined : stampOnly.parse(item).act;
}

export interface StampedWrites {
  readonly writes: readonly Write[];
  /** The mark is written first, because a removed item cannot say who removed it. */
  readonly mark: Write | undefined;
  readonly resourceId: string | undefined;
}

/** Acts of other changes are removed, because the stream's filters cannot recognize an act that was there before. */
export function stampWrites(act: ActUnderWay | undefined, writes: readonly Write[]): StampedWrites {
  let resourceId: string | undefined;
  let mark: Write | undefined;
  const stamped = writes.map((write): Write => {
    if (write.kind === "check") return write;
    const resource = resourceOfKey(write.kind === "put" ? write.item : write.key);
    if (resource === undefined) return write;
    const isSubject =
      act !== undefined &&
      resourceId === undefined &&
      resource.type === act.resourceType &&
      (act.resourceId === undefined ? !act.isNew || write.kind === "put" : act.resourceId === resource.id);
    if (isSubject) resourceId = resource.id;
    if (write.kind === "put")
      return isSubject ? { ...write, item: { ...write.item, ...stampItem(act) } } : write;
    if (write.kind === "update") {
      const set = { ...write.change.set, ...(isSubject ? stampItem(act) : { [attribute]: null }) };
      return { ...write, change: { ...write.change, set } };
    }
    if (isSubject) mark = markOf(write, act);
    return write;
  });
  return { writes: stamped, mark, resourceId };
}

function markOf({ key, condition }: Extract<Write, { kind: "delete" }>, act: Act): Write {
  const change = { set: stampItem(act, true) };
  const own = condition && { ...condition, expression: `(${condition.expression})` };
  return update(key, change, own ? allOf(isThere, own) : isThere);
}

function stampItem({ id, createdAt, actor, operation, requestId, resourceType }: Act, isRemoving?: boolean) {
  return stampRow.set({
    act: { id, createdAt, actor, operation, requestId, resourceType, ...(isRemoving && { isRemoving }) },
  });
}
