import type { ChangeOf } from "../../domain/live/change.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import { organizationIdAttribute } from "../table/row.ts";
import { readRequestLog } from "./stream-calls.ts";
import { imagesOf, type TableStreamRecord } from "./stream-changes.ts";

const ofService = "run#";

/**
 * Returns what viewers may hear of a change that the projector reads anyway. A step's own row does not pass its filter,
 * which would cost an invocation a step: a call to the desktop, which does, stands for the step that it belongs to.
 */
export function readHintedChanges(record: TableStreamRecord): readonly ChangeOf[] {
  const { before, after } = imagesOf(record);
  const item = after ?? before;
  if (item?.kind === "run" || item?.kind === "machine") {
    const organizationId = organizationIdAttribute.parse(item.organization_id);
    const mark = after === undefined ? "removed" : `${item.revision}`;
    const id = String(item.id);
    if (item.kind === "machine") return [{ kind: "machine", organizationId, id, mark }];
    // A run's begin and end change its machine, too.
    return [
      { kind: "run", organizationId, id, mark },
      ...machineOf(organizationId, item.machine_id, `${id}:${mark}`),
    ];
  }
  if (item?.kind !== "call_slot") return [];
  const call = readRequestLog(record);
  if (call === undefined) return [];
  const { organizationId, actor, machineId, method, id: mark } = call;
  if (actor.kind === "service" && actor.principal.startsWith(ofService)) {
    return [{ kind: "step", organizationId, id: actor.principal.slice(ofService.length), mark }];
  }
  // Who only looks at a screen leaves no step.
  return method === "GET" ? [] : [{ kind: "call", organizationId, id: machineId, mark }];
}

function machineOf(organizationId: OrganizationId, machineId: unknown, mark: string): readonly ChangeOf[] {
  return typeof machineId === "string" ? [{ kind: "machine", organizationId, id: machineId, mark }] : [];
}
