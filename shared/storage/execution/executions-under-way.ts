import type { OrganizationId } from "../../domain/organization-id.ts";
import { type Change, type Condition, update, type Write } from "../table/expression.ts";
import type { Item } from "../table/item.ts";
import { executionsKey } from "../table/keys.ts";

/** The stream's filters recognize the row by this kind. */
export const executionsKind = "executions";

interface CarriedOut {
  readonly organizationId: OrganizationId;
  readonly id: string;
}

export function executionBegun(run: CarriedOut, executionsMax: number): Write {
  const condition = {
    expression: "attribute_not_exists(running) OR size(running) < :max",
    values: { max: executionsMax },
  };
  return { ...executionAdded(run), condition };
}

/** The first end after a refusal removes its mark, which is the event that others wait for. */
export function executionEnded({ organizationId, id }: CarriedOut): Write {
  return executionsRemoved(organizationId, [runMember(id)]);
}

export function executionsRemoved(organizationId: OrganizationId, elements: readonly string[]) {
  const running = new Set(elements);
  return rowUpdate(organizationId, { delete: { running }, remove: ["has_refused", "refused"] });
}

/** An execution that is already under way is also added above the limit. */
export function executionAdded({ organizationId, id }: CarriedOut) {
  return rowUpdate(organizationId, { add: { running: new Set([runMember(id)]) } });
}

export function refusedAdded(organizationId: OrganizationId, refused: readonly string[], max: number) {
  const change = { set: { has_refused: true }, add: { refused: new Set(refused) } };
  const condition: Condition = { expression: "size(running) >= :max", values: { max } };
  return { ...rowUpdate(organizationId, change), condition };
}

export function runningIn(item: Item | undefined): ReadonlySet<string> {
  return item?.running instanceof Set ? item.running : new Set();
}

/** The end of an id is random; fifty of them keep the row below 1 KB, a thousand below 9. */
export function runMember(runId: string): string {
  return runId.slice(-8);
}

function rowUpdate(organizationId: OrganizationId, change: Change) {
  const set = { kind: executionsKind, organization_id: organizationId, ...change.set };
  return update(executionsKey(organizationId), { ...change, set });
}
