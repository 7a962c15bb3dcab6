import { v7 } from "uuid";
import type { OrganizationId } from "../../../shared/domain/organization-id.ts";
import { machineItem } from "../../../shared/storage/machine/machine-item.ts";
import { joinWrite } from "../../../shared/storage/pool/membership-writes.ts";
import { poolItem } from "../../../shared/storage/pool/pool-item.ts";
import { runItem } from "../../../shared/storage/run/run-item.ts";
import { countWrites } from "../../../shared/storage/table/counters.ts";
import type { Write } from "../../../shared/storage/table/expression.ts";
import type { Item, Key } from "../../../shared/storage/table/item.ts";
import type { Counted } from "../../../shared/storage/table/keys.ts";
import { workflowItem } from "../../../shared/storage/workflow/workflow-item.ts";
import { aMachine, aPool, aRun } from "../builders/entities.ts";
import { aWorkflow } from "../builders/workflows.ts";

export interface SeededOrganization {
  readonly organizationId: OrganizationId;
  readonly runs: number;
  readonly related: number;
}

const poolsOfMachine = 3;

/**
 * The rows of an organization, including counters, made by the stores' own functions: workflows, machines in pools, and
 * runs of them, created one second after the other.
 */
export function* organizationItems(seeded: SeededOrganization): Generator<Item & Key> {
  const { organizationId, related } = seeded;
  const each = Array.from({ length: related }, (_, index) => index);
  const workflows = each.map(() => aWorkflow({ organizationId, name: "Monthly close" }));
  const memberships = Math.min(poolsOfMachine, related);
  const pools = each.map(() => aPool({ organizationId, machineCount: memberships }));
  const machines = each.map((index) => {
    const inTurns = Array.from({ length: memberships }, (_, n) => pools[(index + n) % related]?.id ?? "");
    return aMachine({ organizationId, name: `desk ${index}`, poolIds: inTurns.toSorted() });
  });
  yield* workflows.map(workflowItem);
  yield* pools.map(poolItem);
  yield* machines.map(machineItem);
  for (const machine of machines)
    yield* machine.poolIds.map((poolId) => written(joinWrite(organizationId, poolId, machine.id)));
  const runs = Array.from({ length: seeded.runs }, (_, index) => ({
    organizationId,
    id: v7({ msecs: Date.now() - (seeded.runs - index) * 1_000 }),
  }));
  for (const [index, { id }] of runs.entries()) {
    const [workflow, machine] = [workflows[index % related], machines[index % related]];
    const named = { ...(workflow && { workflowId: workflow.id }), machineId: machine?.id ?? null };
    yield runItem(aRun({ ...aFinishedRun, ...named, organizationId, id }));
  }
  const counted: readonly [Counted, readonly { readonly id: string }[]][] = [
    ["WORKFLOW", workflows],
    ["POOL", pools],
    ["MACHINE", machines],
    ["RUN", runs],
  ];
  for (const [kind, entities] of counted)
    yield* countWrites(
      kind,
      entities.map(({ id }) => ({ organizationId, id })),
    ).map(written);
}

const aFinishedRun = {
  status: "success",
  inputValues: { invoice: "2026-0417", amount: 1_249.5, supplier: "Office Supplies Ltd" },
  sensitiveAliases: ["erp_password"],
  outputData: { kind: "inline", value: { booked: true, document: "RE-77120" } },
} as const;

function written(write: Write): Item & Key {
  if (write.kind === "put") return write.item;
  if (write.kind === "update") return { ...write.key, ...write.change.set, ...write.change.add };
  throw new Error(`a ${write.kind} makes no row`);
}
