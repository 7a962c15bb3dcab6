import type { Caller } from "../../../shared/domain/access/caller.ts";
import { organizationIdOf } from "../../../shared/domain/organization-id.ts";
import type { ModelRecord } from "../dynamo-model/dynamo-model.ts";
import { QueueOrder } from "./queue-order.ts";
import { StepInvariants } from "./step-invariants.ts";
import { View } from "./view.ts";

/** One organization of a schedule, and what its actors know of it. */
export class SimOrganization {
  readonly caller: Caller;
  readonly view = new View();
  readonly order: QueueOrder | undefined;
  readonly assignments: { readonly runId: string; readonly assignmentId: string }[] = [];
  readonly workflowIds: string[] = [];
  readonly #invariants: StepInvariants;

  constructor(name: string, of: { readonly executionsMax: number; readonly isInOrder: boolean }) {
    this.caller = {
      kind: "api_key",
      organizationId: organizationIdOf(name),
      userId: "u",
      principal: "p",
      keyId: "key",
      scopes: ["read", "write", "driver", "worker"],
    };
    this.#invariants = new StepInvariants(this.view, of.executionsMax);
    this.order = of.isInOrder ? new QueueOrder(this.view) : undefined;
  }

  apply(records: readonly ModelRecord[]): void {
    const own = records.filter(({ dynamodb }) =>
      dynamodb.Keys.pk?.S?.startsWith(`ORG#${this.caller.organizationId}#`),
    );
    if (own.length === 0) return;
    for (const record of own) {
      this.view.apply(record);
      const { NewImage: after } = record.dynamodb;
      const [runId, assignmentId] = [textOf(after?.id), textOf(after?.assignment_id)];
      const isKnown = this.assignments.some((known) => known.assignmentId === assignmentId);
      if (textOf(after?.status) === "running" && !isKnown) this.assignments.push({ runId, assignmentId });
    }
    this.#invariants.check(own);
    this.order?.check();
  }
}

function textOf(value: unknown): string {
  return (value as { readonly S?: string } | undefined)?.S ?? "";
}
