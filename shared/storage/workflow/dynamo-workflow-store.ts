import type { Idempotency } from "../../domain/idempotency/idempotency.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import type { Page, PageRequest } from "../../domain/page.ts";
import { ownConfigurationIds } from "../../domain/workflow/require-fits.ts";
import type { Workflow, WorkflowVersion } from "../../domain/workflow/workflow.ts";
import type {
  CreateWorkflowOutcome,
  UpdateWorkflowOptions,
  UpdateWorkflowOutcome,
  WorkflowChange,
  WorkflowFilter,
  WorkflowStore,
} from "../../domain/workflow/workflow-store.ts";
import { transactionItemsMax } from "../../vocabulary/table.ts";
import { DynamoEntityStore } from "../entity/dynamo-entity-store.ts";
import { updateEntity } from "../entity/update-entity.ts";
import { countWorkflow } from "../model-configuration/configuration-item.ts";
import { counting, countWrite } from "../table/counters.ts";
import { isAsRead, isDeleted, isNew, living, put, remove } from "../table/expression.ts";
import { attributesOf } from "../table/index-keys.ts";
import { keyOfItem } from "../table/item.ts";
import { mainTrajectoryKey, versionRange, workflowKey } from "../table/keys.ts";
import { queryItems, queryPage } from "../table/query.ts";
import { isTooLarge, pageTooLarge, readWithin } from "./bounded-read.ts";
import {
  parseVersion,
  parseWorkflow,
  versionItem,
  workflowItem,
  workflowRow,
  workflowTagIds,
} from "./workflow-item.ts";
import { queryWorkflows } from "./workflow-list.ts";

type WorkflowRefusal = Exclude<UpdateWorkflowOutcome, { readonly kind: "updated" }>;

export class DynamoWorkflowStore extends DynamoEntityStore<Workflow> implements WorkflowStore {
  protected readonly kind = "workflow";
  protected readonly count = counting("WORKFLOW");
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

  async create(workflow: Workflow, idempotency?: Idempotency): Promise<CreateWorkflowOutcome> {
    const named = ownConfigurationIds(workflow);
    const { failed, failures } = await this.transact(idempotency, workflow, {
      workflow: put(workflowItem(workflow), isNew),
      count: countWrite("WORKFLOW", workflow, 1),
      configurations: named.map((id) => countWorkflow(workflow.organizationId, id, 1)),
    });
    if (failed === undefined) return { kind: "created" };
    const missing = named.find((_, place) => failures.has("configurations", place));
    if (missing !== undefined) return { kind: "configuration_missing", id: missing };
    throw new Error("a workflow with this id is there already");
  }

  async update(
    organizationId: OrganizationId,
    workflowId: string,
    change: WorkflowChange,
    { idempotency, before, version, edit }: UpdateWorkflowOptions = {},
  ): Promise<UpdateWorkflowOutcome> {
    const namesOthers =
      change.modelConfigurationId !== undefined || change.fallbackModelConfigurationIds !== undefined;
    let added: readonly string[] = [];
    const outcome = await updateEntity<Workflow, WorkflowRefusal, "version" | "added" | "left">(this.deps, {
      what: "the workflow",
      key: workflowKey(organizationId, workflowId),
      parse: parseWorkflow,
      change,
      write: workflowRow.change(change),
      idempotency,
      before,
      edit,
      condition: before ? isAsRead(before) : living,
      refuse: (current) => {
        if (!current || current.deletedAt !== null) return { kind: "not_found" };
        if (before && current.revision !== before.revision) return { kind: "changed" };
        return undefined;
      },
      beside:
        version || namesOthers
          ? (earlier, later) => {
              const [was, is] = [ownConfigurationIds(earlier), ownConfigurationIds(later)];
              added = is.filter((id) => !was.includes(id));
              const left = was.filter((id) => !is.includes(id));
              const counts = (ids: readonly string[], by: 1 | -1) =>
                ids.map((id) => countWorkflow(organizationId, id, by));
              return {
                version: version && put(versionItem(organizationId, version)),
                added: counts(added, 1),
                left: counts(left, -1),
              };
            }
          : undefined,
      refuseBeside: async (failures) => {
        const missing = added.find((_, place) => failures.has("added", place));
        return missing === undefined || failures.has("entity")
          ? undefined
          : { kind: "configuration_missing", id: missing };
      },
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
    page: PageRequest,
  ): Promise<readonly WorkflowVersion[]> {
    const { pk: partition } = workflowKey(organizationId, workflowId);
    const rows = { partition, ...versionRange, isDescending: true };
    const items = await queryPage(this.table, rows, page, isTooLarge);
    if (isTooLarge(items)) throw pageTooLarge();
    return items.map(parseVersion);
  }

  async remove(organizationId: OrganizationId, workflowId: string): Promise<void> {
    const deleted = await this.findDeleted(organizationId, workflowId);
    if (!deleted) return;
    const key = workflowKey(organizationId, workflowId);
    for (;;) {
      const versions = await queryItems(
        this.table,
        { partition: key.pk, ...versionRange },
        transactionItemsMax,
        (read) => read.length > 0,
      );
      if (versions.length === 0) break;
      await this.table.transact({ versions: versions.map((version) => remove(keyOfItem(version))) });
    }
    await this.table.delete(mainTrajectoryKey(organizationId, workflowId));
    // One transaction does both, so that no configuration's count is decremented twice.
    await this.table.transact({
      workflow: remove(key, isDeleted),
      configurations: ownConfigurationIds(deleted).map((id) => countWorkflow(organizationId, id, -1)),
    });
  }
}
