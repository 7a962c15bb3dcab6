import type { OrganizationId } from "../../domain/organization-id.ts";
import type { RunSettings } from "../../domain/run/create/new-run.ts";
import type {
  InputSourceIds,
  InputSourceStore,
  StoredInputSources,
} from "../../domain/run/inputs/input-source-store.ts";
import { parseMachine } from "../machine/machine-item.ts";
import { parsePool } from "../pool/pool-item.ts";
import { DynamoStore } from "../table/dynamo-store.ts";

import { machineKey, poolKey, workflowKey } from "../table/keys.ts";
import { parseWorkflow, workflowSettings } from "../workflow/workflow-item.ts";

export class DynamoInputSourceStore extends DynamoStore implements InputSourceStore {
  async read(
    organizationId: OrganizationId,
    { workflowId, machineId, poolIds }: InputSourceIds,
  ): Promise<StoredInputSources> {
    const items = await this.table.batchGet([
      workflowKey(organizationId, workflowId),
      ...(machineId === null ? [] : [machineKey(organizationId, machineId)]),
      ...[...new Set(poolIds)].map((poolId) => poolKey(organizationId, poolId)),
    ]);
    const ofKind = (kind: string) => items.filter((item) => item.kind === kind);
    return {
      workflow: ofKind("workflow").map(parseWorkflow).find(isThere),
      machine: ofKind("machine").map(parseMachine).find(isThere),
      pools: ofKind("pool").map(parsePool).filter(isThere),
    };
  }

  async settings(
    organizationId: OrganizationId,
    workflowIds: readonly string[],
  ): Promise<ReadonlyMap<string, RunSettings>> {
    const keys = [...new Set(workflowIds)].map((id) => workflowKey(organizationId, id));
    const items = await this.table.batchGet(keys, workflowSettings.attributes());
    return new Map(items.map(workflowSettings.parse).map(({ id, ...settings }) => [id, settings]));
  }
}

function isThere({ deletedAt }: { readonly deletedAt: string | null }): boolean {
  return deletedAt === null;
}
