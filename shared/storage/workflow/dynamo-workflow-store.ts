import type { OrganizationId } from "../../domain/access/organization-id.ts";
import type { Idempotency } from "../../domain/idempotency/idempotency.ts";
import type { Page, PageRequest } from "../../domain/page.ts";
import type { Workflow, WorkflowVersion } from "../../domain/workflow/workflow.ts";
import type {
  UpdateWorkflowOptions,
  UpdateWorkflowOutcome,
  WorkflowChange,
  WorkflowFilter,
  WorkflowStore,
} from "../../domain/workflow/workflow-store.ts";
import { DynamoEntityStore } from "../entity/dynamo-entity-store.ts";
import { updateEntity } from "../entity/update-entity.ts";
import { countWrite } from "../table/counters.ts";
import { isAsRead, isNew, living } from "../table/expression.ts";
import { attributesOf } from "../table/index-attributes.ts";
import { mainTrajectoryKey, versionRange, workflowKey } from "../table/keys.ts";
import { queryItems } from "../table/query.ts";
import { transactIdempotent } from "../table/transact-idempotent.ts";
import { readWithin, textBytes } from "./bounded-read.ts";
import {
  parseVersion,
  parseWorkflow,
  versionItem,
  workflowItem,
  workflowRow,
  workflowTagIds,
} from "./workflow-item.ts";
import { queryWorkflows } from "./workflow-list.ts";

const versionsMax = 100;
const versionBytesMax = 4_000_000;

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html */
const writesMax = 100;

export class DynamoWorkflowStore extends DynamoEntityStore<Workflow> implements WorkflowStore {
  protected readonly kind = "workflow";
  protected readonly counted = "WORKFLOW";
  protected readonly listed = attributesOf("list");
  protected readonly key = workflowKey;
  protected readonly parse = parseWorkflow;

  override async findMany(
    organizationId: OrganizationId,
    workflowIds: readonly string[],
  ): Promise<readonly Workflow[]> {
    const keys = [...new Set(workflowIds)].map((id) => workflowKey(organizationId, id));
    const workflows = (await readWithin(this.table, keys)).map(parseWorkflow);
    return workflows.filter(({ deletedAt }) => deletedAt === null);
  }

  async findTagIds(organizationId: OrganizationId, workflowIds: readonly string[]) {
    const keys = [...new Set(workflowIds)].map((id) => workflowKey(organizationId, id));
    const items = await this.table.batchGet(keys, [...workflowTagIds.attributes(), "deleted_at"]);
    return items.filter((item) => item.deleted_at === undefined).map(workflowTagIds.parse);
  }

  async create(workflow: Workflow, idempotency?: Idempotency): Promise<void> {
    const outcome = await transactIdempotent(
      this.table,
      [{ kind: "put", item: workflowItem(workflow), condition: isNew }, countWrite("WORKFLOW", workflow, 1)],
      { idempotency, result: workflow, nowMs: this.deps.clock.now() },
    );
    if (outcome.kind === "failed") throw new Error("a workflow with this id is there already");
  }

  async update(
    organizationId: OrganizationId,
    workflowId: string,
    change: WorkflowChange,
    { idempotency, before, version }: UpdateWorkflowOptions = {},
  ): Promise<UpdateWorkflowOutcome> {
    const outcome = await updateEntity(this.deps, {
      ...{ what: "the workflow", key: workflowKey(organizationId, workflowId), parse: parseWorkflow },
      ...{ change, write: workflowRow.change(change), idempotency, before },
      condition: before ? isAsRead(before) : living,
      refuse: (current) => {
        if (!current || current.deletedAt !== null) return { kind: "not_found" } as const;
        if (before && current.revision !== before.revision) return { kind: "changed" } as const;
        return undefined;
      },
      beside: version && (() => [{ kind: "put", item: versionItem(organizationId, version) }]),
    });
    return outcome.kind === "updated" ? { kind: "updated", workflow: outcome.entity } : outcome;
  }

  async list(
    organizationId: OrganizationId,
    filter: WorkflowFilter,
    page: PageRequest,
  ): Promise<Page<Workflow>> {
    return await queryWorkflows(this.table, organizationId, filter, page, this.searchRowsMax);
  }

  async listVersions(
    organizationId: OrganizationId,
    workflowId: string,
  ): Promise<readonly WorkflowVersion[]> {
    const { pk: partition } = workflowKey(organizationId, workflowId);
    let bytes = 0;
    const items = await queryItems(
      this.table,
      { partition, ...versionRange, isDescending: true },
      versionsMax,
      (read) => read.reduce((sum, item) => sum + textBytes(item), 0) > versionBytesMax,
    );
    const fitting = items.filter((item) => {
      bytes += textBytes(item);
      return bytes <= versionBytesMax;
    });
    return fitting.map(parseVersion);
  }

  async remove(organizationId: OrganizationId, workflowId: string): Promise<void> {
    if (!(await this.findDeleted(organizationId, workflowId))) return;
    const key = workflowKey(organizationId, workflowId);
    for (;;) {
      const versions = await queryItems(
        this.table,
        { partition: key.pk, ...versionRange },
        writesMax,
        (read) => read.length > 0,
      );
      if (versions.length === 0) break;
      await this.table.transact(
        versions.map(({ pk, sk }) => ({ kind: "delete", key: { pk: String(pk), sk: String(sk) } })),
      );
    }
    await this.table.delete(mainTrajectoryKey(organizationId, workflowId));
    await this.removeRow(organizationId, workflowId);
  }
}
